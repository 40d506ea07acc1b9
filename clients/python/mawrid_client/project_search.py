"""Searching a project with its key, as hosts of MCP may: the request, and what of the answer is handed on."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mawrid_client import inputs, wire
from mawrid_client.fields import Fields
from mawrid_client.messages import Answer, Request, encode, json_of, post

SEARCH: Final = "search_project"
MOST_HITS: Final = 25
# No answer is longer than the longest page of a source.
MOST_BYTES: Final = wire.READ_MAX_BYTES

_MOST_REASONS: Final = 20


def search_request(*, query: object, limit: object) -> Request:
    body: dict[str, Any] = {"query": inputs.written_text(query, "query", most=wire.QUERY_MAX_LENGTH)}
    if limit is not None:
        body["limit"] = inputs.integer(limit, "limit", low=1, high=MOST_HITS)
    return post(SEARCH, "/v1/knowledge/search", body)


def search_of(answer: Answer) -> Mapping[str, Any]:
    said = Fields(json_of(answer))
    said.literal("object", "knowledge_search")
    for hit in said.members("hits", most=MOST_HITS):
        hit.text("source_id")
    for source in said.members("searched_sources"):
        source.text("id")
    if said.value("miss") is not None:
        said.member("miss").items("reasons")
    return said.raw


def bounded(found: Mapping[str, Any]) -> dict[str, Any]:
    """The answer within its bytes; what does not fit is left out, and it says so."""
    return next(shown for shown in _ever_shorter(found) if len(encode(shown)) <= MOST_BYTES)


def _ever_shorter(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The whole; then without the sources and reasons that no hit needs, hit by hit; last without the words too."""
    yield {**found, "truncated": False}
    for count in range(len(found["hits"]), -1, -1):
        yield _shortened(found, count)
    yield {**_shortened(found, 0), "words": [], "ignored": []}


def _shortened(found: Mapping[str, Any], count: int) -> dict[str, Any]:
    hits, miss = found["hits"][:count], found["miss"]
    named = {hit["source_id"] for hit in hits}
    return {
        **found,
        "hits": hits,
        "searched_sources": [source for source in found["searched_sources"] if source["id"] in named],
        "miss": miss and {**miss, "reasons": miss["reasons"][:_MOST_REASONS]},
        "truncated": True,
    }
