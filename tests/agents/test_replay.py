"""A run can be repeated from the contents it names, however often these were edited since."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from apps.agents import queries, runs
from apps.agents.models import RevisionUse, Run, Step
from apps.agents.replay import Outcome, prompt_text, replay
from apps.knowledge import services
from apps.projects.queries import entries_of
from apps.projects.scoping import project_scope
from tests.agents.conftest import AGENTS, SOURCES, UNKNOWN_SOURCE, CreateAgent, CreateSource
from tests.api_client import ApiClient
from tests.factories import Tenant

pytestmark = pytest.mark.django_db


@pytest.fixture
def few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A source keeps one earlier content beyond those that something names."""
    monkeypatch.setattr(services, "KEPT_EARLIER_REVISIONS", 1)


@pytest.fixture
def proven(api: ApiClient, source: CreateSource, agent: CreateAgent) -> dict[str, Any]:
    """A run of a published version with a prompt, a search that found and one that missed, and its sources."""
    prices = source("صندوق بخور — 95 ريال\nبخور — 40 ريال\nعود", name="Prices")
    hours = source("نفتح من التاسعة", kind="text", name="Hours")
    path = f"{AGENTS}/{agent((hours, 'always'), (prices, 'searchable'), instructions='أجب باختصار.')}"
    api.post(f"{path}/publish")
    run = api.post(f"{path}/runs").json()
    for query in ("صندق بخور", "غسالة"):
        assert api.post(f"{path}/runs/{run['id']}/search_knowledge", {"query": query}).status_code == 200
    return {"path": f"{path}/runs/{run['id']}", "run": run, "prices": prices, "hours": hours}


def edit(api: ApiClient, source_id: str, *contents: str) -> None:
    for content in contents:
        assert api.patch(f"{SOURCES}/{source_id}", {"content": content}).status_code == 200


def outcomes(tenant: Tenant, run_id: str) -> list[Outcome]:
    with project_scope(tenant.id):
        run = Run.objects.for_project(tenant.id).get(id=run_id)
        return [replay(run, step) for step in queries.steps_of(run)]


@pytest.mark.conformance("KA-027")
@pytest.mark.usefixtures("few_are_kept")
def test_a_run_gives_the_same_prompt_and_the_same_hits_after_three_edits(
    api: ApiClient, shop: Tenant, proven: dict[str, Any]
) -> None:
    edit(api, proven["prices"], "مسك — 1", "صندوق بخور — 999 ريال", "عنبر")
    edit(api, proven["hours"], "مغلق", "مغلق اليوم", "نفتح غدا")
    api.patch(f"{SOURCES}/{proven['hours']}", {"name": "renamed"})

    assert outcomes(shop, proven["run"]["id"]) == [Outcome.SAME] * 3
    assert api.get(proven["path"]).json()["steps"][0] == proven["run"]["steps"][0]


def test_a_run_of_a_draft_is_repeated_after_the_draft_changed(
    api: ApiClient, shop: Tenant, source: CreateSource, agent: CreateAgent
) -> None:
    path = f"{AGENTS}/{agent((source('a'), 'always'), instructions='one')}"
    run = api.post(f"{path}/runs").json()
    api.patch(path, {"instructions": "two", "knowledge": {"sources": []}})
    api.patch("/v1/project", {"locale": "en"})

    assert outcomes(shop, run["id"]) == [Outcome.SAME]
    assert api.get(f"{path}/runs/{run['id']}").json() == run


def test_what_agent_clients_were_told_beside_is_repeated_too(
    shop: Tenant, source: CreateSource, agent: CreateAgent
) -> None:
    agent_id = agent((source("a"), "always"))
    with project_scope(shop.id):
        edition = queries.read_edition(queries.get_agent(shop.id, agent_id), None, with_content=True)
        started = runs.start_run(edition, client_instructions="Answer by voice.")

        assert "Answer by voice." in started.prompt.text
        assert prompt_text(started.run, started.step) == started.prompt.text


def test_a_turn_is_a_run_under_the_id_that_it_has(api: ApiClient, shop: Tenant, agent: CreateAgent) -> None:
    agent_id, turn_id = agent(), "0b7e3c1e-6c2f-4e0a-9d53-0b9c6f1f2a11"
    with project_scope(shop.id):
        edition = queries.read_edition(queries.get_agent(shop.id, agent_id), None, with_content=True)
        runs.start_run(edition, run_id=turn_id)

    assert api.get(f"{AGENTS}/{agent_id}/runs/{turn_id}").json()["id"] == turn_id


@pytest.mark.parametrize(
    ("detail", "outcome"),
    [
        ({}, Outcome.SAME),
        ({"content": "Something else."}, Outcome.DIFFERENT),
        ({"hits": []}, Outcome.DIFFERENT),
        ({"content": None}, Outcome.SAME),
    ],
    ids=["as it was", "another content", "other hits", "put into words by others"],
)
def test_a_step_that_would_come_out_otherwise_is_found_out(
    shop: Tenant, proven: dict[str, Any], detail: dict[str, Any], outcome: Outcome
) -> None:
    with project_scope(shop.id):
        step = Step.objects.for_project(shop.id).filter(kind="search_knowledge").order_by("created_at")[0]
        step.detail |= detail
        step.save()

    assert outcomes(shop, proven["run"]["id"])[1] == outcome


def test_another_way_of_reading_the_columns_is_found_out(
    api: ApiClient, shop: Tenant, source: CreateSource, agent: CreateAgent
) -> None:
    sheet = source("name,price\noud,95", config={"format": "csv"})
    path = f"{AGENTS}/{agent((sheet, 'searchable'))}"
    run = api.post(f"{path}/runs").json()
    api.post(f"{path}/runs/{run['id']}/search_knowledge", {"query": "oud"})

    api.patch(f"{SOURCES}/{sheet}", {"config": {"header": False}})

    assert outcomes(shop, run["id"]) == [Outcome.SAME, Outcome.DIFFERENT]


def test_what_a_deleted_source_said_is_gone(api: ApiClient, shop: Tenant, proven: dict[str, Any]) -> None:
    api.delete(f"{SOURCES}/{proven['hours']}?detach=true")

    assert outcomes(shop, proven["run"]["id"]) == [Outcome.GONE, Outcome.SAME, Outcome.SAME]
    step = api.get(proven["path"]).json()["steps"][0]
    assert (step["text"], step["sources"]) == (None, proven["run"]["steps"][0]["sources"])


def test_the_operator_can_have_a_run_repeated(shop: Tenant, proven: dict[str, Any]) -> None:
    told = StringIO()

    call_command("replay_run", shop.id, proven["run"]["agent_id"], proven["run"]["id"], stdout=told)

    lines = told.getvalue().splitlines()
    assert [line.partition(" ")[2] for line in lines] == [
        "prompt: same",
        "search_knowledge: same",
        "search_knowledge: same",
    ]


@pytest.mark.conformance("I-8")
def test_the_project_is_told_that_an_operator_looked_into_a_run(shop: Tenant, proven: dict[str, Any]) -> None:
    call_command("replay_run", shop.id, proven["run"]["agent_id"], proven["run"]["id"], stdout=StringIO())

    with project_scope(shop.id):
        entry = entries_of(shop.id, about="run").get()
    assert (entry.actor, entry.target) == ("operator", proven["run"]["id"])


def test_a_run_that_is_not_there_cannot_be_repeated(shop: Tenant, agent: CreateAgent) -> None:
    with pytest.raises(CommandError, match="run_not_found"):
        call_command("replay_run", shop.id, agent(), UNKNOWN_SOURCE)


# --- keeping times ------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("few_are_kept")
def test_contents_that_a_run_named_go_after_its_thirty_days(
    api: ApiClient, shop: Tenant, proven: dict[str, Any]
) -> None:
    edit(api, proven["prices"], "1", "2", "3")
    edit(api, proven["hours"], "1", "2", "3")

    with time_machine.travel(timezone.now() + timedelta(days=29)):
        assert services.forget_old_revisions() == 0
        assert set(outcomes(shop, proven["run"]["id"])) == {Outcome.SAME}
    with time_machine.travel(timezone.now() + timedelta(days=32)):
        assert services.forget_old_revisions() == 2
        assert set(outcomes(shop, proven["run"]["id"])) == {Outcome.GONE}


def test_a_content_is_noted_once_however_many_runs_name_it(
    api: ApiClient, shop: Tenant, proven: dict[str, Any]
) -> None:
    runs_path = proven["path"].rpartition("/")[0]
    api.post(runs_path)
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        api.post(runs_path)

    with project_scope(shop.id):
        uses = RevisionUse.objects.for_project(shop.id).filter(source_id=proven["hours"])
        (use,) = uses
    assert use.named_at > timezone.now() + timedelta(days=1)


@pytest.mark.parametrize(("days", "left"), [(89, (1, 3)), (91, (0, 0))])
def test_runs_are_kept_for_ninety_days(
    shop: Tenant, proven: dict[str, Any], days: int, left: tuple[int, int]
) -> None:
    with time_machine.travel(timezone.now() + timedelta(days=days)):
        runs.forget_old_records()

    with project_scope(shop.id):
        counts = Run.objects.for_project(shop.id).count(), Step.objects.for_project(shop.id).count()
    assert counts == left


def test_notes_of_uses_are_forgotten_with_what_they_keep(shop: Tenant, proven: dict[str, Any]) -> None:
    with time_machine.travel(timezone.now() + timedelta(days=32)):
        assert runs.forget_old_records() == 2

    with project_scope(shop.id):
        assert RevisionUse.objects.for_project(shop.id).count() == 0
