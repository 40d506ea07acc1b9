"""Instants are read with their zone, and only with it."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.kernel.times import to_iso
from apps.rest.times import read_time


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-01-31T08:00:00Z", datetime(2026, 1, 31, 8, tzinfo=UTC)),
        ("2026-01-31t08:00:00z", datetime(2026, 1, 31, 8, tzinfo=UTC)),
        ("2026-01-31T08:00Z", datetime(2026, 1, 31, 8, tzinfo=UTC)),
        ("2026-01-31T11:00:00+03:00", datetime(2026, 1, 31, 8, tzinfo=UTC)),
        ("2026-01-31T08:00:00.123456Z", datetime(2026, 1, 31, 8, 0, 0, 123456, tzinfo=UTC)),
    ],
)
def test_a_time_with_its_zone_is_read_as_utc(text: str, instant: datetime) -> None:
    assert read_time(text) == instant


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-01-31",
        "2026-01-31T08:00:00",
        "2026-01-31 08:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-01-31T25:00:00Z",
        "2026-01-31T08:00:00.1234567Z",
        "٢٠٢٦-01-31T08:00:00Z",
        "2026-01-31T08:00:00+99:00",
        "20260131T080000Z",
        "2026-W05-6T08:00:00Z",
        "9999-12-31T23:59:59-23:59",
    ],
)
def test_anything_else_is_no_time(text: str) -> None:
    assert read_time(text) is None


@given(st.datetimes(timezones=st.just(UTC)))
def test_what_we_show_we_can_read(instant: datetime) -> None:
    assert read_time(to_iso(instant)) == instant
