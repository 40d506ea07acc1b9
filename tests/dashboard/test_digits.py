"""Numbers, sizes and times as each language writes them."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.utils.translation import override

from apps.dashboard import digits
from apps.dashboard.templatetags import dashboard as tags

NOW = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("number", "arabic", "english"),
    [(0, "٠", "0"), (95, "٩٥", "95"), (1_234_567, "١٬٢٣٤٬٥٦٧", "1,234,567"), (2.5, "٢٫٥", "2.5"), (3.0, "٣", "3")],
)
def test_numbers(number: float, arabic: str, english: str) -> None:
    assert (digits.localised(number, "ar"), digits.localised(number, "en")) == (arabic, english)


@pytest.mark.parametrize(
    ("size", "arabic", "english"),
    [
        (0, "٠ بايت", "0 bytes"),
        (1_023, "١٬٠٢٣ بايت", "1,023 bytes"),
        (1_536, "١٫٥ كيلوبايت", "1.5 KiB"),
        (5 * 1024 * 1024, "٥ ميجابايت", "5 MiB"),
        (5 * 1024**3, "٥٬١٢٠ ميجابايت", "5,120 MiB"),
    ],
)
def test_sizes(size: int, arabic: str, english: str) -> None:
    assert (digits.size(size, "ar"), digits.size(size, "en")) == (arabic, english)


def test_shares() -> None:
    assert (digits.per_cent(0.756, "ar"), digits.per_cent(0.756, "en")) == ("٧٦٪", "76%")


def test_instants() -> None:
    assert digits.instant(NOW, "ar") == "٣٠ نوفمبر ٢٠٢٦، ١٤:٠٥ UTC"
    assert digits.instant(NOW, "en") == "30 Nov 2026, 14:05 UTC"


@pytest.mark.parametrize(
    ("distance", "arabic", "english"),
    [
        (timedelta(seconds=59), "الآن", "just now"),
        (timedelta(minutes=1), "قبل دقيقة", "1 minute ago"),
        (timedelta(minutes=2), "قبل دقيقتين", "2 minutes ago"),
        (timedelta(minutes=59), "قبل ٥٩ دقيقة", "59 minutes ago"),
        (timedelta(hours=1), "قبل ساعة", "1 hour ago"),
        (timedelta(minutes=59, seconds=40), "قبل ساعة", "1 hour ago"),
        (timedelta(hours=1, minutes=50), "قبل ساعتين", "2 hours ago"),
        (timedelta(hours=23, minutes=20), "قبل ٢٣ ساعة", "23 hours ago"),
        (timedelta(hours=23, minutes=59), "أمس", "yesterday"),
        (timedelta(days=1), "أمس", "yesterday"),
        (timedelta(days=3), "قبل ٣ أيام", "3 days ago"),
        (timedelta(days=400), "قبل ٤٠٠ يوم", "400 days ago"),
        (timedelta(minutes=-5), "بعد ٥ دقائق", "in 5 minutes"),
        (timedelta(days=-1), "غدًا", "tomorrow"),
        (timedelta(days=-6, hours=-1), "بعد ٦ أيام", "in 6 days"),
        (timedelta(days=-6, hours=-23, minutes=-59), "بعد ٧ أيام", "in 7 days"),
    ],
)
@time_machine.travel(NOW, tick=False)
def test_ages(distance: timedelta, arabic: str, english: str) -> None:
    with override("ar"):
        assert f">{arabic}</time>" in tags.age(NOW - distance)
    with override("en"):
        assert f">{english}</time>" in tags.age((NOW - distance).isoformat())


def test_what_never_happened_has_a_word() -> None:
    with override("en"):
        assert (tags.age(None), tags.instant(None), tags.number(None), tags.size(None)) == (
            "never",
            "never",
            "",
            "",
        )
