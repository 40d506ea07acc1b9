"""Everything that changes agent clients."""

from collections.abc import Sequence
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.gateway import errors, links
from apps.gateway.credentials import CALLBACK_SECRET, CLIENT_TOKEN
from apps.gateway.models import AgentClient, new_client_id
from apps.kernel.errors import AppError
from apps.projects import audit
from apps.vault import envelope

SECRET_FIELD: Final = "callback_secret"  # noqa: S105 -- the name of a field
MAX_CLIENTS: Final = 100


class Unset:
    """What was not given, where null is a value."""


UNSET: Final = Unset()


class Secrets:
    """What only the answers of create and rotate show: the backend's token, and the key that signs callbacks."""

    def __init__(self) -> None:
        self.token = CLIENT_TOKEN.new()
        self.callback_secret = CALLBACK_SECRET.new().text

    def put_into(self, client: AgentClient) -> None:
        client.token_lookup, client.token_digest = self.token.lookup, self.token.digest
        client.sealed_callback_secret = envelope.seal(
            client.project_id, client.id, SECRET_FIELD, self.callback_secret
        )


def create_client(
    project_id: str,
    *,
    app_id: str,
    name: str,
    authorize_url: str | None = None,
    allowed_routes: Sequence[str] = (),
    enabled: bool = True,
    actor: str,
) -> tuple[AgentClient, Secrets]:
    """Raises `app_id_taken`, `authorize_url_refused`, `too_many_agent_clients`."""
    if AgentClient.objects.for_project(project_id).count() >= MAX_CLIENTS:
        raise AppError(errors.TOO_MANY_AGENT_CLIENTS, params={"limit": MAX_CLIENTS})
    now, secrets = timezone.now(), Secrets()
    client = AgentClient(
        id=new_client_id(),
        project_id=project_id,
        app_id=app_id,
        name=name,
        authorize_url=_page(authorize_url),
        allowed_routes=list(allowed_routes),
        enabled=enabled,
        created_at=now,
        updated_at=now,
    )
    secrets.put_into(client)
    try:
        with transaction.atomic():
            client.save(force_insert=True)
    except IntegrityError as error:
        raise AppError(errors.APP_ID_TAKEN, param="app_id") from error
    audit.record(project_id, actor=actor, action="agent_client.created", target=client.id, app_id=app_id)
    return client, secrets


def update_client(
    client: AgentClient,
    *,
    name: str | None = None,
    authorize_url: str | Unset | None = UNSET,
    allowed_routes: Sequence[str] | None = None,
    enabled: bool | None = None,
    actor: str,
) -> AgentClient:
    """Change what is given, on a row locked by the caller; sessions feel it with their next call."""
    before = _shown(client)
    client.name = client.name if name is None else name
    client.enabled = client.enabled if enabled is None else enabled
    client.allowed_routes = client.allowed_routes if allowed_routes is None else list(allowed_routes)
    if not isinstance(authorize_url, Unset):
        client.authorize_url = _page(authorize_url)
    if _shown(client) == before:
        return client
    client.updated_at = timezone.now()
    client.save(update_fields=["name", "enabled", "allowed_routes", "authorize_url", "updated_at"])
    audit.record(
        client.project_id,
        actor=actor,
        action="agent_client.updated",
        target=client.id,
        enabled=client.enabled,
        allowed_routes=client.allowed_routes,
    )
    return client


def delete_client(client: AgentClient, *, actor: str) -> None:
    """Remove a client with its logins, sessions and jobs."""
    audit.record(
        client.project_id, actor=actor, action="agent_client.deleted", target=client.id, app_id=client.app_id
    )
    client.delete()


def rotate_token(client: AgentClient, *, actor: str) -> Secrets:
    """New secrets at once, on a row locked by the caller; the old token is refused from the next call on."""
    secrets = Secrets()
    secrets.put_into(client)
    client.updated_at = timezone.now()
    client.save(update_fields=["token_lookup", "token_digest", "sealed_callback_secret", "updated_at"])
    audit.record(client.project_id, actor=actor, action="agent_client.token_rotated", target=client.id)
    return secrets


def callback_secret_of(client: AgentClient) -> str:
    """For signing, in the project's scope; raises `BrokenSealError`."""
    return envelope.open_sealed(client.project_id, client.id, SECRET_FIELD, bytes(client.sealed_callback_secret))


def _page(url: str | None) -> str | None:
    return None if url is None else links.canonical_page(url)


def _shown(client: AgentClient) -> tuple[object, ...]:
    return client.name, client.enabled, client.allowed_routes, client.authorize_url
