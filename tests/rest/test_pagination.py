"""Lists come in pages; a cursor works only for the list, the filters, the key and the project it was given to."""

import base64
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.errors import AppError
from apps.rest.pagination import ListPlace, Page, by_position, newest_first
from tests.api_client import ApiClient

PLACE = ListPlace("prj_1", "key_1", "/v1/things", {"kind": "text"})


def walk(api: ApiClient, path: str) -> list[str]:
    data: list[str] = []
    cursor = ""
    while True:
        page = api.get(path + cursor).json()
        data += page["data"]
        if not page["has_more"]:
            return data
        cursor = f"&cursor={page['next_cursor']}"


@pytest.mark.conformance("KA-108")
def test_a_list_has_its_envelope_and_twenty_objects(api: ApiClient) -> None:
    page = api.get("/v1/things").json()

    assert set(page) == {"object", "data", "has_more", "next_cursor"}
    assert (page["object"], len(page["data"]), page["has_more"]) == ("list", 20, True)


@pytest.mark.parametrize("limit", [1, 7, 50, 100])
def test_pages_together_are_the_list(api: ApiClient, limit: int) -> None:
    assert walk(api, f"/v1/things?limit={limit}") == [str(number) for number in range(250)]


def test_the_last_page_has_no_cursor(api: ApiClient) -> None:
    cursor = api.get("/v1/things?limit=100&even=true").json()["next_cursor"]

    page = api.get(f"/v1/things?limit=100&even=true&cursor={cursor}").json()

    assert (len(page["data"]), page["has_more"], page["next_cursor"]) == (25, False, None)


def test_the_limit_may_change_between_pages(api: ApiClient) -> None:
    cursor = api.get("/v1/things?limit=2").json()["next_cursor"]

    assert api.get(f"/v1/things?limit=3&cursor={cursor}").json()["data"] == ["2", "3", "4"]


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("read+write+search", "/v1/things?even=true"),
        ("read+write+search", "/v1/things?kind=text"),
        ("read", "/v1/things?limit=2"),
    ],
)
def test_a_cursor_of_another_key_or_filter_is_refused(api: ApiClient, key: str, path: str) -> None:
    cursor = api.get("/v1/things?limit=2").json()["next_cursor"]

    response = ApiClient(key).get(f"{path}&cursor={cursor}")

    error = response.json()["error"]
    assert (response.status_code, error["code"], error["param"]) == (400, "invalid_cursor", "cursor")


@pytest.mark.conformance("I-7")
@pytest.mark.parametrize(
    "other",
    [
        ListPlace("prj_2", "key_1", "/v1/things", {"kind": "text"}),
        ListPlace("prj_1", "key_2", "/v1/things", {"kind": "text"}),
        ListPlace("prj_1", "key_1", "/v1/others", {"kind": "text"}),
        ListPlace("prj_1", "key_1", "/v1/things", {}),
        ListPlace("prj_1", "key_1", "/v1/things", {"kind": "catalog"}),
    ],
)
def test_a_cursor_belongs_to_one_place(other: ListPlace) -> None:
    with pytest.raises(AppError, match="invalid_cursor"):
        page(other, 5, page(PLACE, 5, None).next_cursor)


def page(place: ListPlace, limit: int, cursor: str | None) -> Page:
    return by_position(range, 100, str, place=place, limit=limit, cursor=cursor)


@pytest.mark.conformance("I-7")
@pytest.mark.parametrize("position", range(0, 40, 3))
def test_a_cursor_with_one_character_changed_is_refused(position: int) -> None:
    cursor = page(PLACE, 5, None).next_cursor or ""
    position %= len(cursor)
    forged = cursor[:position] + ("A" if cursor[position] != "A" else "B") + cursor[position + 1 :]

    with pytest.raises(AppError, match="invalid_cursor"):
        page(PLACE, 5, forged)


@pytest.mark.parametrize(
    "cursor",
    [".", "..", "x", "WzVd", "WzVd.", ".abc", "ع", "=", "WzVd.ع", base64.b64encode(b"[0]").decode() + ".AAAA"],
)
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(AppError, match="invalid_cursor"):
        page(PLACE, 5, cursor)


@given(cursor=st.text(max_size=100))
def test_any_text_is_refused_as_a_cursor_and_nothing_breaks(cursor: str) -> None:
    with pytest.raises(AppError, match="invalid_cursor"):
        page(PLACE, 5, cursor)


def test_a_list_that_became_shorter_ends() -> None:
    cursor = page(PLACE, 50, None).next_cursor

    shorter = by_position(range, 10, str, place=PLACE, limit=5, cursor=cursor)

    assert (shorter.data, shorter.next_cursor) == ([], None)


# Sessions have a time and a key and belong to no project: rows enough to page through.


def make_sessions(times: list[datetime]) -> None:
    Session.objects.bulk_create(
        Session(session_key=f"s{number:02}", session_data="", expire_date=time) for number, time in enumerate(times)
    )


def walk_sessions(limit: int) -> list[str]:
    keys: list[str] = []
    cursor: str | None = None
    while True:
        found: Any = newest_first(
            Session.objects.all(),
            lambda row: row.session_key,
            place=PLACE,
            limit=limit,
            cursor=cursor,
            time_field="expire_date",
        )
        keys += found.data
        cursor = found.next_cursor
        if cursor is None:
            return keys


NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_rows_come_newest_first_and_by_id_where_times_are_equal(limit: int) -> None:
    steps = [0, 1, 1, 1, 2, 5, 5]
    make_sessions([NOON + timedelta(microseconds=step) for step in steps])

    assert walk_sessions(limit) == ["s06", "s05", "s04", "s03", "s02", "s01", "s00"]


@pytest.mark.django_db
def test_rows_that_arrive_between_pages_shift_nothing() -> None:
    make_sessions([NOON + timedelta(seconds=second) for second in range(4)])
    first: Any = newest_first(
        Session.objects.all(),
        lambda row: row.session_key,
        place=PLACE,
        limit=2,
        cursor=None,
        time_field="expire_date",
    )
    Session.objects.create(session_key="late", session_data="", expire_date=NOON + timedelta(days=1))

    second: Any = newest_first(
        Session.objects.all(),
        lambda row: row.session_key,
        place=PLACE,
        limit=2,
        cursor=first.next_cursor,
        time_field="expire_date",
    )

    assert (first.data, second.data) == (["s03", "s02"], ["s01", "s00"])
