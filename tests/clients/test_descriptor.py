"""The descriptor for the MCP registry: of its form, and of the package as it is."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import mawrid_client
from mawrid_client.stdio import settings

PACKAGE = Path(__file__).parents[2] / "clients" / "python"
DESCRIPTOR: dict[str, Any] = json.loads((PACKAGE / "server.json").read_text(encoding="utf-8"))
PROJECT: dict[str, Any] = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_server_is_named_and_described_as_the_registry_wants_it() -> None:
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", DESCRIPTOR["name"])
    assert 1 <= len(DESCRIPTOR["description"]) <= 100


def test_the_readme_vouches_for_the_name() -> None:
    readme = (PACKAGE / "README.md").read_text(encoding="utf-8")

    assert f"mcp-name: {DESCRIPTOR['name']}" in readme


def test_it_describes_this_version_of_this_package() -> None:
    [package] = DESCRIPTOR["packages"]

    assert package["identifier"] == PROJECT["name"]
    assert {package["version"], DESCRIPTOR["version"], PROJECT["version"]} == {mawrid_client.VERSION}
    assert (package["registryType"], package["transport"]) == ("pypi", {"type": "stdio"})


def test_a_host_that_starts_the_package_starts_the_command() -> None:
    assert PROJECT["scripts"][PROJECT["name"]] == PROJECT["scripts"]["mawrid-mcp"]


def test_its_variables_are_those_that_are_read_and_secrets_are_marked() -> None:
    [package] = DESCRIPTOR["packages"]
    variables = {one["name"]: one for one in package["environmentVariables"]}

    assert set(variables) == {settings.BASE_URL, settings.WORKSPACE, settings.FOR_AGENT, settings.FOR_BACKEND}
    assert {name for name, one in variables.items() if one.get("isSecret")} == {
        settings.FOR_AGENT,
        settings.FOR_BACKEND,
    }
    assert {name for name, one in variables.items() if one["isRequired"]} == {settings.BASE_URL, settings.WORKSPACE}
