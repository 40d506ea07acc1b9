"""Makers of what the agent protocol needs: a workspace, a client, a session, and PKCE as agents do it."""

import base64
import hashlib
import itertools
import secrets
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from apps.agents import services as agents
from apps.agents.models import Agent
from apps.gateway import clients, sessions
from apps.gateway.models import AgentClient
from apps.gateway.sessions import Tokens
from apps.projects.scoping import project_scope
from apps.projects.services import OPERATOR
from tests.api_client import ApiClient
from tests.factories import Tenant

ROUTE: Final = "order-assistant"
PRINCIPAL: Final = {"id": "u-17", "tenant": "riyadh", "roles": ["seller"], "audience": "internal"}
CALLBACK: Final = "http://127.0.0.1:53682/callback"

_numbers = itertools.count(1)


def make_workspace(tenant: Tenant, route: str = ROUTE, **agent_client: Any) -> Agent:
    """A published agent with this route."""
    with project_scope(tenant.id):
        agent = agents.create_agent(
            tenant.id, actor=OPERATOR, name=f"agent of {route}", route=route, agent_client=agent_client
        )
        agents.publish(agent, actor=OPERATOR)
    return agent


def make_client(
    tenant: Tenant, routes: Sequence[str] = (ROUTE,), *, app_id: str | None = None, **fields: Any
) -> tuple[AgentClient, str]:
    """An agent client and its Client Token."""
    with project_scope(tenant.id):
        client, made = clients.create_client(
            tenant.id,
            app_id=app_id or f"merchant-agent-{next(_numbers)}-{secrets.token_hex(4)}",
            name="مساعد المتجر",
            allowed_routes=routes,
            actor=OPERATOR,
            **fields,
        )
    return client, made.token.text


def make_session(client: AgentClient, routes: Sequence[str] | None = None, **principal: Any) -> Tokens:
    """A session with its tokens, for the principal of the tests or one that differs in what is given."""
    with project_scope(client.project_id):
        return sessions.open_session(
            client,
            principal={**PRINCIPAL, **principal},
            on_behalf_of="نورة",
            allowed_routes=client.allowed_routes if routes is None else routes,
            device_label="حاسوب المكتب",
            actor=OPERATOR,
        )


def verifier_and_challenge() -> tuple[str, str]:
    verifier = base64.urlsafe_b64encode(secrets.token_bytes(64)).rstrip(b"=").decode()
    digest = hashlib.sha256(verifier.encode()).digest()
    return verifier, base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


class Login:
    """One login of an agent, from what it asks to its tokens; every field may be replaced before it is sent."""

    def __init__(self, client: AgentClient, *, routes: Sequence[str] = (ROUTE,)) -> None:
        self.client = client
        self.anyone = ApiClient(None)
        self.verifier, challenge = verifier_and_challenge()
        self.wanted: dict[str, Any] = {
            "client_app_id": client.app_id,
            "redirect_uri": CALLBACK,
            "state": "a-state_7",
            "requested_routes": list(routes),
            "device_label": "حاسوب المكتب",
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }

    def ask(self, **changed: Any) -> Any:
        return self.anyone.post("/agent-auth/v1/authorizations", {**self.wanted, **changed})

    def asked(self, **changed: Any) -> str:
        """The id of the authorization."""
        answer = self.ask(**changed)
        assert answer.status_code == 201, answer.content.decode()
        return str(answer.json()["authorization_id"])

    def approved(self, backend: ApiClient, **changed: Any) -> str:
        """The code, as it comes to the loopback address."""
        body = {"principal": PRINCIPAL, "on_behalf_of": "نورة", "allowed_routes": [ROUTE], **changed}
        answer = backend.post(f"/agent-auth/v1/authorizations/{self.asked()}/approve", body)
        assert answer.status_code == 200, answer.content.decode()
        return told(answer.json()["redirect_uri"])["code"]

    def exchange(self, code: str, **changed: Any) -> Any:
        body = {
            "grant_type": "authorization_code",
            "client_app_id": self.client.app_id,
            "code": code,
            "redirect_uri": CALLBACK,
            "code_verifier": self.verifier,
        }
        return self.anyone.post("/agent-auth/v1/token", {**body, **changed})


def told(uri: str) -> dict[str, str]:
    """What a redirect tells the agent."""
    return {name: value for name, [value] in parse_qs(urlsplit(uri).query).items()}


def refresh(client: AgentClient, token: str, **changed: Any) -> Any:
    body = {"grant_type": "refresh_token", "client_app_id": client.app_id, "refresh_token": token}
    return ApiClient(None).post("/agent-auth/v1/token", {**body, **changed})
