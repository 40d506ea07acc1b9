"""Numbers of several words, as in مية وخمسين for 150 and ثلاثة آلاف for 3000, and with a particle, as in لأربع."""

from collections.abc import Sequence
from typing import Final

from apps.search import lexicon

_AND: Final = "و"
_PARTICLES: Final = ("و", "ب", "ل", "ف", "ال", "بال", "لل")
_SHORTEST: Final = 4
_WORDS: Final = {word: int(digits) for word, digits in lexicon.NUMBER_WORDS_BESIDE_A_UNIT.items()}
# Words with which a numeral of several words may begin.
FIRST_NUMERALS: Final = frozenset(_WORDS)
_MULTIPLIERS: Final = (100, 1000)
_FEWEST_WORDS: Final = 2
LONGEST_NUMERAL: Final = 8


def read_numeral(words: Sequence[str]) -> tuple[int, str]:
    """Return of how many words a numeral at the beginning consists and its digits; one word alone is none."""
    if not words or words[0] not in _WORDS:
        return 0, ""
    total, group, count = 0, _WORDS[words[0]], 1
    for word in words[1:]:
        value = _WORDS.get(word)
        added = _WORDS.get(word.removeprefix(_AND)) if word.startswith(_AND) else None
        if value in _MULTIPLIERS and total + group < value:
            total, group = 0, (total + group) * value
        elif added is not None and _may_add(group, added):
            # What thousands or hundreds there are is settled; a smaller number follows them.
            total, group = total + group, added
        else:
            break
        count += 1
    return (count, str(total + group)) if count >= _FEWEST_WORDS else (0, "")


def _may_add(group: int, added: int) -> bool:
    """Whether a number may follow another with "and": tens after units, else the smaller after the greater."""
    ones_and_tens = group < 10 and 20 <= added < 100 and added % 10 == 0  # noqa: PLR2004 - the decimal system
    return ones_and_tens or (group >= 100 and added < group)  # noqa: PLR2004 - the decimal system


def bare_number(word: str) -> str | None:
    """Return a number in words without the particle before it, or None."""
    if not word.startswith(_PARTICLES):
        return None
    for particle in _PARTICLES:
        rest = word.removeprefix(particle)
        if rest != word and len(rest) >= _SHORTEST and rest in lexicon.NUMBER_WORDS:
            return rest
    return None
