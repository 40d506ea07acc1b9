"""Words and phrases that a query may hold without meaning them: ignored while another word remains.

Each file beside is one language or dialect, named by its code; sections in brackets are the kinds. A row holds
words; after `+` verbs in the first person of the present, which stand for every person, tense prefix and object of
chat Arabic; after `=` one phrase, whose words are ignored only together, with alternatives between bars. A word
marked `~` stands also for itself with a pronoun ending, in a phrase with one that means "you".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import product
from operator import itemgetter
from typing import Final

from apps.search.fold import fold

_VERB_MARK: Final = "+"
_PHRASE_MARK: Final = "="
_ENDINGS_MARK: Final = "~"
_AND: Final = "و"
_SHORTEST: Final = 2
_LONGEST: Final = 32
_DRAWN_OUT: Final = re.compile(r"([اويaeiou])\1")
_ONCE: Final = itemgetter(1)

# Pronouns at the end of a word, as chat writes them too: كو and كوا in Egypt, كن in the Levant, ج for the Gulf's چ.
_PRONOUNS: Final = ("ي", "ني", "نا", "ك", "كي", "كم", "كن", "كو", "كوا", "ج", "ه", "ها", "هم", "هن", "هو", "و")
_SECOND_PERSON: Final = ("ك", "كي", "كم", "كن", "كو", "ج")
_ANY_PRONOUN: Final = f"(?:{'|'.join(_PRONOUNS)})"
# A present: a prefix of time such as ب ه ح س ك د, then a person, the stem, its number, and an object.
_PERSON: Final = "[بهحسكد]?[اتين]ا?"
_NUMBER: Final = "(?:وا|و|ون|ين)?"
_OBJECT: Final = f"(?:ل?{_ANY_PRONOUN})?"
# An order to do something for the speaker; without that it may be a noun.
_FOR_THE_SPEAKER: Final = "(?:ي|و|وا)?(?:لي|لنا|ني)"


@dataclass(frozen=True, slots=True)
class StopWord:
    """A folded word, or words that are ignored only together, with what they are and the language they belong to.

    `marks` says what else it stands for: `~` the word with pronoun endings, `+` the verb in every person.
    """

    word: str
    kind: str
    language: str
    marks: str = ""


def _read(language: str, text: str) -> Iterator[StopWord]:
    kind = ""
    for line in text.splitlines():
        row = line.partition("#")[0].strip()
        if row.startswith("["):
            kind = row.strip("[]")
        elif row.startswith(_PHRASE_MARK):
            yield from (StopWord(words, kind, language) for words in _phrases(row[1:]))
        elif row.startswith(_VERB_MARK):
            yield from (StopWord(word, kind, language, _VERB_MARK) for word in fold(row[1:]).split())
        else:
            for word in fold(row).split():
                marks = _ENDINGS_MARK if word.endswith(_ENDINGS_MARK) else ""
                yield StopWord(word.removesuffix(_ENDINGS_MARK), kind, language, marks)


def _phrases(row: str) -> Iterator[str]:
    """Write a phrase once for each choice among its alternatives and endings."""
    choices = [[form for word in part.split("|") for form in _with_endings(word)] for part in fold(row).split()]
    yield from map(" ".join, product(*choices))


def _with_endings(word: str) -> tuple[str, ...]:
    bare = word.removesuffix(_ENDINGS_MARK)
    return (word,) if bare == word else (bare, *(bare + pronoun for pronoun in _SECOND_PERSON))


def _load() -> tuple[StopWord, ...]:
    entries = sorted(files(__package__).iterdir(), key=lambda entry: entry.name)
    found: dict[tuple[str, str], StopWord] = {}
    for entry in entries:
        language, _, ending = entry.name.rpartition(".")
        if ending == "txt":
            for word in _read(language, entry.read_text(encoding="utf-8")):
                first = found.setdefault((word.language, word.word), word)
                if word.marks:
                    found[word.language, word.word] = replace(first, marks=word.marks)
    return tuple(found.values())


def _by_first_word(phrases: Iterable[tuple[str, ...]]) -> dict[str, dict[int, frozenset[tuple[str, ...]]]]:
    by_first: dict[str, dict[int, set[tuple[str, ...]]]] = {}
    for phrase in phrases:
        by_first.setdefault(phrase[0], {}).setdefault(len(phrase), set()).add(phrase)
    return {
        first: {length: frozenset(groups[length]) for length in sorted(groups, reverse=True)}
        for first, groups in by_first.items()
    }


def _verb_pattern(verbs: Iterable[str]) -> str:
    # The first letter of the first person is the person; a last vowel gives way to the و of many.
    stems = [verb[1:] for verb in verbs]
    whole = "|".join(sorted(stems))
    shortened = "|".join(sorted(stem[:-1] for stem in stems if stem[-1] in "اي")) or "(?!)"
    present = f"{_PERSON}(?:(?:{whole}){_NUMBER}|(?:{shortened})(?:وا|و|ون|ين)){_OBJECT}"
    return f"{_perhaps_denied(present)}|(?:{whole}){_FOR_THE_SPEAKER}"


def _ending_pattern(words: Iterable[str]) -> str:
    """Match words with pronoun endings, denied or not; before an ending the ة of a word is a ت."""
    with_t = "|".join(word[:-1] + "ت" for word in words if word.endswith("ه")) or "(?!)"
    plain = "|".join(words)
    return _perhaps_denied(f"(?:(?:{plain}){_ANY_PRONOUN}?|(?:{with_t}){_ANY_PRONOUN})")


def _perhaps_denied(pattern: str) -> str:
    """Allow ما before and ش after; م alone only with ش, for it begins many nouns."""
    return f"(?:ما)?{pattern}ش?|م{pattern}ش"


_STOP_WORDS: Final = _load()
_SINGLE_WORDS: Final = frozenset(entry.word for entry in _STOP_WORDS if " " not in entry.word)
_PHRASES: Final = [tuple(entry.word.split()) for entry in _STOP_WORDS if " " in entry.word]
LONGEST_PHRASE: Final = max(map(len, _PHRASES))
# Phrases by their first word, then by their length, longest first.
_PHRASES_BY_FIRST: Final = _by_first_word(_PHRASES)
# Words without a meaning of their own: in a line they answer only themselves.
FUNCTION_WORDS: Final = frozenset(entry.word for entry in _STOP_WORDS if entry.kind == "function")
_LISTED: Final = _SINGLE_WORDS | frozenset(map("".join, _PHRASES))
_INFLECTED: Final = re.compile(
    _verb_pattern([entry.word for entry in _STOP_WORDS if entry.marks == _VERB_MARK])
    + "|"
    + _ending_pattern([entry.word for entry in _STOP_WORDS if entry.marks == _ENDINGS_MARK])
)


def stop_words() -> tuple[StopWord, ...]:
    """Return the list in use, ordered by language, each word of a language once."""
    return _STOP_WORDS


def is_stop_word(word: str) -> bool:
    """Whether a folded word is a stop word, alone, after "and", or in another person or with another pronoun."""
    if len(word) > _LONGEST:
        return False
    return _is_listed(word) or (word[0] == _AND and len(word) > _SHORTEST and _is_listed(word[1:]))


def not_drawn_out(word: str) -> str:
    """Write vowels once that are doubled for warmth, as in مرحباا; three of them are folded to one already."""
    return _DRAWN_OUT.sub(_ONCE, word)


def may_begin_phrase(word: str) -> bool:
    """Whether it is worth asking for the length of a phrase that begins with a word."""
    return word in _PHRASES_BY_FIRST or word[0] == _AND


def phrase_length(words: Sequence[str]) -> int:
    """Return how many words the longest phrase has that these begin with, "and" before it or not; 0 for none."""
    first = words[0]
    for start in (first, first[1:]) if first[0] == _AND else (first,):
        for length, phrases in _PHRASES_BY_FIRST.get(start, {}).items():
            if (start, *words[1:length]) in phrases:
                return length
    return 0


@lru_cache(maxsize=1 << 14)
def _is_listed(word: str) -> bool:
    return word in _LISTED or _INFLECTED.fullmatch(word) is not None
