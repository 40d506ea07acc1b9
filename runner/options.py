"""What the environment asks of a run; a wrong value stops the start with a sentence that says what to change."""

import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from runner.environment import ROOT
from runner.refusal import Refusal

_HIGHEST_PORT = 65_535
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 -- where to knock when BIND names every address


@dataclass(frozen=True)
class Options:
    """The part of the settings that the runner itself acts on; `config` reads the rest."""

    port: int
    bind: str
    data_dir: Path
    public_url: str
    given: frozenset[str]
    trusted_origins: str = ""

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> "Options":
        port = _port(_value(environment, "PORT", "8000"))
        return cls(
            port=port,
            bind=_bind(_value(environment, "BIND", "127.0.0.1")),
            data_dir=ROOT / _value(environment, "DATA_DIR", ".data"),
            public_url=_value(environment, "PUBLIC_URL", f"http://127.0.0.1:{port}").rstrip("/"),
            given=_given(environment),
            trusted_origins=_value(environment, "OUTBOUND_TRUSTED_ORIGINS", ""),
        )

    @property
    def door(self) -> str:
        """The address under which this machine reaches the web server."""
        return _EVERYWHERE.get(self.bind, self.bind)

    def wants_postgres(self) -> bool:
        return "DATABASE_URL" not in self.given

    def wants_valkey(self) -> bool:
        return "REDIS_URL" not in self.given

    def missing(self, values: Mapping[str, str]) -> dict[str, str]:
        """Those of our values that the environment does not give itself."""
        return {name: value for name, value in values.items() if name not in self.given}


def apart_from(names: Iterable[str], environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without these variables, in either form: a value beside its file would be refused."""
    gone = {form for name in names for form in (name, f"{name}_FILE")}
    return {name: value for name, value in environment.items() if name not in gone}


_FILLED = ("DATABASE_URL", "MIGRATION_DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ENCRYPTION_KEYS", "PUBLIC_URL")


def _given(environment: Mapping[str, str]) -> frozenset[str]:
    given = frozenset(name for name in _FILLED if environment.get(name) or environment.get(f"{name}_FILE"))
    if "MIGRATION_DATABASE_URL" in given and "DATABASE_URL" not in given:
        raise Refusal(
            "MIGRATION_DATABASE_URL is set and DATABASE_URL is not. "
            "Set both, or neither for the embedded PostgreSQL."
        )
    return given


def _value(environment: Mapping[str, str], name: str, default: str) -> str:
    """The variable or the content of the file that NAME_FILE names, as everywhere in Mawrid."""
    if value := environment.get(name, ""):
        return value
    path = environment.get(f"{name}_FILE", "")
    if not path:
        return default
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(f"{name}_FILE names {path!r}, which cannot be read. Name a readable UTF-8 file.") from error


def _port(value: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", value) or not 1 <= int(value) <= _HIGHEST_PORT:
        raise Refusal(f"PORT is {value!r}. Give a whole number from 1 to {_HIGHEST_PORT}.")
    return int(value)


def _bind(value: str) -> str:
    try:
        return str(ipaddress.ip_address(value))
    except ValueError:
        raise Refusal(f"BIND is {value!r}. Give an IP address, such as 127.0.0.1 or 0.0.0.0.") from None
