"""The one tool of a project's key over stdio."""

from collections.abc import Iterator
from typing import Any

import pytest

from mawrid_client.messages import encode
from mawrid_client.project_search import bounded
from mawrid_client.stdio.key_mode import KeyMode
from mawrid_client.stdio.server import KEY_INSTRUCTIONS, build
from tests.clients.hosting import Host, connected
from tests.fakes.hub import Hub, Says

PATH = "/v1/knowledge/search"
FOUND: dict[str, Any] = {
    "object": "knowledge_search",
    "query": "بخور",
    "words": [],
    "ignored": [],
    "hits": [{"source_id": "ks_1", "text": "صندوق بخور — 95 ريال"}],
    "searched_sources": [{"id": "ks_1", "name": "قائمة الأسعار"}, {"id": "ks_2", "name": "الشحن"}],
    "miss": None,
}


@pytest.fixture
def host(hub: Hub) -> Iterator[Host]:
    hub.says["POST", PATH] = Says(FOUND)
    with connected(build(KeyMode(hub.url, "mwd_live_x"), KEY_INSTRUCTIONS)) as host:
        yield host


def test_there_is_one_tool(host: Host) -> None:
    assert list(host.tools()) == ["search_knowledge"]


def test_it_searches_with_the_key(hub: Hub, host: Host) -> None:
    found = host.told("search_knowledge", {"query": "بخور", "limit": 5})

    assert found == {**FOUND, "truncated": False}
    assert hub.bodies(PATH) == [{"query": "بخور", "limit": 5}]
    assert hub.received[0].headers["authorization"] == "Bearer mwd_live_x"


@pytest.mark.conformance("SDK-036")
@pytest.mark.parametrize(
    "arguments", [{"query": "x", "source_ids": ["ks_1"]}, {}, {"query": " "}, {"query": "x", "limit": 26}]
)
def test_other_arguments_are_refused(hub: Hub, host: Host, arguments: dict[str, Any]) -> None:
    assert host.refused("search_knowledge", arguments)["error"] == "invalid_request"
    assert hub.received == []


@pytest.mark.parametrize(
    ("says", "code"),
    [
        (Says({"error": {"code": "invalid_api_key"}}, 401), "agent_unauthorized"),
        (Says({"error": {"code": "scope_missing"}}, 403), "agent_forbidden"),
        (Says({}, 503), "agent_server_unavailable"),
        (Says({**FOUND, "object": "list"}), "agent_response_invalid"),
        (Says({**FOUND, "hits": [{}]}), "agent_response_invalid"),
        (Says({**FOUND, "miss": {}}), "agent_response_invalid"),
    ],
)
def test_a_failure_is_told(hub: Hub, host: Host, says: Says, code: str) -> None:
    hub.says["POST", PATH] = says

    assert host.refused("search_knowledge", {"query": "x"})["error"] == code


@pytest.mark.parametrize("length", [400, 3_000, 20_000])
def test_a_long_answer_is_cut_to_its_bytes(length: int) -> None:
    hits = [{"source_id": "ks_1", "text": "م" * length} for _ in range(25)]
    shown = bounded({**FOUND, "hits": hits})

    assert len(encode(shown)) <= 32_768
    assert shown["truncated"] is (25 * 2 * length > 32_000)


def test_a_long_answer_without_hits_is_cut_too() -> None:
    words = [{"word": "ﷺ" * 60, "folded": "صلي" * 4_000}] * 32
    miss = {"evidence": False, "reasons": [{"code": "sync_failing", "source_id": "ks_1"}] * 2_000, "guidance": "…"}
    shown = bounded({**FOUND, "hits": [], "words": words, "miss": miss})

    assert len(encode(shown)) <= 32_768
    assert shown["miss"]["guidance"] == "…"
