"""What the prompts of agents cost in tokens, against what is advised."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from apps.agents.advice import ADVISED_ALWAYS_TOKENS, tokens_of
from apps.agents.editions import Edition

SHOWN_AGENTS: Final = 5


@dataclass(frozen=True, slots=True)
class AgentCost:
    """One agent: what always stands in its prompt, and how much a search may add."""

    agent_id: str
    name: str
    tokens: int
    per_search: int

    @property
    def is_over(self) -> bool:
        return self.tokens > ADVISED_ALWAYS_TOKENS

    @property
    def full(self) -> int:
        """Where the bar ends: at the advice, or at what there is when that is more."""
        return max(self.tokens, ADVISED_ALWAYS_TOKENS)


def costs_of(drafts: Sequence[tuple[str, Edition]]) -> list[AgentCost]:
    """The dearest agents first."""
    costs = [_cost(name, edition) for name, edition in drafts]
    return sorted(costs, key=lambda cost: -cost.tokens)[:SHOWN_AGENTS]


def _cost(name: str, edition: Edition) -> AgentCost:
    per_search = edition.max_result_tokens if edition.searchable else 0
    return AgentCost(edition.agent_id, name, tokens_of(edition.always), per_search)
