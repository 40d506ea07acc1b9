"""The only room that opens connections: a guarded HTTP client for URLs that tenants choose."""

from apps.outbound.client import Answer, Request, fetch
from apps.outbound.errors import ConfigurationError, OutboundError
from apps.outbound.headers import HeaderFault, header_faults, is_sendable_value
from apps.outbound.policy import Policy, parse_trusted_origins
from apps.outbound.tls import tls_context
from apps.outbound.url import CanonicalUrl, Origin, check_host, check_url

__all__ = [
    "Answer",
    "CanonicalUrl",
    "ConfigurationError",
    "HeaderFault",
    "Origin",
    "OutboundError",
    "Policy",
    "Request",
    "check_host",
    "check_url",
    "fetch",
    "header_faults",
    "is_sendable_value",
    "parse_trusted_origins",
    "tls_context",
]
