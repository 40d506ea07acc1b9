"""Addresses that a browser is sent to during a login: which may be given, and what is added to them."""

import re
from typing import Final
from urllib.parse import urlencode, urlsplit

import structlog
from django.conf import settings

from apps.gateway import errors
from apps.gateway.models import AgentClient
from apps.kernel.errors import AppError
from apps.outbound import OutboundError
from apps.outbound.url import parse_url

log = structlog.get_logger(__name__)

# Where the dashboard asks a member for consent, for clients without a page of their own.
CONSENT_PATH: Final = "/authorize"

_LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})
# By number, as a name may be looked up elsewhere; with a port, as an agent listens on whichever is free.
_CALLBACK: Final = re.compile(
    r"http://(?:127\.0\.0\.1|\[::1\]):(?P<port>[1-9][0-9]{0,4})/[A-Za-z0-9._~/-]{0,256}", re.ASCII
)
_MAX_PORT: Final = 65_535
_EXPLICIT_PORT: Final = re.compile(r"http://[^/?#]*:[0-9]+(?:[/?#]|\Z)", re.IGNORECASE)


def is_callback(uri: str) -> bool:
    """Whether an agent may be called back here: a path on this machine and nothing else."""
    match = _CALLBACK.fullmatch(uri)
    return match is not None and int(match["port"]) <= _MAX_PORT


def canonical_page(url: str) -> str:
    """A business's own consent page as it is kept; raises `authorize_url_refused` when agents would not open it."""
    refusal = AppError(errors.AUTHORIZE_URL_REFUSED, param="authorize_url")
    if "#" in url:
        raise refusal
    try:
        page = parse_url(url)
    except OutboundError as error:
        raise refusal from error
    if page.scheme == "https":
        return f"https://{page.authority}{page.target}"
    if page.host not in _LOOPBACK or not _EXPLICIT_PORT.match(url):
        raise refusal
    return f"http://{_bracketed(page.host)}:{page.port}{page.target}"


def authorization_url(client: AgentClient, authorization_id: str) -> str:
    """Where a person decides about an authorization: nothing but its id is added to the page."""
    page = client.authorize_url or _own_page()
    return with_parameters(page, authorization_id=authorization_id)


def with_parameters(url: str, **parameters: str) -> str:
    return f"{url}{'&' if '?' in url else '?'}{urlencode(parameters)}"


def _own_page() -> str:
    """The built-in page, by a number where the service is known by the name localhost: agents refuse that name."""
    parts = urlsplit(settings.PUBLIC_URL)
    if parts.scheme == "https":
        return f"{settings.PUBLIC_URL}{CONSENT_PATH}"
    host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname or ""
    if host not in _LOOPBACK:
        log.error("consent_page_not_openable", public_url=settings.PUBLIC_URL, wanted="https, or http on 127.0.0.1")
        raise AppError("service_unavailable")
    return f"http://{_bracketed(host)}:{parts.port or 80}{parts.path}{CONSENT_PATH}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
