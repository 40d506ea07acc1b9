"""What can be checked of the image and the compose file without an engine."""

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from runner.environment import ROOT
from runner.services import Embedded

DOCKER = ROOT / "docker"
COMPOSE: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yml").read_text(encoding="utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "mawrid"}
README = (ROOT / "README.md").read_text(encoding="utf-8")
over_ours = pytest.mark.parametrize("name", OURS)


def test_one_image_serves_every_program() -> None:
    assert set(OURS) == {"migrate", "web", "worker", "preparer", "dispatcher", "beat"}
    assert len({str(service["build"]) for service in OURS.values()}) == 1


@over_ours
def test_a_program_is_given_only_documented_settings(name: str) -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)`", README, re.MULTILINE))

    assert set(OURS[name]["environment"]) <= documented


@over_ours
def test_only_migrations_know_the_owner(name: str) -> None:
    assert ("MIGRATION_DATABASE_URL" in OURS[name]["environment"]) is (name == "migrate")


@pytest.mark.conformance("A-7")
def test_no_secret_has_a_default() -> None:
    text = (DOCKER / "compose.yml").read_text(encoding="utf-8")
    variables = re.findall(r"\$\{([^}]+)\}", text)

    assert variables
    assert [variable for variable in variables if not re.fullmatch(r"[A-Z_]+:\?.+", variable)] == []


SECRETS = [
    (name, variable, value)
    for name, service in SERVICES.items()
    for variable, value in service.get("environment", {}).items()
    if re.search("PASSWORD|SECRET|KEYS|DATABASE_URL", variable)
]


@pytest.mark.parametrize(("name", "variable", "value"), SECRETS)
def test_a_secret_comes_from_outside_the_file(name: str, variable: str, value: str) -> None:
    assert "${" in value


def test_every_mounted_file_is_there() -> None:
    mounts = [volume.split(":")[0] for service in SERVICES.values() for volume in service.get("volumes", [])]

    assert [mount for mount in mounts if mount.startswith("./") and not (DOCKER / mount).is_file()] == []


def test_everything_the_image_copies_is_there_and_let_through() -> None:
    dockerfile = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
    copied = [
        source
        for line in re.findall(r"^COPY (?!--from)(.+)$", dockerfile, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    ignore = (DOCKER / "Dockerfile.dockerignore").read_text(encoding="utf-8")
    let_through = [line[1:] for line in ignore.splitlines() if line.startswith("!")]

    assert [source for source in copied if not (ROOT / source).exists()] == []
    assert [source for source in copied if not any(Path(source).match(pattern) for pattern in let_through)] == []


def test_the_image_runs_as_somebody_else_than_root() -> None:
    users = re.findall(r"^USER (.+)$", (DOCKER / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)

    assert users == ["10001:10001"]


@pytest.mark.parametrize("script", ["entrypoint.sh", "init-passwords.sh"])
def test_scripts_are_sound_and_executable(script: str) -> None:
    assert os.access(DOCKER / script, os.X_OK)
    subprocess.run(["sh", "-n", str(DOCKER / script)], check=True)


@pytest.mark.processes
def test_the_roles_of_a_real_server_get_passwords_and_the_owner_the_database(postgres: Embedded) -> None:
    maintenance = postgres.addresses.database_as("postgres", "postgres")
    with psycopg.connect(maintenance, autocommit=True) as connection:
        connection.execute("CREATE DATABASE deployed")
    subprocess.run(
        ["sh", str(DOCKER / "init-passwords.sh")],
        env={
            "PATH": f"{postgres.binaries()}:{os.environ['PATH']}",
            "PGHOST": str(postgres.addresses.sockets),
            "POSTGRES_USER": "postgres",
            "POSTGRES_DB": "deployed",
            "OWNER_DATABASE_PASSWORD": "it's the owner's",
            "APP_DATABASE_PASSWORD": "app",
        },
        check=True,
    )

    with psycopg.connect(maintenance) as connection:
        with_passwords = connection.execute(
            "SELECT rolname FROM pg_authid WHERE rolpassword LIKE 'SCRAM-SHA-256%' ORDER BY rolname"
        ).fetchall()
        owner = connection.execute(
            "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'deployed'"
        ).fetchone()
    assert with_passwords == [("mawrid_app",), ("mawrid_owner",)]
    assert owner == ("mawrid_owner",)
