"""The public relevance benchmark, asked through the lookup service over stored sources."""

from pathlib import Path
from typing import Any

import pytest

from apps.knowledge import lookup, services
from apps.projects.scoping import project_scope
from bench import relevance_public
from tests.factories import Tenant


def stored(tenant: Tenant, corpus: str) -> tuple[str, list[int]]:
    """A source of a corpus file, and the line of the file for each of its positions."""
    path: Path = relevance_public.DATA / corpus
    kind = "text" if corpus.startswith("text_") else "catalog"
    config = {"format": "csv"} if path.suffix == ".csv" else None
    source = services.create_source(
        tenant.id,
        name=corpus,
        kind=kind,
        content=path.read_text(encoding="utf-8"),
        config=config,
        actor="operator",
    )
    return source.id, [number for number, _ in relevance_public.numbered_chunks(path)]


def asked(tenant: Tenant, query: dict[str, Any], source_id: str, numbers: list[int]) -> dict[str, Any]:
    hits = lookup.search(tenant.id, query["query"], [source_id])["hits"]
    return {
        "id": query["id"],
        "hits": [numbers[hit["position"] - 1] for hit in hits],
        "full": [hit["full_match"] for hit in hits],
    }


@pytest.mark.shared
@pytest.mark.conformance("KA-122")
@pytest.mark.skipif(
    not relevance_public.is_here(), reason="the public relevance benchmark is not beside the project"
)
def test_every_target_is_reached_through_the_service(shop: Tenant) -> None:
    queries = list(relevance_public.scorer().rows(str(relevance_public.QUERIES)))
    with project_scope(shop.id):
        sources = {corpus: stored(shop, corpus) for corpus in {query["corpus"] for query in queries}}
        answers = {query["id"]: asked(shop, query, *sources[query["corpus"]]) for query in queries}

    assert relevance_public.shortfalls(relevance_public.scores(queries, answers)) == []
