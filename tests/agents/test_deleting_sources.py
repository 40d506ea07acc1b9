"""Deleting a source that agents use: refused by their names, or taken out of drafts and published versions."""

import pytest
from django.db import IntegrityError, transaction

from apps.agents.models import Agent, AgentVersion, Attachment, Run, Step
from apps.projects.scoping import across_projects, project_scope
from tests.agents.conftest import AGENTS, SOURCES, CreateAgent, CreateSource, attached, refusal
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.together import at_once

pytestmark = pytest.mark.django_db


def sources_of(api: ApiClient, agent_id: str) -> list[str]:
    return [one["source_id"] for one in api.get(f"{AGENTS}/{agent_id}").json()["knowledge"]["sources"]]


@pytest.mark.conformance("KA-110")
def test_a_source_in_use_stays_and_its_users_are_named(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    source_id = source()
    agents = [agent((source_id, "always"), name="أول"), agent((source_id, "searchable"), name="ثان")]

    answer = api.delete(f"{SOURCES}/{source_id}")

    assert refusal(answer)[:2] == (409, "source_in_use")
    assert answer.json()["error"]["message"].count("agt_") == 2
    assert f"أول ({agents[0]}), ثان ({agents[1]})" in answer.json()["error"]["message"]
    assert api.get(f"{SOURCES}/{source_id}").status_code == 200


@pytest.mark.conformance("KA-110")
def test_detaching_takes_it_out_of_draft_and_published_version(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    gone, kept = source("unmistakable"), source("b")
    agent_id = agent((gone, "always"), (kept, "always"))
    api.post(f"{AGENTS}/{agent_id}/publish")

    assert api.delete(f"{SOURCES}/{gone}?detach=true").status_code == 204

    assert api.get(f"{SOURCES}/{gone}").status_code == 404
    assert sources_of(api, agent_id) == [kept]
    assert api.get(f"{AGENTS}/{agent_id}/versions").json()["data"][0]["knowledge"]["sources"] == attached(
        (kept, "always")
    )
    assert "unmistakable" not in api.get(f"{AGENTS}/{agent_id}/prompt?version=1").json()["text"]
    assert api.get(f"{AGENTS}/{agent_id}/readiness").json()["ready"] is True


@pytest.mark.conformance("KA-110")
def test_a_published_version_keeps_a_source_in_use_that_the_draft_gave_up(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    source_id = source()
    path = f"{AGENTS}/{agent((source_id, 'always'))}"
    api.post(f"{path}/publish")
    api.patch(path, {"knowledge": {"sources": []}})

    assert refusal(api.delete(f"{SOURCES}/{source_id}"))[:2] == (409, "source_in_use")


@pytest.mark.conformance("KA-110")
def test_older_versions_keep_no_source_in_use(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    source_id = source()
    path = f"{AGENTS}/{agent((source_id, 'always'))}"
    api.post(f"{path}/publish")
    api.patch(path, {"knowledge": {"sources": []}})
    api.post(f"{path}/publish")

    assert api.delete(f"{SOURCES}/{source_id}").status_code == 204


def test_an_agent_can_be_changed_after_it_lost_a_source(
    api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    gone, kept = source("a"), source("b")
    path = f"{AGENTS}/{agent((gone, 'always'), (kept, 'always'))}"
    seen = api.get(path)["ETag"]
    api.delete(f"{SOURCES}/{gone}?detach=true")

    assert refusal(api.patch(path, {"name": "x"}, if_match=seen))[:2] == (412, "precondition_failed")
    assert api.patch(path, {"knowledge": {"sources": attached((kept, "searchable"))}}).status_code == 200
    assert api.post(f"{path}/publish").status_code == 200


def test_a_deleted_project_leaves_nothing_of_its_agents(
    api: ApiClient, shop: Tenant, source: CreateSource, agent: CreateAgent
) -> None:
    from apps.projects.services import delete_project

    path = f"{AGENTS}/{agent((source(), 'searchable'))}"
    api.post(f"{path}/publish")
    run = api.post(f"{path}/runs").json()
    api.post(f"{path}/runs/{run['id']}/search_knowledge", {"query": "بخور"})

    delete_project(shop.id)

    with across_projects():
        left = [model.objects.all_projects().count() for model in (Agent, AgentVersion, Attachment, Run, Step)]
    assert left == [0] * 5


# --- what the database itself refuses -----------------------------------------------------------------------


@pytest.mark.conformance("KA-016", "I-3")
def test_an_attachment_cannot_reach_into_another_project(
    shop: Tenant, other_api: ApiClient, source: CreateSource, agent: CreateAgent
) -> None:
    agent_id, foreign = agent(), source("a", client=other_api)
    row = Attachment(
        project_id=shop.id, agent_id=agent_id, position=0, attached_id=foreign, source_id=foreign, mode="always"
    )

    with pytest.raises(IntegrityError), project_scope(shop.id), transaction.atomic():
        row.save(force_insert=True)


@pytest.mark.conformance("I-3")
def test_a_run_is_of_a_version_that_its_agent_has(shop: Tenant, agent: CreateAgent) -> None:
    row = Run(project_id=shop.id, agent_id=agent(), version=7)

    with pytest.raises(IntegrityError), project_scope(shop.id), transaction.atomic():
        row.save(force_insert=True)


# --- at the same time ---------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(3))
def test_attaching_and_deleting_at_once_leaves_no_half(
    shop: Tenant, api: ApiClient, source: CreateSource, agent: CreateAgent, attempt: int
) -> None:
    source_id, agent_id = source(), agent()

    attaching, deleting = at_once(
        lambda: ApiClient(shop.key).patch(
            f"{AGENTS}/{agent_id}", {"knowledge": {"sources": attached((source_id, "always"))}}
        ),
        lambda: ApiClient(shop.key).delete(f"{SOURCES}/{source_id}"),
    )

    is_attached = sources_of(api, agent_id) == [source_id]
    outcomes = (attaching.status_code, deleting.status_code, is_attached)
    assert outcomes in {(200, 409, True), (404, 204, False)}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("attempt", range(3))
def test_publishing_and_detaching_at_once_both_succeed(
    shop: Tenant, api: ApiClient, source: CreateSource, agent: CreateAgent, attempt: int
) -> None:
    gone, kept = source("a"), source("b")
    agent_id = agent((gone, "always"), (kept, "always"))

    answers = at_once(
        lambda: ApiClient(shop.key).post(f"{AGENTS}/{agent_id}/publish"),
        lambda: ApiClient(shop.key).delete(f"{SOURCES}/{gone}?detach=true"),
    )

    assert [answer.status_code for answer in answers] == [200, 204]
    assert sources_of(api, agent_id) == [kept]
    assert api.get(f"{AGENTS}/{agent_id}/readiness").json()["ready"] is True


@pytest.mark.django_db(transaction=True)
def test_publishing_twice_at_once_makes_two_versions(shop: Tenant, api: ApiClient, agent: CreateAgent) -> None:
    agent_id = agent()

    answers = at_once(*([lambda: ApiClient(shop.key).post(f"{AGENTS}/{agent_id}/publish")] * 2))

    assert [answer.status_code for answer in answers] == [200, 200]
    assert api.get(f"{AGENTS}/{agent_id}").json()["published_version"] == 2
