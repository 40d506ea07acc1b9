"""What the prompts of agents cost in tokens, against what is advised."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from apps.agents.advice import ADVISED_ALWAYS_TOKENS, tokens_of
from apps.agents.editions import Edition
from apps.dashboard.overview.attention import address_of_agent
from apps.dashboard.pages import Place

SHOWN_AGENTS: Final = 5


@dataclass(frozen=True, slots=True)
class AgentCost:
    """One agent: what always stands in its prompt, and how much a search may add."""

    name: str
    address: str | None
    tokens: int
    per_search: int

    @property
    def is_over(self) -> bool:
        return self.tokens > ADVISED_ALWAYS_TOKENS

    @property
    def full(self) -> int:
        """Where the bar ends: at the advice, or at what there is when that is more."""
        return max(self.tokens, ADVISED_ALWAYS_TOKENS)


def costs_of(place: Place, drafts: Sequence[tuple[str, Edition]]) -> list[AgentCost]:
    """The dearest agents first."""
    costs = [_cost(place, name, edition) for name, edition in drafts]
    return sorted(costs, key=lambda cost: -cost.tokens)[:SHOWN_AGENTS]


def _cost(place: Place, name: str, edition: Edition) -> AgentCost:
    per_search = edition.max_result_tokens if edition.searchable else 0
    return AgentCost(name, address_of_agent(place, edition), tokens_of(edition.always), per_search)
