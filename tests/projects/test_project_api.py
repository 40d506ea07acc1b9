"""`/v1/project`: what a key's project is called, uses and may use."""

import pytest

from tests.api_client import ApiClient
from tests.factories import Tenant


def test_a_key_reads_its_own_project(api: ApiClient, shop: Tenant) -> None:
    answer = api.get("/v1/project")

    assert answer.status_code == 200
    shown = answer.json()
    assert (shown["id"], shown["object"], shown["name"], shown["locale"]) == (
        shop.id,
        "project",
        "متجر العود",
        "ar",
    )


def test_it_shows_usage_and_limits(api: ApiClient) -> None:
    shown = api.get("/v1/project").json()

    assert shown["usage"]["knowledge_sources"] == 0
    assert shown["limits"]["requests_per_minute_per_key"] == 1200
    assert shown["limits"]["requests_per_minute_per_project"] == 6000


def test_name_and_locale_can_be_changed(api: ApiClient) -> None:
    answer = api.patch("/v1/project", {"name": "  متجر الورد ", "locale": "en"})

    assert answer.status_code == 200
    assert api.get("/v1/project").json()["name"] == "متجر الورد"
    assert api.get("/v1/project").json()["locale"] == "en"


def test_what_a_change_does_not_name_stays(api: ApiClient) -> None:
    api.patch("/v1/project", {"locale": "en"})

    assert api.get("/v1/project").json()["name"] == "متجر العود"


@pytest.mark.conformance("U-4")
@pytest.mark.parametrize(
    ("body", "param"),
    [
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": "\u200b"}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"name": "a\u0007b"}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"name": None}, "name"),
        ({"name": 5}, "name"),
        ({"locale": "fr"}, "locale"),
        ({"locale": 1}, "locale"),
        ({"id": "prj_x"}, "id"),
        ({"usage": {}}, "usage"),
    ],
)
def test_a_faulty_change_is_refused_and_changes_nothing(
    api: ApiClient, body: dict[str, object], param: str
) -> None:
    answer = api.patch("/v1/project", body)

    assert answer.status_code == 400
    assert answer.json()["error"]["param"] == param
    assert api.get("/v1/project").json()["name"] == "متجر العود"


def test_a_change_to_something_else_than_was_seen_is_refused(api: ApiClient) -> None:
    seen = api.get("/v1/project")["ETag"]
    api.patch("/v1/project", {"name": "اسم آخر"})

    answer = api.patch("/v1/project", {"name": "اسم ثالث"}, if_match=seen)

    assert answer.status_code == 412
    assert api.get("/v1/project").json()["name"] == "اسم آخر"


def test_an_unchanged_project_need_not_be_sent_again(api: ApiClient) -> None:
    seen = api.get("/v1/project")["ETag"]

    assert api.get("/v1/project", if_none_match=seen).status_code == 304


def test_a_project_sees_nothing_of_another(api: ApiClient, other_api: ApiClient) -> None:
    api.patch("/v1/project", {"name": "جديد"})

    assert other_api.get("/v1/project").json()["name"] == "متجر العسل"


@pytest.mark.parametrize("body", [{}, {"name": "متجر العود"}, {"locale": "ar"}])
def test_a_change_to_what_is_there_already_changes_nothing(api: ApiClient, body: dict[str, object]) -> None:
    seen = api.get("/v1/project")["ETag"]

    assert api.patch("/v1/project", body).status_code == 200
    assert api.get("/v1/project")["ETag"] == seen
