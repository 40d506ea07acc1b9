"""The page about agent clients says what the code does."""

import re
import time
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings

from apps.gateway import clients, consent, job_api, login_api, models, retention, serializers
from apps.gateway.errors import WIRE_NAMES
from apps.gateway.jobs import callbacks, submit, work
from apps.kernel.errors import CATALOGUE

PAGE: Final = (Path(__file__).resolve().parents[2] / "docs" / "agent-clients.md").read_text(encoding="utf-8")
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
FIGURES: Final[Mapping[str, int]] = {
    "agent clients of a project": clients.MAX_CLIENTS,
    "routes of a client or a session": serializers.MAX_ROUTES,
    "roles of a principal": serializers.MAX_ROLES,
    "characters of an `app_id`": models.APP_ID_LENGTH,
    "characters of a device's label": models.LABEL_LENGTH,
    "characters of `on_behalf_of` and of a principal's id": models.SUBJECT_LENGTH,
    "characters of `state`": models.STATE_LENGTH,
    "minutes in which a login can be decided": consent.DECISION_TIME // MINUTE,
    "minutes for which a code is good": consent.CODE_LIFE // MINUTE,
    "seconds for which an access token is good (`AGENT_ACCESS_TOKEN_SECONDS`)": settings.AGENT_ACCESS_TOKEN_SECONDS,
    "days for which a session lasts (`AGENT_SESSION_DAYS`)": settings.AGENT_SESSION_DAYS,
    "requests a minute of one session (`RATE_LIMIT_PER_AGENT_SESSION`)": settings.RATE_LIMIT_PER_AGENT_SESSION,
    "logins that one address may begin a minute": login_api.MAX_LOGINS_PER_ADDRESS,
    "logins that one client may begin a minute": login_api.MAX_LOGINS_PER_CLIENT,
    "characters of a `request_id`": models.REQUEST_ID_LENGTH,
    "characters of a job's input": serializers.INPUT_LENGTH,
    "characters of an input that are searched for": work.SEARCHED_LENGTH,
    "bytes of `metadata` as JSON": serializers.METADATA_BYTES,
    "bytes of the body of a job": job_api.JOB_BODY_LIMIT,
    "jobs of a client that wait at once": submit.MAX_OPEN_JOBS,
    "attempts of a callback": len(callbacks.SCHEDULE),
    "seconds of one callback": int(callbacks.DEADLINE_SECONDS),
    "days for which a login is kept after its time": retention.LOGIN_KEEPING_TIME // DAY,
    "days for which a session is kept after its end": retention.SESSION_KEEPING_TIME // DAY,
    "days for which a job is kept": retention.JOB_KEEPING_TIME // DAY,
}


def rows(title: str) -> list[list[str]]:
    """The cells of the rows of a section's table, without its head."""
    text = PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def codes() -> Iterator[tuple[str, int]]:
    for status, named, _ in rows("Refusals"):
        yield from ((code, int(status)) for code in re.findall(r"`(\w+)`", named))


def test_every_limit_is_that_of_the_code() -> None:
    assert dict(rows("Limits")) == {words: f"{figure:,}" for words, figure in FIGURES.items()}


@pytest.mark.parametrize(("code", "status"), list(codes()))
def test_every_code_stands_under_its_status(code: str, status: int) -> None:
    assert CATALOGUE[code].status == status


def test_what_a_refused_refresh_token_is_called_on_the_wire_is_said() -> None:
    assert WIRE_NAMES["refresh_token_refused"] == "invalid_grant"
    assert "On the wire it is `invalid_grant`" in PAGE


def test_the_page_verifies_what_is_signed() -> None:
    [snippet] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    written: dict[str, Any] = {}
    exec(snippet, written)  # the page's own code
    body, secret = b'{"status": "done"}', "mwd_callback_x"

    fresh = callbacks.signed_headers(secret, body, timestamp=int(time.time()))
    old = callbacks.signed_headers(secret, body, timestamp=int(time.time()) - 301)

    is_ours = written["is_ours"]
    assert is_ours(secret, fresh, body)
    assert [is_ours("other", fresh, body), is_ours(secret, fresh, body + b" "), is_ours(secret, old, body)] == [
        False,
        False,
        False,
    ]
