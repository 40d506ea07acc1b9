"""Which call repeats a turn: a table of the pure decision."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.gateway.mcp.turn_ids import LastTurn, TurnIds, completion_id, turn_ids

NOW = datetime(2026, 11, 30, 10, tzinfo=UTC)
ASKED = {"user_input": "كم؟"}


def started(message_id: Any = 1, arguments: Any = ASKED, last: LastTurn | None = None) -> TurnIds:
    return turn_ids("ses_1", message_id, arguments, last, NOW)


def as_last(ids: TurnIds) -> LastTurn:
    conversation, turn = ids.client_conversation_id, ids.client_turn_id
    return LastTurn("run-1", conversation, turn, NOW, is_open=True, assistant_message_id=None)


FIRST = started()
LAST = as_last(FIRST)


@pytest.mark.parametrize("last", [LAST, replace(LAST, created_at=NOW - timedelta(seconds=300))])
def test_the_same_call_repeats_the_last_turn(last: LastTurn) -> None:
    assert started(last=last) == FIRST


@pytest.mark.parametrize(
    ("message_id", "arguments", "last"),
    [
        (2, ASKED, LAST),
        ("1", ASKED, LAST),
        (None, ASKED, LAST),
        (1, {"user_input": "كم؟ "}, LAST),
        (1, ASKED, replace(LAST, is_open=False)),
        (1, ASKED, replace(LAST, created_at=NOW - timedelta(seconds=301))),
        (1, ASKED, replace(LAST, client_turn_id="mcp-another")),
        (1, ASKED, replace(LAST, conversation_id="another")),
    ],
)
def test_any_other_call_is_a_turn_of_its_own(message_id: Any, arguments: Any, last: LastTurn) -> None:
    ids = started(message_id, arguments, last)

    assert ids.client_conversation_id == "mcp-run-1"
    assert ids.client_turn_id != FIRST.client_turn_id


def test_a_repeat_of_a_later_turn_is_recognised_too() -> None:
    second = started(2, last=LAST)

    assert started(2, last=as_last(second)) == second


def test_sessions_do_not_share_ids() -> None:
    assert turn_ids("ses_2", 1, ASKED, None, NOW) != FIRST


def test_the_order_of_arguments_does_not_matter() -> None:
    one, other = {"user_input": "x", "renderers": ["a"]}, {"renderers": ["a"], "user_input": "x"}

    assert started(1, one) == started(1, other)


@pytest.mark.parametrize("ids", [FIRST, started("م" * 500, {"user_input": "س" * 64_000})])
def test_ids_are_such_as_the_protocol_takes(ids: TurnIds) -> None:
    assert all(0 < len(one) <= 128 for one in (ids.client_conversation_id, ids.client_turn_id, ids.user_message_id))


def test_a_completion_belongs_to_its_run_call_and_content() -> None:
    ids = {
        completion_id("run-1", 1, {"content": "a"}),
        completion_id("run-2", 1, {"content": "a"}),
        completion_id("run-1", 2, {"content": "a"}),
        completion_id("run-1", 1, {"content": "b"}),
    }

    assert len(ids) == 4
    assert completion_id("run-1", 1, {"content": "a"}) in ids
