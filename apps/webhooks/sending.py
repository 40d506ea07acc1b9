"""One attempt over the network: a signed message goes out, an outcome comes back, and no database is touched."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from apps.outbound import Answer, OutboundError, Policy, Request, fetch
from apps.webhooks.retry import Outcome, parse_retry_after
from apps.webhooks.signing import signed_headers

RESPONSE_LENGTH: Final = 1_024
_REDIRECTS: Final = range(300, 400)


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent, and the secrets that sign it."""

    id: str
    url: str = field(repr=False)
    body: str = field(repr=False)
    signing_secrets: tuple[str, ...] = field(repr=False)


def send(message: Message, policy: Policy, clock: Callable[[], datetime]) -> Outcome:
    """Post a message to its endpoint and wait for the answer, at most as long as the policy says."""
    started = clock()
    headers = signed_headers(message.id, message.body, at=started, signing_secrets=message.signing_secrets)
    request = Request(
        url=message.url,
        method="POST",
        product_headers={"Content-Type": "application/json", **headers},
        body=message.body.encode(),
    )
    try:
        answer = fetch(request, policy)
    except OutboundError as error:
        return Outcome(error.code, error.status, _milliseconds(started, clock()))
    return _outcome(answer, clock())


def _outcome(answer: Answer, now: datetime) -> Outcome:
    return Outcome(
        error=_fault(answer),
        http_status=answer.status,
        duration_ms=round(answer.duration * 1_000),
        response=shown_text(answer.body),
        retry_after=parse_retry_after(answer.headers.get("retry-after"), now),
    )


def _fault(answer: Answer) -> str | None:
    if answer.is_success:
        return None
    return "redirect_refused" if answer.status in _REDIRECTS else "http_status"


def shown_text(body: bytes) -> str:
    """The beginning of an answer as text that can be stored and shown; what is not text shows as U+FFFD."""
    text = body[:RESPONSE_LENGTH].decode("utf-8", "replace")
    return "".join(character if character.isprintable() or character in "\n\t" else "\ufffd" for character in text)


def _milliseconds(start: datetime, end: datetime) -> int:
    return max(round((end - start).total_seconds() * 1_000), 0)
