"""The token estimate in use is the one that the committed measurements give."""

from itertools import chain

import pytest

from apps.knowledge.tokens import COSTS
from bench.tokens.fit import fit, load


def test_the_table_in_use_is_the_fitted_table() -> None:
    fitted = fit(load())
    assert {name: pytest.approx(costs, abs=0.002) for name, costs in fitted.items()} == COSTS


def test_the_measurements_hold_numbers_and_no_text() -> None:
    columns = [[*one.tokens.values(), *chain.from_iterable(one.classes.values())] for one in load()]
    assert {type(number) for number in chain.from_iterable(columns)} == {int}
