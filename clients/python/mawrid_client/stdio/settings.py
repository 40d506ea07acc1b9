"""What the command is told by its environment; a wrong value is a sentence that says what to change."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mawrid_client import wire
from mawrid_client.sessions import checked_base_url

BASE_URL: Final = "MAWRID_BASE_URL"
FOR_AGENT: Final = "MAWRID_ACCESS_TOKEN"
FOR_BACKEND: Final = "MAWRID_CLIENT_TOKEN"
WORKSPACE: Final = "MAWRID_WORKSPACE"
CLIENT_APP_ID: Final = "MAWRID_CLIENT_APP_ID"
LOGIN_FILE: Final = "MAWRID_LOGIN_FILE"

# Credentials by their look: each opens its own tools and nothing else, wherever it was put.
_LOOK_OF_BACKENDS: Final = "mwd_client_"
_LOOK_OF_KEYS: Final = "mwd_live_"


class SettingError(ValueError):
    """A variable is missing or wrong."""


@dataclass(frozen=True, slots=True)
class Settings:
    """One of the credentials is set, or none: then a stored login is used."""

    base_url: str
    workspace: str | None
    access_token: str | None
    client_token: str | None
    project_key: str | None
    client_app_id: str | None
    login_file: Path

    @property
    def connection_key(self) -> str:
        """One file may keep logins of several servers and workspaces."""
        return f"{self.base_url} {self.workspace or '*'}"


def read_settings(environment: Mapping[str, str]) -> Settings:
    agent, backend = _tokens(environment)
    workspace = environment.get(WORKSPACE) or None
    if workspace is not None and not wire.ROUTE.fullmatch(workspace):
        raise SettingError(f"{WORKSPACE} must be the key of a workspace, such as order-assistant.")
    if backend is not None and workspace is None:
        raise SettingError(f"Set {WORKSPACE} to the workspace whose jobs this is for.")
    is_key = agent is not None and agent.startswith(_LOOK_OF_KEYS)
    return Settings(
        base_url=_base_url(environment),
        workspace=workspace,
        access_token=None if is_key else agent,
        client_token=backend,
        project_key=agent if is_key else None,
        client_app_id=environment.get(CLIENT_APP_ID) or None,
        login_file=_login_file(environment),
    )


def _base_url(environment: Mapping[str, str]) -> str:
    given = environment.get(BASE_URL)
    if not given:
        raise SettingError(f"Set {BASE_URL} to the address of the service, such as https://mawrid.example.")
    try:
        return checked_base_url(given)
    except ValueError as error:
        raise SettingError(str(error).replace("base_url", BASE_URL)) from error


def _tokens(environment: Mapping[str, str]) -> tuple[str | None, str | None]:
    access, client = environment.get(FOR_AGENT) or None, environment.get(FOR_BACKEND) or None
    if access is not None and client is not None:
        raise SettingError(f"Set {FOR_AGENT} or {FOR_BACKEND}, not both: each opens tools of its own.")
    for name, token in ((FOR_AGENT, access), (FOR_BACKEND, client)):
        if token is not None and not wire.BEARER.fullmatch(token):
            raise SettingError(f"{name} must be the token as it was shown.")
    if access is not None and access.startswith(_LOOK_OF_BACKENDS):
        return None, access
    return access, client


def _login_file(environment: Mapping[str, str]) -> Path:
    given = environment.get(LOGIN_FILE)
    if given:
        return Path(given)
    folder = environment.get("XDG_CONFIG_HOME") or str(
        Path(environment.get("HOME") or "~").expanduser() / ".config"
    )
    return Path(folder) / "mawrid" / "logins.json"
