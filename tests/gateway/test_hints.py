"""Hints stay within their bytes: summaries give way first, then hints, and the answer says so."""

from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.gateway.hints import MOST_BYTES, Hint, bounded

ENVELOPE: Final = {
    "schema": "bailing.agent-knowledge-search.v1",
    "route": "order-assistant",
    "knowledge_scope_revision": "a" * 64,
    "status": "ok",
}


def hint(summary: str, *, title: str = "قائمة الأسعار") -> Hint:
    return Hint(
        ref="r" * 128,
        title=title,
        summary=summary,
        revision="b" * 64,
        score=0.9,
        expires_at="2026-11-30T01:00:00Z",
    )


def size(answer: dict[str, Any]) -> int:
    return len(msgspec.json.encode(answer))


def test_what_fits_is_shown_as_it_is() -> None:
    answer = bounded(ENVELOPE, [hint("صندوق بخور — 95 ريال")])

    assert answer["hints"][0]["summary"] == "صندوق بخور — 95 ريال"
    assert answer["truncated"] is False


@pytest.mark.conformance("BH-045")
def test_nothing_found_is_not_truncated() -> None:
    assert bounded(ENVELOPE, []) == {**ENVELOPE, "hints": [], "truncated": False}


@pytest.mark.conformance("BH-048", "SDK-019")
def test_summaries_are_shortened_before_a_hint_is_dropped() -> None:
    answer = bounded(ENVELOPE, [hint("ب" * 2_000) for _ in range(3)])

    assert len(answer["hints"]) == 3
    assert answer["truncated"] is True
    assert MOST_BYTES - 6 <= size(answer) <= MOST_BYTES


@pytest.mark.conformance("BH-048")
def test_a_short_summary_leaves_its_room_to_the_others() -> None:
    answer = bounded(ENVELOPE, [hint("ب" * 2_000), hint("عسل"), hint("ت" * 2_000)])

    first, short, last = (shown["summary"] for shown in answer["hints"])
    assert short == "عسل"
    assert abs(len(first) - len(last)) <= 1


@pytest.mark.conformance("BH-048")
def test_hints_are_dropped_from_the_end_when_titles_leave_no_room() -> None:
    answer = bounded(ENVELOPE, [hint("ب" * 500, title=f"{number}" + "😀" * 300) for number in range(3)])

    assert [shown["title"][0] for shown in answer["hints"]] == ["0", "1"]
    assert answer["truncated"] is True
    assert size(answer) <= MOST_BYTES


def test_a_hint_that_never_fits_is_left_out_and_told() -> None:
    answer = bounded(ENVELOPE, [hint("ب", title="😀" * 2_000)])

    assert answer["hints"] == []
    assert answer["truncated"] is True


@pytest.mark.conformance("BH-047", "BH-048", "SDK-015")
@given(
    st.lists(
        st.tuples(
            st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200),
            st.text(alphabet='ب"\\\n😀x\u064e\u200d', max_size=3_000),
        ),
        max_size=3,
    )
)
def test_any_hints_stay_within_the_bytes_and_quote_what_was_found(found: list[tuple[str, str]]) -> None:
    hints = [hint(summary, title=title) for title, summary in found]

    answer = bounded(ENVELOPE, hints)

    shown = answer["hints"]
    assert size(answer) <= MOST_BYTES
    assert all(whole.summary.startswith(cut["summary"]) for whole, cut in zip(hints, shown, strict=False))
    assert answer["truncated"] is ([cut["summary"] for cut in shown] != [whole.summary for whole in hints])
