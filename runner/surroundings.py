"""Gives a command the surroundings that `make run` gives its children: addresses and keys of DATA_DIR."""

import base64
import os
import secrets

from runner.data_dir import DataDir
from runner.options import Options
from runner.refusal import Refusal

_OURS = "config.settings.dev"


def settle(*, offline: bool) -> None:
    """Fill the variables that are unset: made up for offline commands, for others from the running services."""
    settings = os.environ.setdefault("DJANGO_SETTINGS_MODULE", _OURS)
    options = Options.read(os.environ)
    if offline:
        os.environ.update(options.missing(_made_up()))
    elif settings == _OURS:  # A deployment names its settings, and gives all that they need.
        os.environ.update(options.missing(_running(options)))
        os.environ.pop("DATA_DIR_FILE", None)
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


def _made_up() -> dict[str, str]:
    """Values that let the settings load and lead nowhere."""
    return {
        "DATABASE_URL": "postgres://nobody@/nothing?host=/nowhere",
        "REDIS_URL": "unix:///nowhere",
        "SECRET_KEY": secrets.token_urlsafe(48),
        "ENCRYPTION_KEYS": "none:" + base64.b64encode(secrets.token_bytes(32)).decode(),
        "PUBLIC_URL": "https://nowhere.invalid",
    }
