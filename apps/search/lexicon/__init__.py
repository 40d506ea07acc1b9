"""Word lists of the search: units, numbers in words, plurals, names, letters; read once from the files beside."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from apps.search.fold import fold

_AMBIGUOUS: Final = "?"


def _rows(name: str) -> Iterator[str]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return (row for line in text.splitlines() if (row := line.partition("#")[0].strip()))


def _spellings(column: int) -> dict[str, str]:
    """Map spellings to the first word of their row; column 1 holds the signs valid only after a number."""
    spellings: dict[str, str] = {}
    for row in _rows("units.txt"):
        columns = [fold(part).split() for part in f"{row} |".split("|")]
        spellings |= dict.fromkeys(columns[column], columns[0][0])
    return spellings


def _others(name: str) -> dict[str, tuple[str, ...]]:
    """Map every word of a row to the other words of its rows."""
    others: dict[str, dict[str, None]] = {}
    for row in _rows(name):
        group = fold(row).split()
        for word in group:
            others.setdefault(word, {}).update(dict.fromkeys(other for other in group if other != word))
    return {word: tuple(group) for word, group in others.items()}


def _numbers(*, ambiguous: bool) -> dict[str, str]:
    """Map numbers in words to their digits, perhaps with words that mean something else too."""
    rows = (fold(row).split() for row in _rows("numbers.txt"))
    return {
        word.removeprefix(_AMBIGUOUS): row[0]
        for row in rows
        for word in row[1:]
        if ambiguous or not word.startswith(_AMBIGUOUS)
    }


def _letter_names() -> dict[str, tuple[str, ...]]:
    """Map what Latin letters are called to the letters, of which some have the same name."""
    letters: dict[str, tuple[str, ...]] = {}
    for letter, *names in (fold(row).split() for row in _rows("letters.txt")):
        letters |= {name: (*letters.get(name, ()), letter) for name in names}
    return letters


def _smaller_units() -> dict[str, tuple[str, int]]:
    rows = (fold(row).split() for row in _rows("measures.txt"))
    return {unit: (smaller, int(count)) for unit, smaller, count in rows}


UNIT_SPELLINGS: Final = _spellings(0)
UNIT_SIGNS: Final = _spellings(1)
BROKEN_PLURALS: Final = _others("plurals.txt")
# Spellings in the other script that no sound leads to; also others in the same one.
NAMES: Final = _others("names.txt")
NUMBER_WORDS: Final = _numbers(ambiguous=False)
NUMBER_WORDS_BESIDE_A_UNIT: Final = _numbers(ambiguous=True)
SMALLER_UNITS: Final = _smaller_units()
LETTER_NAMES: Final = _letter_names()
