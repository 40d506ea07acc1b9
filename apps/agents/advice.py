"""Advises when so much always stands in a prompt that each turn costs more and attention thins out."""

from collections.abc import Sequence
from typing import Final

from apps.agents.editions import Attached

ADVISED_ALWAYS_TOKENS: Final = 8_000


def tokens_of(always: Sequence[Attached]) -> int:
    return sum(source.token_estimate for source in always)


def worth_searching(always: Sequence[Attached]) -> list[Attached]:
    """The sources whose change to searchable saves most: the largest, until the rest is within the advice."""
    excess = tokens_of(always) - ADVISED_ALWAYS_TOKENS
    chosen: list[Attached] = []
    for source in sorted(always, key=lambda source: source.token_estimate, reverse=True):
        if excess <= 0:
            break
        chosen.append(source)
        excess -= source.token_estimate
    return chosen
