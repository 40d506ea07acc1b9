"""The colours of the pages: each text and each edge is seen on what it stands on, by day and by night."""

import re
from pathlib import Path
from typing import Final

import pytest

STYLES: Final = Path(__file__).parents[2] / "apps" / "dashboard" / "static" / "dashboard" / "style.css"
SHEET: Final = STYLES.read_text(encoding="utf-8")
_DARK: Final = "@media (prefers-color-scheme: dark)"

# What WCAG AA asks of text, and of what is no text but has to be seen.
TEXT, SIGN = 4.5, 3.0
GROUNDS: Final = ("paper", "card", "soft", "raised")
PAIRS: Final = [
    *((text, ground, TEXT) for text in ("ink", "ink-soft") for ground in GROUNDS),
    *((link, ground, TEXT) for link in ("accent", "accent-strong") for ground in ("paper", "card", "raised")),
    *(("bad", ground, TEXT) for ground in ("paper", "card")),
    *((tone, f"{tone}-soft", TEXT) for tone in ("ok", "warn", "bad", "info")),
    *((text, "accent-soft", TEXT) for text in ("ink", "ink-soft", "accent-strong")),
    ("ink", "field", TEXT),
    ("placeholder", "field", TEXT),
    ("on-accent", "accent", TEXT),
    ("on-accent", "accent-strong", TEXT),
    ("on-accent", "bad", TEXT),
    ("on-accent", "bad-strong", TEXT),
    ("on-gold", "gold", TEXT),
    ("on-gold", "gold-strong", TEXT),
    ("ink", "mark", TEXT),
    ("ink", "added", TEXT),
    ("ink", "removed", TEXT),
    ("ink", "ok-soft", TEXT),
    ("ink", "bad-soft", TEXT),
    *((text, ground, TEXT) for text in ("deep-ink", "deep-soft", "deep-strong") for ground in ("deep", "deep-2")),
    *(("line-strong", ground, SIGN) for ground in ("card", "paper", "field")),
    *((mark, "card", SIGN) for mark in ("accent", "bad-mark", "shade-0", "shade-2", "shade-3")),
    ("gold", "deep", SIGN),
]


def variables(scheme: str) -> dict[str, str]:
    """The colours of a scheme by name; by night the ones of the day that are not given anew stay."""
    day, _, night = SHEET.partition(_DARK)
    night = night[: night.index("}")]
    return _colours(day) if scheme == "light" else {**_colours(day), **_colours(night)}


def _colours(sheet: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z0-9-]+): #([0-9a-f]{3,6});", sheet))


def luminance(colour: str) -> float:
    whole = colour if len(colour) == 6 else "".join(digit * 2 for digit in colour)
    red, green, blue = (_linear(int(whole[at : at + 2], 16) / 255) for at in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize(("one", "other", "ratio"), [("000", "ffffff", 21.0), ("777", "fff", 4.48)])
def test_contrast_is_what_wcag_says(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("front", "ground", "least"), PAIRS)
def test_it_is_seen(front: str, ground: str, least: float, scheme: str) -> None:
    colours = variables(scheme)

    assert contrast(colours[front], colours[ground]) >= least


def test_every_colour_is_a_variable() -> None:
    """So that each of them has its counterpart by night."""
    rules = SHEET[SHEET.index("/* --- ground") :]

    assert re.findall(r"(?<!%23)#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(", rules) == []
