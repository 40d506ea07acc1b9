"""A run of the product as a person starts it, in a folder and on a port of its own."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from runner import places
from runner.data_dir import DataDir
from runner.environment import ROOT
from runner.processes import Mark

# What the tests' own environment says about their throw-away services must not reach a run.
_OURS = (
    "DATABASE_URL",
    "MIGRATION_DATABASE_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "ENCRYPTION_KEYS",
    "DJANGO_SETTINGS_MODULE",
)
_PATIENCE_SECONDS = 120.0


@dataclass
class Run:
    """A started `dev.py run` and what it said so far."""

    process: subprocess.Popen[bytes]
    data_dir: Path
    port: int
    output: Path

    def said(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def wait_until_ready(self) -> "Run":
        wait_for(lambda: "Ctrl-C stops everything" in self.said() or self.process.poll() is not None)
        assert self.process.poll() is None, self.said()
        return self

    def send(self, number: signal.Signals) -> "Run":
        self.process.send_signal(number)
        return self

    def status(self) -> int:
        return self.process.wait(timeout=_PATIENCE_SECONDS)

    def marks(self) -> dict[str, Mark]:
        return DataDir(self.data_dir).marks()


@contextmanager
def a_data_dir() -> Iterator[Path]:
    """Not below pytest's own folder, which the services' account cannot enter."""
    folder = Path(tempfile.mkdtemp(prefix="mawrid-run-"))
    folder.chmod(0o711)
    yield folder / "data"
    for name in ("data", "other"):
        shutil.rmtree(places.socket_folder(folder / name), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def starting() -> Iterator[Callable[..., Run]]:
    """Start runs; whatever is left of them at the end is ended."""
    with tempfile.TemporaryDirectory() as outputs, ExitStack() as runs:

        def start_run(data_dir: Path, *, port: int | None = None, command: tuple[str, ...] = ()) -> Run:
            port = port or free_port()
            output = Path(outputs) / f"{port}-{time.monotonic_ns()}.log"
            with output.open("wb") as file:
                process = subprocess.Popen(
                    command or (sys.executable, "dev.py", "run"),
                    cwd=ROOT,
                    env=surroundings(DATA_DIR=str(data_dir), PORT=str(port)),
                    stdout=file,
                    stderr=subprocess.STDOUT,
                )
            run = Run(process=process, data_dir=data_dir, port=port, output=output)
            runs.callback(end, run)
            return run

        yield start_run


def end(run: Run) -> None:
    run.process.kill()
    run.process.wait()
    wait_until_gone(run.marks())


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with a_data_dir() as path:
        yield path


@pytest.fixture
def start() -> Iterator[Callable[..., Run]]:
    with starting() as start_run:
        yield start_run


def surroundings(**more: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in _OURS} | more


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(condition: Callable[[], bool]) -> None:
    """Until it is true; the patience is only there so that a broken run does not hang the suite."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def wait_until_gone(marks: Mapping[str, Mark]) -> None:
    wait_for(lambda: not any(mark.is_alive() for mark in marks.values()))
