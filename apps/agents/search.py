"""Searches what an agent may search, and puts what was found into the words its model reads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from apps.agents.editions import AttachedDocument, AttachedSource, Edition
from apps.agents.wording import ALSO_IN_PART, CUT, FOUND, FOUND_IN_PART
from apps.knowledge import lookup, tokens
from apps.knowledge.documents.sought import Wanted

MIN_RESULT_TOKENS: Final = 50
MAX_RESULT_TOKENS: Final = 20_000

_LONGEST_NAME: Final = 60
_ELLIPSIS: Final = "…"

Hit = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Content:
    """The text for a model, and whether it holds less than was found."""

    text: str
    truncated: bool


def search(edition: Edition, query: str, *, limit: int = lookup.MOST_HITS, counted: bool = True) -> dict[str, Any]:
    """The answer to a query over what is searchable, without the hits below the agent's lowest score.

    With nothing to search it is a miss that proves nothing. What is deleted meanwhile is left out.
    """
    attached = edition.searchable
    return lookup.search(
        edition.project_id,
        query,
        [one.source_id for one in attached if isinstance(one, AttachedSource)],
        limit,
        min_score=edition.min_score,
        skip_missing=True,
        counted=counted,
        documents=[Wanted(one.document_id, one.selection) for one in attached if isinstance(one, AttachedDocument)],
    )


def content_for_model(result: Mapping[str, Any], *, locale: str, max_tokens: int) -> Content:
    """Hits as lines grouped by source, the full ones first, or what a miss means; never over `max_tokens`.

    Partial hits are told as such, and that nothing follows from them.
    """
    if result["miss"] is not None:
        return Content(result["miss"]["guidance"], truncated=False)
    hits: list[Hit] = result["hits"]
    whole = _laid_out(hits, locale)
    if tokens.estimate(whole) <= max_tokens:
        return Content(whole, truncated=False)
    return Content(_cut(hits, locale, max_tokens), truncated=True)


# --- cutting ------------------------------------------------------------------------------------------------


def _cut(hits: Sequence[Hit], locale: str, max_tokens: int) -> str:
    """As many hits as fit; of one that does not fit alone as much of its text; at least what must be said."""

    def fits(text: str) -> bool:
        return tokens.estimate(text) <= max_tokens

    def first_hits(number: int) -> str:
        return _laid_out(hits[:number], locale, is_cut=True)

    def start_of_first_hit(length: int) -> str:
        shortened = {**hits[0], "text": hits[0]["text"][:length] + _ELLIPSIS}
        return _laid_out([shortened], locale, is_cut=True)

    if fits(first_hits(1)):
        return first_hits(_largest(len(hits), lambda number: fits(first_hits(number))))
    if fits(start_of_first_hit(1)):
        return start_of_first_hit(_largest(len(hits[0]["text"]), lambda length: fits(start_of_first_hit(length))))
    return "\n".join([*_warning(hits, locale), CUT.put(locale)])


def _largest(highest: int, holds: Callable[[int], bool]) -> int:
    """The largest number from 1 on for which something holds that stops to hold somewhere."""
    low = 1
    while low < highest:
        middle = (low + highest + 1) // 2
        low, highest = (middle, highest) if holds(middle) else (low, middle - 1)
    return low


# --- laying out ---------------------------------------------------------------------------------------------


def _laid_out(hits: Sequence[Hit], locale: str, *, is_cut: bool = False) -> str:
    full = [hit for hit in hits if hit["full_match"]]
    partial = [hit for hit in hits if not hit["full_match"]]
    lines = [FOUND.put(locale), *_warning(hits, locale), *_grouped(full)]
    if full and partial:
        lines += ["", ALSO_IN_PART.put(locale)]
    lines += _grouped(partial)
    return "\n".join([*lines, "", CUT.put(locale)] if is_cut else lines)


def _warning(hits: Sequence[Hit], locale: str) -> list[str]:
    """What keeps a model from taking partial hits for a denial. The first hit is a full one if any is."""
    return [] if hits[0]["full_match"] else [FOUND_IN_PART.put(locale)]


def _grouped(hits: Sequence[Hit]) -> list[str]:
    """The hits as lines under their sources and documents, both in the order of the ranking."""
    by_source: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        by_source.setdefault(lookup.parent_of(hit), []).append(hit)
    return [line for of_source in by_source.values() for line in _of_source(of_source)]


def _of_source(hits: Sequence[Hit]) -> list[str]:
    return ["", f"{_short(hits[0]['source_name'])}:", *map(_line, hits)]


def _line(hit: Hit) -> str:
    """One hit; further lines of its text are set in, so that they do not read as anything else."""
    text = "\n  ".join(hit["text"].splitlines())
    return f"- {text}" if hit["group"] is None else f"- {text} ({_short(hit['group'])})"


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + _ELLIPSIS
