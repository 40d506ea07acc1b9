"""How a trial of a question is shown: its hits with marks and reasons, and what a miss would mean."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from apps.dashboard.highlights import LONGEST_WHOLE, Piece, clipped, pieces
from apps.search.explain import Answer, Explanation

MOST_REASONS: Final = 5


@dataclass(frozen=True, slots=True)
class ShownHit:
    """A hit as the engine tells it, its text cut at the marks, and how it answers what was not typed like that.

    Only one that is shown whole can be kept as the answer to a question.
    """

    hit: Mapping[str, Any]
    pieces: Sequence[Piece]
    answers: Sequence[Answer]
    missing: Sequence[str]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a miss would be no evidence: a code, and the name of the source that it is about."""

    code: str
    source_id: str | None
    source_name: str


@dataclass(frozen=True, slots=True)
class Miss:
    is_evidence: bool
    guidance: str
    reasons: Sequence[Reason]
    more: int


def shown_hits(answer: Mapping[str, Any]) -> Iterator[ShownHit]:
    for hit in answer["hits"]:
        explanation: Explanation = hit["explanation"]
        odd = [one for one in explanation.answers if one.way != "same"]
        cut = list(pieces(hit["text"], hit["highlights"]))
        yield ShownHit(hit, clipped(cut), odd, explanation.missing, len(hit["text"]) <= LONGEST_WHOLE)


def shown_miss(answer: Mapping[str, Any]) -> Miss:
    """What a miss means in the sources that were searched, whether there is one or not."""
    miss = answer["if_missed"]
    names = {source["id"]: source["name"] for source in answer["searched_sources"]}
    reasons = [
        Reason(reason["code"], reason["source_id"], names.get(reason["source_id"], ""))
        for reason in miss["reasons"]
    ]
    return Miss(miss["evidence"], miss["guidance"], reasons[:MOST_REASONS], len(reasons) - MOST_REASONS)
