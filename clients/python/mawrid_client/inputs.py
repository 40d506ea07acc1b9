"""What a host passes in, checked by the wire's own limits before anything is sent."""

import re
from collections.abc import Mapping
from typing import Any

from mawrid_client import wire
from mawrid_client.errors import AgentError, refuse_input
from mawrid_client.fields import is_integer, is_whole
from mawrid_client.messages import encode


def text(
    value: object,
    name: str,
    *,
    most: int,
    least: int = 1,
    forbidden: re.Pattern[str] = wire.CONTROL,
) -> str:
    if not isinstance(value, str):
        raise refuse_input(f"{name} must be a text.")
    if not least <= len(value) <= most:
        raise refuse_input(f"{name} must have {least} to {most} characters.")
    if not is_whole(value) or forbidden.search(value):
        raise refuse_input(f"{name} holds a character that is not allowed there.")
    return value


def written_text(value: object, name: str, *, most: int) -> str:
    """Text that people write: line breaks and tabs may stand in it, and something has to."""
    found = text(value, name, most=most, forbidden=wire.CONTROL_BUT_LAYOUT)
    if not found.strip():
        raise refuse_input(f"{name} must not be blank.")
    return found


def integer(value: object, name: str, *, low: int, high: int) -> int:
    if not is_integer(value) or not isinstance(value, int) or not low <= value <= high:
        raise refuse_input(f"{name} must be a whole number from {low} to {high}.")
    return value


def route(value: object) -> str:
    if not isinstance(value, str) or not wire.ROUTE.fullmatch(value):
        raise refuse_input("A workspace is named by 2 to 64 lower-case letters, digits, dashes and underscores.")
    return value


def uuid(value: object, name: str) -> str:
    if not isinstance(value, str) or not wire.UUID.fullmatch(value):
        raise refuse_input(f"{name} must be a UUID as the server gave it.")
    return value


def reference(value: object, name: str) -> str:
    if not isinstance(value, str) or not value or not is_whole(value):
        raise refuse_input(f"{name} must be the text that the server gave.")
    if len(value.encode()) > wire.REFERENCE_MAX_BYTES:
        raise refuse_input(f"{name} must have at most {wire.REFERENCE_MAX_BYTES} bytes.")
    return value


def json_object(value: object, name: str, *, most_bytes: int) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise refuse_input(f"{name} must be an object.")
    if size_of(value, name) > most_bytes:
        raise refuse_input(f"{name} must have at most {most_bytes} bytes as JSON.")
    return value


def size_of(value: object, name: str) -> int:
    """The bytes of a value as JSON."""
    try:
        return len(encode(dict(value) if isinstance(value, Mapping) else value))
    except (TypeError, ValueError, RecursionError) as error:
        raise refuse_input(f"{name} cannot be written as JSON.") from error


def refuse_others(given: Mapping[str, Any], known: frozenset[str], name: str) -> None:
    unknown = sorted(str(key) for key in given if key not in known)
    if unknown:
        raise refuse_input(f"{name} has members that are not known: {', '.join(unknown[:10])}.")


def bounded_body(body: Mapping[str, Any], *, operation: str) -> Mapping[str, Any]:
    """Refuse a whole body that no server would take."""
    if size_of(body, "The request") > wire.BODY_MAX_BYTES:
        raise AgentError(
            "invalid_request",
            status=413,
            operation=operation,
            message=f"The request has more than {wire.BODY_MAX_BYTES} bytes.",
        )
    return body
