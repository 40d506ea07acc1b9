"""Earlier contents: listed, read, made current again, and kept in bounds."""

from collections.abc import Iterator

import pytest

from apps.kernel import hooks
from apps.knowledge import queries, services
from apps.knowledge.models import Revision
from apps.projects.models import AuditEntry
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.knowledge.conftest import SOURCES, CreateSource, Search

pytestmark = pytest.mark.django_db

UNKNOWN = "0" * 64


def change(api: ApiClient, source_id: str, content: str) -> str:
    """The revision of the new content."""
    return str(api.patch(f"{SOURCES}/{source_id}", {"content": content}).json()["revision"])


def test_earlier_contents_are_listed_newest_first(api: ApiClient, create: CreateSource) -> None:
    source = create("one")
    second = change(api, source["id"], "two!")
    change(api, source["id"], "three")
    listed = api.get(f"{SOURCES}/{source['id']}/revisions").json()["data"]
    assert [(entry["revision"], entry["char_count"], entry["origin"]) for entry in listed] == [
        (second, 4, "update"),
        (source["revision"], 3, "create"),
    ]


def test_the_list_of_revisions_comes_in_pages(api: ApiClient, create: CreateSource) -> None:
    source = create("one")
    second = change(api, source["id"], "two")
    change(api, source["id"], "three")
    path = f"{SOURCES}/{source['id']}/revisions"
    page = api.get(f"{path}?limit=1").json()
    rest = api.get(f"{path}?limit=1&cursor={page['next_cursor']}").json()
    assert [entry["revision"] for entry in page["data"] + rest["data"]] == [second, source["revision"]]


def test_a_content_that_returns_is_no_earlier_one(api: ApiClient, create: CreateSource) -> None:
    source = create("one")
    second = change(api, source["id"], "two")
    assert change(api, source["id"], "one") == source["revision"]
    listed = api.get(f"{SOURCES}/{source['id']}/revisions").json()["data"]
    assert [entry["revision"] for entry in listed] == [second]


def test_present_and_earlier_contents_can_be_read(api: ApiClient, create: CreateSource) -> None:
    source = create("one")
    second = change(api, source["id"], "two")
    path = f"{SOURCES}/{source['id']}/revisions"
    contents = [api.get(f"{path}/{revision}").json()["content"] for revision in (source["revision"], second)]
    assert contents == ["one", "two"]


@pytest.mark.parametrize("revision", [UNKNOWN, "x", UNKNOWN[1:]])
def test_an_unknown_revision_is_not_found(api: ApiClient, create: CreateSource, revision: str) -> None:
    answer = api.get(f"{SOURCES}/{create()['id']}/revisions/{revision}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "revision_not_found")


def test_a_restored_content_is_current_and_found(api: ApiClient, create: CreateSource, search: Search) -> None:
    source = create("بخور")
    second = change(api, source["id"], "مسك")
    restored = api.post(f"{SOURCES}/{source['id']}/restore", {"revision": source["revision"]})
    assert restored.status_code == 200
    assert restored.json()["content"] == "بخور"
    assert restored.json()["updated_at"] > source["updated_at"]
    assert (len(search("بخور")["hits"]), len(search("مسك")["hits"])) == (1, 0)
    assert api.get(f"{SOURCES}/{source['id']}/revisions").json()["data"][0]["revision"] == second


def test_restoring_the_current_content_changes_nothing(api: ApiClient, create: CreateSource) -> None:
    source = create()
    assert api.post(f"{SOURCES}/{source['id']}/restore", {"revision": source["revision"]}).json() == source


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"revision": UNKNOWN}, 404, "revision_not_found"),
        ({"revision": "latest"}, 400, "invalid_format"),
        ({}, 400, "required"),
    ],
)
def test_only_a_known_revision_is_restored(
    api: ApiClient, create: CreateSource, body: dict[str, str], status: int, code: str
) -> None:
    answer = api.post(f"{SOURCES}/{create()['id']}/restore", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_a_restore_and_a_deletion_are_on_record(api: ApiClient, shop: Tenant, create: CreateSource) -> None:
    source = create("one")
    change(api, source["id"], "two")
    api.post(f"{SOURCES}/{source['id']}/restore", {"revision": source["revision"]})
    api.delete(f"{SOURCES}/{source['id']}")
    with project_scope(shop.id):
        entries = AuditEntry.objects.for_project(shop.id).filter(target=source["id"]).order_by("id")
        actions = [entry.action for entry in entries]
    assert actions == ["source.created", "source.updated", "source.restored", "source.deleted"]


def test_only_the_current_revision_keeps_its_segment(api: ApiClient, shop: Tenant, create: CreateSource) -> None:
    source = create("one")
    second = change(api, source["id"], "two")
    with project_scope(shop.id):
        compiled = Revision.objects.for_project(shop.id).filter(segment__isnull=False)
        assert [revision.sha256 for revision in compiled] == [second]


@pytest.fixture
def few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "KEPT_EARLIER_REVISIONS", 2)


@pytest.mark.usefixtures("few_are_kept")
def test_the_oldest_contents_go_when_there_are_too_many(api: ApiClient, create: CreateSource) -> None:
    source = create("one")
    revisions = [change(api, source["id"], content) for content in ("two", "three", "four")]
    listed = api.get(f"{SOURCES}/{source['id']}/revisions").json()["data"]
    assert [entry["revision"] for entry in listed] == [revisions[1], revisions[0]]


@pytest.fixture
def named() -> Iterator[set[str]]:
    """SHA-256 of contents that some upper room names."""
    revisions: set[str] = set()

    def name(project_id: str, source_id: str) -> set[str]:
        return revisions

    hooks.revision_users.add(name)
    yield revisions
    hooks.revision_users.remove(name)


@pytest.mark.usefixtures("few_are_kept")
def test_an_old_content_that_something_names_stays(api: ApiClient, create: CreateSource, named: set[str]) -> None:
    source = create("one")
    named.add(source["revision"])
    revisions = [change(api, source["id"], content) for content in ("two", "three", "four", "five")]
    listed = api.get(f"{SOURCES}/{source['id']}/revisions").json()["data"]
    assert [entry["revision"] for entry in listed] == [revisions[2], revisions[1], source["revision"]]


def test_a_sweep_leaves_old_contents_that_something_names(
    monkeypatch: pytest.MonkeyPatch, api: ApiClient, shop: Tenant, create: CreateSource, named: set[str]
) -> None:
    source = create("one")
    second = change(api, source["id"], "two")
    change(api, source["id"], "three")
    named.add(source["revision"])
    monkeypatch.setattr(services, "KEPT_EARLIER_REVISIONS", 0)
    assert services.forget_old_revisions() == 1
    assert api.get(f"{SOURCES}/{source['id']}/revisions/{source['revision']}").json()["content"] == "one"
    assert api.get(f"{SOURCES}/{source['id']}/revisions/{second}").status_code == 404


def test_a_sweep_forgets_old_contents_of_every_project(
    monkeypatch: pytest.MonkeyPatch, api: ApiClient, shop: Tenant, create: CreateSource
) -> None:
    source = create("one")
    revisions = [change(api, source["id"], content) for content in ("two", "three", "four")]
    monkeypatch.setattr(services, "KEPT_EARLIER_REVISIONS", 1)
    assert services.forget_old_revisions() == 2
    with project_scope(shop.id):
        kept = queries.earlier_revisions(queries.get_source(shop.id, source["id"]))
        assert [revision.sha256 for revision in kept] == [revisions[1]]
