"""The start in production: it refuses with a sentence what is only good for a laptop."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
GOOD = {
    "DJANGO_SETTINGS_MODULE": "config.settings.prod",
    "SECRET_KEY": "k" * 50,
    "ENCRYPTION_KEYS": "first:" + "A" * 43 + "=",
    "PUBLIC_URL": "https://mawrid.example",
    "DATABASE_URL": "postgres://mawrid_app:pw@db.example/mawrid",
    "MIGRATION_DATABASE_URL": "postgres://mawrid_owner:pw@db.example/mawrid",
    "REDIS_URL": "redis://cache.example:6379/0",
}
CODE = "import django; django.setup(); from django.conf import settings; print(settings.PUBLIC_URL)"


def start(**changes: str | None) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": os.environ["PATH"], **GOOD, **changes}
    given = {name: value for name, value in environment.items() if value is not None}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CODE],
        cwd=REPOSITORY,
        env=given,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.conformance("A-7")
def test_a_complete_environment_starts() -> None:
    started = start()

    assert (started.returncode, started.stdout.strip()) == (0, "https://mawrid.example"), started.stderr


@pytest.mark.conformance("A-7")
@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("SECRET_KEY", None, "SECRET_KEY is not set"),
        ("SECRET_KEY", "short", "Set a long random one"),
        ("ENCRYPTION_KEYS", None, "ENCRYPTION_KEYS"),
        ("PUBLIC_URL", "http://mawrid.example", "Give the https:// address"),
        ("PUBLIC_URL", "mawrid.example", "does not start with"),
        ("PUBLIC_URL", "https://mawrid.example/x?y=z", "Give scheme, host and port"),
        ("PUBLIC_URL", "https://", "Give scheme, host and port"),
        ("PUBLIC_URL", "https://mawrid.example/#x", "Leave out what begins with #"),
        ("DEBUG", "true", "DEBUG is on"),
        ("DEBUG", "perhaps", "Give true or false"),
        ("DATABASE_URL", None, "DATABASE_URL is not set"),
        ("DATABASE_URL", "mysql://db.example/mawrid", "Mawrid needs PostgreSQL"),
        ("REDIS_URL", None, "REDIS_URL is not set"),
        ("REDIS_URL", "memcached://cache", "does not start with"),
        ("PORT", "0", "Give a whole number from 1 to 65535"),
        ("RATE_LIMIT_PER_KEY", "lots", "Give a whole number"),
        ("SEARCH_CACHE_MIB", "-5", "Give a whole number"),
        ("SSLKEYLOGFILE", "keys.log", "SSLKEYLOGFILE is set. Unset it"),
        ("OUTBOUND_TRUSTED_ORIGINS", "http://*.example", "OUTBOUND_TRUSTED_ORIGINS"),
    ],
)
def test_it_refuses_with_a_sentence(name: str, value: str | None, sentence: str) -> None:
    started = start(**{name: value})

    assert started.returncode != 0
    assert sentence in started.stderr.splitlines()[-1]
