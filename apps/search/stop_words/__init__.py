"""Words and phrases that a query may hold without meaning them: ignored while another word remains.

Each file beside is one kind of words in one language; a line holds words, or after `=` one phrase.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from apps.search.fold import fold

_PHRASE_MARK: Final = "="


@dataclass(frozen=True, slots=True)
class StopWord:
    """A folded word, or words that are ignored only together, with what they are and the language they belong to."""

    word: str
    kind: str
    language: str


def _read(name: str) -> Iterator[str]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    for line in text.splitlines():
        row = line.partition("#")[0].strip()
        if row.startswith(_PHRASE_MARK):
            yield " ".join(fold(row[1:]).split())
        else:
            yield from fold(row).split()


@lru_cache(maxsize=1)
def stop_words() -> tuple[StopWord, ...]:
    """Return the list in use, without repetition, ordered by file and word."""
    names = sorted(entry.name for entry in files(__package__).iterdir() if entry.name.endswith(".txt"))
    found: dict[str, StopWord] = {}
    for name in names:
        language, _, kind = name.removesuffix(".txt").partition("_")
        for word in sorted(set(_read(name))):
            found.setdefault(word, StopWord(word, kind, language))
    return tuple(found.values())


@lru_cache(maxsize=1)
def single_words() -> frozenset[str]:
    return frozenset(entry.word for entry in stop_words() if " " not in entry.word)


@lru_cache(maxsize=1)
def phrases() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the phrases by their first word, longest first."""
    by_first: dict[str, list[tuple[str, ...]]] = {}
    for entry in stop_words():
        if " " in entry.word:
            words = tuple(entry.word.split())
            by_first.setdefault(words[0], []).append(words)
    return {first: tuple(sorted(group, key=len, reverse=True)) for first, group in by_first.items()}
