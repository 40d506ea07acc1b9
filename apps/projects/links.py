"""The links of invitations: who holds one can read the mail of the address that was invited.

A link names the project, the invitation and when it expires, and is marked with a key of the server, so none can be
made up, and one that was sent again has other links than before.
"""

import base64
import binascii
from dataclasses import dataclass
from typing import Final

import msgspec
from django.conf import settings

from apps.kernel.signing import derive_key, mark, mark_matches
from apps.projects.models import Invitation

MAX_LENGTH: Final = 300
_PURPOSE: Final = "invitation link"


@dataclass(frozen=True, slots=True)
class Promise:
    """What a link of ours says; whether the invitation still stands is in the database."""

    project_id: str
    invitation_id: str
    expires_at: float


def invitation_token(invitation: Invitation) -> str:
    payload = msgspec.json.encode([invitation.project_id, invitation.id, invitation.expires_at.timestamp()])
    return f"{base64.urlsafe_b64encode(payload).rstrip(b'=').decode()}.{mark(_key(), payload)}"


def invitation_link(invitation: Invitation) -> str:
    return f"{settings.PUBLIC_URL}/invitations/{invitation_token(invitation)}"


def read_invitation(token: str) -> Promise | None:
    """What the token says, or None when it is none of ours."""
    text, _, given_mark = token[: MAX_LENGTH + 1].partition(".")
    try:
        payload = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error):
        return None
    if not mark_matches(_key(), payload, given_mark):
        return None
    return Promise(*msgspec.json.decode(payload, type=tuple[str, str, float]))


def _key() -> bytes:
    return derive_key(settings.SECRET_KEY, _PURPOSE)
