"""When the environment is made, kept or made anew, and which Python makes it."""

from pathlib import Path

import pytest

import dev
from runner import environment
from runner.refusal import Refusal


class Builds:
    """Stands in for the programs that fill an environment, and counts what they were asked to do."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.uv_works = True
        self.pip_works = True

    def create(self) -> None:
        self.asked.append("create")
        (self.folder / "bin").mkdir(parents=True)
        (self.folder / "bin" / "python").touch()

    def sync(self) -> bool:
        self.asked.append("uv")
        return self.uv_works

    def install(self, *_arguments: str, quiet: bool = False) -> bool:
        self.asked.append("pip for uv" if quiet else "pip")
        return quiet or self.pip_works


@pytest.fixture
def builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Builds:
    builds = Builds(tmp_path / ".venv")
    lock = tmp_path / "requirements" / "dev.txt"
    lock.parent.mkdir()
    lock.write_text("django==5.2.19\n")
    monkeypatch.setattr(environment, "VENV", builds.folder)
    monkeypatch.setattr(environment, "PYTHON", builds.folder / "bin" / "python")
    monkeypatch.setattr(environment, "STAMP", builds.folder / "stamp")
    monkeypatch.setattr(environment, "LOCK", lock)
    monkeypatch.setattr(environment, "_can_be_kept", (builds.folder / "bin").exists)
    monkeypatch.setattr(environment, "_create", builds.create)
    monkeypatch.setattr(environment, "_sync_with_uv", builds.sync)
    monkeypatch.setattr(environment, "_pip", builds.install)
    return builds


def test_a_missing_environment_is_made_and_filled(builds: Builds) -> None:
    environment.ensure()

    assert builds.asked == ["create", "pip for uv", "uv"]


def test_a_current_environment_is_left_alone(builds: Builds) -> None:
    environment.ensure()
    environment.ensure()

    assert builds.asked == ["create", "pip for uv", "uv"]


def test_a_changed_lock_is_installed_into_the_same_environment(builds: Builds) -> None:
    environment.ensure()
    environment.LOCK.write_text("django==5.2.20\n")
    environment.ensure()

    assert builds.asked == ["create", "pip for uv", "uv", "pip for uv", "uv"]


def test_pip_takes_over_where_uv_fails(builds: Builds) -> None:
    builds.uv_works = False

    environment.ensure()

    assert builds.asked == ["create", "pip for uv", "uv", "pip"]


@pytest.fixture
def half_made(builds: Builds) -> Builds:
    """An environment whose making was cut short after an older one had been whole."""
    environment.ensure()
    environment.LOCK.write_text("django==5.2.20\n")
    builds.uv_works = builds.pip_works = False
    with pytest.raises(Refusal, match="The locked packages could not be installed"):
        environment.ensure()
    builds.uv_works = True
    builds.asked.clear()
    return builds


@pytest.mark.parametrize("lock", ["django==5.2.19\n", "django==5.2.20\n"])
def test_a_half_made_environment_is_never_trusted(half_made: Builds, lock: str) -> None:
    environment.LOCK.write_text(lock)

    environment.ensure()

    assert half_made.asked == ["pip for uv", "uv"]


def test_a_hollow_shim_is_no_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, status in (("python3.13", 127), ("python3.12", 0), ("python3.11", 0), ("python3.10", 0)):
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {status}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert dev.find_new_enough_python() == str(tmp_path / "python3.12")
