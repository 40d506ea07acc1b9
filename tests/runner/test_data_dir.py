"""DATA_DIR: one holder at a time, keys that stay, and files for our eyes only."""

import stat
from pathlib import Path

import pytest

from runner.data_dir import DataDir
from runner.processes import Mark
from runner.refusal import Refusal


@pytest.fixture
def folder(tmp_path: Path) -> DataDir:
    return DataDir.at(tmp_path / "data")


def test_it_is_held_by_one_at_a_time(folder: DataDir) -> None:
    with folder.locked(), pytest.raises(Refusal, match="in use by another copy"), folder.locked():
        pass


def test_it_is_running_while_it_is_held(folder: DataDir) -> None:
    before = folder.is_running()
    with folder.locked():
        during = folder.is_running()

    assert (before, during, folder.is_running()) == (False, True, False)


@pytest.mark.parametrize("key", ["secret_key", "encryption_keys"])
def test_keys_are_made_once_and_only_we_can_read_them(folder: DataDir, key: str) -> None:
    first = getattr(folder, key)()

    assert getattr(DataDir.at(folder.path), key)() == first
    assert stat.S_IMODE((folder.path / key).stat().st_mode) == 0o600


def test_two_folders_have_different_keys(tmp_path: Path) -> None:
    assert DataDir.at(tmp_path / "one").secret_key() != DataDir.at(tmp_path / "other").secret_key()


def test_it_remembers_a_run_until_the_run_is_over(folder: DataDir) -> None:
    folder.write_run(addresses={"REDIS_URL": "unix:///x"}, marks={"web": Mark(pid=7, birth="8")})
    during = (folder.addresses(), folder.marks())
    folder.forget_run()

    assert during == ({"REDIS_URL": "unix:///x"}, {"web": Mark(pid=7, birth="8")})
    assert (folder.addresses(), folder.marks()) == ({}, {})


def test_a_damaged_record_of_a_run_is_no_record(folder: DataDir) -> None:
    (folder.path / "run.json").write_text('{"marks": ')

    assert folder.marks() == {}


def test_a_folder_that_cannot_be_made_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(Refusal, match=r"cannot be made: .+ Name a folder that you may write to"):
        DataDir.at(tmp_path / "file" / "data")
