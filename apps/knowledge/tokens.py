"""Estimates how many tokens of a language model a text will take, without a tokenizer at hand.

Calibrated by bench/tokens against the vocabulary o200k_base. Error on sources left out of the fit, median and nine
tenths: Arabic price lists 6 and 11 per cent, lists half Arabic half Latin 6 and 18, Arabic prose 7 and 13, English
prose 3 and 7, English product lists 11 and 15. docs/tokens.md has the method and how other vocabularies compare.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

# What one more character costs, and what a new run of such characters costs, per class of character. Fitted to the
# counts of a real tokenizer by bench/tokens; none is below zero, so that no text costs less for having grown.
COSTS: dict[str, tuple[float, float]] = {
    "space": (0.098, 0.0),
    "newline": (0.0, 0.434),
    "arabic_letter": (0.251, 0.348),
    "arabic_mark": (0.0, 1.089),
    "arabic_digit": (0.85, 1.13),
    "lower": (0.064, 0.685),
    "upper": (0.478, 0.0),
    "digit": (0.393, 1.007),
    "ascii_sign": (0.0, 0.75),
    "sign": (0.0, 3.0),
    "arabic_sign": (0.861, 0.83),
    "letter": (0.036, 0.901),
    "rare": (0.624, 0.0),
    "symbol": (1.446, 0.0),
}

# First and last code point and class; a later line overrides an earlier one.
RANGES: tuple[tuple[int, int, str], ...] = (
    (0x0000, 0x0020, "space"),
    (0x000A, 0x000A, "newline"),
    (0x0021, 0x007F, "ascii_sign"),
    (0x0030, 0x0039, "digit"),
    (0x0041, 0x005A, "upper"),
    (0x0061, 0x007A, "lower"),
    (0x0080, 0x00BF, "sign"),
    (0x00A0, 0x00A0, "space"),
    (0x00C0, 0x05FF, "letter"),  # Latin with accents, Greek, Cyrillic, Hebrew.
    (0x0600, 0x06FF, "arabic_letter"),
    (0x0600, 0x061F, "arabic_sign"),
    (0x0640, 0x0640, "arabic_mark"),  # Tatweel splits words for a tokenizer as the harakat do.
    (0x064B, 0x065F, "arabic_mark"),
    (0x0660, 0x0669, "arabic_digit"),
    (0x066A, 0x066D, "arabic_sign"),
    (0x0670, 0x0670, "arabic_mark"),
    (0x06D4, 0x06D4, "arabic_sign"),
    (0x06D6, 0x06ED, "arabic_mark"),
    (0x06F0, 0x06F9, "arabic_digit"),
    (0x0700, 0xFFFF, "rare"),  # Other scripts, presentation forms.
    (0x0750, 0x077F, "arabic_letter"),
    (0x2000, 0x218F, "sign"),  # Dashes, quotes, currency.
    (0x2190, 0x2BFF, "symbol"),  # Arrows and old emoji; what lies past the first plane is a symbol too.
    (0x2500, 0x257F, "sign"),  # Rules and boxes: rows of them are joined to few tokens.
)

_NAMES = tuple(COSTS)
_WIDTH = len(_NAMES)
_DIGITS = 6  # More than the table has; what lies beyond is the noise of adding floats and must not round up.
_BLOCK = 1 << 16  # Code points looked at together: small enough to stay in the processor's cache.


def _class_of_code_points() -> npt.NDArray[np.uint8]:
    classes = np.full(0x10001, _NAMES.index("symbol"), dtype=np.uint8)
    for first, last, name in RANGES:
        classes[first : last + 1] = _NAMES.index(name)
    return classes


def _cost_of_pairs() -> npt.NDArray[np.float64]:
    """Cost of a character by the class before it and its own: a run starts where the two differ."""
    costs = np.array([COSTS[name] for name in _NAMES])
    starts = ~np.eye(_WIDTH, dtype=bool)
    pairs: npt.NDArray[np.float64] = costs[:, 0] + starts * costs[:, 1]
    return pairs.ravel()


_CLASSES = _class_of_code_points()
_PAIR_COSTS = _cost_of_pairs()
_NOTHING_BEFORE = _NAMES.index(
    "space"
)  # A tokenizer joins the space before a word to it, and so counts no run of spaces.


def count_pairs(text: str) -> npt.NDArray[np.int64]:
    """How often a character of each class follows one of each class, as a flat matrix."""
    pairs = np.zeros(_WIDTH * _WIDTH, dtype=np.int64)
    before = _NOTHING_BEFORE
    for start in range(0, len(text), _BLOCK):
        encoded = text[start : start + _BLOCK].encode("utf-32-le", "surrogatepass")
        classes = _CLASSES[np.minimum(np.frombuffer(encoded, dtype=np.uint32), 0x10000)]
        previous = np.empty_like(classes)
        previous[0], previous[1:] = before, classes[:-1]
        pairs += np.bincount(previous * np.uint8(_WIDTH) + classes, minlength=len(pairs))
        before = int(classes[-1])
    return pairs


def estimate(text: str) -> int:
    """Estimate the tokens of a text: 0 only when it is empty, never less when more is put before or after it."""
    return math.ceil(round(float(count_pairs(text) @ _PAIR_COSTS), _DIGITS))
