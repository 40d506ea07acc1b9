"""Trying content and transforms before they are saved: by the code that saves and syncs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.errors import AppError
from apps.knowledge import intake, trials
from apps.knowledge.kinds import KINDS
from tests.fakes.feed import LINES, PRODUCTS, TRANSFORM

CSV = {"format": "csv", "header": True}


@pytest.mark.parametrize(
    ("kind", "config", "content"),
    [
        ("text", None, "فقرة أولى\n\nفقرة ثانية"),
        ("catalog", {"format": "lines"}, "a,b\nc,d\ne,f"),
        ("catalog", CSV, "name;price\nعسل;230"),
        ("catalog", {"format": "lines"}, "??? ???\nlmn"),
    ],
)
def test_a_look_says_what_saving_would_make(kind: str, config: dict[str, Any] | None, content: str) -> None:
    look = intake.look_at(content, kind=KINDS[kind], config=config)
    taken = intake.take(content, kind=KINDS[kind], config=config)

    assert (look.chunk_count, look.char_count, look.token_estimate, look.warnings) == (
        taken.chunk_count,
        taken.char_count,
        taken.token_estimate,
        taken.warnings,
    )


@given(st.text(st.sampled_from('aب",;\t\n\r ?'), max_size=40), st.sampled_from([{"format": "lines"}, CSV]))
def test_a_look_refuses_what_saving_refuses(content: str, config: dict[str, Any]) -> None:
    assert _refusal(intake.look_at, content, config) == _refusal(intake.take, content, config)


def _refusal(way: Any, content: str, config: dict[str, Any]) -> str | None:
    try:
        way(content, kind=KINDS["catalog"], config=config)
    except AppError as error:
        return error.code
    return None


def test_a_transform_is_tried_as_a_sync_runs_it() -> None:
    assert trials.try_transform({"products": PRODUCTS}, TRANSFORM).all_lines() == LINES


def test_a_pasted_sample_keeps_its_numbers_as_written() -> None:
    sample = trials.read_sample('\ufeff[{"price": 12.50}]')

    assert trials.try_transform(sample, {"line": "{price}"}).all_lines() == ["12.50"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "invalid_json"),
        ("<html>", "invalid_json"),
        ("{'a': 1}", "invalid_json"),
        ("[1,]", "invalid_json"),
        ("NaN", "invalid_json"),
        ("[" * 5_000, "invalid_json"),
        ('"\ud800"', "invalid_json"),
        ('"' + "ع" * 600_000 + '"', "too_large"),
    ],
)
def test_a_pasted_sample_that_no_sync_would_take_is_refused(text: str, code: str) -> None:
    with pytest.raises(AppError) as refused:
        trials.read_sample(text)

    assert (refused.value.code, refused.value.param) == (code, "sample")


@pytest.mark.parametrize(
    ("config", "param"),
    [
        ({}, "transform.line"),
        ({"line": ""}, "transform.line"),
        ({"line": "{a}", "max_items": 0}, "transform.max_items"),
        ({"line": "{a}", "colour": "red"}, "transform.colour"),
        ({"line": "{a}", "items_path": "x"}, "sample"),
        ({"line": "{b}"}, "sample"),
    ],
)
def test_what_is_wrong_is_told_where_it_is(config: dict[str, Any], param: str) -> None:
    with pytest.raises(AppError) as refused:
        trials.try_transform([{"a": 1}], config)

    assert refused.value.errors[0].param == param
