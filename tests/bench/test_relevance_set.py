"""The hand-made relevance set is sound: every judgement points to a line that exists, and the split holds."""

from collections import Counter

import pytest

from bench.relevance.corpora import QUERIES, TEXTS, load_corpora
from bench.relevance.scoring import NO_ANSWER, load_queries

CORPORA = load_corpora()
ALL = load_queries(QUERIES)
LONGEST_PARAGRAPH = 800


def test_ids_are_unique() -> None:
    assert max(Counter(query.id for query in ALL).values()) == 1


def test_no_query_is_asked_twice_of_one_corpus() -> None:
    assert max(Counter((query.corpus, query.query) for query in ALL).values()) == 1


def test_there_are_enough_queries() -> None:
    assert len(ALL) >= 200
    assert sum(query.kind == NO_ANSWER for query in ALL) >= 25


def test_judged_lines_exist() -> None:
    assert [query.id for query in ALL if not query.right <= CORPORA[query.corpus].keys()] == []


def test_a_line_is_relevant_or_acceptable_but_not_both() -> None:
    assert [query.id for query in ALL if query.relevant & query.acceptable] == []


def test_exactly_the_queries_without_answer_lack_a_relevant_line() -> None:
    without = [query.id for query in ALL if not query.relevant]
    assert without == [query.id for query in ALL if query.kind == NO_ANSWER]


def test_a_third_is_held_out() -> None:
    held_out = sum(query.split == "held_out" for query in ALL)
    assert {query.split for query in ALL} == {"open", "held_out"}
    assert held_out / len(ALL) == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.parametrize("name", sorted(CORPORA))
def test_a_corpus_is_as_long_as_a_small_shop_has_it(name: str) -> None:
    assert 30 <= len(CORPORA[name]) <= 200


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_paragraphs_of_a_text_stay_whole_so_that_a_line_is_a_chunk(name: str) -> None:
    assert max(map(len, CORPORA[name].values())) <= LONGEST_PARAGRAPH
