"""The secrets of the agent protocol, and finding whom one belongs to before its project is known.

Every kind has a prefix of its own, so that one in the wrong place is refused without a look. A text is found by its
look-up part and compared by its hash; what is malformed, unknown or wrong is all the same to whoever sent it.
"""

import hmac
from typing import Final, TypeVar

from django.db.models import Model, QuerySet

from apps.gateway.models import LOOKUP_LENGTH, AgentClient, AgentToken, Authorization, TokenKind
from apps.kernel.credentials import CredentialForm, digest_of
from apps.projects.scoping import across_projects

CLIENT_TOKEN: Final = CredentialForm("mwd_client_", lookup_length=LOOKUP_LENGTH)
CODE: Final = CredentialForm("mwd_code_", lookup_length=LOOKUP_LENGTH)
ACCESS_TOKEN: Final = CredentialForm("mwd_access_", lookup_length=LOOKUP_LENGTH)
REFRESH_TOKEN: Final = CredentialForm("mwd_refresh_", lookup_length=LOOKUP_LENGTH)
CALLBACK_SECRET: Final = CredentialForm("mwd_callback_", lookup_length=LOOKUP_LENGTH)
# No credential of any kind is longer.
MAX_LENGTH: Final = max(form.length for form in (CLIENT_TOKEN, CODE, ACCESS_TOKEN, REFRESH_TOKEN))

M = TypeVar("M", bound=Model)


def find_client(text: str) -> AgentClient | None:
    """The client whose backend's token this is, whether it is enabled or not."""
    lookup = CLIENT_TOKEN.lookup_of(text)
    if lookup is None:
        return None
    with across_projects():
        return _matching(AgentClient.objects.all_projects().filter(token_lookup=lookup), "token_digest", text)


def find_access_token(text: str) -> AgentToken | None:
    """The token with its session and client, whatever state they are in."""
    return _find_token(ACCESS_TOKEN, TokenKind.ACCESS, text)


def find_refresh_token(text: str) -> AgentToken | None:
    return _find_token(REFRESH_TOKEN, TokenKind.REFRESH, text)


def find_code(text: str) -> Authorization | None:
    """The authorization that ended in this code, with its client."""
    lookup = CODE.lookup_of(text)
    if lookup is None:
        return None
    with across_projects():
        found = Authorization.objects.all_projects().select_related("client").filter(code_lookup=lookup)
        return _matching(found, "code_digest", text)


def find_client_by_app_id(app_id: str) -> AgentClient | None:
    with across_projects():
        return AgentClient.objects.all_projects().filter(app_id=app_id).first()


def find_authorization(authorization_id: str) -> Authorization | None:
    """For the page that people come to with this id alone; whether they may see it is for the page to find out."""
    with across_projects():
        found = Authorization.objects.all_projects().select_related("client")
        return found.filter(id=authorization_id).first()


def _find_token(form: CredentialForm, kind: str, text: str) -> AgentToken | None:
    lookup = form.lookup_of(text)
    if lookup is None:
        return None
    with across_projects():
        found = AgentToken.objects.all_projects().select_related("session__client").filter(lookup=lookup, kind=kind)
        return _matching(found, "digest", text)


def _matching(found: QuerySet[M], digest_field: str, text: str) -> M | None:
    row = found.first()
    if row is None or not hmac.compare_digest(getattr(row, digest_field), digest_of(text)):
        return None
    return row
