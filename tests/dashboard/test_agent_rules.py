"""The rules behind the pages of agents: the order of attachments, the budget, what differs between versions."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.agents.context import assemble, parts_of
from apps.agents.queries import Attaching
from apps.dashboard.agents.arranging import (
    DEEDS,
    NotAttachedError,
    all_searchable,
    joined,
    key_of,
    put,
)
from apps.dashboard.agents.budget import WIDTH, budget_of
from apps.dashboard.agents.changes import Changes, Frozen, changes_between
from tests.agents.making import edition, source

WHOLE = {"mode": "document"}
SOME = {"mode": "self", "section_ids": ["a"]}


def attached(*names: str, mode: str = "always") -> list[Attaching]:
    return [Attaching(name, mode, None) for name in names]


def order(items: list[Attaching]) -> str:
    return "".join(one.attached_id for one in items)


# --- arranging ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deed", "which", "expected"),
    [
        ("up", "b", "bac"),
        ("up", "a", "abc"),
        ("up", "c", "acb"),
        ("down", "b", "acb"),
        ("down", "c", "abc"),
        ("down", "a", "bac"),
        ("remove", "b", "ac"),
    ],
)
def test_one_moves_and_the_others_keep_their_order(deed: str, which: str, expected: str) -> None:
    assert order(DEEDS[deed](attached("a", "b", "c"), f"source:{which}")) == expected


@pytest.mark.parametrize("deed", list(DEEDS))
def test_what_is_not_attached_is_not_changed(deed: str) -> None:
    with pytest.raises(NotAttachedError):
        DEEDS[deed](attached("a"), "source:b")


@pytest.mark.parametrize("mode", ["always", "searchable"])
def test_a_mode_is_that_of_one(mode: str) -> None:
    changed = DEEDS[mode](attached("a", "b", mode="other"), "source:b")

    assert [one.mode for one in changed] == ["other", mode]


def test_a_document_with_the_id_of_a_source_is_another_thing() -> None:
    both = [*attached("same"), Attaching("same", "always", WHOLE)]

    assert DEEDS["remove"](both, "document:same") == both[:1]


def test_following_the_advice_passes_over_what_is_gone() -> None:
    changed = all_searchable(attached("a", "b"), {"source:b", "source:gone"})

    assert [one.mode for one in changed] == ["always", "searchable"]


def test_what_is_attached_already_is_not_attached_again() -> None:
    assert order(joined(attached("a"), attached("a", "b", mode="searchable"))) == "ab"
    assert joined(attached("a"), attached("a", mode="searchable")) == attached("a")


@pytest.mark.parametrize("known", [[], [Attaching("x", "always", WHOLE)]], ids=["new", "known"])
def test_a_selection_takes_the_place_of_the_one_before(known: list[Attaching]) -> None:
    chosen = Attaching("x", "searchable", SOME)

    assert put([*known, *attached("a")][::-1], chosen).count(chosen) == 1


@given(st.permutations("abcdef"), st.lists(st.tuples(st.sampled_from(["up", "down"]), st.sampled_from("abcdef"))))
def test_moving_loses_nothing(names: list[str], moves: list[tuple[str, str]]) -> None:
    items = attached(*names)
    for deed, which in moves:
        items = DEEDS[deed](items, f"source:{which}")

    assert sorted(map(key_of, items)) == sorted(map(key_of, attached(*names)))


# --- the budget ---------------------------------------------------------------------------------------------


@pytest.mark.conformance("KA-023")
@pytest.mark.parametrize(
    ("tokens", "is_over", "advised"),
    [
        ([7_900], False, []),
        ([8_000], False, []),
        ([8_001], True, ["0"]),
        ([5_000, 3_100], True, ["0"]),
        ([3_000, 6_000], True, ["1"]),
        ([9_000, 9_000], True, ["0", "1"]),
    ],
)
def test_more_than_is_advised_is_told_with_what_saves_most(
    tokens: list[int], is_over: bool, advised: list[str]
) -> None:
    budget = budget_of(_edition(tokens), direction="ltr")

    assert budget.is_over is is_over
    assert [one.name for one in budget.worth_searching] == advised
    assert budget.left <= budget.advised


@given(st.lists(st.integers(0, 30_000), max_size=12), st.sampled_from(["ltr", "rtl"]))
def test_the_bar_is_full_of_its_shares_without_gaps(tokens: list[int], direction: str) -> None:
    budget = budget_of(_edition(tokens), direction=direction)
    shares = sorted((share.x, share.x + share.width) for share in budget.shares)
    ends = [end for _, end in shares]

    assert all(0 <= start <= end <= WIDTH for start, end in shares)
    assert sum(share.width for share in budget.shares) == round(sum(tokens) * WIDTH / max(sum(tokens), 8_000))
    assert [start for start, _ in shares[1:]] == ends[:-1]


def test_the_bar_of_a_reader_from_the_right_begins_there() -> None:
    (share,) = budget_of(_edition([4_000]), direction="rtl").shares

    assert (share.x, share.width) == (500, 500)


def _edition(tokens: list[int]) -> Any:
    return edition(*(source(str(at), token_estimate=each) for at, each in enumerate(tokens)))


# --- the X-ray ----------------------------------------------------------------------------------------------


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4))
def test_the_parts_of_a_section_are_its_whole_text(contents: list[str]) -> None:
    shown = edition(*(source(f"s{at}", content=text) for at, text in enumerate(contents)))
    (_, context) = assemble(shown).sections

    assert "\n\n".join(text for _, text in parts_of(context, "en")) == context.text


# --- what differs -------------------------------------------------------------------------------------------


def frozen(*items: Attaching, **fields: Any) -> Frozen:
    return Frozen(
        **{"instructions": "Be kind.", "min_score": 0.0, "max_result_tokens": 2_000, **fields}, attached=items
    )


def test_the_same_does_not_differ() -> None:
    assert changes_between(frozen(*attached("a")), frozen(*attached("a"))).is_empty


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([], attached("a"), [("added", "a")]),
        (attached("a"), [], [("removed", "a")]),
        (attached("a"), attached("a", mode="searchable"), [("mode", "a")]),
        ([Attaching("d", "always", WHOLE)], [Attaching("d", "always", SOME)], [("selection", "d")]),
        (attached("a", "b"), attached("b", "c"), [("added", "c"), ("removed", "a")]),
    ],
)
def test_attachments_differ_by_what_became_of_each(
    before: list[Attaching], after: list[Attaching], expected: list[tuple[str, str]]
) -> None:
    changes = changes_between(frozen(*before), frozen(*after))

    assert [(change.sort, change.one.attached_id) for change in changes.attached] == expected
    assert not changes.is_empty


@pytest.mark.parametrize(
    ("before", "after", "is_reordered"),
    [("ab", "ba", True), ("ab", "ab", False), ("ab", "cab", False), ("abc", "ca", True), ("ab", "b", False)],
)
def test_another_order_is_one_of_what_stayed(before: str, after: str, is_reordered: bool) -> None:
    changes = changes_between(frozen(*attached(*before)), frozen(*attached(*after)))

    assert changes.is_reordered is is_reordered


def test_limits_and_words_differ_by_themselves() -> None:
    changes = changes_between(frozen(), frozen(min_score=0.5, max_result_tokens=500, instructions="Be brief."))

    assert (changes.min_score, changes.max_result_tokens) == ((0.0, 0.5), (2_000, 500))
    assert changes.instructions is not None


def test_before_a_first_version_there_is_nothing_but_its_limits() -> None:
    first = frozen(*attached("a"), max_result_tokens=500)
    changes: Changes = changes_between(first.blank, first)

    assert (changes.max_result_tokens, [change.sort for change in changes.attached]) == (None, ["added"])
