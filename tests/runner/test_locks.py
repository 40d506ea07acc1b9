"""The locks hold versions and hashes for every platform, and no address of a registry."""

import re
from pathlib import Path

import pytest

from runner.environment import ROOT
from runner.locks import CHAIN

LOCKS = [ROOT / "requirements" / link[-1] for link in CHAIN]
PIN = re.compile(
    r"^[A-Za-z0-9._-]+(\[[a-z,]+\])?==[^ ]+( ; .+)?( \\\n +--hash=sha256:[0-9a-f]{64})+$", re.MULTILINE
)
over_locks = pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)


@over_locks
def test_a_lock_names_no_registry(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")

    assert "://" not in text
    assert not re.search(r"^--(index|extra-index|find-links|trusted-host)", text, re.MULTILINE)


@over_locks
@pytest.mark.conformance("A-8")
def test_every_line_of_a_lock_is_a_pin_with_hashes(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")

    assert PIN.sub("", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).strip() == ""


@over_locks
def test_every_lock_has_its_source(lock: Path) -> None:
    assert lock.with_suffix(".in").exists()


def test_what_production_shares_with_development_has_one_version() -> None:
    production, development = (
        dict(
            re.findall(
                r"^([A-Za-z0-9._-]+)(?:\[[a-z,]+\])?==([^ ]+)", lock.read_text(encoding="utf-8"), re.MULTILINE
            )
        )
        for lock in LOCKS[:2]
    )

    assert production.items() <= development.items()
