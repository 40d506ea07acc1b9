"""Reading a request's body: what it says it is, and no more bytes of it than the endpoint takes.

Bytes are counted as they arrive and before anything parses them, so a body without Content-Length cannot
slip past the limit, and a compressed one is refused because its size says nothing.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, UnreadablePostError

from apps.kernel.errors import AppError
from apps.rest.errors import refuse, respond

_CHUNK: Final = 65_536
_DROPPED_AT_MOST: Final = 32 * 1024 * 1024
_LENGTH: Final = re.compile(r"[0-9]{1,18}", re.ASCII)
_UTF8: Final = frozenset({"", "utf-8", "utf8", "us-ascii"})


@dataclass(frozen=True, slots=True)
class MediaType:
    """The name of a Content-Type in lower case, and its charset."""

    name: str
    charset: str

    @classmethod
    def of(cls, request: HttpRequest) -> "MediaType":
        parameters: dict[str, Any] = request.content_params or {}
        return cls((request.content_type or "").lower(), str(parameters.get("charset", "")).lower())


def read_body(request: HttpRequest, *, limit: int, media_types: Collection[str]) -> bytes:
    """The raw body; refuses foreign media types, any content coding, and more than `limit` bytes."""
    declared = _declared_length(request)
    if declared == 0:
        return b""
    _check_coding(request)
    if declared is not None and declared > limit:
        _too_large(limit)
    body = _read(request, declared, limit)
    if body:
        _check_media_type(MediaType.of(request), media_types)
    return body


class ContentLengthMiddleware:
    """Refuses a length that is no number before anything else, such as the metrics, takes it for one.

    What an answer left unread is read and dropped: a server closes such a connection, and a client that is still
    sending would see it break instead of the refusal.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not _LENGTH.fullmatch(request.META.get("CONTENT_LENGTH") or "0"):
            return respond(AppError("malformed_request"), request)
        response = self.get_response(request)
        _drop_rest(request)
        return response


def _drop_rest(request: HttpRequest) -> None:
    declared = _declared_length(request)
    if declared == 0 or (declared is not None and declared > _DROPPED_AT_MOST):
        return
    stream, dropped = _stream(request, declared), 0
    try:
        while dropped < _DROPPED_AT_MOST and (piece := stream.read(_CHUNK)):
            dropped += len(piece)
    except (OSError, UnreadablePostError):
        return


def _stream(request: HttpRequest, declared: int | None) -> Any:
    """Django reads nothing without Content-Length; the server's own stream ends where the chunks end."""
    return request if declared is not None else request.META["wsgi.input"]


def _declared_length(request: HttpRequest) -> int | None:
    """Content-Length; 0 without one, or None when the body comes in chunks of unknown number."""
    if "chunked" in request.headers.get("Transfer-Encoding", "").lower():
        return None
    return int(request.META.get("CONTENT_LENGTH") or "0")


def _check_coding(request: HttpRequest) -> None:
    content = request.headers.get("Content-Encoding", "").strip().lower()
    transfer = request.headers.get("Transfer-Encoding", "").strip().lower()
    if content not in {"", "identity"} or transfer not in {"", "chunked"}:
        refuse("unsupported_content_encoding")


def _check_media_type(sent: MediaType, allowed: Collection[str]) -> None:
    if sent.name not in allowed or (sent.name == "application/json" and sent.charset not in _UTF8):
        raise AppError("unsupported_media_type", params={"allowed": " / ".join(sorted(allowed))})


def _read(request: HttpRequest, declared: int | None, limit: int) -> bytes:
    stream = _stream(request, declared)
    body = bytearray()
    try:
        while len(body) <= limit and (piece := stream.read(min(_CHUNK, limit + 1 - len(body)))):
            body += piece
    except (OSError, UnreadablePostError) as error:
        raise AppError("incomplete_body") from error
    if len(body) > limit:
        _too_large(limit)
    if declared is not None and len(body) < declared:
        refuse("incomplete_body")
    return bytes(body)


def _too_large(limit: int) -> None:
    raise AppError("request_too_large", params={"limit": limit})
