"""Latin letters said by their names, as in ال جي for LG and اس 24 for S24."""

from collections.abc import Callable, Sequence
from itertools import product, takewhile
from typing import Final

from apps.search.lexicon import LETTER_NAMES

LETTERS: Final = frozenset(LETTER_NAMES)
# Several letters have one name, so a long row of them would have very many readings.
MOST_LETTERS: Final = 4


def read_letters(words: Sequence[str], known: Callable[[str], bool]) -> tuple[int, str]:
    """Return how many words at the beginning are letters of a word that is known, and this word; 0 for none.

    The longest row of letters counts.
    """
    row = [LETTER_NAMES[word] for word in takewhile(LETTER_NAMES.__contains__, words[:MOST_LETTERS])]
    for count in range(len(row), 0, -1):
        for letters in product(*row[:count]):
            word = "".join(letters)
            if known(word):
                return count, word
    return 0, ""
