"""Finds the words of a text and gives each its canonical form: folded, units and numbers by value."""

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from apps.search import lexicon
from apps.search.fold import Kind, fold, fold_character, kind_of

# Longer words are compared only as a whole: distances between long words cost too much.
LONGEST_FUZZY: Final = 64
# Shorter words allow one edit.
SHORTEST_TWO_EDITS: Final = 6

# Runs in a folded text written as signs.
_RUNS: Final = re.compile(r"a+|0+(?:[.,]0+)*")
# A sign that goes on as an abbreviation, as the pounds ل.ل do, is no unit.
_DOTTED: Final = ".a"
_THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_POINTED_THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+")
_DECIMAL: Final = re.compile(r"[0-9]+[.,][0-9]+")
_EMPHASIS: Final = re.compile(r"([\u0621-\u064aa-hj-vyz])\1{2,}")
# A function, for a template such as \1 is worked out anew for every word.
_ONCE: Final = itemgetter(1)
_LETTER, _DIGIT, _DROPPED, _MIXED = "a", "0", "_", "X"
_KIND_SIGNS: Final = {
    Kind.OTHER: " ",
    Kind.LETTER: _LETTER,
    Kind.DIGIT: _DIGIT,
    Kind.POINT: ".",
    Kind.COMMA: ",",
    Kind.DROPPED: _DROPPED,
}


class Word(NamedTuple):
    """A word of a text: its canonical form and the half-open range of code points where it stands."""

    text: str
    start: int
    end: int


class _KindSigns(dict[int, str]):
    """A translation table from characters to one sign each, the alphabet of `_RUNS`."""

    def __missing__(self, code: int) -> str:
        kinds = {kind_of(part) for part in fold_character(chr(code))} or {Kind.DROPPED}
        sign = _KIND_SIGNS[kinds.pop()] if len(kinds) == 1 else _MIXED
        self[code] = sign
        return sign


_SIGNS: Final = _KindSigns()


def begins_with_digit(word: str) -> bool:
    """Whether a word is a number, or of a query perhaps Arabizi such as 3asal."""
    return "0" <= word[0] <= "9"


def is_number(word: str) -> bool:
    """Whether a folded word is a number by its value, as 95 and 1.5 are."""
    return begins_with_digit(word) and word.replace(".", "", 1).isdigit()


def canonical(raw: str) -> tuple[str, ...]:
    """Return the words that a folded run of letters or digits stands for; only numbers can be several."""
    if begins_with_digit(raw):
        return _numbers(raw)
    return (lexicon.UNIT_SPELLINGS.get(raw) or collapsed(raw),)


def collapsed(word: str) -> str:
    """Write letters repeated three times or more for emphasis once."""
    return _EMPHASIS.sub(_ONCE, word)


def is_emphatic(text: str) -> bool:
    """Whether a folded text has a letter repeated for emphasis."""
    return _EMPHASIS.search(text) is not None


def emphasis_doubled(word: str) -> str | None:
    """Return the word with emphasised letters written twice, as ممتاز has them, or None without emphasis."""
    return _EMPHASIS.sub(r"\1\1", word) if _EMPHASIS.search(word) else None


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
    signs, folded = text.translate(_SIGNS), fold(text)
    if len(folded) == len(text) and _DROPPED not in signs and _MIXED not in signs:
        return _words_of_folded(folded, signs)
    return _words_of_moved([fold(character) for character in text])


def _words_of_folded(folded: str, signs: str) -> list[Word]:
    found: list[Word] = []
    emphatic = is_emphatic(folded)
    after_number = False
    for match in _RUNS.finditer(signs):
        start, end = match.span()
        raw = folded[start:end]
        unit = lexicon.UNIT_SIGNS.get(raw) if after_number and not signs.startswith(_DOTTED, end) else None
        after_number = signs[start] == _DIGIT
        if after_number:
            found += [Word(number, start, end) for number in _numbers(raw)]
        else:
            word = unit or lexicon.UNIT_SPELLINGS.get(raw) or (collapsed(raw) if emphatic else raw)
            found.append(Word(word, start, end))
    return found


def _words_of_moved(parts: Sequence[str]) -> list[Word]:
    """Find the words of a text, given character by character: folded, some are dropped and some become several."""
    origin = [at for at, part in enumerate(parts) for _ in part]
    origin.append(len(parts))
    folded = "".join(parts)
    # Dropped characters belong to the letter before them.
    return [
        Word(word.text, origin[word.start], max(origin[word.end], origin[word.end - 1] + 1))
        for word in _words_of_folded(folded, folded.translate(_SIGNS))
    ]
