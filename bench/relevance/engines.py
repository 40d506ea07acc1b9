"""The engines our relevance set is asked of: Mawrid's search, and two plain ones that stand for the usual ways."""

from __future__ import annotations

from typing import Any, Protocol

import tantivy
from rapidfuzz.distance import OSA

from apps.search import chunks
from apps.search.engine import Part, search
from apps.search.query import max_edits
from apps.search.segment import Segment, compile_segment
from apps.search.words import words_of
from bench.relevance.scoring import DEPTH, Answer


class Engine(Protocol):
    """Holds one corpus, and answers queries with numbers of its lines."""

    def answer(self, query: str) -> Answer: ...


class Mawrid:
    """The search package, with the corpus as one source."""

    def __init__(self, numbered: dict[int, str], *, text: bool) -> None:
        joined = "\n\n".join(numbered.values())
        cut = chunks.paragraphs(joined) if text else chunks.lines(joined)
        self._numbers = list(numbered)
        if len(cut) != len(self._numbers):
            raise ValueError("A line of the corpus is not one chunk: the judgements would point elsewhere.")
        self._parts = [Part(Segment(compile_segment(cut)), (0,))]

    def answer(self, query: str) -> Answer:
        hits = search(self._parts, query).hits
        return Answer(tuple(self._numbers[hit.position - 1] for hit in hits), tuple(hit.full_match for hit in hits))


class Tantivy:
    """Fuzzy terms in a boolean query over the same folded words; full are the hits that must have every term."""

    def __init__(self, numbered: dict[int, str], *, text: bool) -> None:  # noqa: ARG002 - lines are documents here
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("line", stored=True)
        builder.add_text_field("words", tokenizer_name="whitespace")
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema)
        writer = self._index.writer(num_threads=1)
        for number, line in numbered.items():
            writer.add_document(tantivy.Document(line=number, words=" ".join(folded(line))))
        writer.commit()
        self._index.reload()

    def answer(self, query: str) -> Answer:
        terms = folded(query)
        full = set(self._lines(terms, tantivy.Occur.Must))
        hits = tuple(self._lines(terms, tantivy.Occur.Should))
        return Answer(hits, tuple(line in full for line in hits))

    def _lines(self, terms: list[str], occur: Any) -> list[int]:
        fuzzy = [
            tantivy.Query.fuzzy_term_query(
                self._schema, "words", term, distance=max_edits(term), transposition_cost_one=True
            )
            for term in terms
        ]
        searcher = self._index.searcher()
        found = searcher.search(tantivy.Query.boolean_query([(occur, term) for term in fuzzy]), limit=DEPTH)
        return [searcher.doc(address)["line"][0] for _, address in found.hits]


class LineByLine:
    """Every word of the query against every word of every line; more matched words first, then the shorter line."""

    def __init__(self, numbered: dict[int, str], *, text: bool) -> None:  # noqa: ARG002 - lines are lines here
        self._lines = [(number, len(line), folded(line)) for number, line in numbered.items()]

    def answer(self, query: str) -> Answer:
        terms = folded(query)
        found = [(self._matched(terms, words), length, number) for number, length, words in self._lines]
        best = sorted((-matched, length, number) for matched, length, number in found if matched)[:DEPTH]
        return Answer(
            tuple(number for _, _, number in best), tuple(-matched == len(terms) for matched, _, _ in best)
        )

    @staticmethod
    def _matched(terms: list[str], words: list[str]) -> int:
        return sum(any(_within(term, word) for word in words) for term in terms)


def _within(term: str, word: str) -> bool:
    allowed = max_edits(term)
    return OSA.distance(term, word, score_cutoff=allowed) <= allowed


def folded(text: str) -> list[str]:
    """The words of a text as all engines here see them, each once."""
    return list(dict.fromkeys(word.text for word in words_of(text)))
