"""Properties: no other room has a way of its own to the network, and this room stands without the framework."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

APPS = Path(__file__).parents[2] / "apps"
OUTBOUND = APPS / "outbound"

NETWORK_MODULES = (
    *(
        "socket",
        "ssl",
        "asyncio",
        "urllib.request",
        "urllib3",
        "http.client",
        "httpx",
        "httpx2",
        "requests",
        "aiohttp",
    ),
    *("httpcore", "httpcore2", "niquests", "pycurl", "ftplib", "smtplib", "telnetlib", "xmlrpc.client"),
)
FRAMEWORKS = ("django", "rest_framework", "celery", "config")


def imported_modules(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                yield module
                yield from (f"{module}.{name.name}" for name in names)


def files_that_import(modules: tuple[str, ...], folder: Path) -> set[str]:
    return {
        str(file.relative_to(APPS))
        for file in folder.rglob("*.py")
        if any(
            name == module or name.startswith(f"{module}.") for name in imported_modules(file) for module in modules
        )
    }


@pytest.mark.conformance("C-1")
def test_no_other_room_imports_a_network_module() -> None:
    users = files_that_import(NETWORK_MODULES, APPS)
    assert {path for path in users if not path.startswith("outbound/")} == set()


@pytest.mark.conformance("C-1")
def test_the_search_for_network_modules_finds_this_room() -> None:
    assert {"outbound/client.py", "outbound/stream.py"} <= files_that_import(NETWORK_MODULES, OUTBOUND)


def test_this_room_needs_no_framework() -> None:
    assert files_that_import(FRAMEWORKS, OUTBOUND) == set()


@pytest.mark.conformance("C-1")
@pytest.mark.parametrize("module", ["django.core.validators.URLValidator", "rest_framework.serializers.URLField"])
def test_no_room_checks_urls_by_another_rule(module: str) -> None:
    assert files_that_import((module,), APPS) == set()
