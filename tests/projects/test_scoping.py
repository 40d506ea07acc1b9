"""Tenancy, twice over: queries name their project, and PostgreSQL shows only that project's rows."""

import ast
from pathlib import Path

import pytest
from django.apps import apps
from django.db import IntegrityError, ProgrammingError, connection, transaction

from apps.projects.models import ApiKey, AuditEntry, IdempotencyRecord, Member, Project
from apps.projects.scoping import ProjectOwned, UnscopedQueryError, across_projects, project_scope
from tests.factories import Tenant, make_key

REPOSITORY = Path(__file__).parents[2]
TENANT_MODELS = [model for model in apps.get_models() if issubclass(model, ProjectOwned)]
# Finding the project of a credential, the sweeps, and the operator's commands.
MAY_READ_ACROSS_PROJECTS = {
    "apps/agents/runs.py",
    "apps/gateway/credentials.py",
    "apps/gateway/jobs/callbacks.py",
    "apps/gateway/jobs/sweep.py",
    "apps/gateway/retention.py",
    "apps/knowledge/services.py",
    "apps/knowledge/sync/claims.py",
    "apps/knowledge/sync/due.py",
    "apps/projects/accounts.py",
    "apps/projects/auth.py",
    "apps/projects/membership.py",
    "apps/projects/queries.py",
    "apps/projects/services.py",
    "apps/vault/envelope.py",
    "apps/webhooks/claims.py",
    "apps/webhooks/delivery.py",
    "apps/webhooks/messages.py",
    "apps/webhooks/services.py",
    "apps/webhooks/settling.py",
}


def rows(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")
        return int(cursor.fetchone()[0])


@pytest.mark.conformance("I-1")
@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda model: model.__name__)
def test_a_query_without_a_project_is_refused(model: type[ProjectOwned]) -> None:
    with pytest.raises(UnscopedQueryError):
        model.objects.all()


@pytest.mark.conformance("I-1")
def test_rows_of_all_projects_need_the_wider_scope(shop: Tenant) -> None:
    with project_scope(shop.id), pytest.raises(UnscopedQueryError):
        ApiKey.objects.all_projects()


@pytest.mark.conformance("I-2")
def test_without_a_scope_every_tenant_table_is_empty(shop: Tenant) -> None:
    assert [rows(model._meta.db_table) for model in TENANT_MODELS] == [0] * len(TENANT_MODELS)
    assert rows("projects_project") == 0


@pytest.mark.conformance("I-2")
def test_inside_a_scope_only_that_project_exists(shop: Tenant, other_shop: Tenant) -> None:
    with project_scope(shop.id):
        assert [project.id for project in Project.objects.all()] == [shop.id]
        assert rows("projects_apikey") == 1


@pytest.mark.conformance("I-2")
def test_a_scope_inside_a_scope_gives_the_outer_one_back(shop: Tenant, other_shop: Tenant) -> None:
    with project_scope(shop.id):
        with project_scope(other_shop.id):
            assert Project.objects.get().id == other_shop.id
        assert Project.objects.get().id == shop.id


@pytest.mark.conformance("I-2")
def test_a_scope_that_failed_inside_a_scope_gives_the_outer_one_back(shop: Tenant, other_shop: Tenant) -> None:
    with project_scope(shop.id):
        with pytest.raises(ZeroDivisionError), project_scope(other_shop.id):
            _ = 1 / 0
        assert Project.objects.get().id == shop.id


@pytest.mark.conformance("I-2")
def test_across_projects_all_rows_exist(shop: Tenant, other_shop: Tenant) -> None:
    with across_projects():
        assert ApiKey.objects.all_projects().count() == 2


@pytest.mark.conformance("I-2")
@pytest.mark.django_db(transaction=True)
def test_the_scope_does_not_stay_on_the_connection(shop: Tenant) -> None:
    with project_scope(shop.id):
        assert rows("projects_project") == 1

    assert rows("projects_project") == 0


@pytest.mark.conformance("I-1")
def test_a_row_cannot_be_written_into_another_project(shop: Tenant, other_shop: Tenant) -> None:
    with pytest.raises(ProgrammingError, match="row-level security"), project_scope(shop.id):
        AuditEntry(project_id=other_shop.id, actor="x", action="x", target="x").save()


@pytest.mark.conformance("I-1")
def test_a_row_cannot_be_moved_into_another_project(shop: Tenant, other_shop: Tenant) -> None:
    with pytest.raises(ProgrammingError, match="row-level security"), project_scope(shop.id):
        ApiKey.objects.for_project(shop.id).update(project_id=other_shop.id)


@pytest.mark.conformance("I-3")
def test_a_link_cannot_reach_into_another_project(shop: Tenant, other_shop: Tenant) -> None:
    key, _ = make_key(other_shop)
    fields = {"method": "POST", "path": "/", "key_hash": b"", "body_hash": b"", "claim": "x"}
    record = IdempotencyRecord(project_id=shop.id, api_key_id=key.id, claimed_until=key.created_at, **fields)

    with pytest.raises(IntegrityError), project_scope(shop.id):
        _save_and_check(record)


def _save_and_check(record: IdempotencyRecord) -> None:
    record.save()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@pytest.mark.conformance("I-1")
def test_every_table_with_a_project_forces_row_level_security(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT c.relname FROM pg_class c
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'project_id'
            WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
              AND NOT (c.relrowsecurity AND c.relforcerowsecurity
                       AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid))
            """
        )
        assert cursor.fetchall() == []


@pytest.mark.conformance("I-3")
def test_every_link_between_tenant_tables_includes_the_project(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT con.conrelid::regclass::text, con.conname FROM pg_constraint con
            JOIN pg_attribute mine ON mine.attrelid = con.conrelid AND mine.attname = 'project_id'
            JOIN pg_attribute theirs ON theirs.attrelid = con.confrelid AND theirs.attname = 'project_id'
            WHERE con.contype = 'f' AND NOT (mine.attnum = ANY (con.conkey))
            """
        )
        assert cursor.fetchall() == []


@pytest.mark.conformance("I-4")
def test_every_unique_rule_on_a_tenant_table_starts_with_the_project(db: None) -> None:
    # Ids and the random look-up part of a credential are unique by chance, not by a tenant's choice. The name of an
    # agent client is the one exception: agents present it before the project is known.
    exceptions = [
        "api_key_lookup",
        "agent_client_app_id",
        "agent_client_token_lookup",
        "agent_token_lookup",
        "authorization_code_lookup",
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT c.relname, i.relname FROM pg_index x
            JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
            JOIN pg_attribute p ON p.attrelid = c.oid AND p.attname = 'project_id'
            WHERE x.indisunique AND NOT x.indisprimary AND x.indkey[0] <> p.attnum AND NOT i.relname = ANY (%s)
            """,
            [exceptions],
        )
        assert cursor.fetchall() == []


@pytest.mark.conformance("I-1")
def test_the_application_owns_nothing_and_cannot_pass_the_policies(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT r.rolsuper, r.rolbypassrls,
                   (SELECT count(*) FROM pg_class WHERE relowner = r.oid)
            FROM pg_roles r WHERE r.rolname = current_user
            """
        )
        assert cursor.fetchone() == (False, False, 0)


@pytest.mark.conformance("I-1")
def test_the_application_cannot_empty_a_table(db: None) -> None:
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("TRUNCATE projects_member")


def test_only_the_listed_files_read_across_projects() -> None:
    users = {
        str(path.relative_to(REPOSITORY))
        for path in (REPOSITORY / "apps").rglob("*.py")
        if "migrations" not in path.parts and _names(path) & {"across_projects", "all_projects"}
    }

    assert users == MAY_READ_ACROSS_PROJECTS


def _names(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return {node.id for node in nodes if isinstance(node, ast.Name)} | {
        node.attr for node in nodes if isinstance(node, ast.Attribute)
    }


def test_members_are_found_in_their_project(shop: Tenant, owner: object) -> None:
    with project_scope(shop.id):
        assert Member.objects.for_project(shop.id).count() == 1
