"""Sends one request to a server that nobody vouches for, and brings back an answer within the policy's limits."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, Literal

import httpcore2

from apps.outbound.body import Body, read_beginning, read_whole
from apps.outbound.errors import OutboundError
from apps.outbound.guard import only_vetted_connections
from apps.outbound.headers import outgoing_headers
from apps.outbound.policy import Policy
from apps.outbound.resolve import Resolver, system_resolver
from apps.outbound.stream import Connector, Deadline, GuardedBackend, open_socket
from apps.outbound.tls import tls_context
from apps.outbound.url import CanonicalUrl, check_url

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
NOT_MODIFIED: Final = 304
HEAD_TOO_LARGE: Final = 431
VALIDATORS: Final = frozenset({"if-none-match", "if-modified-since"})

# httpcore2 writes response headers and request details into its debug log.
logging.getLogger("httpcore2").setLevel(logging.WARNING)
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """`headers` are a tenant's and obey the tenant's rules; `product_headers` are the service's own, and win."""

    url: str = field(repr=False)
    method: Literal["GET", "POST"] = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    product_headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = field(default=None, repr=False)

    @property
    def is_conditional(self) -> bool:
        return not VALIDATORS.isdisjoint(map(str.lower, self.product_headers))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`headers` have lower-case names; `wire_bytes` is the body's size as received, `duration` in seconds."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    wire_bytes: int
    duration: float

    @property
    def is_success(self) -> bool:
        return _is_success(self.status)

    @property
    def charset(self) -> str | None:
        """The charset parameter of Content-Type, in lower case."""
        for parameter in self.headers.get("content-type", "").lower().split(";")[1:]:
            name, _, value = parameter.partition("=")
            if name.strip() == "charset":
                return value.strip().strip('"') or None
        return None


def fetch(
    request: Request, policy: Policy, *, resolver: Resolver = system_resolver, connector: Connector = open_socket
) -> Answer:
    """Raises OutboundError for everything that is not an answer in the policy's sense."""
    url = check_url(request.url, policy.trusted_origins, policy.refused_networks)
    deadline = Deadline(policy.deadline)
    backend = GuardedBackend(url, policy, deadline=deadline, resolver=resolver, connector=connector)
    outcome = "?"
    try:
        answer = _exchange(request, url, policy, deadline, backend)
        outcome = str(answer.status)
    except OutboundError as error:
        outcome = error.code
        raise
    finally:
        logger.info("%s %s: %s, %.3f s", request.method, url, outcome, deadline.elapsed)
    return answer


def _exchange(
    request: Request, url: CanonicalUrl, policy: Policy, deadline: Deadline, backend: GuardedBackend
) -> Answer:
    message = _message(request, url, policy)
    context = tls_context(policy.extra_ca_file) if url.scheme == "https" else None
    with (
        only_vetted_connections(),
        # One pool a request: connections are shared neither between tenants nor between names on one address.
        httpcore2.ConnectionPool(ssl_context=context, network_backend=backend) as pool,
    ):
        with _protocol_failures():
            response = pool.handle_request(message)
        backend.allowance.renew(policy.max_body + policy.max_framing)
        headers = _received_headers(response)
        body = _read_body(response, headers, request, policy, deadline)
    return Answer(
        status=response.status,
        headers=headers,
        body=body.content,
        wire_bytes=body.wire_bytes,
        duration=deadline.elapsed,
    )


def _message(request: Request, url: CanonicalUrl, policy: Policy) -> httpcore2.Request:
    own = [
        ("Host", url.authority),
        ("User-Agent", policy.user_agent),
        ("Accept-Encoding", "identity"),
        ("Connection", "close"),
    ]
    if request.body is not None:
        own.append(("Content-Length", str(len(request.body))))
    return httpcore2.Request(
        request.method,
        httpcore2.URL(scheme=url.scheme, host=url.host, port=url.port, target=url.target),
        headers=outgoing_headers(own, request.product_headers, request.headers),
        content=request.body,
    )


@contextmanager
def _protocol_failures() -> Iterator[None]:
    """Messages that are no HTTP, or end too early, in this room's words."""
    try:
        yield
    except httpcore2.RemoteProtocolError as error:
        # The argument is h11's own error, or a text. A head over h11's limit is smaller than ours may be.
        hint = getattr(error.args[0], "error_status_hint", None)
        raise OutboundError("too_large" if hint == HEAD_TOO_LARGE else "connection_failed") from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError):
        raise OutboundError("connection_failed") from None


def _read_body(
    response: httpcore2.Response, headers: Mapping[str, str], request: Request, policy: Policy, deadline: Deadline
) -> Body:
    coding = headers.get("content-encoding", "")
    pieces = _pieces(response, deadline)
    try:
        if policy.answer_decides:
            return read_beginning(pieces, coding, policy.max_body)
        if response.status == NOT_MODIFIED and request.is_conditional:
            return Body(b"", 0)
        _require_success(response.status)
        _check_announced_size(headers, policy.max_body)
        return read_whole(pieces, coding, policy.max_body)
    except OutboundError as error:
        error.status = response.status
        raise


def _received_headers(response: httpcore2.Response) -> dict[str, str]:
    headers: dict[str, str] = {}
    for raw_name, raw_value in response.headers:
        name, value = raw_name.decode("ascii").lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def _pieces(response: httpcore2.Response, deadline: Deadline) -> Iterator[bytes]:
    with _protocol_failures():
        for piece in response.iter_stream():
            deadline.left()  # Thousands of pieces may come out of one read.
            yield piece


def _is_success(status: int) -> bool:
    return 200 <= status <= 299  # noqa: PLR2004 - the class of success statuses


def _require_success(status: int) -> None:
    if status in REDIRECTS:
        raise OutboundError("redirect_refused")
    if not _is_success(status):
        raise OutboundError("http_status")


def _check_announced_size(headers: Mapping[str, str], limit: int) -> None:
    announced = headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit:
        raise OutboundError("too_large")
