"""`make run` with real processes: order, stopping, deaths, and copies side by side."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from runner.data_dir import DataDir
from runner.environment import ROOT
from tests.runner.conftest import Run, a_data_dir, free_port, starting, surroundings, wait_until_gone

pytestmark = pytest.mark.processes

Start = Callable[..., Run]


def status_of(port: int, path: str = "/healthz") -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


@pytest.fixture(scope="module")
def running() -> Iterator[Run]:
    """A run that all tests share which leave it as it is."""
    with a_data_dir() as data_dir, starting() as start:
        yield start(data_dir).wait_until_ready()


@pytest.fixture
def run(start: Start, data_dir: Path) -> Run:
    """A run of the test's own, to be stopped or hurt."""
    ready: Run = start(data_dir).wait_until_ready()
    return ready


def test_the_start_goes_from_services_over_migrations_to_programs(running: Run) -> None:
    steps = re.findall(r"^(Starting \w+|Migrating|Mawrid is running)", running.said(), re.MULTILINE)

    assert steps == ["Starting PostgreSQL", "Starting Valkey", "Migrating", "Starting web", "Mawrid is running"]
    assert status_of(running.port) == 200
    programs = {"shop", "web", "worker", "preparer", "dispatcher", "beat"}
    assert set(running.marks()) == {"postgres", "valkey", *programs}


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl, as the person who pastes the line does")
def test_the_printed_curl_line_finds_something_when_pasted(running: Run) -> None:
    line = re.search(r"^  (curl .+)$", running.said(), re.MULTILINE)
    assert line is not None

    answer = subprocess.run(["sh", "-c", line[1]], capture_output=True, check=True)

    assert json.loads(answer.stdout)["hits"]


def test_the_programs_enter_the_database_as_the_role_that_owns_nothing(running: Run) -> None:
    status_of(running.port, "/readyz")
    address = DataDir(running.data_dir).addresses()["MIGRATION_DATABASE_URL"]
    with psycopg.connect(address) as connection:
        users = connection.execute(
            "SELECT DISTINCT usename FROM pg_stat_activity WHERE datname = 'mawrid' AND pid <> pg_backend_pid()"
        ).fetchall()
        owners = connection.execute(
            "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()

    assert users == [("mawrid_app",)]
    assert owners == [("mawrid_owner",)]


def test_manage_py_finds_the_running_services(running: Run) -> None:
    made = subprocess.run(
        [sys._base_executable, "manage.py", "create_project", "--name", "متجر", "--json"],  # type: ignore[attr-defined]
        cwd=ROOT,
        env=surroundings(DATA_DIR=str(running.data_dir)),
        capture_output=True,
        check=True,
    )

    assert json.loads(made.stdout)["api_key"].startswith("mwd_live_")


def test_ctrl_c_stops_all_with_status_0(run: Run) -> None:
    marks = run.marks()

    assert run.send(signal.SIGINT).status() == 0
    wait_until_gone(marks)
    assert not (run.data_dir / "run.json").exists()


def test_a_wish_to_end_stops_all_with_status_0_and_the_next_start_finds_what_was_kept(
    start: Start, data_dir: Path
) -> None:
    first = start(data_dir).wait_until_ready()
    marks = first.marks()
    assert first.send(signal.SIGTERM).status() == 0
    wait_until_gone(marks)

    second = start(data_dir).wait_until_ready()

    assert re.findall(r"mwd_live_\w+", second.said())[0] == re.findall(r"mwd_live_\w+", first.said())[0]


# A server with processes of its own, a program, and a service; what watches them makes no other difference.
@pytest.mark.parametrize("name", ["web", "worker", "postgres"])
def test_a_dead_child_stops_the_rest_with_a_sentence(run: Run, name: str) -> None:
    marks = run.marks()
    os.kill(marks[name].pid, signal.SIGKILL)

    assert run.status() == 1
    assert f"{name} ended" in run.said()
    wait_until_gone(marks)


def test_a_killed_supervisor_takes_all_along_and_the_next_start_works(start: Start, data_dir: Path) -> None:
    killed = start(data_dir).wait_until_ready()
    marks = killed.marks()
    killed.send(signal.SIGKILL).status()

    after = start(data_dir, port=killed.port).wait_until_ready()

    assert not any(mark.is_alive() for mark in marks.values())
    assert status_of(after.port) == 200


def test_everything_killed_at_once_leaves_nothing_that_stops_the_next_start(start: Start, data_dir: Path) -> None:
    killed = start(data_dir).wait_until_ready()
    for mark in killed.marks().values():
        os.kill(mark.pid, signal.SIGSTOP)  # So that none sees another one die and ends in good order.
    killed.send(signal.SIGKILL)
    for mark in killed.marks().values():
        os.kill(mark.pid, signal.SIGKILL)
    killed.status()

    assert status_of(start(data_dir, port=killed.port).wait_until_ready().port) == 200


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_a_killed_make_ends_the_run_it_started(start: Start, data_dir: Path) -> None:
    run = start(data_dir, command=("make", f"PYTHON={sys.executable}", "run")).wait_until_ready()
    marks = run.marks()

    run.send(signal.SIGKILL).status()

    wait_until_gone(marks)


@pytest.fixture
def other_data_dir(data_dir: Path) -> Path:
    return data_dir.with_name("other")


def test_two_copies_run_side_by_side(start: Start, data_dir: Path, other_data_dir: Path) -> None:
    one, other = start(data_dir), start(other_data_dir)
    one.wait_until_ready()
    other.wait_until_ready()

    assert one.send(signal.SIGTERM).status() == 0
    assert status_of(other.port) == 200


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_taken_port_stops_the_start_with_a_sentence(start: Start, data_dir: Path, taken_port: int) -> None:
    run = start(data_dir, port=taken_port)

    assert run.status() == 1
    assert f"Port {taken_port} of 127.0.0.1 is in use" in run.said()


def test_a_data_dir_in_use_stops_the_start_with_a_sentence(start: Start, data_dir: Path) -> None:
    with DataDir.at(data_dir).locked():
        run = start(data_dir, port=free_port())

        assert run.status() == 1
    assert "is in use by another copy" in run.said()


def test_manage_py_says_when_nothing_runs(data_dir: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "manage.py", "create_project", "--name", "متجر"],
        cwd=ROOT,
        env=surroundings(DATA_DIR=str(data_dir)),
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 1
    assert answer.stderr.startswith("Nothing runs in ")
