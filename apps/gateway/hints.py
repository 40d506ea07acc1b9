"""Puts hints into an answer of few bytes: summaries are shortened first, then hints left out, and it says so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from apps.gateway.budget import cost, fitting

MOST_HINTS: Final = 3
MOST_BYTES: Final = 4_096
# A summary cut shorter than this tells nothing any more; better one hint less.
_LEAST_SUMMARY_COST: Final = 120


@dataclass(frozen=True, slots=True)
class Hint:
    """One source or document that was found; `summary` are the matching lines of it, best first."""

    ref: str
    title: str
    summary: str
    revision: str
    score: float
    expires_at: str

    def shown(self, summary: str) -> dict[str, Any]:
        return {
            "ref": self.ref,
            "title": self.title,
            "summary": summary,
            "revision": self.revision,
            "score": self.score,
            "expires_at": self.expires_at,
        }


def bounded(envelope: Mapping[str, Any], hints: Sequence[Hint], *, max_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """The envelope with as many of the first hints as its JSON has room for, and whether anything was cut."""
    shown = list(hints)
    while shown:
        summaries = _summaries(
            shown, max_bytes - _size(_answer(envelope, shown, [""] * len(shown), truncated=False))
        )
        if summaries is not None:
            was_cut = len(shown) < len(hints) or summaries != [hint.summary for hint in shown]
            return _answer(envelope, shown, summaries, truncated=was_cut)
        shown.pop()
    return _answer(envelope, [], [], truncated=bool(hints))


def _answer(
    envelope: Mapping[str, Any], hints: Sequence[Hint], summaries: Sequence[str], *, truncated: bool
) -> dict[str, Any]:
    shown = [hint.shown(summary) for hint, summary in zip(hints, summaries, strict=True)]
    return {**envelope, "hints": shown, "truncated": truncated}


def _summaries(hints: Sequence[Hint], room: int) -> list[str] | None:
    """The summaries within so many bytes; None when one of them would be cut to nearly nothing."""
    costs = [cost(hint.summary) for hint in hints]
    shares = _shares(costs, room)
    if any(share < min(cost, _LEAST_SUMMARY_COST) for share, cost in zip(shares, costs, strict=True)):
        return None
    return [
        hint.summary if share == cost else fitting(hint.summary, share)
        for hint, share, cost in zip(hints, shares, costs, strict=True)
    ]


def _shares(costs: Sequence[int], room: int) -> list[int]:
    """Share the room out: equal parts, where what one does not need goes to the others."""
    shares = [0] * len(costs)
    rank = sorted(range(len(costs)), key=costs.__getitem__)
    for position, place in enumerate(rank):
        shares[place] = min(costs[place], max(room, 0) // (len(rank) - position))
        room -= shares[place]
    return shares


def _size(answer: Mapping[str, Any]) -> int:
    return len(msgspec.json.encode(answer))
