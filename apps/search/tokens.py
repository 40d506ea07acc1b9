"""Finds the words of many chunks at once, with arrays instead of loops, exactly as `words_of` does for one text."""

from __future__ import annotations  # array[int] is no expression before Python 3.12.

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from apps.search import lexicon
from apps.search.chunks import Chunk
from apps.search.columns import Array, narrow_type
from apps.search.runs import Runs, TooMuchTextError, find_runs, pieces, places_of, slices
from apps.search.wordlist import MISSING, SLICE_LETTERS, Hashes, HashTable, Numbers, WordList, words_from
from apps.search.words import canonical

__all__ = ["Found", "Limits", "Tokenizer", "Tokens", "blocks", "tokens_of"]

BLOCK_CHARACTERS: Final = 1 << 18

Ints = npt.NDArray[np.int64]


class Limits(NamedTuple):
    """The most words that texts may have, and the most characters in a row that nothing separates."""

    words: int
    stretch: int


class Found(NamedTuple):
    """Occurrences of words in order: for each its word, its text of the block, and its range of that text."""

    word: Numbers
    chunk: Ints
    start: Ints
    end: Ints


class Tokens(NamedTuple):
    """The distinct words of some chunks, and for each occurrence its word, its chunk and its range of text."""

    words: list[str]
    word: Ints
    chunk: Ints
    start: Ints
    end: Ints


class _Pending(NamedTuple):
    """The runs of a piece before their words have numbers, in few bytes: `which` of the `distinct` each is."""

    first: int
    base: int
    distinct: Hashes
    which: Array
    chunk: Array
    start: Array
    end: Array
    may_be_sign: npt.NDArray[np.bool_]


class _NewRuns(NamedTuple):
    """Runs not met before this block: their hashes, lengths and letters."""

    hashes: Hashes
    lengths: Array
    letters: Array


def tokens_of(texts: Sequence[str]) -> Tokens:
    """Return all words of the texts in order."""
    tokenizer = Tokenizer()
    parts = [np.zeros((4, 0), dtype=np.int64)]
    first = 0
    for block in blocks(map(Chunk, texts)):
        for found in tokenizer.read([chunk.text for chunk in block]):
            parts += [np.array([found.word, found.chunk + first, found.start, found.end], dtype=np.int64)]
        first += len(block)
    return Tokens(tokenizer.words.in_turn(), *np.concatenate(parts, axis=1))


def blocks(chunks: Iterable[Chunk]) -> Iterator[list[Chunk]]:
    """Cut chunks into blocks of some length of text; new words are numbered block by block."""
    block: list[Chunk] = []
    room = BLOCK_CHARACTERS
    for chunk in chunks:
        block.append(chunk)
        room -= len(chunk.text)
        if room <= 0:
            yield block
            block, room = [], BLOCK_CHARACTERS
    if block:
        yield block


class Tokenizer:
    """Reads texts block by block and numbers their words."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.words = WordList()
        self._limits = limits
        self._word_count = 0
        # What runs mean that are not plainly a word: another word, or the place of a list, as its bitwise inverse.
        self._meanings = HashTable()
        self._signs = HashTable()
        self._lists = _Lists()

    def read(self, texts: Sequence[str]) -> Iterator[Found]:
        """Yield the words of a block of texts in order; raises `TooMuchTextError` past the limits."""
        pending: deque[_Pending] = deque()
        new: list[_NewRuns] = []
        after_number = False
        for piece in pieces(texts, self._limits.stretch if self._limits else None):
            runs = find_runs(piece.texts, after_number=after_number and piece.base > 0)
            after_number = runs.ends_in_number
            self._count(len(runs.hashes))
            distinct, sample, which = np.unique(runs.hashes, return_index=True, return_inverse=True)
            new.append(self._new_runs(runs, distinct, sample))
            pending.append(_pending(piece.first, piece.base, runs, distinct, which))
        self._number(new)
        while pending:
            yield self._found(pending.popleft())

    def _count(self, more: int) -> None:
        self._word_count += more
        if self._limits and self._word_count > self._limits.words:
            raise TooMuchTextError

    def _new_runs(self, runs: Runs, distinct: Hashes, sample: Ints) -> _NewRuns:
        is_new = self._meanings_of(distinct) == MISSING
        starts = runs.firsts[sample[is_new]]
        lengths = runs.nexts[sample[is_new]] - starts
        letters = runs.codes[places_of(starts, lengths)]
        return _NewRuns(distinct[is_new], _narrowed(lengths), _narrowed(letters))

    def _meanings_of(self, hashes: Hashes) -> Numbers:
        meanings = self._meanings.find(hashes)
        return np.where(meanings == MISSING, self.words.plain(hashes), meanings)

    def _number(self, new: list[_NewRuns]) -> None:
        """Give the new runs of a block their words, in the order of the hashes."""
        if not new:
            return
        hashes, lengths, letters = (np.concatenate(parts) for parts in zip(*new, strict=True))
        new.clear()
        hashes, sample = np.unique(hashes, return_index=True)
        starts = (np.cumsum(lengths, dtype=np.int64) - lengths)[sample]
        lengths = lengths[sample]
        for start, end in slices(lengths, SLICE_LETTERS):
            codes = letters[places_of(starts[start:end], lengths[start:end])]
            self._name(hashes[start:end], words_from(codes, lengths[start:end]))

    def _name(self, hashes: Hashes, raw_words: list[str]) -> None:
        """Number the words that raw runs stand for, and the units that they stand for after a number."""
        ids: dict[str, int] = {}
        firsts: list[int] = []
        others: list[int] = []
        lists: list[tuple[int, list[int]]] = []
        signs: list[tuple[int, int]] = []
        for at, raw_word in enumerate(raw_words):
            words = canonical(raw_word)
            if len(words) > 1:
                lists.append((at, [ids.setdefault(word, len(ids)) for word in words]))
            if words[0] != raw_word or len(words) > 1:
                others.append(at)
            firsts.append(ids.setdefault(words[0], len(ids)))
            unit = lexicon.UNIT_SIGNS.get(raw_word)
            if unit:
                signs.append((at, ids.setdefault(unit, len(ids))))
        numbers = self.words.numbers_of(list(ids))
        meanings = numbers[firsts]
        is_plain = np.ones(len(raw_words), dtype=np.bool_)
        is_plain[others] = False
        for at, word_ids in lists:
            meanings[at] = ~self._lists.add(numbers[word_ids])
        self.words.note_plain(meanings[is_plain])
        self._meanings.add(hashes[~is_plain], meanings[~is_plain])
        if signs:
            at_signs, units = np.array(signs).T
            self._signs.add(hashes[at_signs], numbers[units])

    def _found(self, pending: _Pending) -> Found:
        meanings = self._meanings_of(pending.distinct)
        words = meanings[pending.which]
        if pending.may_be_sign.any():
            units = self._signs.find(pending.distinct)[pending.which]
            words = np.where(pending.may_be_sign & (units != MISSING), units, words)
        found = Found(
            words,
            pending.chunk + np.int64(pending.first),
            pending.start + np.int64(pending.base),
            pending.end + np.int64(pending.base),
        )
        if not len(self._lists) or not (meanings < 0).any():
            return found
        unfolded = self._lists.unfolded(found)
        self._count(len(unfolded.word) - len(found.word))
        return unfolded


def _narrowed(values: Array) -> Array:
    return values.astype(narrow_type(0, int(values.max(initial=0))))


def _pending(first: int, base: int, runs: Runs, distinct: Hashes, which: Ints) -> _Pending:
    chosen, chunk, start, end = map(_narrowed, (which, runs.chunk, runs.start, runs.end))
    return _Pending(first, base, distinct, chosen, chunk, start, end, runs.may_be_sign)


class _Lists:
    """The words of runs that are lists of numbers, one list after another."""

    def __init__(self) -> None:
        self._words = array("i")
        self._ends = array("i", [0])

    def __len__(self) -> int:
        return len(self._ends) - 1

    def add(self, words: Numbers) -> int:
        """Keep a list; returns its place."""
        self._words.frombytes(words.tobytes())
        self._ends.append(len(self._words))
        return len(self) - 1

    def unfolded(self, found: Found) -> Found:
        """Repeat the occurrences of lists, once for each number."""
        ends = np.frombuffer(self._ends, dtype=np.intc)
        is_list = found.word < 0
        places = ~found.word[is_list]
        starts, lengths = ends[places], ends[places + 1] - ends[places]
        repeats = np.ones(len(found.word), dtype=np.int64)
        repeats[is_list] = lengths
        word = np.repeat(found.word, repeats)
        word[np.repeat(is_list, repeats)] = np.frombuffer(self._words, dtype=np.intc)[places_of(starts, lengths)]
        chunk, start, end = (np.repeat(column, repeats) for column in (found.chunk, found.start, found.end))
        return Found(word, chunk, start, end)
