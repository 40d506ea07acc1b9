"""Child processes that end with their parent, even one killed with -9, and that can be told apart later."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

_PR_SET_PDEATHSIG = 1
# Fields of /proc/PID/stat, counted from the one behind the name.
_STATE, _SESSION, _BIRTH = 0, 3, 19
# Loaded before any fork: the child may only call, not import.
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


@dataclass(frozen=True)
class Account:
    """The system account a child runs as."""

    name: str
    uid: int
    gid: int


def spawn(
    command: Sequence[str | Path],
    *,
    environment: Mapping[str, str],
    folder: Path,
    output: IO[bytes] | int,
    farewell: signal.Signals,
    errors: int | None = subprocess.STDOUT,
    account: Account | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own; on Linux it gets `farewell` when its parent dies.

    Call it from the main thread: the kernel counts the death of the thread that forked.
    """
    return subprocess.Popen(
        command,
        env=dict(environment),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=errors,
        start_new_session=True,
        # It runs after the change of account, which would clear the setting, and only makes two system calls.
        preexec_fn=_tether(farewell, os.getpid()),  # noqa: PLW1509
        **as_account(account),
    )


def as_account(account: Account | None) -> dict[str, Any]:
    """The arguments that make `subprocess` change to an account; none for our own."""
    if account is None:
        return {}
    return {"user": account.uid, "group": account.gid, "extra_groups": []}


def end_with_make() -> None:
    """End when `make` is killed: whoever kills it means the run that it started."""
    with contextlib.suppress(OSError):
        parent = os.getppid()
        if Path(f"/proc/{parent}/comm").read_text(encoding="utf-8").strip() in {"make", "gmake"}:
            _tether(signal.SIGTERM, parent)()


def stop(process: subprocess.Popen[bytes], farewell: signal.Signals, *, seconds: float) -> None:
    """Ask a child to end, and after the given time end its whole session."""
    ask(process, farewell)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=seconds)
    kill(process)


def ask(process: subprocess.Popen[bytes], farewell: signal.Signals) -> None:
    if process.poll() is None:
        process.send_signal(farewell)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a child's session, the child included."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@dataclass(frozen=True)
class Mark:
    """A process as it was when we started it: a number that is used again has another birth."""

    pid: int
    birth: str

    @classmethod
    def of(cls, pid: int) -> "Mark":
        return cls(pid=pid, birth=_birth(pid))

    def is_alive(self) -> bool:
        return bool(self.birth) and _birth(self.pid) == self.birth


def end_leftovers(marks: Iterable[Mark], *, seconds: float) -> None:
    """Wait for processes of a run that was killed, which are on their way out, and end those that are not."""
    marks = list(marks)
    _wait_while(lambda: any(mark.is_alive() for mark in marks), seconds)
    left = [mark for mark in marks if mark.is_alive() or _is_headless_session(mark.pid)]
    for mark in left:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(mark.pid, signal.SIGKILL)
    _wait_while(lambda: any(mark.is_alive() or _is_headless_session(mark.pid) for mark in left), seconds)


def _wait_while(condition: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while condition() and time.monotonic() < deadline:
        time.sleep(0.05)


def _is_headless_session(leader: int) -> bool:
    """Whether a session outlived its leader, as a web server's workers may; its number is not used again before."""
    return not _status(leader) and any(
        status[_SESSION] == str(leader) for entry in Path("/proc").glob("[0-9]*") if (status := _status(entry.name))
    )


def living_in(folder: Path) -> list[Mark]:
    """The processes whose current folder is this one, where the system tells."""
    return [
        Mark.of(int(entry.parent.name)) for entry in Path("/proc").glob("[0-9]*/cwd") if _leads_to(entry, folder)
    ]


def _leads_to(link: Path, folder: Path) -> bool:
    try:
        return link.readlink() == folder
    except OSError:  # Gone meanwhile, or not ours to see.
        return False


def _tether(farewell: signal.Signals, parent: int) -> Callable[[], None]:
    def tether() -> None:
        if _LIBC is None:
            return
        _LIBC.prctl(_PR_SET_PDEATHSIG, int(farewell), 0, 0, 0)
        if os.getppid() != parent:  # It died before the setting was in force.
            os.kill(os.getpid(), signal.SIGKILL)

    return tether


def _birth(pid: int) -> str:
    """When a live process was born; empty for one that is gone or only waits to be buried."""
    if sys.platform == "linux":
        return status[_BIRTH] if (status := _status(pid)) else ""
    command = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]
    state, _, birth = subprocess.run(command, capture_output=True, text=True, check=False).stdout.partition(" ")
    return "" if state.startswith("Z") else birth.strip()


def _status(pid: int | str) -> list[str]:
    """The fields of a live process behind its name, which may hold any character; none for a dead one."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    fields = line.rpartition(")")[2].split()
    return [] if fields[_STATE] in {"Z", "X"} else fields
