"""Saved examples: questions kept with what they should find, and whether a search still finds it.

A shop edits its lists every day. An example says what must not get lost by that, in the words of a customer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.db.models import QuerySet
from rapidfuzz import process
from rapidfuzz.distance import Indel

from apps.kernel.errors import AppError
from apps.knowledge import errors, lookup, queries
from apps.knowledge.models import MAX_COUNTED_QUERY_LENGTH, SearchExample
from apps.projects import audit
from apps.projects.models import Project
from apps.search.engine import fold_query

MAX_EXAMPLES: Final = 200
# An item whose price or size changed is still that item.
_ALIKE: Final = 0.6

State = Literal["found", "changed", "lost", "silent", "noisy"]
GOOD: Final[frozenset[State]] = frozenset({"found", "changed", "silent"})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search for an example finds today: at which place of the hits, counted from 1, and how it reads now.

    `found` is the item as it was, `changed` one of its source that reads much like it, `lost` neither of them.
    Where nothing should be found, `silent` is right, and `noisy` names the hit that answers all words.
    """

    example: SearchExample
    state: State
    place: int | None = None
    text: str | None = None

    @property
    def is_good(self) -> bool:
        return self.state in GOOD


def list_examples(project_id: str) -> QuerySet[SearchExample]:
    return SearchExample.objects.for_project(project_id).select_related("source").order_by("-created_at", "-id")


def get_example(project_id: str, example_id: str) -> SearchExample:
    """Raises `search_example_not_found`."""
    example = list_examples(project_id).filter(id=example_id).first()
    if example is None:
        raise AppError(errors.SEARCH_EXAMPLE_NOT_FOUND)
    return example


def keep_example(project_id: str, *, question: str, source_id: str | None, text: str, actor: str) -> SearchExample:
    """Keep a question with the item it should find; an empty text says that it should find nothing.

    The same question again gets the new expectation. Raises `knowledge_source_not_found`, and
    `too_many_search_examples`.
    """
    source = queries.get_source(project_id, source_id) if source_id is not None and text else None
    # Two people may keep a last example at once; whoever comes second waits here.
    Project.objects.select_for_update(no_key=True).get(id=project_id)
    kept = SearchExample.objects.for_project(project_id)
    key = (fold_query(question) or question)[:MAX_COUNTED_QUERY_LENGTH]
    earlier = kept.filter(key=key).first()
    if earlier is None and kept.count() >= MAX_EXAMPLES:
        raise AppError(errors.TOO_MANY_SEARCH_EXAMPLES, params={"limit": MAX_EXAMPLES})
    example = earlier or SearchExample(project_id=project_id, key=key)
    example.question, example.source, example.text = question, source, text
    example.save()
    audit.record(project_id, actor=actor, action="search_example.kept", target=example.id)
    return example


def drop_example(example: SearchExample, *, actor: str) -> None:
    SearchExample.objects.for_project(example.project_id).filter(id=example.id).delete()
    audit.record(example.project_id, actor=actor, action="search_example.dropped", target=example.id)


def check_examples(examples: Iterable[SearchExample]) -> list[Outcome]:
    """Ask saved questions of one project again, of all its sources, as an agent would; none of them is counted."""
    kept = list(examples)
    if not kept:
        return []
    answers = lookup.try_searches(kept[0].project_id, [example.question for example in kept])
    return [_outcome(example, hits) for example, hits in zip(kept, answers, strict=True)]


def _outcome(example: SearchExample, hits: Sequence[dict[str, Any]]) -> Outcome:
    return _silence(example, hits) if not example.text else _finding(example, hits)


def _silence(example: SearchExample, hits: Sequence[dict[str, Any]]) -> Outcome:
    """A partial hit denies nothing, so it is no noise."""
    full = next((hit for hit in hits if hit["full_match"]), None)
    return Outcome(example, "silent") if full is None else Outcome(example, "noisy", 1, full["text"])


def _finding(example: SearchExample, hits: Sequence[dict[str, Any]]) -> Outcome:
    places = {place: hit["text"] for place, hit in enumerate(hits, start=1) if _is_wanted(example, hit)}
    wanted = _squeezed(example.text)
    exact = next((place for place, text in places.items() if _squeezed(text) == wanted), None)
    if exact is not None:
        return Outcome(example, "found", exact, example.text)
    alike = process.extractOne(example.text, places, scorer=Indel.normalized_similarity, score_cutoff=_ALIKE)
    if alike is None:
        return Outcome(example, "lost")
    text, _, place = alike
    return Outcome(example, "changed", place, text)


def _squeezed(text: str) -> str:
    """Line ends and spaces change on the way through a form."""
    return " ".join(text.split())


def _is_wanted(example: SearchExample, hit: dict[str, Any]) -> bool:
    """Of a source that is gone, the item may have moved to any other."""
    return example.source_id is None or hit["source_id"] == example.source_id
