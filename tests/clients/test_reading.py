"""Reading by reference: pages, their checks, and the joined whole that says when it is none."""

from typing import Any

import pytest

from mawrid_client import AgentClient, AgentError, turn_input
from tests.clients.conftest import shared_by_both
from tests.fakes.hub import LONG_SOURCE, OTHER_ROUTE, ROUTE, SHORT_SOURCE, Hub, Says

PATH = f"/agent-api/v1/workspaces/{ROUTE}/knowledge/read"


@pytest.fixture
def run(client: AgentClient) -> str:
    return client.start_turn(turn_input("كم الشحن؟")).run_id


def ref_of(client: AgentClient, title: str, run_id: str | None = None) -> str:
    found = client.search_knowledge(query="بخور", run_id=run_id)
    return next(hint.ref for hint in found.hints if hint.title == title)


@pytest.mark.conformance("SDK-013", "SDK-017", "SDK-018")
def test_a_short_source_is_one_page(client: AgentClient) -> None:
    ref = ref_of(client, "قائمة الأسعار")
    page = client.read_knowledge(ref=ref)

    assert (page.ref, page.content, page.title) == (ref, SHORT_SOURCE, "قائمة الأسعار")
    assert (page.next_cursor, page.truncated, page.budget_exhausted) == (None, False, False)
    assert page.trust == "reference_only"
    assert page.total_content_bytes == len(SHORT_SOURCE.encode())


@pytest.mark.conformance("SDK-014")
def test_a_page_is_asked_for_by_the_wires_names(hub: Hub, client: AgentClient, run: str) -> None:
    ref = ref_of(client, "الشحن", run)
    first = client.read_knowledge(ref=ref, run_id=run, max_bytes=4_096)
    client.read_knowledge(ref=ref, run_id=run, cursor=first.next_cursor, max_bytes=4_096)

    assert hub.bodies(PATH) == [
        {"ref": ref, "run_id": run, "max_bytes": 4_096},
        {"ref": ref, "run_id": run, "cursor": first.next_cursor, "max_bytes": 4_096},
    ]


@pytest.mark.conformance("SDK-033")
def test_names_may_be_spelt_as_other_clients_do(hub: Hub, client: AgentClient, run: str) -> None:
    ref = ref_of(client, "الشحن", run)
    client.read_knowledge(ref=ref, runId=run, maxBytes=4_096)

    assert hub.bodies(PATH) == [{"ref": ref, "run_id": run, "max_bytes": 4_096}]


@pytest.mark.conformance("SDK-047")
def test_the_sample_of_the_contract_runs(client: AgentClient) -> None:
    capabilities = client.get_knowledge_capabilities()
    turn = client.start_turn(turn_input("x"), knowledge_delivery="on_demand" if capabilities.supported else None)
    found = client.search_knowledge(query="homepage binding", run_id=turn.run_id, limit=3)
    page = client.read_knowledge(ref=found.hints[1].ref, run_id=turn.run_id)
    following = client.read_knowledge(ref=page.ref, run_id=turn.run_id, cursor=page.next_cursor)

    assert (page.content + following.content) == LONG_SOURCE[: len(page.content + following.content)]


def test_all_pages_are_the_whole_source(client: AgentClient) -> None:
    reading = client.read_all(ref=ref_of(client, "الشحن"), max_bytes=4_096)

    assert reading.text == LONG_SOURCE
    assert str(reading) == LONG_SOURCE
    assert reading.complete
    assert reading.pages > 3


@pytest.mark.conformance("SDK-022", "SDK-023", "SDK-024")
def test_a_source_larger_than_a_chain_is_not_called_complete(hub: Hub, client: AgentClient) -> None:
    hub.sources["كتاب"] = "م" * 200_000
    reading = client.read_all(ref=ref_of(client, "كتاب"), max_bytes=32_768)

    assert not reading.complete
    assert len(reading.text.encode()) == 131_072
    assert reading.total_content_bytes == 400_000


@pytest.mark.conformance("SDK-029", "SDK-030")
def test_an_edit_between_pages_is_told(hub: Hub, client: AgentClient) -> None:
    ref = ref_of(client, "الشحن")
    page = client.read_knowledge(ref=ref)
    hub.sources["الشحن"] += "!"

    with pytest.raises(AgentError) as refused:
        client.read_knowledge(ref=ref, cursor=page.next_cursor)
    assert (refused.value.code, refused.value.status) == ("knowledge_changed", 409)
    assert refused.value.next_action == "search_knowledge"


@pytest.mark.conformance("SDK-026")
def test_an_old_reference_is_told(hub: Hub, client: AgentClient) -> None:
    ref = ref_of(client, "الشحن")
    later = hub.now() + 301
    hub.now = lambda: later

    with pytest.raises(AgentError) as refused:
        client.read_knowledge(ref=ref)
    assert (refused.value.code, refused.value.status) == ("knowledge_reference_expired", 410)
    assert refused.value.next_action == "search_knowledge"


@pytest.mark.conformance("SDK-027")
def test_a_reference_of_a_run_is_not_read_without_it(client: AgentClient, run: str) -> None:
    with pytest.raises(AgentError, match="knowledge_reference_invalid"):
        client.read_knowledge(ref=ref_of(client, "الشحن", run))


@shared_by_both
@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({"ref": ""}, "ref"),
        ({"ref": None}, "ref"),
        ({"ref": "r" * 4_097}, "4096 bytes"),
        ({"ref": "م" * 2_049}, "4096 bytes"),
        ({"ref": "\ud83d"}, "ref"),
        ({"ref": "r", "cursor": ""}, "cursor"),
        ({"ref": "r", "cursor": "c" * 4_097}, "4096 bytes"),
        ({"ref": "r", "max_bytes": 4_095}, "max_bytes"),
        ({"ref": "r", "max_bytes": 32_769}, "max_bytes"),
        ({"ref": "r", "max_bytes": "16384"}, "max_bytes"),
        ({"ref": "r", "max_bytes": 16_384.0}, "max_bytes"),
        ({"ref": "r", "run_id": "not-a-run"}, "run_id"),
    ],
)
def test_what_no_server_would_take_is_not_sent(
    hub: Hub, client: AgentClient, arguments: dict[str, Any], what: str
) -> None:
    with pytest.raises(AgentError, match=what) as refused:
        client.read_knowledge(**arguments)
    assert refused.value.code == "invalid_request"
    assert hub.received == []


def having(**changes: Any) -> Any:
    return lambda body: {**body, **changes}


@shared_by_both
@pytest.mark.conformance("SDK-017", "SDK-022", "SDK-025")
@pytest.mark.parametrize(
    "amendment",
    [
        having(schema_version="bailing.agent-knowledge-search.v1"),
        having(route=OTHER_ROUTE),
        having(run_id="0b0e6f0e-6f53-4f0a-9d5e-1c2d3e4f5a6b"),
        having(ref="kr_another"),
        having(revision="0" * 63),
        having(knowledge_scope_revision=None),
        having(title=None),
        having(content=None),
        having(content={"text": "x"}),
        having(trust="system"),
        having(next_cursor=""),
        having(next_cursor="c" * 4_097),
        having(next_cursor=5),
        having(next_cursor="cursor@1"),
        having(truncated=True),
        having(truncated="false"),
        having(budget_exhausted=True),
        having(truncated=True, budget_exhausted=True, next_cursor="cursor@1"),
        having(total_content_bytes=-1),
        having(total_content_bytes=2**53),
        having(total_content_bytes=1.5),
        having(read_chain_max_bytes="131072"),
        having(read_chain_max_bytes=True),
        lambda body: {key: value for key, value in body.items() if key != "next_cursor"},
    ],
)
def test_a_page_that_is_not_as_published_raises(hub: Hub, client: AgentClient, amendment: Any) -> None:
    ref = ref_of(client, "قائمة الأسعار")
    hub.amend["POST", PATH] = amendment

    with pytest.raises(AgentError) as refused:
        client.read_knowledge(ref=ref)
    assert (refused.value.code, refused.value.retryable) == ("agent_response_invalid", False)


@pytest.mark.conformance("SDK-025")
@pytest.mark.parametrize("name", ["total_content_bytes", "read_chain_max_bytes"])
def test_numbers_about_the_whole_may_be_left_out(hub: Hub, client: AgentClient, name: str) -> None:
    ref = ref_of(client, "قائمة الأسعار")
    hub.amend["POST", PATH] = lambda body: {key: value for key, value in body.items() if key != name}

    assert getattr(client.read_knowledge(ref=ref), name) is None


@pytest.mark.conformance("SDK-020")
@pytest.mark.parametrize(("asked", "budget"), [(None, 16_384), (4_096, 4_096), (32_768, 32_768)])
def test_a_page_over_its_budget_raises(hub: Hub, client: AgentClient, asked: int | None, budget: int) -> None:
    ref = ref_of(client, "الشحن")
    page = client.read_knowledge(ref=ref, max_bytes=asked).wire
    room = budget - len(Says({**page, "content": ""}).encoded())
    hub.says["POST", PATH] = Says({**page, "content": "x" * room})
    assert len(client.read_knowledge(ref=ref, max_bytes=asked).content) == room

    hub.says["POST", PATH] = Says({**page, "content": "x" * (room + 1)})
    with pytest.raises(AgentError, match=f"{budget} bytes"):
        client.read_knowledge(ref=ref, max_bytes=asked)


# --- a server that would never come to an end ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("amendment", "what"),
    [
        (lambda body: {**body, "next_cursor": "cursor@1", "truncated": True}, "do not advance"),
        (lambda body: {**body, "content": ""}, "do not advance"),
        (lambda body: {**body, "next_cursor": None, "truncated": False}, "not the whole"),
    ],
)
def test_pages_that_do_not_add_up_raise(hub: Hub, client: AgentClient, amendment: Any, what: str) -> None:
    ref = ref_of(client, "الشحن")
    hub.amend["POST", PATH] = amendment

    with pytest.raises(AgentError, match=what):
        client.read_all(ref=ref, max_bytes=4_096)


def test_pages_of_two_revisions_are_not_joined(hub: Hub, client: AgentClient) -> None:
    ref = ref_of(client, "الشحن")
    hub.amend["POST", PATH] = lambda body: {**body, "revision": f"{len(hub.received):064x}"}

    with pytest.raises(AgentError, match="different revisions"):
        client.read_all(ref=ref, max_bytes=4_096)


@pytest.mark.conformance("SDK-023")
def test_a_chain_that_goes_on_past_its_bound_raises(hub: Hub, client: AgentClient) -> None:
    hub.sources["كتاب"] = "م" * 200_000
    ref = ref_of(client, "كتاب")
    pages = iter(range(1_000))
    hub.amend["POST", PATH] = lambda body: {
        **body,
        "content": "م" * 10_000,
        "next_cursor": f"cursor@{next(pages)}",
        "truncated": True,
        "budget_exhausted": False,
    }

    with pytest.raises(AgentError, match="more than it may"):
        client.read_all(ref=ref, max_bytes=32_768)
