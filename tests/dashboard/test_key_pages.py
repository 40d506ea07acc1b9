"""Pages of API keys: shown once, working at once, ended at once."""

import re

import pytest
from django.http import HttpResponse

from apps.projects.models import ApiKey, Role
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.dashboard.world import Shop, signed_in

FORM = {"name": "بوت واتساب", "scopes": ["search", "read"]}
A_KEY = re.compile(r"mwd_live_[A-Za-z0-9]+_[A-Za-z0-9]+")


def post(shown: Shop, path: str, form: object, role: Role = Role.OWNER) -> HttpResponse:
    return signed_in(shown.people[role]).post(f"/p/{shown.tenant.id}/{path}", form)  # type: ignore[return-value]


def key_on(answer: HttpResponse) -> str:
    found = A_KEY.search(answer.content.decode())
    assert found
    return found[0]


def row_of(shown: Shop, name: str) -> ApiKey:
    with project_scope(shown.tenant.id):
        return ApiKey.objects.for_project(shown.tenant.id).filter(name=name).latest("created_at")


def test_a_new_key_is_shown_and_works(shown: Shop) -> None:
    key = key_on(post(shown, "keys/new", FORM))

    assert ApiClient(key).get("/v1/project").status_code == 200


def test_no_browser_keeps_the_page_that_shows_a_key(shown: Shop) -> None:
    assert post(shown, "keys/new", FORM)["Cache-Control"] == "no-store"


@pytest.mark.conformance("K-1")
def test_a_key_is_shown_once(shown: Shop) -> None:
    key = key_on(post(shown, "keys/new", FORM))

    page = signed_in(shown.people[Role.OWNER]).get(f"/p/{shown.tenant.id}/keys").content.decode()

    assert key not in page
    assert key[-4:] in page


def test_a_key_holds_the_chosen_sources_and_end(shown: Shop) -> None:
    source = shown.id_of("source_id")

    post(shown, "keys/new", {**FORM, "source_ids": [source], "expires_at": "2099-01-02T03:04"})

    made = row_of(shown, FORM["name"])  # type: ignore[arg-type] # a text
    assert made.source_ids == [source]
    assert made.expires_at is not None
    assert made.expires_at.isoformat() == "2099-01-02T03:04:00+00:00"


def test_an_end_that_is_typed_in_the_zone_of_the_browser_is_kept_as_that_instant(shown: Shop) -> None:
    post(shown, "keys/new", {**FORM, "expires_at": "2099-01-02T03:04", "zone": "Asia/Riyadh"})

    made = row_of(shown, FORM["name"])  # type: ignore[arg-type] # a text
    assert made.expires_at is not None
    assert made.expires_at.isoformat() == "2099-01-02T00:04:00+00:00"


@pytest.mark.parametrize("zone", ["Moon/Base", "../../etc/localtime", "<b>"])
def test_a_zone_that_nobody_knows_is_refused_where_the_end_is_typed(shown: Shop, zone: str) -> None:
    answer = post(shown, "keys/new", {**FORM, "expires_at": "2099-01-02T03:04", "zone": zone})

    assert 'id="id_expires_at_error"' in answer.content.decode()


def test_a_zone_without_an_end_matters_to_nobody(shown: Shop) -> None:
    post(shown, "keys/new", {**FORM, "zone": "Moon/Base"})

    assert row_of(shown, FORM["name"]).expires_at is None  # type: ignore[arg-type] # a text


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"scopes": []}, "scopes"),
        ({"scopes": ["everything"]}, "scopes"),
        ({"name": "  "}, "name"),
        ({"name": "\u202eكيب"}, "name"),
        ({"expires_at": "2001-01-01T00:00"}, "expires_at"),
        ({"expires_at": "tomorrow"}, "expires_at"),
        ({"source_ids": ["ks_00000000000000000000000000"]}, "source_ids"),
    ],
)
def test_a_wrong_form_makes_no_key(shown: Shop, change: dict[str, object], field: str) -> None:
    answer = post(shown, "keys/new", {**FORM, "source_ids": [shown.id_of("source_id")], **change})

    assert answer.status_code == 200
    assert f'id="id_{field}_error"' in answer.content.decode()


@pytest.mark.conformance("K-8")
def test_a_rotated_key_and_its_successor_both_work(shown: Shop) -> None:
    old = key_on(post(shown, "keys/new", FORM))

    new = key_on(post(shown, f"keys/{row_of(shown, 'بوت واتساب').id}/rotate", {}))

    assert ApiClient(old).get("/v1/project").status_code == 200
    assert ApiClient(new).get("/v1/project").status_code == 200


@pytest.mark.conformance("K-4")
def test_a_revoked_key_ends_at_once(shown: Shop) -> None:
    key = key_on(post(shown, "keys/new", FORM))

    post(shown, f"keys/{row_of(shown, 'بوت واتساب').id}/revoke", {})

    assert ApiClient(key).get("/v1/project").status_code == 401
