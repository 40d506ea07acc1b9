"""What the environment may say to the runner, and how it is told when it is wrong."""

from pathlib import Path

import pytest

from runner.environment import ROOT
from runner.options import Options, apart_from
from runner.refusal import Refusal


def test_without_variables_everything_is_embedded_on_port_8000() -> None:
    options = Options.read({})

    assert options == Options(
        port=8000,
        bind="127.0.0.1",
        data_dir=ROOT / ".data",
        public_url="http://127.0.0.1:8000",
        given=frozenset(),
    )
    assert options.wants_postgres()
    assert options.wants_valkey()


@pytest.mark.parametrize(
    ("environment", "postgres", "valkey"),
    [
        ({"DATABASE_URL": "postgres://db/mawrid"}, False, True),
        ({"REDIS_URL": "redis://cache"}, True, False),
        ({"DATABASE_URL_FILE": "/run/secrets/db", "REDIS_URL_FILE": "/run/secrets/redis"}, False, False),
        ({"DATABASE_URL": ""}, True, True),
    ],
)
def test_each_url_replaces_its_own_service(environment: dict[str, str], postgres: bool, valkey: bool) -> None:
    options = Options.read(environment)

    assert (options.wants_postgres(), options.wants_valkey()) == (postgres, valkey)


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"PORT": "0"}, "PORT is '0'. Give a whole number from 1 to 65535."),
        ({"PORT": "65536"}, "PORT is '65536'. Give a whole number from 1 to 65535."),
        ({"PORT": "٨٠٠٠"}, "PORT is '٨٠٠٠'. Give a whole number from 1 to 65535."),
        ({"PORT": "8000 "}, "PORT is '8000 '. Give a whole number from 1 to 65535."),
        ({"BIND": "localhost"}, "BIND is 'localhost'. Give an IP address, such as 127.0.0.1 or 0.0.0.0."),
        (
            {"PORT_FILE": "/missing"},
            "PORT_FILE names '/missing', which cannot be read. Name a readable UTF-8 file.",
        ),
        (
            {"MIGRATION_DATABASE_URL": "postgres://db/mawrid"},
            (
                "MIGRATION_DATABASE_URL is set and DATABASE_URL is not. "
                "Set both, or neither for the embedded PostgreSQL."
            ),
        ),
    ],
)
def test_a_wrong_value_is_refused_with_what_to_change(environment: dict[str, str], sentence: str) -> None:
    with pytest.raises(Refusal) as refusal:
        Options.read(environment)

    assert str(refusal.value) == sentence


def test_a_value_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "port").write_text("9000\n")

    assert Options.read({"PORT_FILE": str(tmp_path / "port")}).port == 9000


@pytest.mark.parametrize(
    ("bind", "door"), [("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("127.0.0.2", "127.0.0.2"), ("::1", "::1")]
)
def test_the_door_is_an_address_that_can_be_called(bind: str, door: str) -> None:
    assert Options.read({"BIND": bind}).door == door


def test_only_missing_variables_are_filled() -> None:
    options = Options.read({"SECRET_KEY": "theirs"})

    assert options.missing({"SECRET_KEY": "ours", "REDIS_URL": "ours"}) == {"REDIS_URL": "ours"}


def test_a_settled_variable_leaves_in_both_its_forms() -> None:
    environment = {"PORT_FILE": "/run/port", "PORTS": "kept", "BIND": "::1", "LANG": "C"}

    assert apart_from(["PORT", "BIND"], environment) == {"PORTS": "kept", "LANG": "C"}
