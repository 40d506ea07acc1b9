"""The command as hosts and people start it."""

import os
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from mawrid_client import FileTokenStore, Login
from mawrid_client.stdio import command as commands
from mawrid_client.stdio import settings
from mawrid_client.stdio.settings import SettingError, read_settings
from tests.clients.conftest import login_of
from tests.clients.hosting import PACKAGE, command, connected
from tests.fakes.hub import APP_ID, ROUTE, Hub, Session

AGENT_TOOLS = [
    "start_business_turn",
    "search_business_knowledge",
    "read_business_knowledge",
    "complete_business_run",
]
JOB_TOOLS = ["submit_governed_job", "get_governed_job", "wait_for_governed_job"]
BASE = {"MAWRID_BASE_URL": "https://mawrid.example"}


@pytest.mark.conformance("SDK-037", "SDK-040")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_host_starts_it_with_an_access_token(hub: Hub, session: Session, mode: str) -> None:
    environment = {
        "MAWRID_BASE_URL": hub.url,
        "MAWRID_ACCESS_TOKEN": session.access_token,
        "MAWRID_WORKSPACE": ROUTE,
    }
    with connected(command(environment), mode=mode) as host:
        assert list(host.tools()) == AGENT_TOOLS
        host.told("start_business_turn", {"user_input": "كم؟"})
        assert host.told("search_business_knowledge", {"query": "بخور"})["hints"][0]["title"] == "قائمة الأسعار"


@pytest.mark.conformance("SDK-039")
def test_a_host_starts_it_with_a_client_token(hub: Hub) -> None:
    environment = {
        "MAWRID_BASE_URL": hub.url,
        "MAWRID_CLIENT_TOKEN": hub.client_token,
        "MAWRID_WORKSPACE": ROUTE,
    }
    with connected(command(environment)) as host:
        assert list(host.tools()) == JOB_TOOLS
        assert host.told("submit_governed_job", {"request_id": "r", "input": "x"})["status"] == "queued"


def test_a_host_starts_it_with_a_stored_login(hub: Hub, session: Session, tmp_path: Path) -> None:
    FileTokenStore(tmp_path / "logins.json").save(f"{hub.url} {ROUTE}", login_of(hub, session))
    session.access_token = "access-that-nobody-has"
    environment = {
        "MAWRID_BASE_URL": hub.url,
        "MAWRID_WORKSPACE": ROUTE,
        "MAWRID_LOGIN_FILE": str(tmp_path / "logins.json"),
    }
    with connected(command(environment)) as host:
        assert host.told("start_business_turn", {"user_input": "كم؟"})["run_id"]
    kept = FileTokenStore(tmp_path / "logins.json").load(f"{hub.url} {ROUTE}")
    assert kept == login_of(hub, session)


def run(environment: Mapping[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "mawrid_client.stdio", *arguments],
        env={"PYTHONPATH": str(PACKAGE), "PATH": os.environ["PATH"], **environment},
        input="",
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_settings_it_says_what_to_set() -> None:
    ended = run({})

    assert (ended.returncode, ended.stdout) == (2, "")
    assert (
        ended.stderr
        == "mawrid-mcp: Set MAWRID_BASE_URL to the address of the service, such as https://mawrid.example.\n"
    )


def test_without_a_login_it_says_how_to_get_one(tmp_path: Path) -> None:
    ended = run({**BASE, "XDG_CONFIG_HOME": str(tmp_path)})

    assert ended.returncode == 2
    assert "mawrid-mcp login" in ended.stderr


def test_it_ends_when_its_host_goes(hub: Hub, session: Session) -> None:
    ended = run({"MAWRID_BASE_URL": hub.url, "MAWRID_ACCESS_TOKEN": session.access_token})

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


def test_it_tells_its_version() -> None:
    assert run({}, "--version").stdout == "0.1.0\n"


# --- settings -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "what"),
    [
        ({}, "MAWRID_BASE_URL"),
        ({"MAWRID_BASE_URL": "http://mawrid.example"}, "MAWRID_BASE_URL must be https"),
        ({**BASE, "MAWRID_WORKSPACE": "Orders!"}, "MAWRID_WORKSPACE"),
        ({**BASE, "MAWRID_ACCESS_TOKEN": "a", "MAWRID_CLIENT_TOKEN": "b"}, "not both"),
        ({**BASE, "MAWRID_ACCESS_TOKEN": "a b"}, "MAWRID_ACCESS_TOKEN must be"),
        ({**BASE, "MAWRID_CLIENT_TOKEN": "a\nb", "MAWRID_WORKSPACE": "orders"}, "MAWRID_CLIENT_TOKEN must be"),
        ({**BASE, "MAWRID_CLIENT_TOKEN": "b"}, "MAWRID_WORKSPACE"),
    ],
)
def test_a_wrong_setting_is_a_sentence(environment: dict[str, str], what: str) -> None:
    with pytest.raises(SettingError, match=what):
        read_settings(environment)


def test_a_client_token_is_known_by_its_look() -> None:
    known = read_settings({**BASE, "MAWRID_ACCESS_TOKEN": "mwd_client_x", "MAWRID_WORKSPACE": "orders"})

    assert (known.access_token, known.client_token) == (None, "mwd_client_x")


def test_a_key_is_known_by_its_look() -> None:
    known = read_settings({**BASE, "MAWRID_ACCESS_TOKEN": "mwd_live_x"})

    assert (known.access_token, known.project_key) == (None, "mwd_live_x")


@pytest.mark.parametrize(
    ("environment", "path"),
    [
        ({"MAWRID_LOGIN_FILE": "/keys/logins.json"}, "/keys/logins.json"),
        ({"XDG_CONFIG_HOME": "/config", "HOME": "/home/x"}, "/config/mawrid/logins.json"),
        ({"HOME": "/home/x"}, "/home/x/.config/mawrid/logins.json"),
    ],
)
def test_logins_are_kept_where_people_keep_settings(environment: dict[str, str], path: str) -> None:
    assert read_settings({**BASE, **environment}).login_file == Path(path)


def test_one_file_keeps_logins_of_several_places() -> None:
    keys = {
        read_settings(environment).connection_key
        for environment in (
            BASE,
            {**BASE, "MAWRID_WORKSPACE": "orders"},
            {"MAWRID_BASE_URL": "https://other.example", "MAWRID_WORKSPACE": "orders"},
        )
    }

    assert len(keys) == 3


# --- logging in ---------------------------------------------------------------------------------------------


@pytest.fixture
def login_file(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "logins.json"
    variables = {
        settings.BASE_URL: hub.url,
        settings.WORKSPACE: ROUTE,
        settings.CLIENT_APP_ID: APP_ID,
        settings.LOGIN_FILE: str(path),
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return path


def test_a_person_logs_in_and_out(
    hub: Hub, login_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def browser(address: str) -> Any:
        authorization_id = parse_qs(urlsplit(address).query)["authorization_id"][0]
        return urllib.request.urlopen(hub.approve(authorization_id)).close()

    monkeypatch.setattr("webbrowser.open", browser)

    assert commands.main(["login"]) == 0
    login = FileTokenStore(login_file).load(f"{hub.url} {ROUTE}")
    assert isinstance(login, Login)
    assert "Logged in." in capsys.readouterr().out

    assert commands.main(["logout"]) == 0
    assert FileTokenStore(login_file).load(f"{hub.url} {ROUTE}") is None
    assert hub.sessions[0].is_over


def test_logging_out_without_a_login_says_so(login_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["logout"]) == 2
    assert "Log in first" in capsys.readouterr().err


def test_logging_in_needs_to_know_as_what(
    login_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(settings.CLIENT_APP_ID)

    assert commands.main(["login"]) == 2
    assert "MAWRID_CLIENT_APP_ID" in capsys.readouterr().err


@pytest.mark.parametrize(
    "variable", ["MAWRID_BASE_URL", "MAWRID_ACCESS_TOKEN", "MAWRID_CLIENT_TOKEN", "MAWRID_WORKSPACE"]
)
def test_variables_have_their_names(variable: str) -> None:
    assert variable in vars(settings).values()
