"""Gives a command the surroundings that `make run` gives its children: addresses and keys of DATA_DIR."""

import base64
import os
import secrets

from runner.data_dir import DataDir
from runner.options import Options
from runner.refusal import Refusal


def settle(*, offline: bool) -> None:
    """Fill the variables that are unset from the running services; without them only offline commands go on."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.dev")
    if os.environ["DJANGO_SETTINGS_MODULE"] != "config.settings.dev":
        return  # A deployment names its settings and all that they need.
    options = Options.read(os.environ)
    os.environ.update(options.missing(_nothing() if offline else _running(options)))
    os.environ.setdefault("PORT", str(options.port))
    os.environ["DATA_DIR"] = str(options.data_dir)


def _running(options: Options) -> dict[str, str]:
    data_dir = DataDir.at(options.data_dir)
    addresses = data_dir.addresses() if data_dir.is_running() else {}
    if missing := [name for name in ("DATABASE_URL", "REDIS_URL") if name not in {*options.given, *addresses}]:
        raise Refusal(
            f"Nothing runs in {data_dir.path}, and {' and '.join(missing)} must come from somewhere. "
            "Start `make run` in another terminal, name its DATA_DIR, or set the variables."
        )
    return {
        **addresses,
        "SECRET_KEY": data_dir.secret_key(),
        "ENCRYPTION_KEYS": data_dir.encryption_keys(),
        "PUBLIC_URL": options.public_url,
    }


def _nothing() -> dict[str, str]:
    """Values that let the settings load and lead nowhere."""
    return {
        "DATABASE_URL": "postgres://nobody@/nothing?host=/nowhere",
        "REDIS_URL": "unix:///nowhere",
        "SECRET_KEY": secrets.token_urlsafe(48),
        "ENCRYPTION_KEYS": "none:" + base64.b64encode(secrets.token_bytes(32)).decode(),
        "PUBLIC_URL": "http://127.0.0.1",
    }
