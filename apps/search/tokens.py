"""Finds the words of many chunks at once, with arrays instead of loops, exactly as `words_of` does for one text."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from apps.search import lexicon
from apps.search.fold import FOLD_ARRAYS, Kind
from apps.search.words import canonical

_BLOCK_CHARACTERS: Final = 1 << 18
_LETTERS: Final = 1
_NUMBER: Final = 2
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_STEP: Final = 0xD6E8FEB86659FD93

Ints = npt.NDArray[np.int64]


class Tokens(NamedTuple):
    """The distinct words of some chunks, and for each occurrence its word, its chunk and its range of text."""

    words: list[str]
    word: Ints
    chunk: Ints
    start: Ints
    end: Ints


class _Runs(NamedTuple):
    """Runs of letters or digits: hash, chunk, range in its text, and whether a unit sign may stand there."""

    hashes: npt.NDArray[np.uint64]
    chunk: Ints
    start: Ints
    end: Ints
    may_be_sign: npt.NDArray[np.bool_]


class _Block(NamedTuple):
    """The folded text of some chunks with its runs, and where in it each run begins and ends."""

    text: str
    firsts: Ints
    nexts: Ints
    runs: _Runs


def tokens_of(texts: Sequence[str]) -> Tokens:
    """Return all words of the texts in order."""
    raw_ids: dict[int, int] = {}
    raw_words: list[str] = []
    numbers: list[Ints] = []
    runs: list[_Runs] = []
    for first, block_texts in _blocks(texts):
        block = _find_runs(block_texts)
        numbers.append(_number_runs(block, raw_ids, raw_words))
        runs.append(block.runs._replace(chunk=block.runs.chunk + first))
    if not raw_words:
        nothing = np.zeros(0, dtype=np.int64)
        return Tokens([], nothing, nothing, nothing, nothing)
    return _canonical_tokens(
        raw_words, np.concatenate(numbers), _Runs(*map(np.concatenate, zip(*runs, strict=True)))
    )


def _blocks(texts: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    first, size = 0, 0
    for at, text in enumerate(texts):
        size += len(text)
        if size >= _BLOCK_CHARACTERS:
            yield first, texts[first : at + 1]
            first, size = at + 1, 0
    if first < len(texts):
        yield first, texts[first:]


def _find_runs(texts: Sequence[str]) -> _Block:
    source = np.frombuffer("\n".join(texts).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    codes, kinds, origin = FOLD_ARRAYS.fold(source)
    firsts, nexts, state = _edges(kinds)
    if origin is None:
        begins, ends = firsts, nexts
    else:
        # Marks after a letter belong to it: a run ends where the next character kept begins.
        origin = np.append(origin, len(source))
        begins, ends = origin[firsts], np.maximum(origin[nexts], origin[nexts - 1] + 1)
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1
    chunk_ends = np.cumsum(lengths)
    chunk = np.searchsorted(chunk_ends, begins, side="right")
    chunk_starts = chunk_ends - lengths
    after_number = np.zeros(len(firsts), dtype=np.bool_)
    after_number[1:] = (state[firsts[:-1]] == _NUMBER) & (chunk[1:] == chunk[:-1])
    return _Block(
        codes.tobytes().decode("utf-32-le", "surrogatepass"),
        firsts,
        nexts,
        _Runs(
            hash_runs(codes, firsts, nexts),
            chunk,
            begins - chunk_starts[chunk],
            ends - chunk_starts[chunk],
            after_number & ~_goes_on_after_point(kinds, nexts),
        ),
    )


def _edges(kinds: npt.NDArray[np.uint8]) -> tuple[Ints, Ints, npt.NDArray[np.uint8]]:
    """Return where runs begin and end, and for each character whether it is in a run of letters or a number."""
    digit = kinds == Kind.DIGIT
    inside_number = (kinds == Kind.POINT) | (kinds == Kind.COMMA)
    inside_number[1:-1] &= digit[:-2] & digit[2:]
    inside_number[:1] = inside_number[-1:] = False
    state = (kinds == Kind.LETTER) * np.uint8(_LETTERS) + (digit | inside_number) * np.uint8(_NUMBER)
    changes = np.flatnonzero(np.diff(state, prepend=np.uint8(0), append=np.uint8(0)))
    firsts, nexts = changes[:-1], changes[1:]
    is_run = state[firsts] != 0
    return firsts[is_run], nexts[is_run], state


def _goes_on_after_point(kinds: npt.NDArray[np.uint8], nexts: Ints) -> npt.NDArray[np.bool_]:
    """Whether after a run there is a point and another letter, as in an abbreviation."""
    padded = np.append(kinds, np.full(2, Kind.OTHER, dtype=np.uint8))
    dotted: npt.NDArray[np.bool_] = (padded[nexts] == Kind.POINT) & (padded[nexts + 1] == Kind.LETTER)
    return dotted


def hash_runs(codes: npt.NDArray[np.uint32], starts: Ints, ends: Ints) -> npt.NDArray[np.uint64]:
    """Return a 64-bit hash of each run of letters."""
    if not len(starts):
        return np.zeros(0, dtype=np.uint64)
    lengths = ends - starts
    offsets = np.cumsum(lengths) - lengths
    places = np.arange(lengths.sum()) - np.repeat(offsets, lengths)
    mixed = codes[places + np.repeat(starts, lengths)].astype(np.uint64) * _MIX
    mixed ^= mixed >> np.uint64(29)
    mixed *= _weights(int(lengths.max()))[places]
    hashes: npt.NDArray[np.uint64] = np.add.reduceat(mixed, offsets)
    return hashes


def _weights(longest: int) -> npt.NDArray[np.uint64]:
    weights = np.full(longest, _STEP, dtype=np.uint64)
    return np.multiply.accumulate(weights)


def _number_runs(block: _Block, raw_ids: dict[int, int], raw_words: list[str]) -> Ints:
    """Give each distinct run a number, the same in all blocks."""
    distinct, sample, inverse = np.unique(block.runs.hashes, return_index=True, return_inverse=True)
    numbers = np.empty(len(distinct), dtype=np.int64)
    firsts = block.firsts[sample].tolist()
    nexts = block.nexts[sample].tolist()
    for at, key in enumerate(distinct.tolist()):
        number = raw_ids.get(key)
        if number is None:
            number = raw_ids[key] = len(raw_words)
            raw_words.append(block.text[firsts[at] : nexts[at]])
        numbers[at] = number
    return numbers[inverse]


def _canonical_tokens(raw_words: list[str], raw: Ints, runs: _Runs) -> Tokens:
    """Replace raw runs by the words they stand for; lists of numbers become several occurrences."""
    ids: dict[str, int] = {}
    first_word = np.empty(len(raw_words), dtype=np.int64)
    unit_word = np.full(len(raw_words), -1, dtype=np.int64)
    lists: dict[int, list[int]] = {}
    for number, raw_word in enumerate(raw_words):
        word_ids = [ids.setdefault(word, len(ids)) for word in canonical(raw_word)]
        first_word[number] = word_ids[0]
        if len(word_ids) > 1:
            lists[number] = word_ids
        unit = lexicon.UNIT_SIGNS.get(raw_word)
        if unit:
            unit_word[number] = ids.setdefault(unit, len(ids))
    word = first_word[raw]
    is_sign = runs.may_be_sign & (unit_word[raw] >= 0)
    word[is_sign] = unit_word[raw[is_sign]]
    tokens = Tokens(list(ids), word, runs.chunk, runs.start, runs.end)
    return _with_lists(tokens, raw, lists) if lists else tokens


def _with_lists(tokens: Tokens, raw: Ints, lists: dict[int, list[int]]) -> Tokens:
    """Repeat the occurrences of lists of numbers, once for each number."""
    counts = np.ones(int(raw.max()) + 1, dtype=np.int64)
    for number, word_ids in lists.items():
        counts[number] = len(word_ids)
    repeats = counts[raw]
    word, chunk, start, end = (np.repeat(column, repeats) for column in tokens[1:])
    firsts = np.cumsum(repeats) - repeats
    for at in np.flatnonzero(repeats > 1).tolist():
        word_ids = lists[int(raw[at])]
        word[firsts[at] : firsts[at] + len(word_ids)] = word_ids
    return Tokens(tokens.words, word, chunk, start, end)
