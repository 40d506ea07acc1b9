"""Children end with their parent, and a process is told from a later one with its number."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.environment import ROOT
from runner.processes import Mark, end_leftovers, living_in, spawn, stop
from tests.runner.conftest import wait_for

pytestmark = pytest.mark.processes
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux's")

SLEEP = "import time; time.sleep(600)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)
PARENT = """
import pathlib, signal, subprocess, sys, time
from runner.processes import spawn
child = spawn([sys.executable, "-c", "import time; time.sleep(600)"], environment={}, folder=pathlib.Path("/"),
              output=subprocess.DEVNULL, farewell=signal.SIGTERM)
print(child.pid, flush=True)
time.sleep(600)
"""
LEADER = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    process = child_of_ours(SLEEP)
    yield process
    process.kill()
    process.wait()


def child_of_ours(program: str, folder: Path = ROOT) -> "subprocess.Popen[bytes]":
    return spawn(
        [sys.executable, "-c", program],
        environment=os.environ,
        folder=folder,
        output=subprocess.PIPE,
        farewell=signal.SIGTERM,
    )


def first_line(process: "subprocess.Popen[bytes]") -> bytes:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def close(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdout is not None
    process.stdout.close()


@linux_only
def test_a_child_ends_when_its_parent_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE) as parent:
        child = Mark.of(int(first_line(parent)))
        assert child.is_alive()
        parent.kill()

    wait_for(lambda: not child.is_alive())


def test_a_child_that_does_not_listen_is_ended() -> None:
    process = child_of_ours(STUBBORN)
    first_line(process)

    stop(process, signal.SIGTERM, seconds=0.1)
    close(process)

    assert process.returncode == -signal.SIGKILL


def test_a_mark_is_alive_as_long_as_its_process(sleeper: "subprocess.Popen[bytes]") -> None:
    mark = Mark.of(sleeper.pid)
    before = mark.is_alive()
    sleeper.kill()
    sleeper.wait()
    close(sleeper)

    assert (before, mark.is_alive()) == (True, False)


def test_a_process_that_only_waits_to_be_buried_is_not_alive(sleeper: "subprocess.Popen[bytes]") -> None:
    mark = Mark.of(sleeper.pid)
    sleeper.kill()

    wait_for(lambda: not mark.is_alive())  # Nobody has waited for it yet: it is a zombie.
    close(sleeper)


def test_a_stranger_with_a_number_used_before_is_left_alone(sleeper: "subprocess.Popen[bytes]") -> None:
    stranger = Mark(pid=sleeper.pid, birth="another time")

    end_leftovers([stranger], seconds=0)
    close(sleeper)

    assert sleeper.poll() is None


@linux_only
def test_what_outlived_the_leader_of_its_session_is_ended() -> None:
    leader = child_of_ours(LEADER)
    orphan = Mark.of(int(first_line(leader)))
    mark = Mark.of(leader.pid)
    leader.kill()
    leader.wait()
    close(leader)
    assert orphan.is_alive()

    end_leftovers([mark], seconds=5)

    assert not orphan.is_alive()


@linux_only
def test_processes_are_found_by_the_folder_they_live_in(tmp_path: Path) -> None:
    process = child_of_ours("print('up', flush=True); " + SLEEP, folder=tmp_path)
    first_line(process)
    found = living_in(tmp_path)
    stop(process, signal.SIGKILL, seconds=1)
    close(process)

    assert [mark.pid for mark in found] == [process.pid]
