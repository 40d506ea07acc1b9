"""ETags stop lost updates and spare bytes; a sync that changed nothing stops nobody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.rest.etag import etag_of
from tests.api_client import ApiClient


@pytest.fixture
def etag(api: ApiClient) -> str:
    return str(api.get("/v1/things/1")["ETag"])


def test_equal_objects_have_equal_tags_whatever_the_order_of_their_keys() -> None:
    assert etag_of({"a": 1, "b": {"c": 2, "d": 3}}) == etag_of({"b": {"d": 3, "c": 2}, "a": 1})


@given(value=st.text(), other=st.text())
def test_tags_differ_when_what_is_shown_differs(value: str, other: str) -> None:
    shown = [text.encode("utf-8", "replace").decode() for text in (value, other)]

    assert (etag_of({"a": shown[0]}) == etag_of({"a": shown[1]})) == (shown[0] == shown[1])


@pytest.mark.parametrize("name", ["sync", "last_used_at", "key", "secret"])
def test_what_moves_by_itself_or_is_shown_once_does_not_count(name: str) -> None:
    assert etag_of({"a": 1, name: "x"}) == etag_of({"a": 1, name: "y"}) == etag_of({"a": 1})


@pytest.mark.parametrize(
    ("form", "status"), [("{}", 304), ("W/{}", 304), ('"x", {}', 304), ("*", 304), ('"x"', 200)]
)
def test_a_reader_who_has_the_object_gets_304(api: ApiClient, etag: str, form: str, status: int) -> None:
    response = api.get("/v1/things/1", if_none_match=form.format(etag))

    assert response.status_code == status
    assert response["ETag"] == etag


def test_a_304_has_neither_body_nor_type(api: ApiClient, etag: str) -> None:
    response = api.get("/v1/things/1", if_none_match=etag)

    assert response.content == b""
    assert "Content-Type" not in response


@pytest.mark.parametrize(
    ("form", "status"),
    [("{}", 200), ("*", 200), ('"x", {}', 200), ('"x"', 412), ("W/{}", 412), ("nonsense", 412), ("", 412)],
)
def test_a_change_goes_through_only_on_the_state_that_was_seen(
    api: ApiClient, etag: str, form: str, status: int
) -> None:
    response = api.patch("/v1/things/1", {"note": "hi"}, if_match=form.format(etag))

    assert response.status_code == status


def test_a_change_without_if_match_goes_through(api: ApiClient) -> None:
    assert api.patch("/v1/things/1", {"note": "hi"}).status_code == 200


def test_a_refused_change_says_so(api: ApiClient) -> None:
    error = api.delete("/v1/things/1", if_match='"old"').json()["error"]

    assert (error["type"], error["code"]) == ("precondition_failed", "precondition_failed")


def test_a_change_shows_the_new_tag(api: ApiClient, etag: str) -> None:
    assert api.patch("/v1/things/1", {"note": "hi"})["ETag"] != etag
