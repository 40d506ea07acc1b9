"""Typed readers of environment variables; a wrong value stops the start and says what to change.

Every variable may also come from a file named by the same name with ``_FILE``.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")


def text(name: str, default: str | None = None) -> str:
    """The value of a variable or of the file that ``NAME_FILE`` names; without either, the default."""
    value = os.environ.get(name, "")
    path = os.environ.get(f"{name}_FILE", "")
    if value and path:
        raise ImproperlyConfigured(f"{name} and {name}_FILE are both set. Keep one of them.")
    if path:
        return _read(name, path)
    if value:
        return value
    if default is None:
        raise ImproperlyConfigured(f"{name} is not set. Set it, or name a file that holds it with {name}_FILE.")
    return default


def integer(name: str, default: int, *, low: int, high: int) -> int:
    """A whole number in ASCII digits between two bounds, both allowed."""
    value = text(name, str(default))
    if not re.fullmatch(r"[0-9]{1,12}", value) or not low <= int(value) <= high:
        raise ImproperlyConfigured(f"{name} is {value!r}. Give a whole number from {low} to {high}.")
    return int(value)


def boolean(name: str, *, default: bool) -> bool:
    value = text(name, "true" if default else "false").lower()
    if value not in {"true", "false"}:
        raise ImproperlyConfigured(f"{name} is {value!r}. Give true or false.")
    return value == "true"


def items(name: str) -> list[str]:
    """A comma-separated list; spaces around items and empty items are dropped."""
    return [item.strip() for item in text(name, "").split(",") if item.strip()]


def url(name: str, default: str | None = None, *, schemes: frozenset[str]) -> str:
    """A URL with one of the given schemes and no fragment; a trailing slash is dropped."""
    value = text(name, default)
    if "#" in value:
        raise ImproperlyConfigured(f"{name} holds a fragment. Leave out what begins with #.")
    if urlsplit(value).scheme not in schemes:
        wanted = " or ".join(sorted(f"{scheme}://" for scheme in schemes))
        raise ImproperlyConfigured(f"{name} does not start with {wanted}. Correct the address.")
    return value.rstrip("/")


def parsed(name: str, parse: Callable[[str], T], default: str | None = None) -> T:
    """What a room's own reader makes of the text; its ValueError is the sentence that stops the start."""
    try:
        return parse(text(name, default))
    except ValueError as error:
        raise ImproperlyConfigured(str(error)) from error


def _read(name: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(
            f"{name}_FILE names {path!r}, which cannot be read. Name a readable UTF-8 file."
        ) from error
