"""Where a login is kept: the protocol that a host may fill with its keychain, one in memory, one in a file."""

import contextlib
import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

from mawrid_client import wire

try:
    import fcntl
except ImportError:  # Windows has no advisory locks; one process at a time is the host's affair there.
    fcntl = None  # type: ignore[assignment]

DEFAULT_CONNECTION: Final = "default"


@dataclass(frozen=True, slots=True)
class Login:
    """The tokens of one session. Only an access token is needed; without the rest it cannot be renewed."""

    hub_url: str
    access_token: str = field(repr=False)
    refresh_token: str | None = field(default=None, repr=False)
    session_id: str | None = None
    client_app_id: str | None = None


class BrokenStoreError(RuntimeError):
    """The file of logins holds something else."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} does not hold logins. Remove it, and log in again.")


class TokenStore(Protocol):
    """Keeps logins by connection key. All of it may be called from several threads."""

    def load(self, connection_key: str) -> Login | None: ...

    def save(self, connection_key: str, login: Login) -> None: ...

    def delete(self, connection_key: str) -> None: ...

    def exclusive(self, connection_key: str) -> AbstractContextManager[None]:
        """Nobody else renews this login meanwhile; may be left by another thread than the one that entered."""


def _login_of(kept: Mapping[str, Any]) -> Login:
    return Login(
        hub_url=kept["hub_url"],
        access_token=kept["access_token"],
        refresh_token=kept.get("refresh_token"),
        session_id=kept.get("session_id"),
        client_app_id=kept.get("client_app_id"),
    )


class MemoryTokenStore:
    """Logins of this process."""

    def __init__(self, logins: Mapping[str, Login] | None = None) -> None:
        self._logins: dict[str, Login] = dict(logins or {})
        self._locks: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()

    def load(self, connection_key: str) -> Login | None:
        return self._logins.get(connection_key)

    def save(self, connection_key: str, login: Login) -> None:
        self._logins[connection_key] = login

    def delete(self, connection_key: str) -> None:
        self._logins.pop(connection_key, None)

    def exclusive(self, connection_key: str) -> AbstractContextManager[None]:
        with self._guard:
            lock = self._locks.setdefault(connection_key, threading.Lock())
        return _held(lock)


@contextlib.contextmanager
def _held(lock: threading.Lock) -> Iterator[None]:
    with lock:
        yield


class FileTokenStore:
    """Logins in a file that only its owner can read, shared by processes."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._guard = threading.Lock()

    def load(self, connection_key: str) -> Login | None:
        kept = self._read().get(connection_key)
        try:
            return None if kept is None else _login_of(kept)
        except KeyError as error:
            raise BrokenStoreError(self._path) from error

    def save(self, connection_key: str, login: Login) -> None:
        with self._guard, self._locked("write"):
            self._write({**self._read(), connection_key: asdict(login)})

    def delete(self, connection_key: str) -> None:
        with self._guard, self._locked("write"):
            kept = self._read()
            if kept.pop(connection_key, None) is not None:
                self._write(kept)

    def exclusive(self, connection_key: str) -> AbstractContextManager[None]:
        return self._locked(f"renew-{connection_key.encode().hex()[:64]}")

    def _read(self) -> dict[str, Any]:
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise BrokenStoreError(self._path) from error
        if not isinstance(kept, dict) or not all(isinstance(one, dict) for one in kept.values()):
            raise BrokenStoreError(self._path)
        return kept

    def _write(self, kept: dict[str, Any]) -> None:
        """In one step, so that a reader sees the old logins or the new ones."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_name(f"{self._path.name}.{os.getpid()}.new")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        beside.replace(self._path)

    @contextlib.contextmanager
    def _locked(self, what: str) -> Iterator[None]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # A file of its own: the one with the logins is replaced whenever they change.
        descriptor = os.open(self._path.with_name(f"{self._path.name}.{what}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)


def login_store(
    base_url: str, access_token: str | None, token_store: TokenStore | None, connection_key: str
) -> TokenStore:
    """The store that a client was given, or one that holds nothing but its access token."""
    if (access_token is None) == (token_store is None):
        raise ValueError("Give either access_token or token_store.")
    if token_store is not None:
        return token_store
    if access_token is None or not wire.BEARER.fullmatch(access_token):
        raise ValueError("access_token must be the token as it was shown.")
    return MemoryTokenStore({connection_key: Login(base_url, access_token)})
