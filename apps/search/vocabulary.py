"""The distinct words of a segment or a join: kept as one run of letters, ordered by length, numbers last."""

from bisect import bisect_left
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from apps.search import forms, lexicon, scripts
from apps.search.deletions import Deletions
from apps.search.signatures import Signatures
from apps.search.stop_words import FUNCTION_WORDS
from apps.search.words import LONGEST_FUZZY, SHORTEST_TWO_EDITS, begins_with_digit

Array = npt.NDArray[np.integer]

# Words of a length are ordered by so many letters, each by so many of its bits.
_LETTERS_ORDERED: Final = 4
_BITS_ORDERED: Final = 16
_BITS_OF_LETTER: Final = (1 << _BITS_ORDERED) - 1
# What a word takes in Python objects and in what finds it, and how often its letters are kept.
_BYTES_PER_WORD: Final = 230
_COPIES_OF_LETTERS: Final = 3
_SOUND_SLOTS: Final = 1 << 16
# Keys that differ only in how many consonants they count.
_KEYS_OF_A_SOUND: Final = scripts.MOST_COUNTED + 1


def order_of(
    letters: Array, starts: Array, lengths: Array, are_numbers: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """Return the order of words in a vocabulary: words before numbers, short before long, then by their letters.

    Words that are found together mostly begin alike, so all that is known of them lies close together.
    """
    beginnings = np.zeros(len(starts), dtype=np.uint64)
    for place in range(_LETTERS_ORDERED):
        beginnings <<= np.uint64(_BITS_ORDERED)
        reached = place < lengths
        beginnings[reached] |= letters[starts[reached] + place].astype(np.uint64) & np.uint64(_BITS_OF_LETTER)
    return np.lexsort((beginnings, lengths, are_numbers))


class Vocabulary:
    """Words by number, numbers by word, and the words within some edits of another."""

    def __init__(self, letters: Array, lengths: Array, keys: Array) -> None:
        self._letters = letters
        self._lengths = lengths
        self._keys = keys

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def nbytes(self) -> int:
        """Return about how much memory the words take once they have been used, as Python objects too."""
        return _BYTES_PER_WORD * len(self) + _COPIES_OF_LETTERS * self._letters.nbytes

    @cached_property
    def words(self) -> list[str]:
        return [word for at, end, length in self._stretches for word in self._decode(at, end, length)]

    def _decode(self, at: int, end: int, length: int) -> list[str]:
        letters = np.ascontiguousarray(self._matrix(at, end, length), dtype="<u4")
        decoded: list[str] = letters.view(f"<U{length}").ravel().tolist()
        return decoded

    @cached_property
    def _text(self) -> str:
        """All words, one after another."""
        return self._letters.astype("<u4").tobytes().decode("utf-32-le")

    @cached_property
    def ids(self) -> dict[str, int]:
        return dict(zip(self.words, range(len(self)), strict=True))

    @cached_property
    def _with_article(self) -> dict[str, list[int]]:
        """The words that begin with an article, by what follows it."""
        found: dict[str, list[int]] = {}
        for at, end, length in self._stretches:
            letters = self._matrix(at, end, length)
            for article in forms.ARTICLES:
                size = len(article)
                if length < size + forms.SHORTEST_REST:
                    continue
                begin_with_it = np.logical_and.reduce(
                    [letters[:, place] == ord(article[place]) for place in range(size)]
                )
                for number in (at + begin_with_it.nonzero()[0]).tolist():
                    found.setdefault(self.words[number][size:], []).append(number)
        return found

    @cached_property
    def function_words(self) -> frozenset[int]:
        """The small words such as إلى, which stand in many lines and say nothing."""
        return frozenset(self.ids[word] for word in FUNCTION_WORDS if word in self.ids)

    def other_forms(self, word: str) -> list[int]:
        """Return the words that are other forms of a word."""
        ids, with_article = self.ids, self._with_article
        bare, whole = forms.forms_of(word)
        found = [ids[form] for some in (bare, whole) for form in ids.keys() & some]
        digits = lexicon.NUMBER_WORDS.get(word)
        if digits in ids:
            found.append(ids[digits])
        for form in with_article.keys() & bare:
            found += with_article[form]
        return found

    @cached_property
    def _by_sound(self) -> tuple[memoryview, memoryview, memoryview]:
        """The words that have a key for the other script, slot by slot: where each slot begins, words, keys."""
        words = self._keys.nonzero()[0]
        keys = self._keys[words].astype(np.uint32)
        slots = keys // _KEYS_OF_A_SOUND % _SOUND_SLOTS
        order = np.argsort(slots)
        edges = np.zeros(_SOUND_SLOTS + 1, dtype=np.uint32)
        np.cumsum(np.bincount(slots, minlength=_SOUND_SLOTS), out=edges[1:])
        return edges.data, words[order].data, keys[order].data

    def across(self, word: str) -> list[int]:
        """Return the words of the other script that sound like this one, or that are known to be the same name."""
        edges, words, keys = self._by_sound
        found = [self.ids[name] for name in lexicon.NAMES.get(word, ()) if name in self.ids]
        for key, skeleton in scripts.keys_sought(word).items():
            slot = key // _KEYS_OF_A_SOUND % _SOUND_SLOTS
            for at in range(edges[slot], edges[slot + 1]):
                # Other sounds share the slot; of the same sound a key differs in what it counts.
                counted = keys[at] - key
                if 0 <= counted < _KEYS_OF_A_SOUND and scripts.agree(
                    word, self.words[words[at]], skeleton, counted
                ):
                    found.append(words[at])
        return found

    @cached_property
    def _edges(self) -> memoryview:
        """Where the letters of each word begin, and where the last ones end; a view, for plain numbers."""
        edges = np.zeros(len(self) + 1, dtype=np.uint32)
        np.cumsum(self._lengths, out=edges[1:])
        return edges.data

    @cached_property
    def _stretches(self) -> list[tuple[int, int, int]]:
        """Ranges of words of one length, none of both words and numbers: first word, one past the last, length."""
        changes = np.flatnonzero(np.diff(self._lengths.astype(np.int64))) + 1
        edges = sorted({0, *changes.tolist(), self._first_number, len(self)})
        return [(at, end, int(self._lengths[at])) for at, end in pairwise(edges)]

    def _matrix(self, at: int, end: int, length: int) -> Array:
        return self._letters[self._edges[at] : self._edges[end]].reshape(end - at, length)

    @cached_property
    def _first_number(self) -> int:
        """Where the numbers begin, which stand last."""
        edges, letters = self._edges, self._letters
        return bisect_left(range(len(self)), x=True, key=lambda at: begins_with_digit(chr(letters[edges[at]])))

    def within(self, word: str, edits: int) -> dict[int, int]:
        """Return the words at most `edits` edits from a word, the word itself too, each with its edits.

        One edit is asked of words below `SHORTEST_TWO_EDITS` letters, two of longer ones.
        """
        near = self._deletions.near(word) if edits == 1 else self._signatures.near(word)
        text, edges, distance_to = self._text, self._edges, OSA.distance
        found = {}
        for number in near:
            distance = distance_to(word, text[edges[number] : edges[number + 1]])
            if distance <= edits:
                found[number] = distance
        return found

    @cached_property
    def _deletions(self) -> Deletions:
        """The words that one edit of a word with so many may reach."""
        return Deletions(self._of_lengths(range(1, SHORTEST_TWO_EDITS + 1)))

    @cached_property
    def _signatures(self) -> Signatures:
        """The words that two edits may reach."""
        return Signatures(self._of_lengths(range(SHORTEST_TWO_EDITS - 2, LONGEST_FUZZY + 1)))

    def _of_lengths(self, lengths: range) -> list[tuple[int, Array]]:
        """Return the words of some lengths but numbers: of each length the first, and the letters of all."""
        return [
            (at, self._matrix(at, end, length))
            for at, end, length in self._stretches
            if length in lengths and end <= self._first_number
        ]
