"""Tenancy: every query names its project, and PostgreSQL is told the project so that it refuses the rest.

What a manager cannot cover — raw SQL, Django's base manager behind `save` and cascades — is covered by row level
security: without a scope every tenant table is empty, and rows of another project cannot be written.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import connection, models, transaction


@dataclass(frozen=True, slots=True)
class _Scope:
    project_id: str
    across: bool


_NOTHING = _Scope("", across=False)
_active: ContextVar[_Scope] = ContextVar("mawrid_scope", default=_NOTHING)


class UnscopedQueryError(RuntimeError):
    """A query on a tenant's table did not say whose rows it wants."""


@contextmanager
def project_scope(project_id: str) -> Iterator[None]:
    """A transaction in which exactly one project's rows exist."""
    with _scope(_Scope(project_id, across=False)):
        yield


@contextmanager
def across_projects() -> Iterator[None]:
    """A transaction in which the rows of all projects exist.

    Only for finding the project of a credential, for sweeps and for the operator's commands; a test lists the
    files that may use it.
    """
    with _scope(_Scope("", across=True)):
        yield


@contextmanager
def _scope(scope: _Scope) -> Iterator[None]:
    nested = connection.in_atomic_block
    previous = _active.get()
    with transaction.atomic():
        _tell_postgres(scope)
        token = _active.set(scope)
        try:
            yield
        finally:
            _active.reset(token)
        # A savepoint that ends well keeps settings made in it, so an outer transaction gets its own scope back.
        # One that is rolled back reverts them by itself, and so does the end of a transaction.
        if nested and not connection.needs_rollback:
            _tell_postgres(previous)


def _tell_postgres(scope: _Scope) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('mawrid.project', %s, true), set_config('mawrid.scope', %s, true)",
            [scope.project_id, "across" if scope.across else ""],
        )


M = TypeVar("M", bound=models.Model)


class ProjectManager(models.Manager[M]):
    """Refuses every query that does not name a project."""

    def get_queryset(self) -> models.QuerySet[M]:
        raise UnscopedQueryError(
            f"{self.model.__name__} belongs to a project: ask with {self.model.__name__}.objects.for_project(id)."
        )

    def for_project(self, project_id: str) -> models.QuerySet[M]:
        return super().get_queryset().filter(project_id=project_id)

    def all_projects(self) -> models.QuerySet[M]:
        """Rows of every project; only inside `across_projects`."""
        if not _active.get().across:
            raise UnscopedQueryError("Rows of all projects can only be read inside across_projects().")
        return super().get_queryset()

    def add(self, **fields: Any) -> M:
        """Insert a row; `create` of Django would start from a queryset of all projects."""
        row = self.model(**fields)
        row.save(force_insert=True)
        return row


class ProjectOwned(models.Model):
    """A row that belongs to one project.

    Its table needs `SELECT mawrid_protect('table')` in the migration that makes it; a test finds tables without.
    """

    project = models.ForeignKey("projects.Project", on_delete=models.CASCADE, related_name="+")
    objects = ProjectManager()

    class Meta:
        abstract = True
