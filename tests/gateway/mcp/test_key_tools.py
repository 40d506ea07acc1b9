"""A project's key over MCP: one tool, which searches what the key may see."""

import pytest

from apps.gateway.mcp.results import bounded_search
from apps.rest.renderers import encode
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key
from tests.gateway.mcp.asking import Mcp


@pytest.mark.parametrize("scopes", [("search",), ("read",), ("search", "read", "write")])
def test_a_key_that_may_search_has_one_tool(shop: Tenant, scopes: tuple[str, ...]) -> None:
    assert list(Mcp(make_key(shop, scopes=scopes)[1]).tools()) == ["search_knowledge"]


def test_a_key_that_may_only_write_has_none(shop: Tenant) -> None:
    mcp = Mcp(make_key(shop, scopes=("write",))[1])

    assert mcp.tools() == {}
    answer = mcp.request("tools/call", {"name": "search_knowledge", "arguments": {"query": "x"}})
    assert answer.json()["error"]["code"] == -32602


def test_it_answers_like_the_other_door(key_mcp: Mcp, api: ApiClient) -> None:
    found = key_mcp.told("search_knowledge", {"query": "صندق بخور"})
    other = api.post("/v1/knowledge/search", {"query": "صندق بخور"}).json()

    assert found == {**other, "truncated": False}


def test_a_key_limited_to_a_source_searches_only_that(shop: Tenant, stocked: dict[str, str]) -> None:
    mcp = Mcp(make_key(shop, source_ids=[stocked["shipping"]])[1])

    assert mcp.told("search_knowledge", {"query": "صندوق بخور"})["hits"] == []
    assert mcp.told("search_knowledge", {"query": "الشحن"})["hits"]


def test_a_miss_says_what_may_be_concluded(key_mcp: Mcp) -> None:
    miss = key_mcp.told("search_knowledge", {"query": "سيارة"})["miss"]

    assert miss["evidence"] is False
    assert "لا يدل" in miss["guidance"]


@pytest.mark.parametrize("query", ["عطر", "عطر ورد مسك"])
def test_a_long_answer_is_cut_to_its_bytes(shop: Tenant, api: ApiClient, query: str) -> None:
    lines = "\n".join(f"{'عطر ورد ' * 240}{number}" for number in range(40))
    api.post("/v1/knowledge_sources", {"name": "عطور", "kind": "catalog", "content": lines})
    result = Mcp(shop.key).call("search_knowledge", {"query": query})

    assert len(result["content"][0]["text"].encode()) <= 32_768
    assert result["structuredContent"]["truncated"] is True
    assert result["structuredContent"]["hits"]


def test_an_answer_without_hits_is_cut_too() -> None:
    sources = [{"id": f"ks_{number}", "name": "م" * 200} for number in range(1_000)]
    reasons = [{"code": "source_incomplete", "source_id": one["id"]} for one in sources]
    words = [{"word": "ﷺ" * 60, "folded": "صلي الله عليه وسلم" * 200, "max_edits": 0}] * 32
    miss = {"evidence": False, "reasons": reasons, "guidance": "…"}
    whole = {"query": "س", "words": words, "ignored": [], "hits": [], "searched_sources": sources, "miss": miss}
    shown = bounded_search(whole)

    assert len(encode(shown)) <= 32_768
    assert shown["miss"]["guidance"] == "…"
    assert shown["truncated"] is True


@pytest.mark.parametrize(
    "arguments", [{}, {"query": ""}, {"query": " "}, {"query": "x", "limit": 26}, {"query": 5}]
)
def test_arguments_out_of_their_bounds_are_refused(key_mcp: Mcp, arguments: dict[str, object]) -> None:
    assert key_mcp.refused("search_knowledge", arguments)["error"] == "invalid_request"


def test_another_project_finds_nothing_of_ours(other_shop: Tenant, stocked: dict[str, str]) -> None:
    assert Mcp(other_shop.key).told("search_knowledge", {"query": "صندوق بخور"})["hits"] == []
