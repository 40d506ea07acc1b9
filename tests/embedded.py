"""The throw-away PostgreSQL and Valkey of a test run, started by the first test that needs them.

One PostgreSQL serves the whole run: the process that was started by hand owns it, and xdist's workers inherit its
address. Every process has a Valkey of its own, so that emptying it disturbs nobody. The addresses are in the
environment before Django reads its settings, the servers start later or never.
"""

import atexit
import importlib
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import django
import pytest
import redis
from pytest_django.plugin import DjangoDbBlocker

from runner.services import OWNER, Addresses, Embedded, throw_away

_IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
_DATABASE_FIXTURES = frozenset({"db", "transactional_db", "live_server", "_django_db_helper"})

# Where the run's PostgreSQL listens, for workers, which have folders of their own.
_SOCKETS = "MAWRID_TEST_SOCKETS"

_run = ExitStack()
_services = _run.enter_context(throw_away())

if not _IS_WORKER:
    os.environ[_SOCKETS] = str(_services.addresses.sockets)
    os.environ["DATABASE_URL"] = _services.addresses.database
    os.environ["MIGRATION_DATABASE_URL"] = _services.addresses.migration_database
os.environ["REDIS_URL"] = _services.addresses.redis
os.environ["SECRET_KEY"] = "a key for tests that guards nothing"
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
# Now, not when pytest-django would: the rooms' own conftest files import models.
django.setup()
# As in every program of the product: without it Celery knows no broker.
importlib.import_module("config.celery")


def pytest_configure(config: pytest.Config) -> None:
    if not _IS_WORKER and getattr(config.option, "dist", "no") != "no":
        _services.start_postgres()  # Workers cannot ask for it, they only know where it will be.
        # With it in their environment workers would read the settings before they have their own addresses.
        del os.environ["DJANGO_SETTINGS_MODULE"]


def pytest_unconfigure() -> None:
    _run.close()


# For runs that fail before they are configured.
atexit.register(_run.close)


@pytest.fixture(scope="session")
def postgres() -> Embedded:
    """The run's PostgreSQL: `postgres.addresses` says where and as whom."""
    if _IS_WORKER:
        return replace(_services, addresses=Addresses(Path(os.environ[_SOCKETS])))
    if not _is_started("postgres"):
        _services.start_postgres()
    return _services


@pytest.fixture(scope="session")
def valkey_server() -> str:
    """The address of this process's Valkey, the same as `settings.REDIS_URL`."""
    if not _is_started("valkey"):
        _services.start_valkey()
    return _services.addresses.redis


@pytest.fixture
def valkey(valkey_server: str) -> Iterator["redis.Redis"]:
    """A client of this process's Valkey, which is empty when the test begins."""
    with redis.Redis.from_url(valkey_server) as client:
        client.flushall()
        yield client


@pytest.fixture(autouse=True)
def _empty_valkey(request: pytest.FixtureRequest) -> None:
    """Rate limits and caches of the test before are no business of this one."""
    if request.node.get_closest_marker("django_db") or _DATABASE_FIXTURES.intersection(request.fixturenames):
        request.getfixturevalue("valkey")


@contextmanager
def as_owner() -> Iterator[None]:
    """Talk to the database as the role that owns the tables; everything else is done as the application's."""
    from django.db import connection

    application = connection.settings_dict["USER"]
    connection.close()
    connection.settings_dict["USER"] = OWNER
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["USER"] = application


@pytest.fixture(scope="session")
def django_db_setup(
    postgres: Embedded,
    valkey_server: str,
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    """Make the test database as its owner; it goes with the cluster."""
    from django.test import TransactionTestCase
    from django.test.utils import setup_databases

    with django_db_blocker.unblock(), as_owner():
        setup_databases(verbosity=0, interactive=False)
    empty_tables = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]  # absent from the stubs

    def empty_tables_as_owner(test_case: TransactionTestCase) -> None:
        # Tests that commit are followed by TRUNCATE, which the application's role may not do.
        with as_owner():
            empty_tables(test_case)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables_as_owner)
        yield


def _is_started(name: str) -> bool:
    return any(service.name == name for service in _services.running)
