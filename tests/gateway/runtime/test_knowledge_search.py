"""Searching for hints: what is found, in how few bytes, and what is said when not all could be read."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import pytest
import time_machine
from pytest_django import Settings

from apps.agents.models import Agent, Run
from apps.gateway.models import Job
from apps.gateway.references import content_revision
from apps.kernel.times import to_iso
from apps.knowledge import lookup, shelf
from apps.knowledge.models import QueryCount, Revision
from apps.outbound import parse_trusted_origins
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.fakes.feed import Feed, Says, running_feed
from tests.gateway.making import make_client, make_session, make_workspace
from tests.gateway.runtime.conftest import Attach, Create
from tests.gateway.runtime.talking import Talk, change, refusal, told
from tests.knowledge.sync.making import sync_now

# --- what a search answers ----------------------------------------------------------------------------------


@pytest.mark.conformance("BH-032", "BH-042", "BH-043", "BH-044", "BH-050", "SDK-012", "SDK-018")
def test_a_search_answers_its_fields_and_nothing_else(talk: Talk, create: Create, attach: Attach) -> None:
    attach(create())

    found = talk.searched()

    hints = found.pop("hints")
    assert found == {
        "schema": "bailing.agent-knowledge-search.v1",
        "schema_version": "bailing.agent-knowledge-search.v1",
        "route": "order-assistant",
        "knowledge_scope_revision": told(talk.capabilities())["knowledge_scope_revision"],
        "status": "ok",
        "trust": "reference_only",
        "truncated": False,
    }
    assert [set(hint) for hint in hints] == [{"ref", "title", "summary", "revision", "score", "expires_at"}]


@pytest.mark.conformance("BH-043")
def test_a_search_in_a_run_names_it(talk: Talk) -> None:
    run_id = talk.started()["run_id"]

    assert talk.searched(run_id=run_id)["run_id"] == run_id
    assert talk.searched(run_id=run_id.upper())["run_id"] == run_id


@pytest.mark.conformance("BH-046", "BH-054")
def test_a_hint_has_what_is_needed_to_choose_and_to_read(talk: Talk, create: Create, attach: Attach) -> None:
    source = create("صندوق بخور — 95 ريال\nعسل سدر — 230 ريال")
    attach(source)

    now = datetime.now(UTC).replace(microsecond=700_000)
    with time_machine.travel(now, tick=False):
        hint = talk.hint("صندق بخور")

    assert hint["title"] == "قائمة الأسعار"
    assert hint["revision"] == content_revision("قائمة الأسعار", source["revision"])
    assert hint["score"] == 0.95
    assert hint["expires_at"] == to_iso(now.replace(microsecond=0) + timedelta(seconds=300))
    assert len(hint["ref"].encode()) < 400


@pytest.mark.conformance("BH-047", "SDK-016")
def test_a_summary_is_the_lines_that_were_found_the_best_first(talk: Talk, create: Create, attach: Attach) -> None:
    attach(create("دهن عود — 520 ريال\nبخور — 40 ريال\nصندوق بخور — 95 ريال"))

    assert talk.hint("صندوق بخور")["summary"] == "صندوق بخور — 95 ريال\nبخور — 40 ريال"


@pytest.mark.conformance("BH-045", "SDK-031")
def test_nothing_found_is_a_good_answer(talk: Talk, create: Create, attach: Attach) -> None:
    attach(create())

    found = talk.searched("طائرة")

    assert (found["status"], found["hints"], found["truncated"]) == ("ok", [], False)


@pytest.mark.conformance("BH-049", "BH-014")
def test_ten_lines_of_one_source_give_one_hint(talk: Talk, create: Create, attach: Attach) -> None:
    attach(create("\n".join(f"بخور رقم {number}" for number in range(10))))

    assert len(talk.searched("بخور")["hints"]) == 1


@pytest.mark.conformance("BH-049")
def test_a_source_of_many_good_lines_hides_no_other(talk: Talk, create: Create, attach: Attach) -> None:
    many = "\n".join(["بخور"] * 60)
    attach(
        create(many, name="الأولى"),
        create(many, name="الثانية"),
        create("بخور هندي فاخر جدا", name="الثالثة"),
        create("عسل", name="الرابعة"),
    )

    assert [hint["title"] for hint in talk.searched("بخور")["hints"]] == ["الأولى", "الثانية", "الثالثة"]


@pytest.mark.conformance("BH-035", "BH-049", "SDK-015", "SDK-047")
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_limit_keeps_the_best_sources(limit: int, talk: Talk, create: Create, attach: Attach) -> None:
    attach(*[create(f"بخور {'ملكي ' * number}", name=str(number)) for number in range(4)])

    titles = [hint["title"] for hint in talk.searched("بخور", limit=limit)["hints"]]

    assert titles == ["0", "1", "2"][:limit]


@pytest.mark.conformance("BH-035")
def test_three_hints_are_the_most_without_a_limit(talk: Talk, create: Create, attach: Attach) -> None:
    attach(*[create("بخور", name=str(number)) for number in range(5)])

    assert len(talk.searched("بخور")["hints"]) == 3


LONG: Final = {
    "Arabic": "ب" * 900,
    "Arabic with marks": "مُ" * 450,
    "quotes": '"' * 900,
    "backslashes": "\\" * 900,
    "emoji": "👨\u200d👩\u200d👧" * 150,
}


@pytest.mark.conformance("BH-015", "BH-048", "SDK-019")
@pytest.mark.parametrize("letters", LONG.values(), ids=LONG)
def test_a_search_takes_4096_bytes_at_most_as_it_is_sent(
    letters: str, talk: Talk, create: Create, attach: Attach
) -> None:
    attach(*[create(f"بخور {letters}\nبخور {letters}", name=f"{number}{'😀' * 190}") for number in range(3)])

    answer = talk.search("بخور")

    assert len(answer.content) <= 4096
    assert (len(answer.json()["hints"]), answer.json()["truncated"]) == (3, True)


@pytest.mark.conformance("BH-047")
def test_a_shortened_summary_still_quotes_the_source(talk: Talk, create: Create, attach: Attach) -> None:
    line = f"بخور {LONG['Arabic with marks']}"
    attach(*[create(line, name=str(number)) for number in range(3)])

    summaries = [hint["summary"] for hint in talk.searched("بخور")["hints"]]

    assert all(line.startswith(summary) and 100 < len(summary) < len(line) for summary in summaries)


@pytest.mark.conformance("BH-053")
def test_hits_below_the_agents_score_are_left_out(
    talk: Talk, create: Create, attach: Attach, workspace: Agent
) -> None:
    attach(create("صندوق خشب"), create("صندوق بخور", name="كاملة"))
    change(workspace, knowledge={"min_score": 0.8})

    assert [hint["title"] for hint in talk.searched("صندوق بخور")["hints"]] == ["كاملة"]


@pytest.mark.conformance("BH-053")
def test_a_lowest_score_hides_no_source_behind_another(
    talk: Talk, create: Create, attach: Attach, workspace: Agent
) -> None:
    attach(create("\n".join(["بخور"] * 40)), create("بخور فاخر", name="أخرى"))
    change(workspace, knowledge={"min_score": 0.5})

    assert len(talk.searched("بخور")["hints"]) == 2


# --- what a search takes ------------------------------------------------------------------------------------

REFUSED: Final[dict[str, Any]] = {
    "an empty query": {"query": ""},
    "a blank query": {"query": " \n\t "},
    "a query of 2,001 characters": {"query": "ب" * 2_001},
    "a query that is no text": {"query": 7},
    "a query that is null": {"query": None},
    "a limit of 0": {"limit": 0},
    "a limit of 4": {"limit": 4},
    "a limit in words": {"limit": "2"},
    "half a limit": {"limit": 1.5},
    "a limit that is true": {"limit": True},
    "a run that is no UUID": {"run_id": "run_01k6rz2n5q8t1w4z7c0f3h6k9m"},
    "a run that is null": {"run_id": None},
    "an unknown field": {"top_k": 3},
}


@pytest.mark.conformance("BH-033", "BH-034", "BH-035", "SDK-014")
@pytest.mark.parametrize("what", REFUSED)
def test_a_search_refuses_what_the_protocol_does_not_allow(what: str, talk: Talk) -> None:
    assert refusal(talk.search(**REFUSED[what])) == (400, "invalid_request")


@pytest.mark.conformance("BH-033")
def test_a_search_without_a_query_is_refused(talk: Talk) -> None:
    assert refusal(talk.agent.post(f"{talk.path}/knowledge/search", {})) == (400, "invalid_request")


@pytest.mark.conformance("BH-034")
@pytest.mark.parametrize("letter", ["ب", "😀"])
def test_a_query_of_2000_characters_is_searched(letter: str, talk: Talk) -> None:
    assert talk.search(letter * 2_000).status_code == 200


@pytest.mark.conformance("BH-036", "BH-037", "BH-005")
@pytest.mark.parametrize("whose", ["nobody's", "completed", "a colleague's", "of another workspace", "of a client"])
def test_a_run_that_is_not_open_here_is_no_run(whose: str, runs: Callable[[str], str], talk: Talk) -> None:
    assert refusal(talk.search(run_id=runs(whose))) == (404, "run_not_found")


@pytest.mark.conformance("BH-037")
def test_a_run_is_of_one_workspace_even_within_a_session(shop: Tenant, workspace: Agent) -> None:
    make_workspace(shop, "returns-assistant")
    client, _ = make_client(shop, ["order-assistant", "returns-assistant"])
    agent = ApiClient(make_session(client).access_token)
    orders, returns = Talk(agent, "order-assistant"), Talk(agent, "returns-assistant")
    run_id = returns.started()["run_id"]

    assert refusal(orders.search(run_id=run_id)) == (404, "run_not_found")
    assert returns.search(run_id=run_id).status_code == 200


@pytest.fixture
def runs(talk: Talk, colleague: Talk, shop: Tenant) -> Callable[[str], str]:
    """A run that a search of the agent may not name."""

    def completed() -> str:
        run_id: str = talk.started()["run_id"]
        talk.complete(run_id)
        return run_id

    def elsewhere(routes: list[str], route: str) -> str:
        client, _ = make_client(shop, routes)
        return str(Talk(ApiClient(make_session(client).access_token), route).started()["run_id"])

    def of_another_workspace() -> str:
        make_workspace(shop, "returns-assistant")
        return elsewhere(["order-assistant", "returns-assistant"], "returns-assistant")

    makers: dict[str, Callable[[], str]] = {
        "nobody's": lambda: str(uuid4()),
        "completed": completed,
        "a colleague's": lambda: str(colleague.started()["run_id"]),
        "of another workspace": of_another_workspace,
        "of a client": lambda: elsewhere(["order-assistant"], "order-assistant"),
    }
    return lambda whose: makers[whose]()


# --- what could not be read ---------------------------------------------------------------------------------


def fails(*_: Any, **__: Any) -> Any:
    raise ValueError("the index is broken")


@pytest.mark.conformance("BH-051", "SDK-003")
def test_knowledge_that_is_off_is_disabled(talk: Talk, create: Create, attach: Attach, workspace: Agent) -> None:
    attach(create())
    change(workspace, knowledge={"enabled": False})

    found = talk.searched()

    assert (found["status"], found["hints"]) == ("disabled", [])


@pytest.mark.conformance("BH-051")
def test_without_a_searchable_source_all_is_well(talk: Talk, create: Create, attach: Attach) -> None:
    attach(always=[create()])

    found = talk.searched()

    assert (found["status"], found["hints"]) == ("ok", [])


@pytest.mark.conformance("BH-051", "SDK-048")
def test_a_source_that_was_never_fetched_makes_the_answer_partial(
    talk: Talk, create: Create, attach: Attach, never_synced: dict[str, Any]
) -> None:
    attach(create(), never_synced)

    found = talk.searched()

    assert (found["status"], len(found["hints"])) == ("partial", 1)


@pytest.mark.conformance("BH-051", "BH-052", "SDK-031")
def test_sources_none_of_which_was_ever_fetched_are_unavailable(
    talk: Talk, attach: Attach, never_synced: dict[str, Any]
) -> None:
    attach(never_synced)

    found = talk.searched()

    assert (found["status"], found["hints"]) == ("unavailable", [])


@pytest.fixture
def feed(settings: Settings) -> Iterator[Feed]:
    with running_feed() as running:
        settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(running.origin)
        yield running


@pytest.mark.conformance("BH-051")
def test_a_failing_feed_with_a_good_copy_is_well(
    talk: Talk, api: ApiClient, shop: Tenant, feed: Feed, attach: Attach
) -> None:
    config = {"url": feed.url, "transform": {"items_path": "products", "line": "{name} — {price} ريال"}}
    source = api.post("/v1/knowledge_sources", {"name": "الأسعار", "kind": "api", "config": config}).json()
    sync_now(api, shop, source["id"])
    feed.says = Says(status=500)
    sync_now(api, shop, source["id"])
    attach(source)

    found = talk.searched()

    assert api.get(f"/v1/knowledge_sources/{source['id']}").json()["sync"]["status"] == "failing"
    assert (found["status"], found["hints"][0]["summary"]) == ("ok", "صندوق بخور — 95 ريال")


@pytest.mark.conformance("BH-051", "BH-052", "BH-086")
def test_a_search_that_fails_is_unavailable_and_shows_nothing_of_why(
    talk: Talk, create: Create, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    attach(create(), create())
    monkeypatch.setattr(lookup, "search", fails)

    answer = talk.search()

    assert (told(answer)["status"], told(answer)["hints"]) == ("unavailable", [])
    assert "broken" not in answer.content.decode()


@pytest.mark.conformance("BH-052")
def test_a_compiled_form_that_is_gone_is_unavailable_and_not_nothing(
    talk: Talk, shop: Tenant, create: Create, attach: Attach
) -> None:
    attach(create())
    with project_scope(shop.id):
        Revision.objects.for_project(shop.id).update(segment=None)
    shelf.forget_everything()

    assert talk.searched()["status"] == "unavailable"


@pytest.mark.conformance("BH-051", "BH-052")
def test_a_source_that_cannot_be_searched_does_not_hide_the_others(
    talk: Talk, create: Create, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, whole = create(name="معطوبة"), create("بخور", name="سليمة")
    attach(broken, create("صندوق بخور فاخر", name="أفضل"), whole)
    search = lookup.search

    def search_all_but_the_broken(project_id: str, query: str, source_ids: list[str], **options: Any) -> Any:
        return fails() if broken["id"] in source_ids else search(project_id, query, source_ids, **options)

    monkeypatch.setattr(lookup, "search", search_all_but_the_broken)

    found = talk.searched()

    assert found["status"] == "partial"
    assert [hint["title"] for hint in found["hints"]] == ["أفضل", "سليمة"]


# --- what is found is what stands there now -----------------------------------------------------------------


@pytest.mark.conformance("BH-055")
@pytest.mark.parametrize("change_it", [{"content": "عسل سدر"}, {"content": "صندوق بخور — 99 ريال"}])
def test_an_edited_source_is_found_as_it_is_now(
    change_it: dict[str, str], talk: Talk, api: ApiClient, create: Create, attach: Attach
) -> None:
    source = create()
    attach(source)
    talk.searched()

    api.patch(f"/v1/knowledge_sources/{source['id']}", change_it)

    summaries = [hint["summary"] for hint in talk.searched()["hints"]]
    assert summaries == [change_it["content"]] * ("بخور" in change_it["content"])


@pytest.mark.conformance("BH-055")
def test_a_deleted_source_is_not_found(talk: Talk, api: ApiClient, create: Create, attach: Attach) -> None:
    source = create()
    attach(source, create("عسل"))

    api.delete(f"/v1/knowledge_sources/{source['id']}?detach=true")

    assert talk.searched()["hints"] == []


@pytest.mark.conformance("BH-055")
def test_a_source_that_is_edited_while_it_is_searched_is_searched_again(
    talk: Talk, api: ApiClient, create: Create, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = create()
    attach(source)
    search = lookup.search

    def edit_then_answer(*arguments: Any, **options: Any) -> dict[str, Any]:
        monkeypatch.setattr(lookup, "search", search)
        found = search(*arguments, **options)
        api.patch(f"/v1/knowledge_sources/{source['id']}", {"content": "صندوق بخور — 99 ريال"})
        return found

    monkeypatch.setattr(lookup, "search", edit_then_answer)

    hint = talk.hint()

    assert hint["summary"] == "صندوق بخور — 99 ريال"
    assert talk.page(hint["ref"])["content"] == "صندوق بخور — 99 ريال"


@pytest.mark.conformance("BH-055", "BH-052")
def test_a_source_that_never_stands_still_is_unavailable_and_not_nothing(
    talk: Talk, create: Create, attach: Attach, monkeypatch: pytest.MonkeyPatch
) -> None:
    attach(create())
    search = lookup.search

    def answer_of_yesterday(*arguments: Any, **options: Any) -> dict[str, Any]:
        found = search(*arguments, **options)
        return {**found, "searched_sources": [{**one, "revision": "0" * 64} for one in found["searched_sources"]]}

    monkeypatch.setattr(lookup, "search", answer_of_yesterday)

    assert talk.searched()["status"] == "unavailable"


def test_a_draft_changes_nothing_before_it_is_published(
    talk: Talk, api: ApiClient, workspace: Agent, create: Create
) -> None:
    attached = [{"source_id": create()["id"], "mode": "searchable"}]
    api.patch(f"/v1/agents/{workspace.id}", {"knowledge": {"sources": attached}})

    assert talk.searched()["hints"] == []


# --- what a search leaves -----------------------------------------------------------------------------------


@pytest.mark.conformance("BH-056")
def test_a_search_outside_of_a_run_makes_no_job_and_no_run(
    talk: Talk, shop: Tenant, create: Create, attach: Attach
) -> None:
    attach(create())
    talk.searched()

    with project_scope(shop.id):
        assert [rows.for_project(shop.id).count() for rows in (Job.objects, Run.objects)] == [0, 0]


def test_a_search_in_a_run_is_a_step_of_it(
    talk: Talk, api: ApiClient, workspace: Agent, create: Create, attach: Attach
) -> None:
    source = create()
    attach(source)
    run_id = talk.started()["run_id"]

    talk.searched("بخور", run_id=run_id)

    steps = api.get(f"/v1/agents/{workspace.id}/runs/{run_id}").json()["steps"]
    assert [step["kind"] for step in steps] == ["prompt", "search_knowledge", "search_knowledge"]
    assert [one["revision"] for one in steps[-1]["sources"]] == [source["revision"]]


def test_a_question_is_counted_once_however_many_searches_it_takes(
    talk: Talk, shop: Tenant, create: Create, attach: Attach
) -> None:
    attach(*[create("\n".join(["بخور"] * 30), name=str(number)) for number in range(3)])

    talk.searched("بخور")

    with project_scope(shop.id):
        assert [count.queries for count in QueryCount.objects.for_project(shop.id)] == [1]


def test_a_hint_expires_five_minutes_after_the_search(talk: Talk, create: Create, attach: Attach) -> None:
    attach(create())
    before = datetime.now(UTC)

    expires_at = datetime.fromisoformat(talk.hint()["expires_at"])

    assert timedelta(seconds=298) < expires_at - before <= timedelta(seconds=305)
    assert re.fullmatch(r"[0-9T:.-]+Z", talk.hint()["expires_at"])
