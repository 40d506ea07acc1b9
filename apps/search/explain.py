"""Says for each word of a query how a hit answers it: as typed, as another form, with edits, across scripts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from apps.search.answers import Answered, answers_of_terms
from apps.search.chunks import Chunk
from apps.search.compiler import compile_segment
from apps.search.costs import ACROSS, EDIT, scale_for
from apps.search.engine import Hit, SearchResult
from apps.search.match import find_matches
from apps.search.query import Term
from apps.search.segment import Segment
from apps.search.words import is_number, words_of

Way = Literal["same", "spelling", "form", "edits", "form_and_edits", "across", "joined", "split", "amount"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A word of the query as typed, what of the hit's text answers it, and how.

    `same` is the word as typed, `spelling` one that counts as equal to it; `joined` says that the text writes two
    words of the query as one, `split` that it writes one as two, `amount` that it states the same amount otherwise.
    """

    word: str
    found: str
    way: Way
    edits: int = 0


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a hit answers the words of the query, and those that it does not answer, as typed."""

    answers: Sequence[Answer]
    missing: Sequence[str]


def explain(result: SearchResult) -> list[Explanation]:
    """One explanation a hit, from an index of nothing but the hits, read in the light of all that was searched."""
    if not result.hits:
        return []
    index = Segment(compile_segment([Chunk(hit.text) for hit in result.hits])).index
    matches = find_matches(index, result.sought)
    terms = result.sought.terms
    scale = scale_for(len(terms))
    return [
        _explanation(hit, terms, answers_of_terms(index, matches, line, scale))
        for line, hit in enumerate(result.hits)
    ]


def _explanation(hit: Hit, terms: Sequence[Term], answered: Sequence[Answered | None]) -> Explanation:
    counted = [one if one is not None and _is_marked(hit, one) else None for one in answered]
    pairs = list(zip(terms, counted, strict=True))
    return Explanation(
        answers=[_answer(hit, term, one, counted) for term, one in pairs if one is not None],
        missing=[term.word for term, one in pairs if one is None],
    )


def _is_marked(hit: Hit, answered: Answered) -> bool:
    """Whether it counted: some ways only open where all sources together leave no other, which hits cannot tell."""
    return any(start <= answered.start and answered.end <= end for start, end in hit.highlights)


def _answer(hit: Hit, term: Term, answered: Answered, others: Sequence[Answered | None]) -> Answer:
    found = hit.text[answered.start : answered.end]
    if not answered.single:
        return Answer(term.word, found, _way_together(found, others.count(answered)))
    if answered.cost >= ACROSS:
        return Answer(term.word, found, "across")
    edits, is_form = divmod(answered.cost, EDIT)
    return Answer(term.word, found, _way(term.word == found, bool(is_form), edits), edits)


def _way_together(found: str, sharing_terms: int) -> Way:
    words = words_of(found)
    if len(words) > 1 and any(is_number(word.text) for word in words):
        return "amount"
    return "joined" if sharing_terms > 1 else "split"


def _way(same: bool, is_form: bool, edits: int) -> Way:  # noqa: FBT001 -- the three facts that decide
    if edits:
        return "form_and_edits" if is_form else "edits"
    if is_form:
        return "form"
    return "same" if same else "spelling"
