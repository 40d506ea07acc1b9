"""Editions and hits as the pure parts of the room take them, with just enough in them."""

from datetime import UTC, datetime
from typing import Any

from apps.agents.editions import AttachedSource, Edition

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def source(name: str = "Prices", **fields: Any) -> AttachedSource:
    """An always-source with a content, unless fields say otherwise."""
    known: dict[str, Any] = {
        "source_id": f"ks_{name}",
        "mode": "always",
        "name": name,
        "kind": "catalog",
        "complete": True,
        "updated_at": NOW,
        "revision": "0" * 64,
        "char_count": 3,
        "chunk_count": 1,
        "token_estimate": 1,
        "content": "oud",
    }
    return AttachedSource(**{**known, **fields})


def searchable(name: str, **fields: Any) -> AttachedSource:
    return source(name, mode="searchable", content=None, **fields)


def edition(*sources: AttachedSource, **fields: Any) -> Edition:
    """An English draft with knowledge and instructions, unless fields say otherwise."""
    known: dict[str, Any] = {
        "project_id": "prj_x",
        "agent_id": "agt_x",
        "version": None,
        "locale": "en",
        "knowledge_enabled": True,
        "instructions": "Be brief.",
        "min_score": 0.0,
        "max_result_tokens": 2_000,
    }
    return Edition(sources=sources, **{**known, **fields})


def hit(text: str = "oud — 95", **fields: Any) -> dict[str, Any]:
    """A full hit, unless fields say otherwise."""
    known = {"source_id": "ks_a", "source_name": "Prices", "group": None, "text": text, "full_match": True}
    return {**known, "position": 1, "score": 1.0, **fields}


def found(*hits: dict[str, Any]) -> dict[str, Any]:
    return {"hits": list(hits), "miss": None}
