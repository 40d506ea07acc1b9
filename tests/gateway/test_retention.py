"""Logins, tokens, sessions and jobs go when they are past their keeping time, and not before."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Model
from django.utils import timezone

from apps.gateway import retention, tasks
from apps.gateway.models import AgentClient, AgentSession, AgentToken, Authorization, Job
from apps.gateway.sessions import Tokens
from apps.projects.scoping import project_scope
from tests.factories import Tenant
from tests.gateway.making import ROUTE, Login, make_client, make_session, refresh

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def left(tenant: Tenant, model: type[Any], **which: Any) -> int:
    with project_scope(tenant.id):
        count: int = model.objects.for_project(tenant.id).filter(**which).count()
    return count


def change(tenant: Tenant, model: type[Any], **fields: Any) -> None:
    with project_scope(tenant.id):
        model.objects.for_project(tenant.id).update(**fields)


@pytest.mark.parametrize(("age", "kept"), [(DAY - HOUR, 1), (DAY + HOUR, 0)])
def test_a_login_is_kept_for_a_day(shop: Tenant, agent_client: AgentClient, age: timedelta, kept: int) -> None:
    Login(agent_client).asked()
    change(shop, Authorization, expires_at=timezone.now() - age)

    tasks.forget_old_records()

    assert left(shop, Authorization) == kept


def test_an_access_token_goes_when_it_has_expired(shop: Tenant, agent_client: AgentClient, tokens: Tokens) -> None:
    refresh(agent_client, tokens.refresh_token)
    with project_scope(shop.id):
        first = AgentToken.objects.for_project(shop.id).filter(kind="access").earliest("id")
        first.expires_at = timezone.now() - HOUR
        first.save()

    tasks.forget_old_records()

    assert left(shop, AgentToken, kind="access") == 1


def test_used_refresh_tokens_stay_as_long_as_the_session_may(
    shop: Tenant, agent_client: AgentClient, tokens: Tokens
) -> None:
    renewed = refresh(agent_client, tokens.refresh_token).json()

    tasks.forget_old_records()

    assert refresh(agent_client, tokens.refresh_token).status_code == 401
    assert refresh(agent_client, renewed["refresh_token"]).status_code == 401


@pytest.mark.parametrize(
    ("over", "kept"),
    [
        ({"expires_at": -HOUR}, 0),
        ({"revoked_at": -HOUR}, 2),
        ({"revoked_at": -DAY - HOUR}, 0),
        ({"last_used_at": -DAY}, 2),
    ],
)
def test_tokens_go_with_the_end_of_their_session(
    shop: Tenant, tokens: Tokens, over: dict[str, timedelta], kept: int
) -> None:
    now = timezone.now()
    change(shop, AgentSession, **{name: now + shift for name, shift in over.items()})

    tasks.forget_old_records()

    assert left(shop, AgentToken) == kept


@pytest.mark.parametrize("field", ["expires_at", "revoked_at"])
@pytest.mark.parametrize(("age", "kept"), [(30 * DAY - HOUR, 1), (30 * DAY + HOUR, 0)])
def test_a_session_is_shown_for_thirty_days_after_its_end(
    shop: Tenant, tokens: Tokens, field: str, age: timedelta, kept: int
) -> None:
    change(shop, AgentSession, **{field: timezone.now() - age})

    tasks.forget_old_records()

    assert left(shop, AgentSession) == kept


@pytest.mark.parametrize(
    ("status", "age", "kept"),
    [("done", 30 * DAY - HOUR, 1), ("done", 30 * DAY + HOUR, 0), ("queued", 31 * DAY, 1), ("running", 31 * DAY, 1)],
)
def test_a_job_that_has_ended_is_kept_for_thirty_days(
    shop: Tenant, agent_client: AgentClient, status: str, age: timedelta, kept: int
) -> None:
    with project_scope(shop.id):
        Job.objects.add(
            project_id=shop.id,
            client=agent_client,
            request_id="1",
            request_hash=b"",
            route=ROUTE,
            input="x",
            status=status,
            created_at=timezone.now() - age,
        )

    tasks.forget_old_records()

    assert left(shop, Job) == kept


def test_the_sweep_is_for_all_projects_and_in_bounded_steps(
    shop: Tenant, other_shop: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "_AT_ONCE", 1)
    tenants = (shop, other_shop)
    for tenant in tenants:
        client, _ = make_client(tenant)
        make_session(client)
        make_session(client)
        change(tenant, AgentSession, revoked_at=timezone.now() - 31 * DAY)

    removed = retention.forget_old_records()

    models: tuple[type[Model], ...] = (AgentSession, AgentToken)
    assert removed == 12
    assert [left(tenant, model) for tenant in tenants for model in models] == [0, 0, 0, 0]
