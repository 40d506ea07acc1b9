"""Finds the words of a text and gives each its canonical form: folded, units and numbers by value."""

import re
from functools import lru_cache
from operator import itemgetter
from typing import Final, NamedTuple

from apps.search import lexicon
from apps.search.fold import Kind, fold, fold_character, kind_of

# Longer words are compared only as a whole: distances between long words cost too much.
LONGEST_FUZZY: Final = 64

# Runs in a text written as signs; dropped characters belong to the letter before them.
_RUNS: Final = re.compile(r"a[a_]*|0[0_]*(?:[.,]_*0[0_]*)*")
# A sign that goes on as an abbreviation, as the pounds ل.ل do, is no unit.
_DOTTED: Final = re.compile(r"\._*a")
_THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_POINTED_THOUSANDS: Final = re.compile(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+")
_DECIMAL: Final = re.compile(r"[0-9]+[.,][0-9]+")
_EMPHASIS: Final = re.compile(r"([\u0621-\u064aa-hj-vyz])\1{2,}")
# A function, for a template such as \1 is worked out anew for every word.
_ONCE: Final = itemgetter(1)
_LETTER, _DIGIT, _MIXED = "a", "0", "X"
_KIND_SIGNS: Final = {
    Kind.OTHER: " ",
    Kind.LETTER: _LETTER,
    Kind.DIGIT: _DIGIT,
    Kind.POINT: ".",
    Kind.COMMA: ",",
    Kind.DROPPED: "_",
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


def is_number(word: str) -> bool:
    return "0" <= word[0] <= "9"


def canonical(raw: str) -> tuple[str, ...]:
    """Return the words that a folded run of letters or digits stands for; only numbers can be several."""
    if is_number(raw):
        return _numbers(raw)
    return (lexicon.UNIT_SPELLINGS.get(raw) or collapsed(raw),)


def collapsed(word: str) -> str:
    """Write letters repeated three times or more for emphasis once."""
    return _EMPHASIS.sub(_ONCE, word)


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
    signs = text.translate(_SIGNS)
    if _MIXED in signs:
        return _words_of_mixed(text)
    found: list[Word] = []
    after_number = False
    for match in _RUNS.finditer(signs):
        start, end = match.span()
        raw = text[start:end]
        unit = _unit_sign(raw) if after_number and not _DOTTED.match(signs, end) else None
        if unit:
            found.append(Word(unit, start, end))
        else:
            found.extend([Word(word, start, end) for word in _canonical_of_source(raw)])
        after_number = signs[start] == _DIGIT
    return found


@lru_cache(maxsize=1 << 16)
def _canonical_of_source(raw: str) -> tuple[str, ...]:
    return canonical(fold(raw))


def _unit_sign(raw: str) -> str | None:
    return lexicon.UNIT_SIGNS.get(fold(raw))


def _words_of_mixed(text: str) -> list[Word]:
    """Find the words of a text where one character stands for letters and something else, as in ½ or ﷺ."""
    folded = "".join(map(fold_character, text))
    origin = [at for at, character in enumerate(text) for _ in fold_character(character)]
    origin.append(len(text))
    return [
        Word(word.text, origin[word.start], max(origin[word.end], origin[word.end - 1] + 1))
        for word in words_of(folded)
    ]
