"""The distinct words of a segment or a join: kept as one run of letters, ordered by length, numbers last."""

from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from rapidfuzz import process
from rapidfuzz.distance import OSA

from apps.search import forms, lexicon, scripts
from apps.search.stop_words import FUNCTION_WORDS
from apps.search.words import LONGEST_FUZZY, is_number

Array = npt.NDArray[np.integer]

# One bit for each letter of the folded Arabic alphabet; letters of other scripts share bits with these, which is
# harmless: signatures then only differ less than the words do.
_ALPHABET: Final = "ابتثجحخدذرزسشصضطظعغفقكلمنهويء"
_BIT_COUNT: Final = 32
_BIT_OF_LETTER: Final = {letter: bit for bit, letter in enumerate(_ALPHABET)}
_BYTES_PER_WORD: Final = 200
_KEY_SLOTS: Final = 1 << 18


def _bit_table() -> npt.NDArray[np.uint64]:
    bits = np.arange(1 << 16, dtype=np.uint64) % np.uint64(_BIT_COUNT)
    bits[[ord(letter) for letter in _BIT_OF_LETTER]] = np.arange(len(_ALPHABET))
    table: npt.NDArray[np.uint64] = np.left_shift(np.uint64(1), bits)
    return table


_BITS: Final = _bit_table()


class _Reach(NamedTuple):
    """The words of the lengths that some edits can reach: the number of the first, and for each what is compared.

    `bits` says in how many bits of its signature a word may differ.
    """

    first: int
    signatures: npt.NDArray[np.uint64]
    bits: npt.NDArray[np.uint8]
    words: npt.NDArray[np.object_]


def order_of(lengths: Array, are_numbers: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return the order in which words stand in a vocabulary: words before numbers, short before long."""
    return np.lexsort((lengths, are_numbers))


class Vocabulary:
    """Words by number, numbers by word, and the words within some edits of another."""

    def __init__(self, letters: Array, lengths: Array, keys: Array) -> None:
        self._letters = letters
        self._lengths = lengths
        self._keys = keys
        self._reaches: dict[tuple[int, int], _Reach] = {}

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def nbytes(self) -> int:
        """Return about how much memory the words take once they have been used, as Python objects too."""
        return _BYTES_PER_WORD * len(self) + self._letters.nbytes

    @cached_property
    def words(self) -> list[str]:
        return [word for at, end, length in self._stretches for word in self._decode(at, end, length)]

    @cached_property
    def ids(self) -> dict[str, int]:
        return dict(zip(self.words, range(len(self)), strict=True))

    @cached_property
    def _with_article(self) -> dict[str, list[int]]:
        """The words that begin with an article, by what follows it."""
        found: dict[str, list[int]] = {}
        for word, bare in forms.with_article("\n".join(self.words)):
            found.setdefault(bare, []).append(self.ids[word])
        return found

    @cached_property
    def function_words(self) -> frozenset[int]:
        """The small words such as إلى, which stand in many lines and say nothing."""
        return frozenset(self.ids[word] for word in FUNCTION_WORDS if word in self.ids)

    def other_forms(self, word: str) -> list[int]:
        """Return the words that are other forms of a word."""
        ids, with_article = self.ids, self._with_article
        bare, whole = forms.forms_of(word)
        found = [ids[form] for form in (*whole, *bare) if form in ids]
        digits = lexicon.NUMBER_WORDS.get(word)
        if digits in ids:
            found.append(ids[digits])
        for form in bare:
            if form in with_article:
                found += with_article[form]
        return found

    @cached_property
    def _by_key(self) -> tuple[npt.NDArray[np.int64], Array]:
        """The words in the order of their keys for the other script, and these keys."""
        order = np.argsort(self._keys)
        return order, self._keys[order].astype(np.uint32)

    @cached_property
    def _key_slots(self) -> bytes:
        """For each slot whether a key falls into it, which spares most searches for keys that no word has."""
        slots = np.zeros(_KEY_SLOTS, dtype=np.uint8)
        slots[self._keys.astype(np.uint32) % _KEY_SLOTS] = 1
        return slots.tobytes()

    def across(self, word: str) -> list[int]:
        """Return the words of the other script that sound like this one."""
        slots = self._key_slots
        sought = [key for key in scripts.keys_sought(word) if slots[key % _KEY_SLOTS]]
        if not sought:
            return []
        order, keys = self._by_key
        # Of the same type as the keys, which would otherwise be copied to a wider one.
        exactly = np.array(sought, dtype=np.uint32)
        firsts, ends = keys.searchsorted(exactly, "left").tolist(), keys.searchsorted(exactly, "right").tolist()
        found = [at for first, end in zip(firsts, ends, strict=True) for at in order[first:end].tolist()]
        return [at for at in found if scripts.agree(word, self.words[at])]

    @cached_property
    def letter_ends(self) -> npt.NDArray[np.int64]:
        return np.cumsum(self._lengths, dtype=np.int64)

    @cached_property
    def _stretches(self) -> list[tuple[int, int, int]]:
        """Ranges of words of one length: first word, one past the last, length."""
        if not len(self):
            return []
        changes = np.flatnonzero(np.diff(self._lengths.astype(np.int64))) + 1
        edges = [0, *changes.tolist(), len(self)]
        return [(at, end, int(self._lengths[at])) for at, end in pairwise(edges)]

    def _matrix(self, at: int, end: int, length: int) -> Array:
        stop = int(self.letter_ends[end - 1])
        return self._letters[stop - (end - at) * length : stop].reshape(end - at, length)

    def _decode(self, at: int, end: int, length: int) -> list[str]:
        letters = np.ascontiguousarray(self._matrix(at, end, length), dtype="<u4")
        decoded: list[str] = letters.view(f"<U{length}").ravel().tolist()
        return decoded

    @cached_property
    def _fuzzy_ends(self) -> list[int]:
        """For each length up to the longest compared, where its words end that are no numbers."""
        words = self._first_number
        lengths = np.arange(LONGEST_FUZZY + 1)
        ends: list[int] = np.searchsorted(self._lengths[:words], lengths, side="right").tolist()
        return ends

    @cached_property
    def _first_number(self) -> int:
        """Numbers stand last; lengths begin anew with them."""
        for at, _, _ in self._stretches:
            if is_number(self.words[at]):
                return at
        return len(self)

    @cached_property
    def _signatures(self) -> npt.NDArray[np.uint64]:
        """For each word that edits may reach: which letters occur, and in the upper half which occur twice."""
        size = self._fuzzy_ends[-1]
        once, twice = np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=np.uint64)
        for at, end, length in self._stretches:
            if end > size:
                break
            bits = _BITS[self._matrix(at, end, length).astype(np.uint32) & 0xFFFF]
            for column in range(length):
                twice[at:end] |= once[at:end] & bits[:, column]
                once[at:end] |= bits[:, column]
        return once | (twice << np.uint64(_BIT_COUNT))

    def within(self, word: str, edits: int) -> dict[int, int]:
        """Return the words at most `edits` edits from a word, the word itself too, each with its edits.

        An edit changes at most two bits of the signature, a letter more or less at most one.
        """
        reach = self._reach(len(word), edits)
        near = (np.bitwise_count(reach.signatures ^ _signature(word)) <= reach.bits).nonzero()[0]
        if not len(near):
            return {}
        words = reach.words[near].tolist()
        distances = process.cdist([word], words, scorer=OSA.distance, score_cutoff=edits, dtype=np.uint8)[0]
        found = (distances <= edits).nonzero()[0]
        return dict(zip((near[found] + reach.first).tolist(), distances[found].tolist(), strict=True))

    def _reach(self, length: int, edits: int) -> _Reach:
        """Return what may be so many edits from a word of a length."""
        known = self._reaches.get((length, edits))
        if known is not None:
            return known
        ends = self._fuzzy_ends
        shortest, longest = length - edits, min(length + edits, LONGEST_FUZZY)
        bits = [2 * edits - abs(other - length) for other in range(shortest, longest + 1)]
        stretch = slice(ends[shortest - 1], ends[longest])
        found = self._reaches[length, edits] = _Reach(
            stretch.start,
            self._signatures[stretch],
            np.array(bits, dtype=np.uint8).repeat(np.diff(ends[shortest - 1 : longest + 1])),
            self._word_array[stretch],
        )
        return found

    @cached_property
    def _word_array(self) -> npt.NDArray[np.object_]:
        """The words once more, for taking many of them at once."""
        return np.array(self.words, dtype=np.object_)


@lru_cache(maxsize=1 << 12)
def _signature(word: str) -> np.uint64:
    once = twice = 0
    for letter in word:
        bit = 1 << _BIT_OF_LETTER.get(letter, ord(letter) % _BIT_COUNT)
        twice |= once & bit
        once |= bit
    return np.uint64(once | twice << _BIT_COUNT)
