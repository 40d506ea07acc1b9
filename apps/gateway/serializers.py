"""Shapes of what callers send and get of agent clients, logins, sessions and jobs."""

from collections.abc import Mapping
from typing import Any, Final

from rest_framework import serializers

from apps.agents.errors import ROUTE_RESERVED
from apps.agents.serializers import AUDIENCE, AUDIENCE_EXAMPLE, ROUTE_EXAMPLE
from apps.agents.services import RESERVED_ROUTES
from apps.gateway.credentials import MAX_LENGTH as CREDENTIAL_LENGTH
from apps.gateway.links import is_callback
from apps.gateway.models import (
    APP_ID_LENGTH,
    LABEL_LENGTH,
    REQUEST_ID_LENGTH,
    STATE_LENGTH,
    SUBJECT_LENGTH,
    URL_LENGTH,
    RevokedReason,
)
from apps.gateway.routes import ROUTE
from apps.gateway.warnings import SENTENCES
from apps.projects.models import NAME_LENGTH
from apps.rest.errors import invalid
from apps.rest.fields import (
    InstantField,
    KeptJsonField,
    ListQuery,
    NameField,
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictDictField,
    StrictIntegerField,
    StrictListField,
    StrictSerializer,
)
from apps.rest.renderers import encode

MAX_ROUTES: Final = 128
MAX_ROLES: Final = 50
ROLE_LENGTH: Final = 64
INPUT_LENGTH: Final = 100_000
METADATA_BYTES: Final = 16 * 1024

APP_ID: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
APP_ID_EXAMPLE: Final = "shop-assistant"
_BASE64URL: Final = r"[A-Za-z0-9_-]"
_VISIBLE: Final = r"[\x20-\x7e]"
_CALLBACK_EXAMPLE: Final = "http://127.0.0.1:49152/callback"
# The pair of RFC 7636, appendix B.
_VERIFIER_EXAMPLE: Final = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
_CHALLENGE_EXAMPLE: Final = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


class RouteField(StrictCharField):
    """A route by its name; there is none that stands for all."""

    def __init__(self, **options: Any) -> None:
        super().__init__(pattern=ROUTE.pattern, example=ROUTE_EXAMPLE, **options)

    def to_internal_value(self, data: Any) -> str:
        route = super().to_internal_value(data)
        if route in RESERVED_ROUTES:
            raise invalid(ROUTE_RESERVED)
        return route


class RoutesField(StrictListField):
    def __init__(self, *, max_items: int = MAX_ROUTES, unique: bool = True, **options: Any) -> None:
        super().__init__(child=RouteField(), max_items=max_items, unique=unique, **options)


class PrincipalShape(StrictSerializer):
    """Whom a session acts for, in the words of the business."""

    id = NameField(max_length=SUBJECT_LENGTH)
    tenant = NameField(max_length=SUBJECT_LENGTH, required=False, allow_null=True, default=None)
    roles = StrictListField(
        child=NameField(max_length=ROLE_LENGTH), max_items=MAX_ROLES, unique=True, required=False, default=list
    )
    # No default: the one for whom agents are open at first would let in whoever was meant to be somebody else.
    audience = StrictCharField(
        pattern=AUDIENCE,
        example=AUDIENCE_EXAMPLE,
        help_text="Which people this is one of; an agent is open to the audiences that it names.",
    )


# --- agent clients, under /v1 -------------------------------------------------------------------------------


class AgentClientChange(StrictSerializer):
    name = NameField(max_length=NAME_LENGTH)
    authorize_url = StrictCharField(
        max_length=URL_LENGTH,
        allow_null=True,
        required=False,
        help_text="Your page where a person lets an agent in; null for the one of this service, for members.",
    )
    allowed_routes = RoutesField(required=False, help_text="Routes of agents that the client may use.")
    enabled = StrictBooleanField(required=False)


class NewAgentClient(AgentClientChange):
    app_id = StrictCharField(
        pattern=APP_ID,
        example=APP_ID_EXAMPLE,
        help_text="The public name, unique in the whole service; agents send it as `client_app_id`.",
    )


class AgentClientWarning(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=list(SENTENCES))
    message = serializers.CharField()
    routes = serializers.ListField(
        child=serializers.CharField(), help_text="The routes in question; empty where there are none at all."
    )


class AgentClientShape(StrictSerializer):
    id = StrictCharField()
    object = StrictChoiceField(choices=["agent_client"])
    app_id = StrictCharField()
    name = StrictCharField()
    authorize_url = StrictCharField(allow_null=True)
    allowed_routes = serializers.ListField(child=StrictCharField())
    enabled = StrictBooleanField()
    warnings = AgentClientWarning(many=True)
    created_at = InstantField()
    updated_at = InstantField()


class ShownAgentClient(AgentClientShape):
    client_token = serializers.CharField(help_text="The backend's token; only this answer shows it.")
    callback_secret = serializers.CharField(
        help_text="The key of the signatures of callbacks; only this answer shows it."
    )


# --- sessions, under /v1 ------------------------------------------------------------------------------------


class NewAgentSession(StrictSerializer):
    agent_client_id = StrictCharField(max_length=64)
    principal = PrincipalShape()
    on_behalf_of = NameField(max_length=SUBJECT_LENGTH, help_text="The person that the agent acts for.")
    allowed_routes = RoutesField(allow_empty=False)
    device_label = NameField(max_length=LABEL_LENGTH, help_text="Where the agent runs, for people to recognise it.")


class TokensShape(StrictSerializer):
    token_type = StrictChoiceField(choices=["Bearer"])
    access_token = StrictCharField()
    refresh_token = StrictCharField()
    expires_in = StrictIntegerField(help_text="Seconds until the access token ends.")
    refresh_expires_in = StrictIntegerField(help_text="Seconds until the session ends.")
    session_id = StrictCharField()
    client_app_id = StrictCharField()


class AgentSessionQuery(ListQuery):
    agent_client_id = StrictCharField(required=False, max_length=64, help_text="Only sessions of this client.")


class AgentSessionShape(StrictSerializer):
    id = StrictCharField()
    object = StrictChoiceField(choices=["agent_session"])
    agent_client_id = StrictCharField()
    client_app_id = StrictCharField()
    device_label = StrictCharField()
    principal = PrincipalShape()
    on_behalf_of = StrictCharField()
    allowed_routes = serializers.ListField(child=StrictCharField())
    status = StrictChoiceField(choices=["active", "revoked", "expired"])
    revoked_reason = StrictChoiceField(choices=RevokedReason.values, allow_null=True)
    created_at = InstantField()
    expires_at = InstantField()
    revoked_at = InstantField(allow_null=True)
    last_used_at = InstantField(allow_null=True)


# --- logins, in the protocol --------------------------------------------------------------------------------


class NewAuthorization(StrictSerializer):
    client_app_id = StrictCharField(max_length=APP_ID_LENGTH)
    redirect_uri = StrictCharField(max_length=URL_LENGTH)
    state = StrictCharField(pattern=rf"{_VISIBLE}{{1,{STATE_LENGTH}}}", example="xyz-123")
    requested_routes = RoutesField(allow_empty=False, required=False)
    device_label = NameField(max_length=LABEL_LENGTH)
    code_challenge = StrictCharField(pattern=rf"{_BASE64URL}{{43}}", example=_CHALLENGE_EXAMPLE)
    code_challenge_method = StrictChoiceField(choices=["S256"])

    def validate_redirect_uri(self, uri: str) -> str:
        if not is_callback(uri):
            raise invalid("invalid_format", example=_CALLBACK_EXAMPLE)
        return uri


class Approval(StrictSerializer):
    principal = PrincipalShape()
    on_behalf_of = NameField(max_length=SUBJECT_LENGTH)
    allowed_routes = RoutesField(allow_empty=False)


_FIELDS_OF_GRANT: Final[Mapping[str, frozenset[str]]] = {
    "authorization_code": frozenset({"code", "redirect_uri", "code_verifier"}),
    "refresh_token": frozenset({"refresh_token"}),
}


class TokenRequest(StrictSerializer):
    """A code or a refresh token for new tokens; each with its own fields and none of the other's."""

    grant_type = StrictChoiceField(choices=list(_FIELDS_OF_GRANT))
    client_app_id = StrictCharField(max_length=APP_ID_LENGTH)
    code = StrictCharField(max_length=CREDENTIAL_LENGTH, required=False)
    redirect_uri = StrictCharField(max_length=URL_LENGTH, required=False)
    code_verifier = StrictCharField(pattern=r"[A-Za-z0-9._~-]{43,128}", example=_VERIFIER_EXAMPLE, required=False)
    refresh_token = StrictCharField(max_length=CREDENTIAL_LENGTH, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        given = attrs.keys() - {"grant_type", "client_app_id"}
        wanted = _FIELDS_OF_GRANT[attrs["grant_type"]]
        faults: dict[str, Any] = {
            **{name: invalid("required").detail for name in sorted(wanted - given)},
            **{name: invalid("unknown_field").detail for name in sorted(given - wanted)},
        }
        if faults:
            raise serializers.ValidationError(faults)
        return attrs


class JobRequest(StrictSerializer):
    request_id = StrictCharField(max_length=REQUEST_ID_LENGTH)
    route = RouteField()
    input = StrictCharField(max_length=INPUT_LENGTH)
    metadata = StrictDictField(child=KeptJsonField(allow_null=True), required=False, allow_null=True)
    callback_url = StrictCharField(max_length=URL_LENGTH, required=False, allow_null=True)

    def validate_request_id(self, request_id: str) -> str:
        return _not_blank(request_id)

    def validate_input(self, text: str) -> str:
        return _not_blank(text)

    def validate_metadata(self, metadata: dict[str, Any] | None) -> dict[str, Any] | None:
        if metadata is not None and len(encode(metadata)) > METADATA_BYTES:
            raise invalid("too_large", limit=METADATA_BYTES)
        return metadata


def _not_blank(text: str) -> str:
    if not text.strip():
        raise invalid("blank")
    return text


class RevokeRequest(StrictSerializer):
    """What ends a login without an access token; both or neither."""

    client_app_id = StrictCharField(max_length=APP_ID_LENGTH, required=False)
    refresh_token = StrictCharField(max_length=CREDENTIAL_LENGTH, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        missing = {"client_app_id", "refresh_token"} - attrs.keys()
        if attrs and missing:
            raise serializers.ValidationError({name: invalid("required").detail for name in missing})
        return attrs
