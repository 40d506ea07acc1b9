"""The command: serve over stdin and stdout, or log a person in for serving without a token in the environment."""

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Sequence
from typing import Final

from mcp.server.stdio import stdio_server

from mawrid_client import wire
from mawrid_client.async_client import AsyncAgentClient, AsyncJobClient
from mawrid_client.errors import AgentError
from mawrid_client.login import log_in
from mawrid_client.logins import FileTokenStore
from mawrid_client.stdio import server, settings
from mawrid_client.stdio.agent_mode import AgentMode
from mawrid_client.stdio.job_mode import JobMode
from mawrid_client.stdio.key_mode import KeyMode
from mawrid_client.stdio.modes import Mode
from mawrid_client.stdio.settings import SettingError, Settings
from mawrid_client.sync_client import AgentClient

_WRONG: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    chosen = _parser().parse_args(arguments)
    try:
        known = settings.read_settings(os.environ)
        commands = {"serve": _serve, "login": _log_in, "logout": _log_out}
        return commands[chosen.command](known)
    except SettingError as error:
        return _tell(str(error))
    except AgentError as error:
        return _tell(error.message)
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mawrid-mcp", description="Serves a business's knowledge to an MCP host over stdin and stdout."
    )
    parser.add_argument("--version", action="version", version=wire.VERSION)
    parser.add_argument(
        "command",
        nargs="?",
        default="serve",
        choices=["serve", "login", "logout"],
        help="serve (the default), log in by the browser, or log out",
    )
    return parser


def _tell(sentence: str) -> int:
    print(f"mawrid-mcp: {sentence}", file=sys.stderr)  # noqa: T201 -- a command speaks
    return _WRONG


# --- serving ------------------------------------------------------------------------------------------------


def _serve(known: Settings) -> int:
    asyncio.run(_serve_until_closed(known))
    return 0


async def _serve_until_closed(known: Settings) -> None:
    built = server.build(*_mode(known))
    async with stdio_server() as (incoming, outgoing):
        await built.run(incoming, outgoing, built.create_initialization_options())


def _mode(known: Settings) -> tuple[Mode, str]:
    """What the credential opens, and what models are told of it."""
    if known.client_token is not None and known.workspace is not None:
        return JobMode(AsyncJobClient(known.base_url, known.client_token, known.workspace)), server.JOB_INSTRUCTIONS
    if known.project_key is not None:
        return KeyMode(known.base_url, known.project_key), server.KEY_INSTRUCTIONS
    return AgentMode(_agent_client(known)), server.INSTRUCTIONS


def _agent_client(known: Settings) -> AsyncAgentClient:
    if known.access_token is not None:
        return AsyncAgentClient(known.base_url, known.access_token, known.workspace)
    store = FileTokenStore(known.login_file)
    if store.load(known.connection_key) is None:
        tokens = f"{settings.FOR_AGENT} or {settings.FOR_BACKEND}"
        raise SettingError(f"There is no login yet. Run `mawrid-mcp login`, or set {tokens}.")
    return AsyncAgentClient(
        known.base_url, workspace=known.workspace, token_store=store, connection_key=known.connection_key
    )


# --- logging in and out -------------------------------------------------------------------------------------


def _log_in(known: Settings) -> int:
    if known.client_app_id is None or known.workspace is None:
        raise SettingError(
            f"Set {settings.CLIENT_APP_ID} to the public id of the agent client and {settings.WORKSPACE} to the "
            "workspace to log in to."
        )
    log_in(
        known.base_url,
        known.client_app_id,
        known.workspace,
        token_store=FileTokenStore(known.login_file),
        connection_key=known.connection_key,
        device_label="mawrid-mcp",
        open_page=_open_page,
    )
    _say("Logged in. An MCP host can start mawrid-mcp now.")
    return 0


def _log_out(known: Settings) -> int:
    store = FileTokenStore(known.login_file)
    with AgentClient(
        known.base_url, workspace=known.workspace, token_store=store, connection_key=known.connection_key
    ) as client:
        client.log_out()
    _say("Logged out.")
    return 0


def _open_page(address: str) -> None:
    """Show the address as well: a terminal of another machine opens no browser here."""
    import webbrowser  # noqa: PLC0415 -- looks for browsers when it is imported

    _say(f"Log in on this page:\n{address}")
    webbrowser.open(address)


def _say(sentence: str) -> None:
    print(sentence)  # noqa: T201 -- a command speaks
