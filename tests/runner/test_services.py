"""The embedded servers: who may do what, where they listen, and what does not keep them from starting."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis
from psycopg import errors

from runner import places
from runner.data_dir import DataDir
from runner.places import service_account
from runner.refusal import Refusal
from runner.services import Embedded

pytestmark = pytest.mark.processes


@pytest.fixture
def embedded(data_dir: Path) -> Iterator[Embedded]:
    services = Embedded.of(DataDir.at(data_dir).path)
    yield services
    services.stop()


@pytest.fixture
def database(embedded: Embedded) -> Embedded:
    embedded.start_postgres()
    return embedded


def cluster_of(embedded: Embedded) -> Path:
    return next(embedded.folder.glob("postgres-*")) / "cluster"


def test_neither_role_is_above_row_level_security(database: Embedded) -> None:
    with psycopg.connect(database.addresses.database) as connection:
        roles = connection.execute(
            "SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb FROM pg_roles"
            " WHERE rolname LIKE 'mawrid%' ORDER BY rolname"
        ).fetchall()

    assert roles == [("mawrid_app", False, False, False, False), ("mawrid_owner", False, False, False, True)]


@pytest.fixture
def table(database: Embedded) -> str:
    with psycopg.connect(database.addresses.migration_database) as connection:
        connection.execute("CREATE TABLE things (id bigint GENERATED ALWAYS AS IDENTITY, name text)")
        connection.execute("CREATE SEQUENCE numbers")
    return database.addresses.database


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO things (name) VALUES ('عود')",
        "SELECT * FROM things",
        "UPDATE things SET name = 'بخور'",
        "DELETE FROM things",
        "SELECT nextval('numbers')",
    ],
)
def test_the_application_works_with_rows_that_the_owner_made_room_for(table: str, statement: str) -> None:
    with psycopg.connect(table) as connection:
        connection.execute(statement)


@pytest.mark.conformance("I-1")
@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE things",
        "DROP TABLE things",
        "ALTER TABLE things DISABLE ROW LEVEL SECURITY",
        "CREATE TABLE others (id bigint)",
        "CREATE DATABASE others",
        "SET ROLE mawrid_owner",
    ],
)
def test_the_application_owns_nothing(table: str, statement: str) -> None:
    with psycopg.connect(table, autocommit=True) as connection, pytest.raises(errors.InsufficientPrivilege):
        connection.execute(statement)


def test_databases_made_later_have_the_same_privileges(database: Embedded) -> None:
    with psycopg.connect(database.addresses.migration_database, autocommit=True) as connection:
        connection.execute("CREATE DATABASE later")
    with psycopg.connect(database.addresses.database_as("mawrid_owner", "later")) as connection:
        connection.execute("CREATE TABLE things (name text)")

    with psycopg.connect(database.addresses.database_as("mawrid_app", "later")) as connection:
        connection.execute("INSERT INTO things VALUES ('عود')")


def test_arabic_words_have_trigrams(database: Embedded) -> None:
    with psycopg.connect(database.addresses.migration_database) as connection:
        connection.execute("CREATE EXTENSION pg_trgm")
        trigrams = connection.execute("SELECT show_trgm('صندوق')").fetchone()

    assert trigrams is not None
    assert len(trigrams[0]) == 6


def test_the_servers_listen_on_unix_sockets_alone(database: Embedded) -> None:
    database.start_valkey()

    with psycopg.connect(database.addresses.database) as connection:
        listen = connection.execute("SHOW listen_addresses").fetchone()
    with redis.Redis.from_url(database.addresses.redis) as client:
        port = client.config_get("port")

    assert (listen, port) == (("",), {"port": "0"})


def test_only_their_account_enters_the_sockets_folder(database: Embedded) -> None:
    found = database.addresses.sockets.stat()
    account = service_account()

    assert found.st_mode & 0o777 == 0o700
    assert found.st_uid == (account.uid if account else os.geteuid())


def test_a_restart_keeps_what_was_written(embedded: Embedded) -> None:
    embedded.start_postgres()
    with psycopg.connect(embedded.addresses.migration_database) as connection:
        connection.execute("CREATE TABLE kept (name text)")
    embedded.stop()
    embedded.start_postgres()

    with psycopg.connect(embedded.addresses.database) as connection:
        connection.execute("SELECT * FROM kept")


@pytest.fixture
def stranger() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        yield process.pid
        process.kill()


def test_a_stale_file_with_a_strangers_number_does_not_stop_the_start(embedded: Embedded, stranger: int) -> None:
    embedded.start_postgres()
    lock = cluster_of(embedded) / "postmaster.pid"
    lines = lock.read_text().splitlines()
    embedded.stop()
    lock.write_text("\n".join([str(stranger), *lines[1:]]) + "\n")

    embedded.start_postgres()

    os.kill(stranger, 0)


def test_a_killed_server_starts_again(embedded: Embedded) -> None:
    embedded.start_postgres()
    killed = embedded.running.pop().process
    killed.send_signal(signal.SIGKILL)
    killed.wait()

    embedded.start_postgres()


def test_a_data_folder_that_was_never_finished_is_made_anew(embedded: Embedded) -> None:
    embedded.start_postgres()
    embedded.stop()
    cluster = cluster_of(embedded)
    (cluster / "PG_VERSION").unlink()
    cluster.rename(cluster.with_name("draft"))

    embedded.start_postgres()


def test_a_sockets_folder_that_others_can_enter_is_refused(embedded: Embedded) -> None:
    embedded.addresses.sockets.mkdir()
    embedded.addresses.sockets.chmod(0o755)

    with pytest.raises(Refusal, match="is not a folder that only the services' account can open"):
        embedded.start_valkey()


def test_missing_binaries_are_named(embedded: Embedded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSTGRES_BIN_DIR", "/nowhere")

    with pytest.raises(Refusal, match="No PostgreSQL that runs here was found in /nowhere"):
        embedded.start_postgres()


@pytest.fixture
def locked_away(tmp_path: Path) -> Iterator[Path]:
    """A DATA_DIR that the services' account cannot reach, as root's home is."""
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o700)
    data_dir = folder / "data"
    yield data_dir
    for link in data_dir.iterdir():
        shutil.rmtree(link.resolve() if link.is_symlink() else link, ignore_errors=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts servers as somebody else")
def test_data_that_their_account_cannot_reach_is_kept_elsewhere_behind_a_link(locked_away: Path) -> None:
    services = Embedded.of(DataDir.at(locked_away).path)
    services.start_postgres()
    services.stop()

    assert next(locked_away.glob("postgres-*")).is_symlink()
    assert (cluster_of(services) / "PG_VERSION").exists()


def test_a_path_too_long_for_a_socket_falls_back_to_a_shorter_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: "/tmp/" + "x" * 90)

    assert len(str(places.socket_folder(Path("/data")))) < 80
