"""Finds the words of a text and gives each its canonical form: folded, units and numbers by value."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from apps.search import lexicon
from apps.search.fold import POINT, Kind, fold, fold_character, kind_of

# Longer words are compared only as a whole: distances between long words cost too much.
LONGEST_FUZZY: Final = 64

_RUNS: Final = re.compile(r"[.,]*(?:(a+)|(0+(?:[.,]0+)*))")
_THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_POINTED_THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+")
_DECIMAL: Final = re.compile(r"[0-9]+[.,][0-9]+")
_EMPHASIS: Final = re.compile(r"([\u0621-\u064aa-hj-vyz])\1{2,}")
_KIND_SIGNS: Final = {
    Kind.LETTER: "a",
    Kind.DIGIT: "0",
    Kind.POINT: ".",
    Kind.COMMA: ",",
}


class Word(NamedTuple):
    """A word of a text: its canonical form and the half-open range of code points where it stands."""

    text: str
    start: int
    end: int


class _KindSigns(dict[int, str]):
    """A translation table from folded characters to one sign each, the alphabet of `_RUNS`."""

    def __missing__(self, code: int) -> str:
        sign = _KIND_SIGNS.get(kind_of(chr(code)), " ")
        self[code] = sign
        return sign


_SIGNS: Final = _KindSigns()


def is_number(word: str) -> bool:
    return "0" <= word[0] <= "9"


@lru_cache(maxsize=1 << 16)
def canonical(raw: str) -> tuple[str, ...]:
    """Return the words that a folded run of letters or digits stands for; only numbers can be several."""
    if is_number(raw):
        return _numbers(raw)
    return (lexicon.UNIT_SPELLINGS.get(raw) or collapsed(raw),)


def collapsed(word: str) -> str:
    """Write letters repeated three times or more for emphasis once."""
    return _EMPHASIS.sub(r"\1", word)


def emphasis_doubled(word: str) -> str | None:
    """Return the word with emphasised letters written twice, as ممتاز has them, or None without emphasis."""
    doubled = _EMPHASIS.sub(r"\1\1", word)
    return None if doubled == word else doubled


def _numbers(raw: str) -> tuple[str, ...]:
    if raw.isdigit():
        return (_value(raw, ""),)
    if _THOUSANDS.fullmatch(raw):
        whole, _, fraction = raw.replace(",", "").partition(".")
        return (_value(whole, fraction),)
    if _POINTED_THOUSANDS.fullmatch(raw):
        whole, _, fraction = raw.replace(".", "").partition(",")
        return (_value(whole, fraction),)
    if _DECIMAL.fullmatch(raw):
        whole, _, fraction = raw.replace(",", ".").partition(".")
        return (_value(whole, fraction),)
    return tuple(_value(part, "") for part in raw.replace(",", ".").split("."))


def _value(whole: str, fraction: str) -> str:
    whole = whole.lstrip("0") or "0"
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def words_of(text: str) -> list[Word]:
    """Return the words of a text in order, with their places in the text as given."""
    folded = fold(text)
    places = _places(text, folded)
    found: list[Word] = []
    number = False
    for start, end in runs(folded):
        raw = folded[start:end]
        unit = lexicon.UNIT_SIGNS.get(raw) if number and not _is_dotted(folded, end) else None
        for word in (unit,) if unit else canonical(raw):
            found.append(Word(word, places[start][0], places[end - 1][1]))
        number = is_number(raw)
    return found


def _is_dotted(folded: str, end: int) -> bool:
    """Whether a sign goes on as an abbreviation, as the pounds ل.ل do: then it is no unit."""
    return folded[end : end + 1] == POINT and kind_of(folded[end + 1 : end + 2] or " ") is Kind.LETTER


def runs(folded: str) -> Iterator[tuple[int, int]]:
    """Return the ranges of the runs of letters and of digits, decimal points and commas inside numbers included."""
    for match in _RUNS.finditer(folded.translate(_SIGNS)):
        yield match.span(match.lastindex or 0)


def _places(text: str, folded: str) -> list[tuple[int, int]]:
    """Return for each folded character the range of the source characters that belong to it."""
    if len(text) == len(folded) and all(kind_of(character) < Kind.DROPPED for character in text):
        return [(at, at + 1) for at in range(len(text))]
    places: list[tuple[int, int]] = []
    for at, character in enumerate(text):
        width = len(fold_character(character))
        if width:
            places.extend([(at, at + 1)] * width)
        elif places:
            # Marks and other dropped characters belong to the letter before them.
            start, _ = places[-1]
            places[-1] = (start, at + 1)
    return places
