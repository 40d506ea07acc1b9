"""Makes the virtual environment from the locks, with the standard library alone, and knows when to leave it be."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runner.refusal import Refusal

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOCK = ROOT / "requirements" / "dev.txt"
UV_LOCK = ROOT / "requirements" / "uv.txt"
STAMP = VENV / "stamp"


def ensure() -> Path:
    """The interpreter of an environment with exactly what the lock names; made or brought up to date first."""
    if _is_current():
        return PYTHON
    with _one_at_a_time():
        if not _is_current():
            _build()
    return PYTHON


def is_ours(prefix: str = sys.prefix) -> bool:
    """Whether the running interpreter is the environment's own."""
    return Path(prefix) == VENV


def _is_current() -> bool:
    return PYTHON.exists() and STAMP.exists() and STAMP.read_text(encoding="utf-8") == _fingerprint()


def _fingerprint() -> str:
    """Changes with the locks, the Python version and the folder, as an environment cannot be moved."""
    digest = hashlib.sha256()
    for part in (LOCK.read_bytes(), UV_LOCK.read_bytes(), sys.version.encode(), str(ROOT).encode()):
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Two commands started at once on a fresh clone: the second waits and finds the work done."""
    folder = os.open(LOCK.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _build() -> None:
    # The stamp goes first and comes last, so that a build that was killed is never trusted.
    STAMP.unlink(missing_ok=True)
    if not _can_be_kept():
        _create()
    print(f"Installing the locked packages into {VENV.name} …", file=sys.stderr, flush=True)
    if not (_install_uv() and _sync_with_uv()):
        _install_with_pip()
    STAMP.write_text(_fingerprint(), encoding="utf-8")


def _can_be_kept() -> bool:
    """Whether the present environment runs here, with our Python version, and can install into itself."""
    if not PYTHON.exists():
        return False
    question = "import sys, pip; print(sys.version); print(sys.prefix)"
    answer = subprocess.run([PYTHON, "-c", question], capture_output=True, text=True, check=False)
    return answer.returncode == 0 and answer.stdout.rstrip("\n") == f"{sys.version}\n{VENV}"


def _create() -> None:
    print(f"Making {VENV.name} with Python {sys.version.split()[0]} …", file=sys.stderr, flush=True)
    command = [_base_python(), "-m", "venv", "--clear", str(VENV)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode == 0:
        return
    if "ensurepip" in made.stdout + made.stderr:
        shutil.rmtree(VENV, ignore_errors=True)
        package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        raise Refusal(
            f"This Python cannot make virtual environments: install the system's package {package} "
            "(on Debian and Ubuntu: apt-get install that package) and start again."
        )
    raise Refusal(f"The virtual environment could not be made: {(made.stderr or made.stdout).strip()}")


def _base_python() -> str:
    """The interpreter behind a virtual environment that may have started us."""
    return getattr(sys, "_base_executable", None) or sys.executable


def _install_uv() -> bool:
    return _pip("-r", str(UV_LOCK), quiet=True)


def _sync_with_uv() -> bool:
    # uv leaves pip and itself alone in an environment that the standard library's venv made.
    command = _python("-m", "uv", "--quiet", "pip", "sync", "--python", str(PYTHON), "--require-hashes")
    return subprocess.run([*command, "--compile-bytecode", str(LOCK)], check=False, cwd=ROOT).returncode == 0


def _install_with_pip() -> None:
    print("uv is of no use here; pip installs the same lock, more slowly …", file=sys.stderr, flush=True)
    if not _pip("-r", str(LOCK)):
        raise Refusal(
            "The locked packages could not be installed; the lines above say why. "
            "Check the network and pip's settings, and start again."
        )


def _pip(*arguments: str, quiet: bool = False) -> bool:
    command = _python("-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--require-hashes")
    output = subprocess.DEVNULL if quiet else None
    return subprocess.run([*command, *arguments], check=False, cwd=ROOT, stderr=output).returncode == 0


def _python(*arguments: str) -> list[str]:
    return [str(PYTHON), *arguments]
