"""Requests and answers as plain values, and the steps of which every operation is made.

An operation is a generator: it yields what is to be done, is sent what came of it, and returns its result. It never
touches a socket, so the same operation is driven by the synchronous and by the asyncio client, and by a test.
"""

import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request; `path` starts behind the base URL."""

    operation: str
    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def with_bearer(self, token: str) -> "Request":
        return replace(self, headers={**self.headers, "Authorization": f"Bearer {token}"})


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said, whole and of bounded size; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Renewal:
    """Renew the login whose access token was refused, unless somebody else has done so meanwhile.

    Drivers do it one at a time: a refresh token works once, and two uses of the same one end the session.
    """

    refused_token: str


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait for so many seconds."""

    operation: str
    seconds: float


Step: TypeAlias = Request | Renewal | Pause
Steps: TypeAlias = Generator[Step, Any, T]


def send(request: Request) -> Steps[Answer]:
    """The one place where a step's outcome gets its type."""
    answer: Answer = yield request
    return answer


def get(operation: str, path: str) -> Request:
    return Request(operation, "GET", path)


def post(operation: str, path: str, body: Mapping[str, Any]) -> Request:
    return Request(operation, "POST", path, encode(body), {"Content-Type": "application/json"})


def encode(value: Any) -> bytes:
    """JSON as it is counted and sent: UTF-8, nothing escaped that need not be, no spaces.

    Raises `ValueError` for what JSON cannot hold, such as NaN and lone surrogates, else `TypeError`.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def json_of(answer: Answer) -> Any:
    """The parsed body; `ValueError` for what is no JSON, or JSON with constants that JSON does not have."""
    try:
        return json.loads(answer.body, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def workspace_path(route: str, rest: str) -> str:
    """Routes have no character that a path would escape; that was checked before."""
    return f"/agent-api/v1/workspaces/{route}/{rest}"
