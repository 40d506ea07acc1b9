"""What an API source's config may hold, and what it says once it holds it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from django.conf import settings

from apps.kernel.errors import AppError, FieldError
from apps.knowledge import errors
from apps.knowledge.models import Source
from apps.knowledge.transform import Transform, TransformConfigError
from apps.outbound import CanonicalUrl, HeaderFault, OutboundError, check_url, header_faults
from apps.rest.outgoing import HEADER_REFUSED, outgoing_fault
from apps.vault.release import reference_faults
from apps.vault.render import MalformedReferenceError, parse_template

Config = dict[str, Any]

KEYS: Final = frozenset({"url", "headers", "refresh_minutes", "transform"})
# A change of one of these asks the feed anew; any other leaves the copy as good as it was.
FETCHED_BY: Final = ("url", "headers", "transform")
LITERAL_HEADERS: Final = frozenset({"accept", "accept-language"})
# What may stand in clear before a secret, ``Bearer `` or ``Token token="``, and after or between secrets.
_SCHEME: Final = re.compile(
    r"(?:(?:bearer|basic|digest|token|key|apikey|api-key|oauth|googlelogin) )?(?:(?:token|key|apikey|auth)=\"?)?",
    re.ASCII | re.IGNORECASE,
)
_JOINT: Final = re.compile(r"[:;,. \"]{0,2}", re.ASCII)
MIN_REFRESH_MINUTES: Final = 15
MAX_REFRESH_MINUTES: Final = 1_440
DEFAULT_REFRESH_MINUTES: Final = 60


@dataclass(frozen=True, slots=True)
class FeedConfig:
    """A settled config, read."""

    url: CanonicalUrl
    address: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    refresh_minutes: int
    transform: Transform | None

    @classmethod
    def of(cls, config: Config) -> "FeedConfig":
        """Raises `OutboundError` for a URL that was taken once and would not be today."""
        transform = config["transform"]
        return cls(
            url=_canonical(config["url"]),
            address=config["url"],
            headers=config["headers"],
            refresh_minutes=config["refresh_minutes"],
            transform=None if transform is None else Transform.parse(transform),
        )


def config_of(source: Source) -> Config:
    """An API source has one; only other kinds may have none."""
    return dict(source.config or {})


def interval_of(config: Config) -> timedelta:
    """`SYNC_INTERVAL_UNIT_SECONDS` says how long a minute is."""
    return timedelta(seconds=config["refresh_minutes"] * settings.SYNC_INTERVAL_UNIT_SECONDS)


def target_host(config: Config) -> str:
    return _canonical(config["url"]).host


def settle(config: Config, project_id: str | None) -> Config:
    """The config with what holds where it is silent; raises one refusal with all faults.

    Without a project only what the project need not be asked for is checked.
    """
    faults = [*_url_faults(config), *_refresh_faults(config), *_transform_faults(config)]
    faults += _header_faults(config, project_id, host=_host_for_secrets(config))
    if faults:
        raise AppError.of_fields(faults)
    return {
        "url": config["url"],
        "headers": config.get("headers", {}),
        "refresh_minutes": config.get("refresh_minutes", DEFAULT_REFRESH_MINUTES),
        "transform": config.get("transform"),
    }


def _canonical(url: str) -> CanonicalUrl:
    return check_url(url, settings.OUTBOUND_TRUSTED_ORIGINS)


def _url_faults(config: Config) -> list[FieldError]:
    url = config.get("url")
    if url is None:
        return [FieldError("required", "config.url")]
    if not isinstance(url, str):
        return [FieldError("not_a_string", "config.url")]
    try:
        _canonical(url)
    except OutboundError as error:
        return [outgoing_fault(error, "config.url")]
    return []


def _host_for_secrets(config: Config) -> str | None:
    """Where headers would go; None while that is not known, and then no host is held against a secret."""
    return None if _url_faults(config) else target_host(config)


def _refresh_faults(config: Config) -> list[FieldError]:
    minutes, param = config.get("refresh_minutes", DEFAULT_REFRESH_MINUTES), "config.refresh_minutes"
    if type(minutes) is not int:
        return [FieldError("not_an_integer", param)]
    if minutes < MIN_REFRESH_MINUTES:
        return [FieldError("too_small", param, {"limit": MIN_REFRESH_MINUTES})]
    if minutes > MAX_REFRESH_MINUTES:
        return [FieldError("too_large", param, {"limit": MAX_REFRESH_MINUTES})]
    return []


def _transform_faults(config: Config) -> list[FieldError]:
    transform = config.get("transform")
    return [] if transform is None else faults_of_transform(transform, "config.transform")


def faults_of_transform(transform: Any, param: str) -> list[FieldError]:
    """Everything for which a transform cannot be used, under the path of where it stands."""
    if not isinstance(transform, Mapping):
        return [FieldError("not_an_object", param)]
    try:
        Transform.parse(transform)
    except TransformConfigError as error:
        return [FieldError(fault.code, f"{param}.{fault.param}", fault.params) for fault in error.faults]
    return []


# --- headers ------------------------------------------------------------------------------------------------


def _header_faults(config: Config, project_id: str | None, *, host: str | None) -> list[FieldError]:
    headers, param = config.get("headers", {}), "config.headers"
    if not isinstance(headers, Mapping):
        return [FieldError("not_an_object", param)]
    strange = [name for name, value in headers.items() if not isinstance(value, str)]
    if strange:
        return [FieldError("not_a_string", f"{param}.{name}") for name in strange]
    faults = [_refused(fault, param) for fault in header_faults(headers)]
    refused = {fault.param for fault in faults}
    faults += [
        FieldError(errors.HEADER_NEEDS_SECRET, f"{param}.{name}")
        for name, value in headers.items()
        if f"{param}.{name}" not in refused and _is_forbidden_literal(name, value)
    ]
    if project_id is not None and host is not None:
        faults += reference_faults(project_id, headers, host=host, param=param)
    return faults


def _refused(fault: HeaderFault, param: str) -> FieldError:
    sentences = {"en": fault.message("en"), "ar": fault.message("ar")}
    return FieldError(HEADER_REFUSED, f"{param}.{fault.name}" if fault.name else param, sentences)


def _is_forbidden_literal(name: str, value: str) -> bool:
    """Whether a value in clear stands where a credential could; who must not put it there need not read it."""
    if name.lower() in LITERAL_HEADERS:
        return False
    try:
        template = parse_template(value)
    except MalformedReferenceError:
        return False
    first, *others = template.literals
    return template.is_literal or not _SCHEME.fullmatch(first) or not all(map(_JOINT.fullmatch, others))
