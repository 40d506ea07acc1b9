"""The second stop between projects: PostgreSQL itself shows and takes only rows of the project at hand."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from apps.knowledge import lookup, services
from apps.knowledge.models import QueryCount, Revision, Source
from apps.projects.scoping import UnscopedQueryError, project_scope
from apps.projects.services import delete_project
from tests.factories import Tenant

pytestmark = pytest.mark.django_db

TABLES = ["knowledge_source", "knowledge_revision", "knowledge_querycount"]


@pytest.fixture
def filled(shop: Tenant) -> Source:
    """A source of the shop that was edited and searched, so that every table has rows."""
    with project_scope(shop.id):
        source = services.create_source(shop.id, name="n", kind="catalog", content="بخور", actor="t")
        lookup.search(shop.id, "بخور")
    return source


def count(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")
        return int(cursor.fetchone()[0])


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("table", TABLES)
def test_rows_are_there_for_their_project_only(shop: Tenant, other_shop: Tenant, table: str) -> None:
    with project_scope(shop.id):
        own = count(table)
    with project_scope(other_shop.id):
        theirs = count(table)
    with transaction.atomic():
        nobodys = count(table)
    assert (own, theirs, nobodys) == (1, 0, 0)


@pytest.mark.parametrize("model", [Source, Revision, QueryCount])
def test_a_query_that_names_no_project_is_refused(model: type[Source]) -> None:
    with pytest.raises(UnscopedQueryError):
        model.objects.all()


def test_a_row_of_another_project_cannot_be_written(shop: Tenant, other_shop: Tenant) -> None:
    with pytest.raises(DatabaseError), project_scope(shop.id):
        services.create_source(other_shop.id, name="n", kind="catalog", content="x", actor="t")


def _revision_of_a_foreign_source(project_id: str, foreign: Source) -> None:
    Revision.objects.add(
        project_id=project_id,
        source_id=foreign.id,
        sha256="0" * 64,
        content="x",
        char_count=1,
        chunk_count=1,
        token_estimate=1,
        origin="update",
    )


def _source_at_a_foreign_revision(project_id: str, foreign: Source) -> None:
    Source.objects.add(
        project_id=project_id,
        name="n",
        kind="catalog",
        complete=True,
        complete_is_stated=False,
        revision_id=foreign.revision_id,
    )


@pytest.mark.parametrize("link", [_revision_of_a_foreign_source, _source_at_a_foreign_revision])
def test_no_link_reaches_into_another_project(
    other_shop: Tenant, filled: Source, link: Callable[[str, Source], None]
) -> None:
    def write() -> None:
        with project_scope(other_shop.id):
            link(other_shop.id, filled)
            connection.check_constraints()

    with pytest.raises(IntegrityError):
        write()


@pytest.mark.usefixtures("filled")
def test_a_deleted_project_leaves_no_row(shop: Tenant) -> None:
    delete_project(shop.id)
    with project_scope(shop.id):
        assert [count(table) for table in TABLES] == [0, 0, 0]


def test_old_counts_are_forgotten_in_every_project(shop: Tenant, other_shop: Tenant) -> None:
    old = datetime(2020, 1, 1, tzinfo=UTC).date()
    for tenant in (shop, other_shop):
        with project_scope(tenant.id):
            QueryCount.objects.add(project_id=tenant.id, day=old, query="a", queries=1, misses=0)
            QueryCount.objects.add(project_id=tenant.id, day=timezone.now().date(), query="b", queries=1, misses=0)
    assert services.forget_old_query_counts() == 2
    with project_scope(shop.id):
        assert [row.query for row in QueryCount.objects.for_project(shop.id)] == ["b"]
