"""Numbers, sizes and times as a reader of the language writes them: Arabic pages have Arabic digits."""

from datetime import date, datetime
from typing import Final

_TO_ARABIC: Final = str.maketrans("0123456789,.", "٠١٢٣٤٥٦٧٨٩٬٫")
_MONTHS: Final = {
    "ar": (
        "يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو",
        "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر",
    ),
    "en": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
}  # fmt: skip
_UNITS: Final = {"ar": ("بايت", "كيلوبايت", "ميجابايت"), "en": ("bytes", "KiB", "MiB")}


def localised(number: float, language: str) -> str:
    """A number with thousands apart, a fraction to one digit at most."""
    text = f"{number:,}" if isinstance(number, int) else f"{number:,.1f}".removesuffix(".0")
    return digits(text, language)


def digits(text: str, language: str) -> str:
    """The digits of a text that holds nothing but digits and signs, as the language writes them."""
    return text.translate(_TO_ARABIC) if language == "ar" else text


def per_cent(share: float, language: str) -> str:
    """A share of one in whole per cent."""
    sign = "٪" if language == "ar" else "%"
    return f"{localised(round(share * 100), language)}{sign}"


def size(byte_count: int, language: str) -> str:
    """Bytes in the largest unit that leaves one digit before the point."""
    amount, step = float(byte_count), 0
    while amount >= 1024 and step < len(_UNITS[language]) - 1:  # noqa: PLR2004 -- a KiB
        amount, step = amount / 1024, step + 1
    shown = byte_count if step == 0 else amount
    return f"{localised(shown, language)} {_UNITS[language][step]}"


def day(moment: date, language: str) -> str:
    month = _MONTHS[language][moment.month - 1]
    return f"{digits(str(moment.day), language)} {month} {digits(str(moment.year), language)}"


def instant(moment: datetime, language: str) -> str:
    """A day and the time of it, which is UTC as everywhere in the service."""
    time = f"{moment:%H:%M}".translate(_TO_ARABIC) if language == "ar" else f"{moment:%H:%M}"
    comma = "،" if language == "ar" else ","
    return f"{day(moment, language)}{comma} {time} UTC"
