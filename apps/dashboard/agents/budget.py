"""What always stands in a prompt as a bar: how much each source takes of it, against what is advised."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from apps.agents.advice import ADVISED_ALWAYS_TOKENS, tokens_of, worth_searching
from apps.agents.editions import Attached, Edition

WIDTH: Final = 1_000
# So many shades follow each other in the bar.
SHADES: Final = 5


@dataclass(frozen=True, slots=True)
class Share:
    """One source's part of the bar, and its shade, which the source has in the list too."""

    attached: Attached
    x: int
    width: int
    shade: int


@dataclass(frozen=True, slots=True)
class Budget:
    """The bar; `mark` is where the advice ends, and `worth_searching` what saves most when it is looked up."""

    tokens: int
    advised: int
    per_search: int
    shares: Sequence[Share]
    mark: int
    worth_searching: Sequence[Attached]

    @property
    def is_over(self) -> bool:
        return self.tokens > self.advised

    @property
    def left(self) -> int:
        """What would always stand in the prompt if the advice were followed."""
        return self.tokens - tokens_of(self.worth_searching)


def budget_of(edition: Edition, *, direction: str) -> Budget:
    """Draws an edition's always-sources in the reading direction."""
    tokens = tokens_of(edition.always)
    full = max(tokens, ADVISED_ALWAYS_TOKENS)
    return Budget(
        tokens=tokens,
        advised=ADVISED_ALWAYS_TOKENS,
        per_search=edition.max_result_tokens if edition.searchable else 0,
        shares=list(_shares(edition.always, full, direction)),
        mark=_from_start(round(ADVISED_ALWAYS_TOKENS * WIDTH / full), 0, direction),
        worth_searching=worth_searching(edition.always),
    )


def _shares(always: Sequence[Attached], full: int, direction: str) -> Iterator[Share]:
    before = 0
    for number, attached in enumerate(always):
        start, end = (round(tokens * WIDTH / full) for tokens in (before, before + attached.token_estimate))
        yield Share(attached, _from_start(start, end - start, direction), end - start, number % SHADES)
        before += attached.token_estimate


def _from_start(x: int, width: int, direction: str) -> int:
    return WIDTH - x - width if direction == "rtl" else x
