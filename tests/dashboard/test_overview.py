"""A project at a glance: what is fresh, what was asked and not found, what it costs, and where to begin."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest
import time_machine
from django.utils import timezone

from apps.agents import services as agents
from apps.dashboard.overview import attention
from apps.dashboard.overview.steps import first_steps
from apps.dashboard.pages import Place
from apps.dashboard.texts import words_in
from apps.knowledge import services as knowledge
from apps.knowledge.examples import keep_example
from apps.knowledge.models import Feed, QueryCount, Revision, Source
from apps.knowledge.queries import OVERDUE
from apps.projects.models import Role, User
from apps.projects.queries import projects_of
from apps.projects.scoping import project_scope
from apps.webhooks import services as webhooks
from apps.webhooks.models import Delivery, Endpoint
from tests.dashboard.world import signed_in
from tests.factories import Tenant, make_member

FEED: Final = "المتجر <b>"
HOUR: Final = timedelta(hours=1)


def make_catalog(tenant: Tenant, content: str = "صندوق بخور — 95 ريال", name: str = "الأسعار") -> Source:
    with project_scope(tenant.id):
        return knowledge.create_source(tenant.id, name=name, kind="catalog", content=content, actor="operator")


def make_feed(tenant: Tenant, **state: Any) -> Source:
    """An API source whose feed stands as given."""
    config = {"url": "https://shop.example/feed.json"}
    now = timezone.now()
    standing = {"last_success_at": now, "next_sync_at": now + HOUR, "status": "ok", **state}
    with project_scope(tenant.id):
        source = knowledge.create_source(tenant.id, name=FEED, kind="api", config=config, actor="operator")
        Feed.objects.for_project(tenant.id).filter(source=source).update(**standing)
    return source


def ask(tenant: Tenant, query: str, *, asked: int, missed: int = 0, days_ago: int = 0) -> None:
    day = timezone.now().date() - timedelta(days=days_ago)
    with project_scope(tenant.id):
        QueryCount.objects.add(project_id=tenant.id, day=day, query=query, queries=asked, misses=missed)


def page(tenant: Tenant, user: User) -> str:
    return signed_in(user).get(f"/p/{tenant.id}").content.decode()


def place_of(tenant: Tenant, user: User) -> Place:
    projects = projects_of(user.pk)
    [(project, role)] = [pair for pair in projects if pair[0].id == tenant.id]
    return Place(project, user, Role(role), projects)


def concerns(tenant: Tenant, user: User) -> list[tuple[str, str]]:
    with project_scope(tenant.id):
        found = attention.attention(place_of(tenant, user), [], words_in("en"))
    return [(concern.tone, concern.title) for concern in found.concerns]


def worded(tone: str, kind: str) -> tuple[str, str]:
    return tone, words_in("en").html(f"overview.{kind}", name=FEED)


# --- what needs attention -----------------------------------------------------------------------------------


def test_a_project_in_good_order_says_so(shop: Tenant, owner: User) -> None:
    make_feed(shop)

    shown = page(shop, owner)

    assert "Everything is fresh, and nothing has failed." in shown
    assert "Last good sync" in shown


@pytest.mark.parametrize(
    ("state", "concern"),
    [
        ({"status": "ok"}, None),
        ({"status": "failing", "error_code": "timeout", "error_at": timezone.now()}, ("bad", "failing")),
        ({"status": "never", "last_success_at": None}, ("warn", "unread")),
        ({"status": "queued", "last_success_at": None}, None),
        ({"status": "running", "last_success_at": None}, None),
        ({"next_sync_at": timezone.now() - OVERDUE - HOUR}, ("warn", "overdue")),
        ({"next_sync_at": timezone.now() - OVERDUE + HOUR}, None),
        ({"warnings": ["feed_paged"]}, ("warn", "doubted")),
    ],
)
def test_a_feed_that_does_not_stand_well_is_named(
    shop: Tenant, owner: User, state: dict[str, Any], concern: tuple[str, str] | None
) -> None:
    make_feed(shop, **state)

    assert concerns(shop, owner) == ([] if concern is None else [worded(*concern)])


@pytest.mark.conformance("KA-104")
def test_a_failing_feed_is_told_in_plain_words_with_the_age_of_its_copy(shop: Tenant, owner: User) -> None:
    make_feed(
        shop,
        status="failing",
        error_code="timeout",
        error_at=timezone.now(),
        last_success_at=timezone.now() - 5 * HOUR,
    )

    shown = page(shop, owner)

    assert "<bdi>المتجر &lt;b&gt;</bdi> cannot be synchronised" in shown
    assert "5 hours ago" in shown
    assert "1 thing needs your attention" in shown


def test_content_in_doubt_is_named(shop: Tenant, owner: User) -> None:
    make_catalog(shop, content="????? ???? ?????? ????\nصندوق")

    assert [tone for tone, _ in concerns(shop, owner)] == ["warn"]


def test_the_worst_stands_first(shop: Tenant, owner: User) -> None:
    make_catalog(shop, content="????? ???? ?????? ????\nصندوق", name="أ")
    make_feed(shop, status="failing", error_code="timeout", error_at=timezone.now())

    assert [tone for tone, _ in concerns(shop, owner)] == ["bad", "warn"]


def test_many_troubled_sources_are_counted_instead(shop: Tenant, owner: User) -> None:
    list(map(partial(make_catalog, shop), ["????? ???? ?????? ????\nصندوق"] * (attention.SHOWN_SOURCES + 2)))

    assert "and 2 other sources" in page(shop, owner)


@pytest.mark.parametrize(
    ("reason", "count"), [("gone", 1), ("no_success", 1), ("failures_in_a_row", 1), ("manual", 0)]
)
def test_webhooks_that_were_stopped_are_named(shop: Tenant, owner: User, reason: str, count: int) -> None:
    with project_scope(shop.id):
        endpoint, _ = webhooks.create_endpoint(
            shop.id, url="https://hooks.example/secret/path", events=["*"], actor="operator"
        )
        Endpoint.objects.for_project(shop.id).filter(id=endpoint.id).update(enabled=False, disabled_reason=reason)

    assert page(shop, owner).count("Webhooks to <bdi>hooks.example</bdi> were stopped</strong>") == count


def test_a_viewer_is_told_nothing_of_webhooks(shop: Tenant) -> None:
    viewer = make_member(shop, "viewer@shop.example", Role.VIEWER)
    with project_scope(shop.id):
        endpoint, _ = webhooks.create_endpoint(
            shop.id, url="https://hooks.example/x", events=["*"], actor="operator"
        )
        Endpoint.objects.for_project(shop.id).filter(id=endpoint.id).update(enabled=False, disabled_reason="gone")

    assert "hooks.example" not in page(shop, viewer)


def test_deliveries_that_were_given_up_are_counted_for_a_day(shop: Tenant, owner: User) -> None:
    with project_scope(shop.id):
        webhooks.create_endpoint(shop.id, url="https://hooks.example/x", events=["*"], actor="operator")
    make_catalog(shop)
    with project_scope(shop.id):
        Delivery.objects.for_project(shop.id).update(status="failed")
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        later = concerns(shop, owner)

    assert concerns(shop, owner) == [("warn", "1 webhook was given up since yesterday")]
    assert later == []


def test_an_agent_that_cannot_answer_is_named(shop: Tenant, owner: User) -> None:
    source = make_catalog(shop)
    make_agent(shop, source, "searchable")
    with project_scope(shop.id):
        Revision.objects.for_project(shop.id).update(chunk_count=0)

    assert "The agent <bdi>المساعد</bdi> is not ready</strong>" in page(shop, owner)


# --- what was asked -----------------------------------------------------------------------------------------


def test_the_week_shows_what_was_asked_and_not_found(shop: Tenant, owner: User) -> None:
    ask(shop, "شاحن", asked=4, missed=4)
    ask(shop, "عود", asked=7, days_ago=6)
    ask(shop, "قديم", asked=50, missed=50, days_ago=7)

    shown = page(shop, owner)

    assert f'href="/p/{shop.id}/search?q=%D8%B4%D8%A7%D8%AD%D9%86"' in shown
    assert "4 times" in shown
    assert "7 times" in shown
    assert "قديم" not in shown


def test_a_week_without_a_miss_says_so(shop: Tenant, owner: User) -> None:
    ask(shop, "عود", asked=1)

    assert "Something was found for every question of this week." in page(shop, owner)


def test_a_week_without_a_question_offers_the_search(shop: Tenant, owner: User) -> None:
    assert "Nothing was asked this week" in page(shop, owner)


@pytest.mark.conformance("U-5")
def test_questions_are_escaped_and_isolated(shop: Tenant, owner: User) -> None:
    ask(shop, "<script>alert(1)</script>", asked=1, missed=1)

    shown = page(shop, owner)

    assert "<script>alert" not in shown
    assert 'dir="rtl"><bdi>&lt;script&gt;' in shown


# --- what it costs ------------------------------------------------------------------------------------------


def make_agent(tenant: Tenant, source: Source, mode: str) -> None:
    with project_scope(tenant.id):
        agents.create_agent(
            tenant.id,
            name="المساعد",
            instructions="",
            knowledge={"sources": [{"source_id": source.id, "mode": mode}]},
            actor="operator",
        )


@pytest.mark.conformance("KA-023")
@pytest.mark.parametrize(
    ("lines", "is_over"),
    [(100, False), (2_000, True)],
)
def test_a_prompt_above_the_advice_is_marked(shop: Tenant, owner: User, lines: int, is_over: bool) -> None:
    source = make_catalog(shop, "\n".join(f"صندوق بخور رقم {number} — 95 ريال" for number in range(lines)))
    make_agent(shop, source, "always")

    assert ("above the advice" in page(shop, owner)) is is_over


# --- first steps --------------------------------------------------------------------------------------------


def steps(tenant: Tenant, user: User, **have: bool) -> dict[str, bool]:
    with project_scope(tenant.id):
        shown = first_steps(place_of(tenant, user), **{"has_sources": False, "has_agents": False, **have})
    return {step.name: step.is_done for step in shown}


def test_a_project_that_lacks_something_shows_the_steps(shop: Tenant, owner: User) -> None:
    """The tenant of the tests has a key."""
    assert steps(shop, owner) == {"source": False, "search": False, "agent": False, "access": True, "people": False}


def test_they_go_when_everything_that_matters_is_done(shop: Tenant, owner: User) -> None:
    ask(shop, "عود", asked=1)

    assert steps(shop, owner, has_sources=True, has_agents=True) == {}


def test_a_question_that_is_kept_counts_as_tried(shop: Tenant, owner: User) -> None:
    """What the search bench is asked is not counted among the questions of customers."""
    source = make_catalog(shop)
    with project_scope(shop.id):
        keep_example(shop.id, question="صندق", source_id=source.id, text="صندوق بخور — 95 ريال", actor="operator")

    assert steps(shop, owner)["search"]


def test_a_trial_on_the_bench_counts_as_tried_and_among_no_questions(shop: Tenant, owner: User) -> None:
    make_catalog(shop)
    member = signed_in(make_member(shop, "viewer@shop.example", Role.VIEWER))

    member.get(f"/p/{shop.id}/search", {"q": "صندق"})

    assert steps(shop, owner)["search"]
    assert "Nothing was asked this week" in page(shop, owner)


def test_opening_the_bench_is_no_trial(shop: Tenant, owner: User) -> None:
    signed_in(owner).get(f"/p/{shop.id}/search")

    assert not steps(shop, owner)["search"]


@pytest.mark.parametrize(("role", "linked"), [(Role.OWNER, True), (Role.VIEWER, False)])
def test_a_step_leads_where_the_role_reaches(shop: Tenant, role: Role, linked: bool) -> None:
    user = make_member(shop, "somebody@shop.example", role)

    assert (f'href="/p/{shop.id}/sources/new"' in page(shop, user)) is linked


@pytest.mark.parametrize("prepare", [make_catalog, make_feed, str])
def test_every_role_sees_it(shop: Tenant, prepare: Callable[[Tenant], object]) -> None:
    prepare(shop)

    shown = [page(shop, make_member(shop, f"{role.value}@shop.example", role)) for role in Role]

    assert all("Overview" in text for text in shown)
