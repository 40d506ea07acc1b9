"""One id for each request, on its answer, in its errors and in every log line it causes."""

import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

import structlog
from django.http import HttpRequest, HttpResponse

HEADER: Final = "X-Request-Id"

# Characters that are safe in logs, headers and shells, so that a client's own id can be kept as it is.
_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,127}", re.ASCII)

_current: ContextVar[str] = ContextVar("request_id", default="")


def current_request_id() -> str:
    """The id of the request being answered; empty outside of one."""
    return _current.get()


def choose_request_id(offered: str | None) -> str:
    """A client's own safe value, else a new one."""
    if offered and _SAFE.fullmatch(offered):
        return offered
    return f"req_{secrets.token_hex(12)}"


class RequestIdMiddleware:
    """Stands outside of everything that can fail, so that no answer goes without an id."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = choose_request_id(request.headers.get(HEADER))
        token = _current.set(request_id)
        try:
            with structlog.contextvars.bound_contextvars(request_id=request_id):
                response = self.get_response(request)
        finally:
            _current.reset(token)
        response[HEADER] = request_id
        return response
