"""The package by itself: small, typed, without Django, and the same to call synchronously and with asyncio."""

import inspect
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import mawrid_client
from mawrid_client import AgentClient, AsyncAgentClient, AsyncJobClient, JobClient, MemoryTokenStore
from tests.clients.conftest import login_of, shared_by_both
from tests.fakes.hub import Hub, Session

PACKAGE = Path(__file__).parents[2] / "clients" / "python"
WORKSPACES = "/agent-api/v1/workspaces"
BOOTSTRAP = f"{WORKSPACES}/order-assistant/bootstrap"


def imported_by(module: str) -> set[str]:
    """The top-level modules that an interpreter has after importing one."""
    program = f"import {module}, sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    run = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE)},
    )
    return set(run.stdout.split())


def test_the_package_needs_no_django_and_nothing_of_ours() -> None:
    assert imported_by("mawrid_client").isdisjoint({"django", "rest_framework", "apps", "config", "celery"})


def test_the_client_does_without_mcp() -> None:
    assert "mcp" not in imported_by("mawrid_client")


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "mawrid_client" / "py.typed").exists()


def test_versions_agree() -> None:
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["version"] == mawrid_client.VERSION


def test_names_that_are_offered_are_there() -> None:
    assert all(hasattr(mawrid_client, name) for name in mawrid_client.__all__)


def methods_of(kind: type) -> dict[str, Any]:
    """Public methods with their parameters, but for what tells the two flavours apart."""
    return {
        name: [parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature_of(method)]
        for name, method in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") or name == "__init__"
    }


def signature_of(method: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(method).parameters.values())


@pytest.mark.parametrize(("sync", "asynchronous"), [(AgentClient, AsyncAgentClient), (JobClient, AsyncJobClient)])
def test_both_flavours_are_called_alike(sync: type, asynchronous: type) -> None:
    assert methods_of(sync) == methods_of(asynchronous)


@pytest.mark.conformance("SDK-001", "SDK-032")
def test_the_transport_methods_have_their_names() -> None:
    names = {
        "get_knowledge_capabilities",
        "search_knowledge",
        "read_knowledge",
        "read_all",
        "start_turn",
        "complete_run",
    }

    assert names <= set(methods_of(AgentClient))


def test_workspaces_profile_and_session_are_read(hub: Hub, session: Session, client: AgentClient) -> None:
    assert [workspace.route for workspace in client.list_workspaces()] == session.routes
    assert client.get_bootstrap().instructions == "Answer briefly."
    assert client.get_session().session_id == session.session_id


@shared_by_both
@pytest.mark.parametrize(
    ("path", "amendment"),
    [
        (WORKSPACES, lambda body: {**body, "workspaces": body["workspaces"] * 2}),
        (WORKSPACES, lambda body: {**body, "workspaces": [{"route": "UP"}]}),
        (WORKSPACES, lambda body: {**body, "schema": "x"}),
        (
            BOOTSTRAP,
            lambda body: {**body, "workspace": {"route": "other"}},
        ),
        (BOOTSTRAP, lambda body: {**body, "capabilities": {}}),
        (
            BOOTSTRAP,
            lambda body: {**body, "profile": {**body["profile"], "memory": "m" * 70_000}},
        ),
    ],
)
def test_workspaces_and_profiles_are_checked(hub: Hub, client: AgentClient, path: str, amendment: Any) -> None:
    hub.amend["GET", path] = amendment

    with pytest.raises(mawrid_client.AgentError, match="agent_response_invalid"):
        client.list_workspaces() if path.endswith("workspaces") else client.get_bootstrap()


def test_a_route_may_be_named_by_its_other_name(hub: Hub, client: AgentClient) -> None:
    hub.amend["GET", WORKSPACES] = lambda body: {**body, "workspaces": [{"route_key": "support"}]}

    assert client.list_workspaces()[0].name == "support"


def test_a_client_keeps_nothing_open(hub: Hub, session: Session) -> None:
    """Left behind, a socket would warn, and warnings are errors here."""
    with AgentClient(
        hub.url, workspace="support", token_store=MemoryTokenStore({"default": login_of(hub, session)})
    ) as one:
        assert one.search_knowledge(query="x").status == "ok"
