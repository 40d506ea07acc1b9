"""The project's settings: what may be changed, what was asked day by day, and the project's end."""

from datetime import date

import pytest
from django.http import HttpResponse

from apps.dashboard.settings.chart import HEIGHT, chart_of
from apps.knowledge.models import QueryCount
from apps.knowledge.queries import DayOfQuestions, asked_by_day
from apps.projects.models import Project, Role
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.dashboard.world import Shop, signed_in

DAYS = [date(2026, 11, 28), date(2026, 11, 29), date(2026, 11, 30)]


def post(shown: Shop, path: str, form: object, role: Role = Role.OWNER) -> HttpResponse:
    return signed_in(shown.people[role]).post(f"/p/{shown.tenant.id}/{path}", form)  # type: ignore[return-value]


def project_of(shown: Shop) -> Project | None:
    with project_scope(shown.tenant.id):
        return Project.objects.filter(id=shown.tenant.id).first()


def test_an_owner_changes_name_and_language(shown: Shop) -> None:
    post(shown, "settings", {"name": "متجر البخور", "locale": "en"})

    project = project_of(shown)
    assert project is not None
    assert (project.name, project.locale) == ("متجر البخور", "en")


def test_the_projects_language_stands_there_once_and_the_persons_own_is_in_the_account(shown: Shop) -> None:
    owner = signed_in(shown.people[Role.OWNER])

    settings = owner.get(f"/p/{shown.tenant.id}/settings").content.decode()
    account = owner.get("/account").content.decode()

    assert settings.count("Language of the project") == 1
    assert "The language of these pages is yours alone" in settings
    assert "Language of the pages in this browser" in account


@pytest.mark.parametrize(
    ("change", "field"),
    [({"name": ""}, "name"), ({"name": "\u202eمتجر"}, "name"), ({"locale": "fr"}, "locale")],
)
def test_a_wrong_setting_changes_nothing(shown: Shop, change: dict[str, str], field: str) -> None:
    page = post(shown, "settings", {"name": "متجر", "locale": "ar", **change}).content.decode()

    assert f'id="id_{field}_error"' in page
    assert str(project_of(shown)) == shown.tenant.project.name


def test_a_viewer_reads_the_settings_without_a_form(shown: Shop) -> None:
    page = signed_in(shown.people[Role.VIEWER]).get(f"/p/{shown.tenant.id}/settings").content.decode()

    assert 'name="locale"' not in page
    assert shown.tenant.id in page


def test_days_without_a_question_are_days_too(shown: Shop) -> None:
    with project_scope(shown.tenant.id):
        for query, asked, missed in [("بخور", 3, 0), ("شاحن", 2, 2)]:
            QueryCount.objects.add(
                project_id=shown.tenant.id, day=DAYS[1], query=query, queries=asked, misses=missed
            )

        days = asked_by_day(shown.tenant.id, first=DAYS[0], last=DAYS[2])

    assert days == [DayOfQuestions(DAYS[0], 0, 0), DayOfQuestions(DAYS[1], 5, 2), DayOfQuestions(DAYS[2], 0, 0)]


def test_the_tallest_bar_is_the_day_with_most_questions() -> None:
    chart = chart_of([DayOfQuestions(DAYS[0], 10, 5), DayOfQuestions(DAYS[1], 0, 0)], direction="ltr")

    assert [bar.height for bar in chart.bars] == [HEIGHT, 1]
    assert chart.bars[0].missed_height == HEIGHT // 2


def test_the_newest_day_stands_where_a_reader_ends() -> None:
    days = [DayOfQuestions(day, 1, 0) for day in DAYS]

    assert chart_of(days, direction="rtl").bars[0].day.day == DAYS[2]
    assert chart_of(days, direction="ltr").bars[-1].day.day == DAYS[2]


def test_a_project_is_deleted_by_its_name_and_its_key_ends(shown: Shop) -> None:
    answer = post(shown, "settings/delete", {"name": shown.tenant.project.name})

    assert answer.status_code == 302
    assert project_of(shown) is None
    assert ApiClient(shown.tenant.key).get("/v1/project").status_code == 401


def test_a_project_stays_when_the_name_is_wrong(shown: Shop) -> None:
    answer = post(shown, "settings/delete", {"name": "another"})

    assert "not the name" in answer.content.decode()
    assert project_of(shown) is not None


def test_deleting_one_project_leaves_the_others(shown: Shop, foreign: Shop) -> None:
    source = foreign.id_of("source_id")

    post(shown, "settings/delete", {"name": shown.tenant.project.name})

    assert ApiClient(foreign.tenant.key).get(f"/v1/knowledge_sources/{source}").status_code == 200
