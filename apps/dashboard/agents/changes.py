"""What differs between two states of an agent: its words, its limits, and what it attaches."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from apps.agents.models import Agent, AgentVersion
from apps.agents.queries import Attaching
from apps.dashboard.agents.arranging import key_of
from apps.knowledge.differences import Difference, compare

Sort = Literal["added", "removed", "mode", "selection"]
Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Frozen:
    """What a version freezes, or would freeze of a draft."""

    instructions: str
    min_score: float
    max_result_tokens: int
    attached: tuple[Attaching, ...]

    @classmethod
    def of(cls, words: Agent | AgentVersion, attached: Sequence[Attaching]) -> "Frozen":
        return cls(words.instructions, words.min_score, words.max_result_tokens, tuple(attached))

    @property
    def blank(self) -> "Frozen":
        """What stands before a first version: nothing, with the same limits."""
        return replace(self, instructions="", attached=())


@dataclass(frozen=True, slots=True)
class AttachmentChange:
    """How one attachment changed; what stands before or after it is None when it came or went."""

    sort: Sort
    before: Attaching | None
    after: Attaching | None

    @property
    def one(self) -> Attaching:
        found = self.after or self.before
        assert found is not None  # noqa: S101 -- a change is of something
        return found


@dataclass(frozen=True, slots=True)
class Changes:
    """All that differs; numbers as they were and are, None where they stay."""

    instructions: Difference | None
    min_score: tuple[float, float] | None
    max_result_tokens: tuple[int, int] | None
    attached: Sequence[AttachmentChange]
    is_reordered: bool

    @property
    def is_empty(self) -> bool:
        return not (self.instructions or self.min_score or self.max_result_tokens or self.attached) and (
            not self.is_reordered
        )


def changes_between(before: Frozen, after: Frozen) -> Changes:
    instructions = compare(before.instructions, after.instructions)
    was = {key_of(one): one for one in before.attached}
    now = {key_of(one): one for one in after.attached}
    return Changes(
        instructions=None if instructions.is_empty else instructions,
        min_score=_pair(before.min_score, after.min_score),
        max_result_tokens=_pair(before.max_result_tokens, after.max_result_tokens),
        attached=list(_attachments(was, now)),
        is_reordered=[key for key in was if key in now] != [key for key in now if key in was],
    )


def _pair(before: Number, after: Number) -> tuple[Number, Number] | None:
    return None if before == after else (before, after)


def _attachments(was: Mapping[str, Attaching], now: Mapping[str, Attaching]) -> Iterator[AttachmentChange]:
    """What came or is used otherwise in its new order, then what went."""
    for key, after in now.items():
        before = was.get(key)
        if before is None:
            yield AttachmentChange("added", None, after)
            continue
        if before.mode != after.mode:
            yield AttachmentChange("mode", before, after)
        if before.selection != after.selection:
            yield AttachmentChange("selection", before, after)
    yield from (AttachmentChange("removed", before, None) for key, before in was.items() if key not in now)
