"""Sharing the words of a line out among the words of a query."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.search.costs import ACROSS, EDIT, EXACT, FORM, Option, Scale, assign, assign_greedily

OPTIONS = st.lists(
    st.lists(
        st.tuples(st.sampled_from([EXACT, FORM, EDIT, 2 * EDIT, ACROSS]), st.integers(0, 4)),
        max_size=4,
        unique_by=lambda option: option[1],
    ),
    min_size=1,
    max_size=4,
)


def worth(chosen: list[Option | None], scale: Scale) -> int:
    return sum(scale.worth(option[0]) for option in chosen if option is not None)


def is_allowed(chosen: tuple[Option | None, ...]) -> bool:
    taken = [option[1] for option in chosen if option is not None]
    return len(set(taken)) == len(taken)


@pytest.mark.conformance("KA-054")
@settings(deadline=None)
@given(OPTIONS)
def test_the_assignment_is_the_best_of_all(options: list[list[Option]]) -> None:
    scale = Scale(len(options))
    every = product(*([None, *choices] for choices in options))
    assert worth(assign(options, scale), scale) == max(worth(list(one), scale) for one in every if is_allowed(one))


@pytest.mark.parametrize("share_out", [lambda options: assign(options, Scale(len(options))), assign_greedily])
@settings(deadline=None)
@given(options=OPTIONS)
def test_no_word_answers_two_terms(share_out: object, options: list[list[Option]]) -> None:
    assert callable(share_out)
    chosen = share_out(options)
    assert is_allowed(tuple(chosen))
    assert all(one is None or one in choices for one, choices in zip(chosen, options, strict=True))


@settings(deadline=None)
@given(st.integers(1, 32), st.data())
def test_worth_tells_matched_words_and_edits(terms: int, data: st.DataObject) -> None:
    costs = data.draw(st.lists(st.sampled_from([EXACT, FORM, EDIT, EDIT + FORM, ACROSS]), max_size=terms))
    scale = Scale(terms)
    assert scale.read(sum(map(scale.worth, costs))) == (len(costs), sum(cost // EDIT for cost in costs))


def test_one_more_word_outweighs_every_cost() -> None:
    scale = Scale(3)
    assert 3 * scale.worth(ACROSS) > 2 * scale.worth(EXACT)


def test_an_edit_outweighs_every_other_form() -> None:
    scale = Scale(32)
    assert 32 * scale.worth(FORM) > 31 * scale.worth(EXACT) + scale.worth(EDIT)
