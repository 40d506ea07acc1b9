"""Turns: what an agent is given for a question, the same for the same question, and how a run ends."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any, Final
from uuid import UUID, uuid4

import msgspec
import pytest
from django.db import connection
from django.utils import timezone

from apps.agents import runs
from apps.agents.models import Agent, Run, Step
from apps.agents.queries import steps_of
from apps.agents.replay import Outcome, replay
from apps.gateway import retention
from apps.gateway.auth import find_agent
from apps.gateway.models import Job, Turn
from apps.gateway.runtime import turns
from apps.gateway.sessions import Tokens
from apps.knowledge import lookup
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import ROUTE, make_client, make_session, make_workspace
from tests.gateway.runtime.conftest import Attach, Create
from tests.gateway.runtime.talking import Talk, change, refusal, told

FIXED: Final = {"client_turn_id": "turn-x", "user_message_id": "message-x"}

NOBODYS_RUN = "c0ffee00-1d3a-4b5c-8d7e-000000000001"


# --- what a turn gives --------------------------------------------------------------------------------------


def test_a_turn_answers_with_everything_that_agents_check(talk: Talk) -> None:
    turn = talk.started()

    assert turn["schema"] == turn["schema_version"] == "bailing.agent-turn-context.v1"
    assert UUID(turn["run_id"]).version == 4
    assert re.fullmatch("[0-9a-f]{64}", turn["profile_revision"])
    assert re.fullmatch("[0-9a-f]{64}", turn["capability_revision"])
    assert turn["active_tools"] == []
    assert set(turn["context"]) == {
        "instructions",
        "page_context",
        "renderers",
        "memory",
        "memory_refs",
        "knowledge",
        "knowledge_refs",
        "governance",
    }


def test_what_the_page_and_the_host_said_is_echoed(talk: Talk) -> None:
    page = {"url": "/orders", "title": "الطلبات", "nested": {"n": [1, 2.5, None, True]}}

    context = talk.started(page_context=page, renderers=["markdown", "form.v1"])["context"]

    assert (context["page_context"], context["renderers"]) == (page, ["markdown", "form.v1"])


def test_without_them_the_echo_is_empty(talk: Talk) -> None:
    context = talk.started()["context"]

    assert (context["page_context"], context["renderers"]) == ({}, [])


@pytest.mark.conformance("BH-003", "BH-027")
def test_memory_is_empty_and_knowledge_is_for_reference(talk: Talk) -> None:
    context = talk.started()["context"]

    assert context["memory"] == {"summary": None, "recent": []}
    assert context["memory_refs"] == []
    assert context["governance"]["knowledge_trust"] == "reference_only"


@pytest.mark.conformance("BH-028", "SDK-011")
def test_without_the_option_the_bodies_of_what_answers_come_with_the_turn(
    talk: Talk, create: Create, attach: Attach
) -> None:
    prices = create("صندوق بخور — 95 ريال\nدهن عود — 520 ريال\nصندوق خشب — 20 ريال")
    policy = create("البخور لا يُسترجع.", kind="text", name="الاسترجاع")
    attach(prices, policy)

    context = talk.started(user_input="صندوق بخور")["context"]

    assert context["knowledge"] == [
        {
            "ref": "knowledge:1",
            "title": "قائمة الأسعار",
            "content": "صندوق بخور — 95 ريال\nصندوق خشب — 20 ريال",
        },
        {"ref": "knowledge:2", "title": "الاسترجاع", "content": "البخور لا يُسترجع."},
    ]
    assert context["knowledge_refs"] == [
        {"ref": "knowledge:1", "doc_id": prices["id"], "title": "قائمة الأسعار", "score": 1.0},
        {"ref": "knowledge:2", "doc_id": policy["id"], "title": "الاسترجاع", "score": 0.5},
    ]
    assert "knowledge_delivery" not in context


def test_bodies_that_fill_a_turn_are_cut_at_the_best_chunks_and_marked(
    talk: Talk, create: Create, attach: Attach
) -> None:
    attach(create("\n".join(f"بخور {number} {'ب' * 1_900}" for number in range(20))))

    context = talk.started(user_input="بخور")["context"]

    bodies = [context[name] for name in ("memory", "memory_refs", "knowledge", "knowledge_refs", "governance")]
    assert len(msgspec.json.encode(bodies)) < 64 * 1024
    assert context["knowledge"][0]["content"].endswith("\n[قُطع هنا: وُجد أكثر مما يتسع له المكان.]")
    assert len(msgspec.json.encode(context["knowledge"])) > 40 * 1024


@pytest.mark.conformance("BH-021", "BH-023", "BH-024", "BH-025", "BH-026", "SDK-009", "SDK-010")
def test_on_demand_hints_come_in_place_of_bodies(talk: Talk, create: Create, attach: Attach) -> None:
    attach(create())

    context = talk.on_demand()["context"]

    delivery = context["knowledge_delivery"]
    [hint] = delivery.pop("hints")
    assert (context["knowledge"], context["knowledge_refs"]) == ([], [])
    assert delivery == {
        "schema_version": "bailing.agent-knowledge-delivery.v1",
        "mode": "on_demand",
        "protocol": "bailing.agent-knowledge.v1",
        "knowledge_scope_revision": told(talk.capabilities())["knowledge_scope_revision"],
        "status": "ok",
        "truncated": False,
    }
    assert set(hint) == {"ref", "title", "summary", "revision", "score", "expires_at"}


@pytest.mark.conformance("BH-026", "BH-048")
def test_the_hints_of_a_turn_stay_within_their_bytes(talk: Talk, create: Create, attach: Attach) -> None:
    attach(*[create(f"بخور {'ب' * 1_900}", name="😀" * 200) for _ in range(3)])

    delivery = talk.on_demand(user_input="بخور")["context"]["knowledge_delivery"]

    assert len(msgspec.json.encode(delivery)) <= 4096
    assert (len(delivery["hints"]), delivery["truncated"]) == (3, True)


@pytest.mark.conformance("BH-027", "BH-090")
def test_always_sources_stay_in_the_instructions_in_both_ways_and_give_no_hints(
    talk: Talk, create: Create, attach: Attach
) -> None:
    attach(create(), always=[create("صندوق بخور مجاني مع كل طلب", name="عروض")])

    inline, on_demand = talk.started()["context"], talk.on_demand()["context"]

    same = ("instructions", "governance", "memory", "memory_refs")
    assert [inline[name] for name in same] == [on_demand[name] for name in same]
    assert "صندوق بخور مجاني مع كل طلب" in inline["instructions"]
    assert [hint["title"] for hint in on_demand["knowledge_delivery"]["hints"]] == ["قائمة الأسعار"]


@pytest.mark.conformance("BH-041", "BH-038")
def test_a_hint_of_a_turn_is_read_in_its_run_at_once(talk: Talk, create: Create, attach: Attach) -> None:
    attach(create())
    turn = talk.on_demand()

    page = talk.page(turn["context"]["knowledge_delivery"]["hints"][0]["ref"], run_id=turn["run_id"])

    assert page["content"] == "صندوق بخور — 95 ريال"


@pytest.mark.conformance("BH-029", "BH-051", "SDK-031")
@pytest.mark.parametrize("status", ["disabled", "unavailable", "partial"])
def test_knowledge_that_cannot_be_read_is_told_as_such(
    status: str, talk: Talk, in_status: Callable[[str], None]
) -> None:
    in_status(status)

    context = talk.on_demand()["context"]

    assert context["knowledge_delivery"]["status"] == status
    assert context["governance"]["knowledge_status"] == status


@pytest.fixture
def in_status(
    workspace: Agent, create: Create, attach: Attach, never_synced: dict[str, Any]
) -> Callable[[str], None]:
    """Have the workspace's knowledge be in a status."""
    ways: dict[str, Callable[[], None]] = {
        "disabled": lambda: change(workspace, knowledge={"enabled": False}),
        "unavailable": lambda: attach(never_synced),
        "partial": lambda: attach(create(), never_synced),
    }
    return lambda status: ways[status]()


def fails(*_: Any, **__: Any) -> Any:
    raise ValueError("the index is broken")


@pytest.mark.conformance("BH-029", "BH-052")
def test_a_search_that_fails_is_told_on_demand_and_refused_where_bodies_were_to_come(
    talk: Talk, create: Create, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    attach(create())
    monkeypatch.setattr(lookup, "search", fails)

    assert talk.on_demand()["context"]["knowledge_delivery"]["status"] == "unavailable"
    assert refusal(talk.start()) == (503, "knowledge_unavailable")


def test_a_long_question_is_searched_by_its_beginning(talk: Talk, create: Create, attach: Attach) -> None:
    attach(create())

    delivery = talk.on_demand(user_input="صندوق بخور " + "ن" * 63_000)["context"]["knowledge_delivery"]

    assert [hint["title"] for hint in delivery["hints"]] == ["قائمة الأسعار"]


# --- what a turn takes --------------------------------------------------------------------------------------

TAKEN: Final[dict[str, Any]] = {
    "an id of 128 characters": {"client_turn_id": "ن" * 128},
    "one character": {"user_input": "؟"},
    "64,000 characters": {"user_input": "ن" * 64_000},
    "lines and tabs": {"user_input": "سطر\r\n\tوآخر\n"},
    "20 renderers": {"renderers": [f"renderer-{number}" for number in range(20)]},
    "a page of 16 KiB": {"page_context": {"text": "x" * (16 * 1024 - len('{"text":""}'))}},
}
REFUSED: Final[dict[str, Any]] = {
    "no question": {"user_input": ""},
    "a question that is too long": {"user_input": "ن" * 64_001},
    "a question that is no text": {"user_input": 7},
    "a NUL": {"user_input": "a\x00"},
    "a bell": {"user_input": "a\x07b"},
    "an escape": {"user_input": "\x1b[31m"},
    "an empty id": {"client_turn_id": ""},
    "an id that is too long": {"client_conversation_id": "x" * 129},
    "an id with a line feed": {"user_message_id": "a\nb"},
    "no id": {"user_message_id": None},
    "a page that is no object": {"page_context": []},
    "21 renderers": {"renderers": [f"renderer-{number}" for number in range(21)]},
    "a renderer twice": {"renderers": ["markdown", "markdown"]},
    "a renderer without a name": {"renderers": [""]},
    "a renderer with a long name": {"renderers": ["x" * 65]},
    "another delivery": {"knowledge_delivery": "inline"},
    "a delivery that is no word": {"knowledge_delivery": True},
    "no delivery": {"knowledge_delivery": None},
    "an unknown field": {"knowledgeDelivery": "on_demand"},
}


@pytest.mark.parametrize("what", TAKEN)
def test_a_turn_takes_what_the_protocol_allows(what: str, talk: Talk) -> None:
    assert talk.start(**TAKEN[what]).status_code == 200


@pytest.mark.conformance("BH-021", "SDK-006")
@pytest.mark.parametrize("what", REFUSED)
def test_a_turn_refuses_what_the_protocol_does_not_allow(what: str, talk: Talk) -> None:
    assert refusal(talk.start(**REFUSED[what])) == (400, "invalid_request")


@pytest.mark.parametrize("page", [{"text": "x" * 16 * 1024}, {"text": "ب" * 8_187}, {"text": '"' * 8_187}])
def test_a_page_of_more_than_16_kib_is_told_as_such(page: dict[str, str], talk: Talk) -> None:
    assert refusal(talk.start(page_context=page)) == (400, "page_context_too_large")


@pytest.mark.parametrize(("size", "status"), [(300 * 1024, 400), (513 * 1024, 413)])
def test_a_body_holds_half_a_mebibyte(size: int, status: int, talk: Talk) -> None:
    assert talk.start(user_input="x" * size).status_code == status


# --- the same turn again ------------------------------------------------------------------------------------


@pytest.mark.conformance("SDK-008")
@pytest.mark.parametrize("option", [{}, {"knowledge_delivery": "on_demand"}])
def test_the_same_request_gets_the_same_context_whatever_has_changed(
    option: dict[str, str], talk: Talk, api: ApiClient, create: Create, attach: Attach
) -> None:
    prices = create()
    attach(prices)
    first = talk.started(**FIXED, **option)

    api.patch(f"/v1/knowledge_sources/{prices['id']}", {"content": "صندوق بخور — 99 ريال"})
    attach(instructions="أجب بالإنجليزية.")

    assert talk.started(**FIXED, **option) == first


def test_the_order_of_what_is_sent_does_not_matter(talk: Talk) -> None:
    first = talk.started(**FIXED, page_context={"a": 1, "b": 2})

    assert talk.started(page_context={"b": 2, "a": 1}, **FIXED)["run_id"] == first["run_id"]


CHANGES: Final[dict[str, Any]] = {
    "another question": {"user_input": "وكم العود؟"},
    "another message": {"user_message_id": "message-y"},
    "another page": {"page_context": {"url": "/"}},
    "other renderers": {"renderers": ["markdown"]},
    "another delivery": {"knowledge_delivery": "on_demand"},
}


@pytest.mark.conformance("BH-022")
@pytest.mark.parametrize("what", CHANGES)
def test_another_request_under_the_same_turn_is_a_conflict(what: str, talk: Talk) -> None:
    talk.started(**FIXED)

    assert refusal(talk.start(**{**FIXED, **CHANGES[what]})) == (409, "turn_conflict")


@pytest.mark.conformance("BH-022")
def test_leaving_the_delivery_out_is_a_conflict_too(talk: Talk) -> None:
    talk.on_demand(**FIXED)

    assert refusal(talk.start(**FIXED)) == (409, "turn_conflict")


def test_a_turn_belongs_to_its_conversation_session_and_workspace(
    talk: Talk, colleague: Talk, shop: Tenant
) -> None:
    make_workspace(shop, "returns-assistant")
    client, _ = make_client(shop, ["order-assistant", "returns-assistant"])
    both = ApiClient(make_session(client).access_token)

    made = [
        talk.started(**FIXED)["run_id"],
        talk.started(**FIXED, client_conversation_id="conversation-2")["run_id"],
        colleague.started(**FIXED)["run_id"],
        Talk(both, "order-assistant").started(**FIXED)["run_id"],
        Talk(both, "returns-assistant").started(**FIXED)["run_id"],
    ]

    assert len(set(made)) == 5


@pytest.mark.django_db(transaction=True)
def test_the_same_request_twice_at_once_makes_one_run(talk: Talk, shop: Tenant) -> None:
    def start(_: int) -> dict[str, Any]:
        try:
            return talk.started(**FIXED)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(start, range(4)))

    with project_scope(shop.id):
        assert Turn.objects.for_project(shop.id).count() == Run.objects.for_project(shop.id).count() == 1
    assert all(answer == answers[0] for answer in answers)


# --- every turn is a run ------------------------------------------------------------------------------------


def test_a_turn_is_a_run_of_the_agent_under_the_same_id(
    talk: Talk, api: ApiClient, workspace: Agent, create: Create, attach: Attach
) -> None:
    prices = create()
    attach(prices)
    run_id = talk.on_demand()["run_id"]

    run = api.get(f"/v1/agents/{workspace.id}/runs/{run_id}").json()

    assert run["id"] == run_id
    assert [step["kind"] for step in run["steps"]] == ["prompt", "search_knowledge"]
    assert [source["source_id"] for source in run["steps"][1]["sources"]] == [prices["id"]]


def test_the_steps_of_a_turn_can_be_repeated_after_edits(
    talk: Talk, api: ApiClient, shop: Tenant, create: Create, attach: Attach
) -> None:
    prices, always = create("\n".join(["صندوق بخور"] * 40)), create("الشحن مجاني")
    attach(prices, create("بخور", name="أخرى"), always=[always])
    run_id = talk.on_demand()["run_id"]
    talk.searched("بخور", run_id=run_id)

    api.patch(f"/v1/knowledge_sources/{prices['id']}", {"content": "عسل"})
    api.patch(f"/v1/knowledge_sources/{always['id']}", {"content": "الشحن بريالين"})

    with project_scope(shop.id):
        run = Run.objects.for_project(shop.id).get(id=run_id)
        outcomes = [replay(run, step) for step in steps_of(run)]
    assert outcomes == [Outcome.SAME] * 3


@pytest.mark.conformance("BH-056")
def test_a_turn_makes_no_job(talk: Talk, shop: Tenant) -> None:
    talk.on_demand()

    with project_scope(shop.id):
        assert Job.objects.for_project(shop.id).count() == 0


def test_a_turn_that_is_refused_leaves_nothing(
    talk: Talk, shop: Tenant, create: Create, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    attach(create())
    monkeypatch.setattr(lookup, "search", fails)
    talk.start()

    with project_scope(shop.id):
        left = [rows.for_project(shop.id).count() for rows in (Turn.objects, Run.objects, Step.objects)]
    assert left == [0, 0, 0]


@pytest.mark.conformance("BH-040")
def test_a_run_cannot_be_reached_before_its_turn_is_answered(
    talk: Talk, create: Create, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    attach(create())
    seen: list[tuple[int, str]] = []
    search = lookup.search

    def look_around(*arguments: Any, **options: Any) -> Any:
        monkeypatch.setattr(lookup, "search", search)
        seen.append(refusal(talk.search(run_id=str(uuid4()))))
        return search(*arguments, **options)

    monkeypatch.setattr(lookup, "search", look_around)
    talk.on_demand()

    assert seen == [(404, "run_not_found")]


def test_a_run_holds_so_many_searches_and_says_so(
    talk: Talk, create: Create, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    attach(create())
    monkeypatch.setattr(runs, "MAX_STEPS", 3)
    run_id = talk.started()["run_id"]

    answers = [talk.search(run_id=run_id) for _ in range(2)]

    assert answers[0].status_code == 200
    assert refusal(answers[1]) == (409, "too_many_steps")


@pytest.mark.parametrize(("days", "kept"), [(29, 1), (31, 0)])
def test_a_turn_is_kept_for_thirty_days_and_its_run_longer(days: int, kept: int, talk: Talk, shop: Tenant) -> None:
    talk.started()
    with project_scope(shop.id):
        Turn.objects.for_project(shop.id).update(created_at=timezone.now() - timedelta(days=days))

    retention.forget_old_records()

    with project_scope(shop.id):
        assert Turn.objects.for_project(shop.id).count() == kept
        assert Run.objects.for_project(shop.id).count() == 1


def test_turns_go_with_their_agent(talk: Talk, api: ApiClient, workspace: Agent, shop: Tenant) -> None:
    talk.started()

    assert api.delete(f"/v1/agents/{workspace.id}").status_code == 204

    with project_scope(shop.id):
        assert Turn.objects.for_project(shop.id).count() == 0


# --- completing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled"])
def test_a_run_is_completed_and_says_how(status: str, talk: Talk) -> None:
    run_id = talk.started()["run_id"]

    ended = told(talk.complete(run_id, status=status))

    assert ended == {
        "schema": "bailing.agent-run-completion.v1",
        "schema_version": "bailing.agent-run-completion.v1",
        "run_id": run_id,
        "status": status,
    }


def test_the_same_completion_again_is_answered_alike(talk: Talk) -> None:
    run_id = talk.started()["run_id"]
    usage = {"input_tokens": 120, "cost_usd": 0.003}
    first = told(talk.complete(run_id, model="m", runtime="r", usage=usage))

    assert told(talk.complete(run_id, runtime="r", model="m", usage=usage)) == first


@pytest.mark.parametrize(
    "changed",
    [
        {"content": "99 ريال."},
        {"status": "failed"},
        {"assistant_message_id": "another"},
        {"model": "m"},
        {"runtime": "r"},
        {"usage": {"tool_calls": 1}},
    ],
    ids=str,
)
def test_another_completion_of_a_run_is_a_conflict(changed: dict[str, Any], talk: Talk) -> None:
    run_id = talk.started()["run_id"]
    talk.complete(run_id)

    assert refusal(talk.complete(run_id, **changed)) == (409, "run_completion_conflict")


def test_a_message_that_ended_another_run_of_the_conversation_is_a_conflict(talk: Talk) -> None:
    first, second = talk.started()["run_id"], talk.started()["run_id"]
    talk.complete(first, assistant_message_id="answer-1")

    assert refusal(talk.complete(second, assistant_message_id="answer-1")) == (409, "assistant_message_conflict")


def test_another_conversation_may_name_its_messages_alike(talk: Talk) -> None:
    first, second = talk.started()["run_id"], talk.started(client_conversation_id="conversation-2")["run_id"]
    talk.complete(first, assistant_message_id="answer-1")

    assert talk.complete(second, assistant_message_id="answer-1").status_code == 200


COMPLETIONS_REFUSED: Final[dict[str, Any]] = {
    "no content": {"content": ""},
    "content that is too long": {"content": "x" * 64_001},
    "content with a control character": {"content": "a\x08"},
    "another status": {"status": "done"},
    "an id that begins with a point": {"assistant_message_id": ".a"},
    "an id with a space": {"assistant_message_id": "a b"},
    "an id that is too long": {"assistant_message_id": "a" * 129},
    "a long model": {"model": "m" * 192},
    "usage of less than nothing": {"usage": {"input_tokens": -1}},
    "usage in words": {"usage": {"input_tokens": "12"}},
    "usage without end": {"usage": {"cost_usd": "Infinity"}},
    "usage of something else": {"usage": {"reasoning_tokens": 1}},
    "usage that is true": {"usage": {"tool_calls": True}},
    "hidden reasoning": {"reasoning": "أفكر"},
}


@pytest.mark.parametrize("what", COMPLETIONS_REFUSED)
def test_a_completion_refuses_what_the_protocol_does_not_allow(what: str, talk: Talk) -> None:
    run_id = talk.started()["run_id"]

    assert refusal(talk.complete(run_id, **COMPLETIONS_REFUSED[what])) == (400, "invalid_request")


def test_what_an_agent_said_is_not_kept(talk: Talk, shop: Tenant) -> None:
    run_id = talk.started()["run_id"]
    talk.complete(run_id, content="سر لا يُحفظ", assistant_message_id="answer-1")

    with project_scope(shop.id):
        [row] = Turn.objects.for_project(shop.id).values()
    assert "سر لا يُحفظ".encode() not in msgspec.json.encode({name: str(value) for name, value in row.items()})


@pytest.mark.conformance("BH-036", "BH-037")
@pytest.mark.parametrize("run_id", [NOBODYS_RUN, "x", "run_01k6rz2n5q8t1w4z7c0f3h6k9m"])
def test_a_run_that_nobody_started_cannot_be_completed(run_id: str, talk: Talk) -> None:
    assert refusal(talk.complete(run_id)) == (404, "run_not_found")


@pytest.mark.conformance("BH-037")
def test_a_run_of_another_session_cannot_be_completed(talk: Talk, colleague: Talk) -> None:
    run_id = talk.started()["run_id"]

    assert refusal(colleague.complete(run_id)) == (404, "run_not_found")


def test_a_run_of_an_agent_that_is_closed_meanwhile_cannot_be_completed(talk: Talk, workspace: Agent) -> None:
    run_id = talk.started()["run_id"]
    change(workspace, agent_client={"enabled": False})

    assert refusal(talk.complete(run_id)) == (403, "agent_client_disabled")


def test_the_current_run_is_the_last_one_that_is_not_completed(talk: Talk, tokens: Tokens, shop: Tenant) -> None:
    made = [talk.started()["run_id"] for _ in range(3)]
    caller = find_agent(tokens.access_token)
    assert caller is not None

    talk.complete(made[2])

    with project_scope(shop.id):
        assert turns.current_run(caller, ROUTE) == made[1]
        assert turns.current_run(caller, "returns-assistant") is None
