"""Changes that meet: one after the other, each whole, and nobody sees half of one."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.knowledge.conftest import SEARCH, SOURCES, CreateSource

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """The results of calls that start together, each in a thread with a connection of its own."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


@pytest.fixture
def path(create: CreateSource) -> str:
    return f"{SOURCES}/{create('بخور')['id']}"


def test_two_changes_of_different_fields_both_stay(shop: Tenant, path: str) -> None:
    client = ApiClient(shop.key)
    at_once(
        lambda: client.patch(path, {"name": "renamed"}),
        lambda: ApiClient(shop.key).patch(path, {"content": "مسك"}),
    )
    source = client.get(path).json()
    assert (source["name"], source["content"]) == ("renamed", "مسك")


def test_of_two_changes_of_the_same_state_one_is_refused(shop: Tenant, path: str) -> None:
    seen = ApiClient(shop.key).get(path)["ETag"]
    answers = at_once(
        *(lambda name=name: ApiClient(shop.key).patch(path, {"name": name}, if_match=seen) for name in "ab")
    )
    assert sorted(answer.status_code for answer in answers) == [200, 412]


def test_two_new_contents_leave_one_current_and_one_earlier(shop: Tenant, path: str) -> None:
    answers = at_once(
        *(lambda text=text: ApiClient(shop.key).patch(path, {"content": text}) for text in ("مسك", "عنبر"))
    )
    assert [answer.status_code for answer in answers] == [200, 200]
    client = ApiClient(shop.key)
    revisions = [entry["revision"] for entry in client.get(f"{path}/revisions").json()["data"]]
    assert len(revisions) == 2
    assert client.get(path).json()["revision"] not in revisions


def test_a_deletion_and_a_change_end_with_the_source_gone(shop: Tenant, path: str) -> None:
    deleted, changed = at_once(
        lambda: ApiClient(shop.key).delete(path),
        lambda: ApiClient(shop.key).patch(path, {"content": "مسك"}),
    )
    assert deleted.status_code == 204
    assert changed.status_code in {200, 404}
    assert ApiClient(shop.key).get(path).status_code == 404


def test_a_search_during_changes_sees_one_content_or_the_other(shop: Tenant, path: str) -> None:
    def change() -> None:
        client = ApiClient(shop.key)
        for step in range(10):
            client.patch(path, {"content": f"بخور {step}\nبخور {step}"})

    def watch() -> list[list[str]]:
        client = ApiClient(shop.key)
        answers = [client.post(SEARCH, {"query": "بخور"}).json() for _ in range(15)]
        return [[hit["text"] for hit in answer["hits"]] for answer in answers]

    _, seen = at_once(change, watch)
    assert all(texts == ["بخور"] or (len(texts) == 2 and texts[0] == texts[1]) for texts in seen)


def test_the_same_query_at_once_is_counted_every_time(shop: Tenant, path: str) -> None:
    from apps.knowledge.models import QueryCount
    from apps.projects.scoping import project_scope

    at_once(*([lambda: ApiClient(shop.key).post(SEARCH, {"query": "بخور"})] * 4))
    with project_scope(shop.id):
        assert QueryCount.objects.for_project(shop.id).get().queries == 4
