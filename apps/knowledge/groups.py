"""Many small sources searched as few: which of a project's segments are joined, and when joins are made anew.

A search pays for every part it goes through, so a project's small sources are joined into groups. An edit takes
its source out of its group and leaves it loose. Loose ones are joined in the manner of a binary counter: into the
groups that are no larger than they are together. So there are few groups, a line is joined again only as often as
the counter carries over, and no join is larger than one request can wait for.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from apps.search.engine import Join, Part
from apps.search.segment import Segment

# So many sources are searched one by one before they are joined.
MOST_LOOSE: Final = 4
# A segment with more lines than that is searched on its own for good.
LARGEST_MEMBER: Final = 10_000
LARGEST_GROUP: Final = 100_000


class Held(NamedTuple):
    """A source at the revision that a search sees, and how many lines that has."""

    source_id: str
    revision_id: int
    lines: int

    @property
    def is_small(self) -> bool:
        return self.lines <= LARGEST_MEMBER


@dataclass(frozen=True)
class Group:
    """Joined segments; `members` are in the order of the join."""

    members: tuple[Held, ...]
    join: Join

    @property
    def nbytes(self) -> int:
        return int(self.join.nbytes + sum(segment.nbytes for segment in self.join.segments))

    def parts(self, ranks: Mapping[int, int]) -> Iterator[Part]:
        """What to search for the members that have a rank: a few of them one by one, more as one part."""
        ranked = [ranks.get(member.revision_id) for member in self.members]
        found = [
            (segment, rank) for segment, rank in zip(self.join.segments, ranked, strict=True) if rank is not None
        ]
        if len(found) > MOST_LOOSE:
            yield Part(self.join, ranked)
        else:
            yield from (Part(segment, [rank]) for segment, rank in found)


@dataclass(frozen=True)
class Groups:
    """The groups of one project; immutable, replaced as a whole."""

    groups: tuple[Group, ...] = ()

    @cached_property
    def segments(self) -> dict[int, Segment]:
        """The segments of all members by revision."""
        return {
            member.revision_id: segment
            for group in self.groups
            for member, segment in zip(group.members, group.join.segments, strict=True)
        }

    @property
    def nbytes(self) -> int:
        return sum(group.nbytes for group in self.groups)

    def regrouped(self, loose: Mapping[Held, Segment], dead: Collection[int]) -> "Groups":
        """With loose segments joined to each other and to what is no larger than they, and without dead ones."""
        pool = dict(loose)
        kept: list[Group] = []
        pairs = [(_living(group, dead), group) for group in self.groups]
        for living, group in sorted(pairs, key=lambda pair: _lines(pair[0])):
            if _lines(living) <= _lines(pool) or 2 * _lines(living) < len(group.join):
                pool.update(living)
            else:
                kept.append(group)
        return Groups((*kept, *(_joined(batch) for batch in _batches(pool))))

    def is_half_dead(self, dead: Collection[int]) -> bool:
        """Whether most of a group is only left out of every search."""
        return any(2 * len(_living(group, dead)) < len(group.members) for group in self.groups)


def _living(group: Group, dead: Collection[int]) -> dict[Held, Segment]:
    pairs = zip(group.members, group.join.segments, strict=True)
    return {member: segment for member, segment in pairs if member.revision_id not in dead}


def _lines(members: Iterable[Held]) -> int:
    return sum(member.lines for member in members)


def _batches(pool: Mapping[Held, Segment]) -> Iterator[dict[Held, Segment]]:
    batch: dict[Held, Segment] = {}
    lines = 0
    for member, segment in pool.items():
        if batch and lines + member.lines > LARGEST_GROUP:
            yield batch
            batch, lines = {}, 0
        batch[member] = segment
        lines += member.lines
    if batch:
        yield batch


def _joined(batch: Mapping[Held, Segment]) -> Group:
    return Group(tuple(batch), Join(list(batch.values())))
