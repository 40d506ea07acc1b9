"""Folds text into the form in which content and queries are compared, one character at a time.

Folding without context is linear on any input and needs no normalisation of whole texts, which is quadratic on
long runs of marks.
"""

import unicodedata
from enum import IntEnum
from typing import Final

import numpy as np
import numpy.typing as npt
from pyarabic import araby

POINT: Final = "."
COMMA: Final = ","
Codes = npt.NDArray[np.uint32]

_CODE_POINTS: Final = 0x110000
_MOST_FOLDED: Final = 1 << 14

_LETTERS: Final[dict[str, str]] = {
    araby.ALEF_WASLA: araby.ALEF,
    "\N{ARABIC LETTER ALEF WITH WAVY HAMZA ABOVE}": araby.ALEF,
    "\N{ARABIC LETTER ALEF WITH WAVY HAMZA BELOW}": araby.ALEF,
    araby.TEH_MARBUTA: araby.HEH,
    araby.ALEF_MAKSURA: araby.YEH,
    # Letters of Persian, Urdu, Kurdish and Maghrebi keyboards: the nearest Arabic letter in shape or sound.
    "\N{ARABIC LETTER FARSI YEH}": araby.YEH,
    "\N{ARABIC LETTER YEH BARREE}": araby.YEH,
    "\N{ARABIC LETTER E}": araby.YEH,
    "\N{ARABIC LETTER YEH WITH TAIL}": araby.YEH,
    "\N{ARABIC LETTER YEH WITH SMALL V}": araby.YEH,
    "\N{ARABIC LETTER KEHEH}": araby.KAF,
    "\N{ARABIC LETTER SWASH KAF}": araby.KAF,
    "\N{ARABIC LETTER GAF}": araby.KAF,
    "\N{ARABIC LETTER NG}": araby.KAF,
    "\N{ARABIC LETTER KAF WITH RING}": araby.KAF,
    "\N{ARABIC LETTER HEH DOACHASHMEE}": araby.HEH,
    "\N{ARABIC LETTER HEH GOAL}": araby.HEH,
    "\N{ARABIC LETTER TEH MARBUTA GOAL}": araby.HEH,
    "\N{ARABIC LETTER AE}": araby.HEH,
    "\N{ARABIC LETTER PEH}": araby.BEH,
    "\N{ARABIC LETTER TCHEH}": araby.JEEM,
    "\N{ARABIC LETTER JEH}": araby.ZAIN,
    "\N{ARABIC LETTER VEH}": araby.FEH,
    "\N{ARABIC LETTER FEH WITH THREE DOTS BELOW}": araby.FEH,
    "\N{ARABIC LETTER QAF WITH THREE DOTS ABOVE}": araby.QAF,
    "\N{ARABIC LETTER QAF WITH DOT ABOVE}": araby.QAF,
    "\N{ARABIC LETTER FEH WITH DOT BELOW}": araby.FEH,
    "\N{ARABIC LETTER DOTLESS FEH}": araby.FEH,
    "\N{ARABIC LETTER OE}": araby.WAW,
    "\N{ARABIC LETTER U}": araby.WAW,
    "\N{ARABIC LETTER YU}": araby.WAW,
    "\N{ARABIC LETTER VE}": araby.WAW,
    "\N{ARABIC LETTER LAM WITH SMALL V}": araby.LAM,
    "\N{ARABIC LETTER REH WITH SMALL V BELOW}": araby.REH,
    "\N{ARABIC LETTER RREH}": araby.REH,
    "\N{ARABIC LETTER TTEH}": araby.TEH,
    "\N{ARABIC LETTER DDAL}": araby.DAL,
    "\N{ARABIC LETTER NOON GHUNNA}": araby.NOON,
    "\N{ARABIC LETTER RNOON}": araby.NOON,
    # Latin letters that Unicode does not decompose.
    "ı": "i",
    "ł": "l",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ħ": "h",
    "æ": "ae",
    "œ": "oe",
    araby.DECIMAL: POINT,
}

# Fractions are amounts; the space keeps them apart from a number before them.
_FRACTIONS: Final = {"½": " 0.5", "¼": " 0.25", "¾": " 0.75"}

# One sign for a whole blessing is read as a sign and not as its words: nobody searches for it, and a text made of
# it would unfold to eleven times its size.
_BLESSINGS: Final = frozenset(
    [
        "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}",
        "\N{ARABIC LIGATURE JALLAJALALOUHOU}",
        "\N{ARABIC LIGATURE BISMILLAH AR-RAHMAN AR-RAHEEM}",
    ]
)

# Characters that carry no letter of their own, beyond marks and format characters.
_DROPPED: Final = frozenset(
    [
        araby.TATWEEL,
        araby.THOUSANDS,
        "\N{ARABIC LETTER HIGH HAMZA}",
        *map(chr, range(0x06D6, 0x06EE)),  # Quranic annotation, with its small letters and signs
        *map(chr, range(0x08D3, 0x0900)),
        *map(chr, range(0x02B9, 0x02E0)),  # modifier apostrophes, as in romanised ʿayn
        "\N{COMBINING GRAPHEME JOINER}",
        "\N{HANGUL CHOSEONG FILLER}",
        "\N{HANGUL JUNGSEONG FILLER}",
        "\N{HANGUL FILLER}",
        "\N{HALFWIDTH HANGUL FILLER}",
        "\N{KHMER VOWEL INHERENT AQ}",
        "\N{KHMER VOWEL INHERENT AA}",
        *map(chr, range(0x180B, 0x1810)),
        *map(chr, range(0xFE00, 0xFE10)),  # variation selectors
        *map(chr, range(0xE0000, 0xE1000)),  # tags, variation selectors and unassigned ignorable code points
    ]
)


class Kind(IntEnum):
    """What a character of the source text is to the word finder; UNKNOWN is a code point not met yet."""

    UNKNOWN = 0
    OTHER = 1
    LETTER = 2
    DIGIT = 3
    POINT = 4
    COMMA = 5
    DROPPED = 6
    EXPANDED = 7


def _is_dropped(character: str) -> bool:
    return (
        character in _DROPPED
        or unicodedata.combining(character) != 0
        or unicodedata.category(character) in {"Cf", "Me"}
    )


def _fold_part(part: str) -> str:
    if _is_dropped(part):
        return ""
    decimal = unicodedata.decimal(part, None)
    if decimal is not None:
        return str(decimal)
    return _LETTERS.get(part, part)


def fold_character(character: str) -> str:
    """Fold one code point; the result is empty for marks and may be several characters for ligatures."""
    if character in _DROPPED:
        return ""
    if character in _BLESSINGS:
        return " "
    if character in _FRACTIONS:
        return _FRACTIONS[character]
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    return "".join(map(_fold_part, decomposed))


class _FoldTable(dict[int, str]):
    """A translation table for str.translate that fills itself with the characters it meets, up to a number."""

    def __missing__(self, code: int) -> str:
        folded = fold_character(chr(code))
        # More than all living scripts but Han have; one text of all code points would take 40 MiB for good.
        if len(self) < _MOST_FOLDED:
            self[code] = folded
        return folded


_FOLDED: Final = _FoldTable()


def fold(text: str) -> str:
    """Fold a text of any length in linear time."""
    return text.translate(_FOLDED)


def kind_of(character: str) -> Kind:
    return _kind_of_folded(_FOLDED[ord(character)])


def _kind_of_folded(folded: str) -> Kind:
    if not folded:
        return Kind.DROPPED
    if len(folded) > 1:
        return Kind.EXPANDED
    if "0" <= folded <= "9":
        return Kind.DIGIT
    if folded == POINT:
        return Kind.POINT
    if folded == COMMA:
        return Kind.COMMA
    return Kind.LETTER if unicodedata.category(folded)[0] in "LM" else Kind.OTHER


class FoldArrays:
    """The folding as arrays over all code points, filled with the characters met so far.

    Threads may fill the same entry twice with the same values; a kind is written after what belongs to it.
    """

    def __init__(self) -> None:
        self._codes: Codes = np.zeros(_CODE_POINTS, dtype=np.uint32)
        self._kinds: npt.NDArray[np.uint8] = np.zeros(_CODE_POINTS, dtype=np.uint8)

    def fold(self, source: Codes) -> tuple[Codes, npt.NDArray[np.uint8], npt.NDArray[np.int64] | None]:
        """Return the folded code points of a text, what each is, and where each came from if any place moved."""
        self._learn(source)
        kinds = self._kinds[source]
        if kinds.max(initial=0) < Kind.DROPPED:
            return self._codes[source], kinds, None
        widths = (kinds != Kind.DROPPED).astype(np.int64)
        expanded = np.flatnonzero(kinds == Kind.EXPANDED)
        expanding, which = np.unique(source[expanded], return_inverse=True)
        parts = [_FOLDED[code] for code in expanding.tolist()]
        widths[expanded] = np.array([len(part) for part in parts], dtype=np.int64)[which]
        origin = np.repeat(np.arange(len(source)), widths)
        codes = self._codes[source[origin]]
        kinds = kinds[origin]
        firsts = (np.cumsum(widths) - widths)[expanded]
        # Character by character, not place by place: a text may consist of nothing but ligatures of four words.
        by_character = np.split(firsts[np.argsort(which, kind="stable")], np.cumsum(np.bincount(which))[:-1])
        for part, places in zip(parts, by_character, strict=False):
            for offset, letter in enumerate(part):
                codes[places + offset] = ord(letter)
                kinds[places + offset] = _kind_of_folded(letter)
        return codes, kinds, origin

    def kinds(self, source: Codes) -> npt.NDArray[np.uint8]:
        """Return what each character of a text is."""
        self._learn(source)
        return self._kinds[source]

    def _learn(self, source: Codes) -> None:
        """Fill the entries of every code point of a text."""
        unknown = source[self._kinds[source] == Kind.UNKNOWN]
        if not len(unknown):
            return
        for code in np.unique(unknown).tolist():
            folded = fold_character(chr(code))
            self._codes[code] = ord(folded) if len(folded) == 1 else 0
            self._kinds[code] = _kind_of_folded(folded)


FOLD_ARRAYS: Final = FoldArrays()
