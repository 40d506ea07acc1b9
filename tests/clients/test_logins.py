"""Where logins are kept: whole, for their owner only, and renewed by one process at a time."""

import multiprocessing
import stat
import time
from pathlib import Path

import pytest

from mawrid_client import FileTokenStore, Login, MemoryTokenStore, TokenStore
from mawrid_client.logins import BrokenStoreError

LOGIN = Login("https://mawrid.example", "access", "refresh", "ses_1", "merchant-agent")


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> TokenStore:
    return MemoryTokenStore() if request.param == "memory" else FileTokenStore(tmp_path / "a" / "logins.json")


def test_a_login_is_found_again(store: TokenStore) -> None:
    store.save("default", LOGIN)

    assert store.load("default") == LOGIN
    assert store.load("work") is None


def test_logins_are_kept_apart(store: TokenStore) -> None:
    store.save("default", LOGIN)
    store.save("work", Login("https://mawrid.example", "other"))
    store.delete("default")

    assert store.load("default") is None
    assert store.load("work") == Login("https://mawrid.example", "other")


def test_removing_what_is_not_there_is_nothing(store: TokenStore) -> None:
    store.delete("default")

    assert store.load("default") is None


def test_a_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "logins.json"
    FileTokenStore(path).save("default", LOGIN)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_is_shared_by_stores(tmp_path: Path) -> None:
    FileTokenStore(tmp_path / "logins.json").save("default", LOGIN)

    assert FileTokenStore(tmp_path / "logins.json").load("default") == LOGIN


@pytest.mark.parametrize("text", ["", "[]", "{", '{"default": 5}', '{"default": {}}'])
def test_a_file_of_something_else_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "logins.json"
    path.write_text(text)

    with pytest.raises(BrokenStoreError, match="log in again"):
        FileTokenStore(path).load("default")


def test_a_login_does_not_show_its_tokens() -> None:
    assert "access" not in repr(LOGIN).replace("access_token", "")
    assert "refresh" not in repr(LOGIN)


def hold(path: Path, entered: "multiprocessing.synchronize.Event") -> None:
    with FileTokenStore(path).exclusive("default"):
        entered.set()
        time.sleep(0.3)


def test_processes_wait_for_each_other(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    entered = context.Event()
    process = context.Process(target=hold, args=(tmp_path / "logins.json", entered))
    process.start()
    entered.wait()
    before = time.monotonic()
    with FileTokenStore(tmp_path / "logins.json").exclusive("default"):
        waited = time.monotonic() - before
    process.join()

    assert waited > 0.1
