"""Properties: signs of further pages are seen wherever feeds put them; complete feeds raise no alarm."""

from typing import Any

import pytest

from apps.knowledge.transform import Transform, apply, decode_body, headers_announce_more


def is_paged(json_text: str, items_path: str = "data") -> bool:
    transform = Transform.parse({"line": "{n}", "items_path": items_path})
    return apply(decode_body(json_text.encode()), transform).paged


ITEMS = '[{"n": "A"}, {"n": "B"}]'


@pytest.mark.parametrize(
    "beside",
    [
        '"total": 3',
        '"total": "3"',
        '"count": 50',
        '"total_count": 3',
        '"totalCount": 3',
        '"TotalResults": 3',
        '"total-pages": 2',
        '"totalPages": 2',
        '"last_page": 9',
        '"pages": 2',
        '"next": "https://shop.example.com/feed?page=2"',
        '"next": {"href": "/feed?page=2"}',
        '"next_page": 2',
        '"next_cursor": "abc"',
        '"nextPageToken": "abc"',
        '"@odata.nextLink": "https://x.example.com"',
        '"has_more": true',
        '"hasNextPage": true',
        '"last": false',
        '"is_last_page": false',
        '"pagination": {"count": 2, "total": 50, "perPage": 2, "currentPage": 1, "totalPages": 25}',
        '"pagination": {"links": {"next": "https://x.example.com"}}',
        '"meta": {"pagination": {"total": 3}}',
        '"meta": {"page": {"links": {"next": "x"}}}',
        '"page": {"totalPages": 2, "size": 2, "number": 0}',
        '"_links": {"next": {"href": "/2"}}',
        '"pageInfo": {"hasNextPage": true}',
    ],
)
def test_a_sign_of_more_beside_the_list_is_seen(beside: str) -> None:
    assert is_paged(f'{{"data": {ITEMS}, {beside}}}')


@pytest.mark.parametrize(
    "beside",
    [
        '"total": 2',
        '"total": 0',
        '"total": "2"',
        '"total": 1350.50',
        '"total": -5',
        '"total": null',
        '"total": "many"',
        '"total": {"a": 5}',
        '"count": 2',
        '"total_pages": 1',
        '"last_page": 1',
        '"pages": [1, 2, 3]',
        '"next": null',
        '"next": ""',
        '"next": false',
        '"next": {}',
        '"next_page": 0',
        '"has_more": false',
        '"has_more": "true"',
        '"last": true',
        '"last": "https://x.example.com/9"',
        '"pagination": {"total": 2, "totalPages": 1, "links": {}}',
        '"meta": [5]',
        '"store": {"total": 90, "next": "x"}',
        '"currency": "SAR"',
    ],
)
def test_a_complete_feed_raises_no_alarm(beside: str) -> None:
    assert not is_paged(f'{{"data": {ITEMS}, {beside}}}')


@pytest.mark.parametrize(
    ("json_text", "path"),
    [
        (f'{{"total": 3, "data": {{"list": {ITEMS}}}}}', "data.list"),
        (f'{{"data": {{"total": 3, "list": {ITEMS}}}}}', "data.list"),
        (f'{{"pages": [{{"list": {ITEMS}, "next": "x"}}]}}', "pages.0.list"),
        (f'{{"data.list": {ITEMS}, "next": "x"}}', "data.list"),
    ],
)
def test_every_object_on_the_way_to_the_list_is_looked_at(json_text: str, path: str) -> None:
    assert is_paged(json_text, path)


@pytest.mark.parametrize(
    ("json_text", "path"),
    [(ITEMS, ""), (f'{{"data": {ITEMS}, "other": {{"data": [], "next": "x"}}}}', "data")],
)
def test_other_parts_of_the_feed_are_not(json_text: str, path: str) -> None:
    assert not is_paged(json_text, path)


def test_signs_inside_the_items_are_their_own() -> None:
    assert not is_paged('{"data": [{"n": "A", "next": "x", "total": 90}]}')


@pytest.mark.parametrize(
    ("json_text", "paged"),
    [
        ('{"list": [1, 2], "total": 3}', True),
        ('{"list": [1, 2], "total": 2}', False),
        ('{"next": "x"}', True),
        ('[{"next": "x"}]', False),
    ],
)
def test_a_feed_without_a_transform_is_looked_at_from_its_root(json_text: str, paged: bool) -> None:
    assert apply(decode_body(json_text.encode())).paged is paged


@pytest.mark.parametrize(
    "headers",
    [
        {"link": '<https://x.example.com/?page=2>; rel="next"'},
        {"link": '<https://x.example.com/1>; rel="prev", <https://x.example.com/3>; rel=next'},
        {"x-wp-totalpages": "2"},
        {"x-total-pages": "2"},
        {"x-wp-total": "11"},
        {"x-total-count": " 11 "},
    ],
)
def test_headers_of_further_pages_are_seen(headers: dict[str, str]) -> None:
    assert headers_announce_more(headers, 10)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"link": '<https://x.example.com/1>; rel="prev"'},
        {"link": '<https://x.example.com/next>; rel="canonical"'},
        {"x-wp-totalpages": "1"},
        {"x-total-count": "10"},
        {"x-total-count": "many"},
    ],
)
def test_other_headers_raise_no_alarm(headers: dict[str, Any]) -> None:
    assert not headers_announce_more(headers, 10)
