"""The folder that keeps everything of the embedded default: who runs in it, where it listens, and its keys."""

import base64
import contextlib
import fcntl
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from runner.processes import Mark
from runner.refusal import Refusal

_LOCK_SECONDS = 1.0


@dataclass(frozen=True)
class DataDir:
    """One DATA_DIR; whoever holds its lock runs it."""

    path: Path

    @classmethod
    def at(cls, path: Path) -> "DataDir":
        """The folder, made when it is missing; as root, passable for the services' account."""
        try:
            if not path.is_dir():
                path.mkdir(parents=True)
                path.chmod(0o711 if os.geteuid() == 0 else 0o700)
        except OSError as error:
            raise Refusal(
                f"DATA_DIR {path} cannot be made: {error.strerror}. Name a folder that you may write to."
            ) from error
        return cls(path.resolve())

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder; the system lets go of it when we die, however we die."""
        lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._take(lock)
            yield
        finally:
            os.close(lock)

    def is_running(self) -> bool:
        """Whether somebody holds the folder now."""
        try:
            lock = os.open(self.path / "lock", os.O_RDONLY)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(lock)
        return False

    def secret_key(self) -> str:
        return self._kept("secret_key", lambda: secrets.token_urlsafe(48))

    def encryption_keys(self) -> str:
        return self._kept("encryption_keys", lambda: "k1:" + base64.b64encode(secrets.token_bytes(32)).decode())

    def write_run(self, *, addresses: Mapping[str, str], marks: Mapping[str, Mark]) -> None:
        """What others may need to know of this run: the next one its processes, `manage.py` its addresses."""
        run = {"addresses": dict(addresses), "marks": {name: asdict(mark) for name, mark in marks.items()}}
        self._write("run.json", json.dumps(run))

    def forget_run(self) -> None:
        (self.path / "run.json").unlink(missing_ok=True)

    def addresses(self) -> dict[str, str]:
        return {str(name): str(value) for name, value in self._run().get("addresses", {}).items()}

    def marks(self) -> dict[str, Mark]:
        return {name: Mark(**mark) for name, mark in self._run().get("marks", {}).items()}

    def _run(self) -> dict[str, Any]:
        try:
            run = json.loads((self.path / "run.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return run if isinstance(run, dict) else {}

    def _take(self, lock: int) -> None:
        deadline = time.monotonic() + _LOCK_SECONDS  # `is_running` holds it for a moment.
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() < deadline:
                    time.sleep(0.05)
                    continue
                raise Refusal(
                    f"DATA_DIR {self.path} is in use by another copy. "
                    "Stop that one, or set DATA_DIR and PORT to others."
                ) from None
            return

    def _kept(self, name: str, make: Callable[[], str]) -> str:
        path = self.path / name
        if not path.exists():
            self._write(name, make())
        return path.read_text(encoding="utf-8").strip()

    def _write(self, name: str, text: str) -> None:
        """Whole or not at all, and for our eyes only."""
        draft = self.path / f"{name}.draft"
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path / name)
