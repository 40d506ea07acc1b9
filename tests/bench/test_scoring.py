"""The scorer gives the marks that a person works out by hand."""

from dataclasses import replace

import pytest

from bench.relevance.scoring import Answer, Marks, Query, mark, row, rows_by, table


def query(kind: str = "plain", relevant: set[int] | None = None, acceptable: set[int] | None = None) -> Query:
    return Query(
        id="q",
        corpus="shop.txt",
        query="عسل",
        kind=kind,
        relevant=frozenset({1, 2} if relevant is None else relevant),
        acceptable=frozenset(acceptable or ()),
    )


@pytest.mark.parametrize(
    ("hits", "recall"),
    [
        pytest.param((1, 2), 1.0, id="all found"),
        pytest.param((9, 2), 0.5, id="half found"),
        pytest.param((), 0.0, id="nothing found"),
        pytest.param((*range(10, 35), 1), 0.0, id="the 26th hit is not read"),
        pytest.param((*range(10, 34), 1), 0.5, id="the 25th hit is read"),
        pytest.param((9, 9, *range(10, 33), 1), 0.5, id="a repeated line takes one place"),
    ],
)
def test_recall_is_the_share_of_relevant_lines_among_the_first_25(hits: tuple[int, ...], recall: float) -> None:
    assert mark(query(), Answer(hits, (False,) * len(hits))).recall == recall


def test_recall_of_more_than_25_relevant_lines_is_full_when_25_are_found() -> None:
    answer = Answer(tuple(range(1, 26)), (True,) * 25)
    assert mark(query(relevant=set(range(1, 41))), answer).recall == 1.0


@pytest.mark.parametrize(
    ("hits", "expected"),
    [
        pytest.param((1, 9), 1.0, id="first"),
        pytest.param((9, 8, 1), 1 / 3, id="third"),
        pytest.param((9, 5, 1), 1 / 2, id="an acceptable line counts"),
        pytest.param((*range(10, 20), 1), 0.0, id="eleventh is too late"),
        pytest.param((9,), 0.0, id="never"),
    ],
)
def test_reciprocal_rank_looks_for_the_first_right_line(hits: tuple[int, ...], expected: float) -> None:
    marks = mark(query(acceptable={5}), Answer(hits, (False,) * len(hits)))
    assert marks.reciprocal_rank == pytest.approx(expected)


@pytest.mark.parametrize(
    ("full", "full_hit", "precision"),
    [
        pytest.param((True, False, False), 1.0, 1.0, id="only the right line is claimed"),
        pytest.param((True, True, True), 1.0, 2 / 3, id="a wrong line is claimed too"),
        pytest.param((False, True, False), 0.0, 0.0, id="only a wrong line is claimed"),
        pytest.param((False, False, False), 0.0, None, id="nothing is claimed"),
    ],
)
def test_claims_of_a_full_match_are_checked(
    full: tuple[bool, ...], full_hit: float, precision: float | None
) -> None:
    marks = mark(query(acceptable={5}), Answer((1, 9, 5), full))
    assert marks.full_hit == full_hit
    assert marks.full_precision == (None if precision is None else pytest.approx(precision))


def test_no_full_match_is_owed_where_no_line_has_every_word() -> None:
    marks = mark(replace(query(), full=False), Answer((1,), (False,)))
    assert marks.full_hit is None


@pytest.mark.parametrize(
    ("full", "expected"), [((), 1.0), ((False,), 1.0), ((True,), 0.0)], ids=["no hit", "partial hit", "claim"]
)
def test_a_query_without_answer_wants_no_claim(full: tuple[bool, ...], expected: float) -> None:
    marks = mark(query(kind="no_answer", relevant=set()), Answer((3,) * len(full), full))
    assert marks == Marks(no_answer=expected)


def test_a_mean_is_over_the_queries_a_measure_applies_to() -> None:
    marks = [Marks(recall=1.0, full_precision=0.5), Marks(recall=0.0), Marks(no_answer=1.0)]
    means = row("all", marks).means
    assert (means["recall"], means["full_precision"], means["no_answer"]) == (0.5, 0.5, 1.0)


def test_rows_are_grouped_in_order_and_end_with_the_total() -> None:
    queries = [
        Query("a", "shop.txt", "عسل", "plain", frozenset({1})),
        Query("b", "shop.txt", "3asal", "arabizi", frozenset({1})),
        Query("c", "shop.txt", "بخور", "plain", frozenset({2})),
    ]
    marks = {"a": Marks(recall=1.0), "b": Marks(recall=0.0), "c": Marks(recall=0.5)}
    rows = rows_by(lambda one: one.kind, queries, marks, total="all")
    assert [(one.name, one.count, one.means["recall"]) for one in rows] == [
        ("plain", 2, 0.75),
        ("arabizi", 1, 0.0),
        ("all", 3, 0.5),
    ]


def test_the_table_shows_per_cent_and_a_dash_for_what_does_not_apply() -> None:
    last = table([row("all", [Marks(recall=0.975)])]).splitlines()[-1]
    assert last.split() == ["all", "1", "97.5", "-", "-", "-", "-"]
