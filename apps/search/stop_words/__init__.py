"""Words and phrases that a query may hold without meaning them: ignored while another word remains.

Each file beside is one language or dialect, named by its code; sections in brackets are the kinds; a line holds
words, or after `=` one phrase, whose words are ignored only together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from apps.search.fold import fold

_PHRASE_MARK: Final = "="


@dataclass(frozen=True, slots=True)
class StopWord:
    """A folded word, or words ignored only together, with what they are and the language they belong to."""

    word: str
    kind: str
    language: str


def _read(language: str, text: str) -> Iterator[StopWord]:
    kind = ""
    for line in text.splitlines():
        row = line.partition("#")[0].strip()
        if row.startswith("["):
            kind = row.strip("[]")
        elif row.startswith(_PHRASE_MARK):
            yield StopWord(" ".join(fold(row[1:]).split()), kind, language)
        else:
            yield from (StopWord(word, kind, language) for word in fold(row).split())


def _load() -> tuple[StopWord, ...]:
    entries = sorted(files(__package__).iterdir(), key=lambda entry: entry.name)
    found: dict[tuple[str, str], StopWord] = {}
    for entry in entries:
        language, _, ending = entry.name.rpartition(".")
        if ending == "txt":
            for word in _read(language, entry.read_text(encoding="utf-8")):
                found.setdefault((word.language, word.word), word)
    return tuple(found.values())


def _by_first_word(entries: tuple[StopWord, ...]) -> dict[str, tuple[tuple[str, ...], ...]]:
    by_first: dict[str, set[tuple[str, ...]]] = {}
    for entry in entries:
        words = tuple(entry.word.split())
        if len(words) > 1:
            by_first.setdefault(words[0], set()).add(words)
    return {first: tuple(sorted(group, key=len, reverse=True)) for first, group in by_first.items()}


_STOP_WORDS: Final = _load()
SINGLE_WORDS: Final = frozenset(entry.word for entry in _STOP_WORDS if " " not in entry.word)
# Phrases by their first word, longest first.
PHRASES: Final = _by_first_word(_STOP_WORDS)


def stop_words() -> tuple[StopWord, ...]:
    """Return the list in use, ordered by language, each word of a language once."""
    return _STOP_WORDS
