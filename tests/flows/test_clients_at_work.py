"""Clients of the running product: ours for Python after a login by PKCE, and the official one of MCP at both doors.

Each reads a long source page by page, until somebody edits it under them.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

import pytest

from mawrid_client import AgentClient, AgentError, FileTokenStore, JobClient, log_in, turn_input
from runner import programs
from tests.clients.hosting import Host, command, connected, over_http
from tests.clients.test_readme import PROGRAMS, printed_by
from tests.flows.stack import Stack, running_stack
from tests.gateway.making import PRINCIPAL, ROUTE

pytestmark = pytest.mark.processes

APP_ID: Final = "merchant-agent"
# Three pages at the default budget.
SHIPPING: Final = "الشحن خلال يومين داخل المدينة. " * 700
QUESTION: Final = {"user_input": "متى يصل الشحن؟"}


@dataclass(frozen=True)
class Shop:
    """The running product with a workspace in it."""

    stack: Stack
    folder: Path
    client_token: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.stack.port}"

    @property
    def logins(self) -> Path:
        return self.folder / "logins.json"

    @property
    def access_token(self) -> str:
        """Of the login that was made by PKCE."""
        login = FileTokenStore(self.logins).load("default")
        assert login is not None
        return login.access_token

    def approve(self, page: str) -> None:
        """A person's browser and the backend's page in one: let the agent in, and go back to it."""
        authorization_id = parse_qs(urlsplit(page).query)["authorization_id"][0]
        decision = {"principal": PRINCIPAL, "on_behalf_of": "نورة", "allowed_routes": [ROUTE]}
        path = f"/agent-auth/v1/authorizations/{authorization_id}/approve"
        approved = good(self.stack.call("POST", path, decision, token=self.client_token))
        with urlopen(approved["redirect_uri"]) as seen:
            assert seen.status == 200


def good(answer: tuple[int, Any]) -> Any:
    status, body = answer
    assert 200 <= status < 300, body
    return body


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    folder = tmp_path_factory.mktemp("stack")
    with running_stack(folder) as stack:
        stack.start("preparer", *programs.preparer())
        wanted = {"app_id": APP_ID, "name": "مساعد المتجر", "allowed_routes": [ROUTE]}
        client = good(stack.call("POST", "/v1/agent_clients", wanted))
        yield Shop(stack, folder, client["client_token"])


@pytest.fixture(scope="module")
def agent_path(shop: Shop) -> str:
    wanted = {"name": "مساعد", "route": ROUTE, "instructions": "أجب بإيجاز."}
    agent = good(shop.stack.call("POST", "/v1/agents", wanted))
    return f"/v1/agents/{agent['id']}"


@pytest.fixture
def source(shop: Shop, agent_path: str) -> str:
    """The path of a long text that the published agent searches, new for each test."""
    text = {"name": "الشحن", "kind": "text", "content": SHIPPING}
    made = good(shop.stack.call("POST", "/v1/knowledge_sources", text))
    attached = {"sources": [{"source_id": made["id"], "mode": "searchable"}]}
    good(shop.stack.call("PATCH", agent_path, {"knowledge": attached}))
    good(shop.stack.call("POST", f"{agent_path}/publish"))
    return f"/v1/knowledge_sources/{made['id']}"


@pytest.fixture(scope="module")
def login(shop: Shop, agent_path: str) -> FileTokenStore:
    store = FileTokenStore(shop.logins)
    log_in(shop.url, APP_ID, ROUTE, token_store=store, open_page=shop.approve, patience_seconds=20)
    return store


def edit(shop: Shop, path: str) -> None:
    good(shop.stack.call("PATCH", path, {"content": "الشحن خلال ثلاثة أيام."}))


# --- the Python client --------------------------------------------------------------------------------------


@pytest.fixture
def client(shop: Shop, source: str, login: FileTokenStore) -> Iterator[AgentClient]:
    with AgentClient(shop.url, workspace=ROUTE, token_store=login) as client:
        yield client


@pytest.mark.conformance("SDK-002", "SDK-010", "SDK-017", "SDK-023", "SDK-047")
def test_the_client_takes_all_that_the_server_says(client: AgentClient) -> None:
    """Its checks are the published ones; none of them may find fault with our own server."""
    assert client.get_knowledge_capabilities().supported
    assert [workspace.route for workspace in client.list_workspaces()] == [ROUTE]
    assert "أجب بإيجاز" in client.get_bootstrap().instructions
    assert client.get_session().allowed_routes == (ROUTE,)
    turn = client.start_turn(turn_input("متى يصل الشحن؟"), knowledge_delivery="on_demand")
    found = client.search_knowledge(query="الشحن", run_id=turn.run_id)
    reading = client.read_all(ref=found.hints[0].ref, run_id=turn.run_id)

    assert (reading.text, reading.complete, reading.pages) == (SHIPPING, True, 3)
    assert client.complete_run(turn.run_id, content="خلال يومين.").status == "completed"


@pytest.mark.conformance("SDK-011")
def test_bodies_come_inline_to_those_who_do_not_ask(client: AgentClient) -> None:
    turn = client.start_turn(turn_input("متى يصل الشحن؟"))

    assert turn.knowledge_delivery is None
    assert "الشحن خلال يومين" in turn.knowledge[0]["content"]


@pytest.mark.conformance("SDK-029", "SDK-030")
def test_the_client_is_told_of_an_edit_between_pages(shop: Shop, source: str, client: AgentClient) -> None:
    run_id = client.start_turn(turn_input("متى؟")).run_id
    ref = client.search_knowledge(query="الشحن", run_id=run_id).hints[0].ref
    page = client.read_knowledge(ref=ref, run_id=run_id)
    edit(shop, source)

    with pytest.raises(AgentError) as refused:
        client.read_knowledge(ref=ref, run_id=run_id, cursor=page.next_cursor)
    assert (refused.value.code, refused.value.next_action) == ("knowledge_changed", "search_knowledge")


@pytest.mark.conformance("SDK-028", "SDK-035")
def test_a_call_for_another_account_is_not_made(client: AgentClient) -> None:
    with pytest.raises(AgentError, match="agent_binding_changed"):
        client.search_knowledge(query="الشحن", expected_binding={"session_id": "ses_another"})


def test_a_login_is_renewed_by_the_real_server(shop: Shop, client: AgentClient, login: FileTokenStore) -> None:
    before = login.load("default")
    assert before is not None
    login.save("default", type(before)(before.hub_url, "mwd_access_over", *refreshable(before)))

    assert client.search_knowledge(query="الشحن").status == "ok"
    after = login.load("default")
    assert after is not None
    assert (after.session_id, after.refresh_token != before.refresh_token) == (before.session_id, True)


def refreshable(login: Any) -> tuple[Any, ...]:
    return login.refresh_token, login.session_id, login.client_app_id


def test_the_quick_start_runs_against_the_product(
    shop: Shop, client: AgentClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAWRID_BASE_URL", shop.url)
    monkeypatch.setenv("MAWRID_ACCESS_TOKEN", shop.access_token)
    monkeypatch.setenv("MAWRID_WORKSPACE", ROUTE)

    assert "أجب بإيجاز" in printed_by(PROGRAMS[0])


def test_a_backend_waits_for_its_job(shop: Shop, source: str) -> None:
    with JobClient(shop.url, shop.client_token, ROUTE) as jobs:
        job = jobs.submit(request_id="flow-1", input="متى يصل الشحن؟")
        waited = jobs.wait(job.job_id, max_wait_seconds=60)

    assert (waited.job.status, waited.timed_out) == ("done", False)
    assert waited.job.report is not None
    assert "الشحن خلال يومين" in waited.job.report["text"]


# --- the official MCP client, at both doors -----------------------------------------------------------------

Connect = Callable[[str], Host]


@pytest.fixture(params=["http", "http-legacy", "stdio", "stdio-legacy"])
def connect(request: pytest.FixtureRequest, shop: Shop, source: str, login: FileTokenStore) -> Iterator[Connect]:
    """Connects a host with a token, at the door and by the revision of the protocol that is being tried."""
    door, _, legacy = str(request.param).partition("-")
    mode = "legacy" if legacy else "auto"
    with ExitStack() as exits:

        def open_host(token: str) -> Host:
            server = over_stdio(shop, token) if door == "stdio" else over_http(shop.url, token)
            return exits.enter_context(connected(server, mode=mode))

        yield open_host


def over_stdio(shop: Shop, token: str) -> Any:
    name = "MAWRID_CLIENT_TOKEN" if token == shop.client_token else "MAWRID_ACCESS_TOKEN"
    return command({"MAWRID_BASE_URL": shop.url, "MAWRID_WORKSPACE": ROUTE, name: token})


@pytest.mark.conformance("SDK-037", "SDK-038", "SDK-040", "SDK-042", "SDK-043")
def test_a_host_reads_three_pages_and_completes(shop: Shop, connect: Connect) -> None:
    host = connect(shop.access_token)
    turn = host.told("start_business_turn", QUESTION)
    ref = host.told("search_business_knowledge", {"query": "الشحن"})["hints"][0]["ref"]
    first = host.told("read_business_knowledge", {"ref": ref})
    second = host.told("read_business_knowledge", {"ref": ref, "cursor": first["next_cursor"]})
    third = host.told("read_business_knowledge", {"ref": ref, "cursor": second["next_cursor"]})

    assert first["content"] + second["content"] + third["content"] == SHIPPING
    assert (third["next_cursor"], third["truncated"], third["run_id"]) == (None, False, turn["run_id"])
    assert host.told("complete_business_run", {"content": "خلال يومين."})["status"] == "completed"


@pytest.mark.conformance("SDK-030", "BH-085")
def test_a_host_is_told_of_an_edit_between_pages(shop: Shop, source: str, connect: Connect) -> None:
    host = connect(shop.access_token)
    host.told("start_business_turn", QUESTION)
    ref = host.told("search_business_knowledge", {"query": "الشحن"})["hints"][0]["ref"]
    page = host.told("read_business_knowledge", {"ref": ref})
    edit(shop, source)
    refusal = host.refused("read_business_knowledge", {"ref": ref, "cursor": page["next_cursor"]})

    assert (refusal["error"], refusal["next_action"]) == ("knowledge_changed", "search_knowledge")
    assert "ثلاثة" not in json.dumps(refusal, ensure_ascii=False)


@pytest.mark.conformance("SDK-039")
def test_a_host_of_a_backend_submits_and_waits(
    shop: Shop, connect: Connect, request: pytest.FixtureRequest
) -> None:
    host = connect(shop.client_token)
    job = host.told("submit_governed_job", {"request_id": request.node.name, "input": "متى يصل الشحن؟"})
    waited = host.told("wait_for_governed_job", {"job_id": job["job_id"], "max_wait_seconds": 60})

    assert list(host.tools()) == ["submit_governed_job", "get_governed_job", "wait_for_governed_job"]
    assert (waited["status"], waited["terminal"], waited["wait_timed_out"]) == ("done", True, False)


def test_a_host_of_a_key_searches(shop: Shop, connect: Connect) -> None:
    host = connect(shop.stack.key)
    found = host.told("search_knowledge", {"query": "الشحن داخل المدينه"})

    assert list(host.tools()) == ["search_knowledge"]
    assert "الشحن خلال يومين" in found["hits"][0]["text"]
