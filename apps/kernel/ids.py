"""Public identifiers: a prefix that tells the kind, then a ULID in lower case."""

import re
from typing import Final

from ulid import ULID

PREFIXES: Final = frozenset(
    {
        "prj",
        "inv",
        "key",
        "ks",
        "sync",
        "sec",
        "whe",
        "evt",
        "whd",
        "agt",
        "run",
        "step",
        "acl",
        "aut",
        "ses",
        "exm",
        "smp",
    }
)

# Crockford's base 32 without I, L, O and U; the first character keeps 26 of them within 128 bits.
_ULID = r"[0-7][0-9a-hjkmnp-tv-z]{25}"
_BY_PREFIX = {prefix: re.compile(rf"{prefix}_{_ULID}", re.ASCII) for prefix in PREFIXES}

ID_LENGTH: Final = 32


def new_id(prefix: str) -> str:
    """A fresh id such as ``ks_01k6rz2n5q8t1w4z7c0f3h6k9m``; ids made later sort later."""
    if prefix not in PREFIXES:
        raise ValueError(f"unknown id prefix {prefix!r}")
    return f"{prefix}_{str(ULID()).lower()}"


def is_id(value: object, prefix: str) -> bool:
    """Whether a value has the exact form of an id of this kind."""
    return isinstance(value, str) and _BY_PREFIX[prefix].fullmatch(value) is not None
