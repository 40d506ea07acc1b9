"""Asks a feed and makes text of its answer, with no transaction open and the database not needed."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import structlog
from django.conf import settings

from apps.knowledge import intake, warnings
from apps.knowledge.intake import Intake
from apps.knowledge.sync.faults import Fault
from apps.knowledge.transform import (
    Transform,
    TransformError,
    TransformResult,
    apply,
    decode_body,
    headers_announce_more,
)
from apps.outbound import Answer, OutboundError, Policy, Request, fetch, is_sendable_value

log = structlog.get_logger(__name__)

NOT_MODIFIED: Final = 304


@dataclass(frozen=True, slots=True)
class Validators:
    """What the feed called its last answer, to be told so that it need not send it again."""

    etag: str | None = None
    last_modified: str | None = None

    @classmethod
    def of(cls, answer: Answer) -> "Validators":
        return cls(_sendable(answer.headers.get("etag")), _sendable(answer.headers.get("last-modified")))

    def as_headers(self) -> dict[str, str]:
        named = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in named.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Job:
    """All that a fetch needs. The headers are filled with secrets and go nowhere else."""

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    transform: Transform | None
    validators: Validators = field(repr=False)


@dataclass(frozen=True, slots=True)
class Text:
    """A feed's answer as text, ready to be stored."""

    intake: Intake = field(repr=False)
    items: int
    lines: int
    warnings: list[str]
    is_capped: bool
    validators: Validators = field(repr=False)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of a fetch: a text, word that nothing changed (neither text nor fault), or a fault."""

    text: Text | None = None
    fault: Fault | None = None
    http_status: int | None = None
    bytes: int | None = None
    duration_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Sampled:
    """A feed's answer as it came, JSON for sure, or the fault that there is none."""

    body: bytes | None = field(default=None, repr=False)
    charset: str | None = None
    fault: Fault | None = None
    http_status: int | None = None


def fetch_text(job: Job) -> Fetched:
    """Whatever goes wrong is a fault with a code, never an exception."""
    start = time.monotonic()
    fetched = _guarded(lambda: _fetched(job))
    return replace(fetched, duration_ms=round((time.monotonic() - start) * 1_000))


def _guarded(work: Callable[[], Fetched]) -> Fetched:
    try:
        return work()
    except Exception as error:  # noqa: BLE001 -- one hostile or unforeseen answer must not cost the worker its run
        # Its text could hold a piece of the answer, so only its name is told.
        log.error("sync_broke", error=type(error).__name__)  # noqa: TRY400 -- as said
        return Fetched(fault=Fault.unforeseen())


def fetch_sample(job: Job) -> Sampled:
    """The answer itself, by the rules of syncs; what is wrong with it is a fault, as there."""
    try:
        answer = _answer(job)
        decode_body(answer.body, answer.charset)
    except OutboundError as error:
        return Sampled(fault=Fault.of_transport(error), http_status=error.status)
    except TransformError as error:
        return Sampled(fault=Fault.of_transform(error), http_status=answer.status)
    except Exception as error:  # noqa: BLE001 -- as in `_guarded`
        log.error("sample_broke", error=type(error).__name__)  # noqa: TRY400 -- as in `_guarded`
        return Sampled(fault=Fault.unforeseen())
    return Sampled(answer.body, _sendable(answer.charset), http_status=answer.status)


def _answer(job: Job) -> Answer:
    request = Request(url=job.url, headers=_with_accept(job.headers), product_headers=job.validators.as_headers())
    return fetch(request, _policy())


def _fetched(job: Job) -> Fetched:
    try:
        answer = _answer(job)
    except OutboundError as error:
        return Fetched(fault=Fault.of_transport(error), http_status=error.status)
    if answer.status == NOT_MODIFIED:
        return Fetched(http_status=answer.status, bytes=answer.wire_bytes)
    read = _guarded(lambda: _read(answer, job.transform))
    return replace(read, http_status=answer.status, bytes=answer.wire_bytes)


def _read(answer: Answer, transform: Transform | None) -> Fetched:
    try:
        result = apply(decode_body(answer.body, answer.charset), transform)
        taken = intake.take_feed(result)
    except TransformError as error:
        return Fetched(fault=Fault.of_transform(error))
    return Fetched(
        text=Text(
            intake=taken,
            items=result.items,
            lines=result.lines,
            warnings=doubts_of(result, answer.headers),
            is_capped=result.capped > 0,
            validators=Validators.of(answer),
        )
    )


def doubts_of(result: TransformResult, headers: Mapping[str, str]) -> list[str]:
    """What an answer leaves in doubt: codes of `warnings`."""
    stands = {
        warnings.FEED_PAGED: result.paged or headers_announce_more(headers, result.items),
        warnings.ITEMS_DROPPED: result.is_mostly_dropped,
    }
    return [code for code, holds in stands.items() if holds]


def _with_accept(headers: Mapping[str, str]) -> dict[str, str]:
    """Ask for JSON unless the tenant asks for something else."""
    if any(name.lower() == "accept" for name in headers):
        return dict(headers)
    return {"Accept": "application/json", **headers}


def _policy() -> Policy:
    policy = Policy.for_syncs(
        contact=settings.PUBLIC_URL,
        trusted_origins=settings.OUTBOUND_TRUSTED_ORIGINS,
        extra_ca_file=settings.OUTBOUND_EXTRA_CA_FILE,
    )
    return replace(policy, deadline=float(settings.SYNC_DEADLINE_SECONDS))


def _sendable(value: str | None) -> str | None:
    return value if value and is_sendable_value(value) else None
