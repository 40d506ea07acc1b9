"""Finds the words of many chunks at once, with arrays instead of loops, exactly as `words_of` does for one text."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from apps.search import lexicon
from apps.search.fold import FOLD_ARRAYS, Kind, fold
from apps.search.words import canonical

_BLOCK_CHARACTERS: Final = 1 << 18
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_STEP: Final = 0xD6E8FEB86659FD93

Ints = npt.NDArray[np.int64]


class Tokens(NamedTuple):
    """The words of a sequence of chunks: distinct words, and for each occurrence its word and its chunk."""

    words: list[str]
    word: Ints
    chunk: Ints


class _Block(NamedTuple):
    """Raw runs of one block of chunks: hash, first letter's place, chunk and whether a unit sign may stand."""

    text: str
    hashes: npt.NDArray[np.uint64]
    starts: Ints
    lengths: Ints
    chunks: Ints
    may_be_sign: npt.NDArray[np.bool_]


def tokens_of(texts: Sequence[str]) -> Tokens:
    """Return all words of the texts in order."""
    raw_ids: dict[int, int] = {}
    raw_words: list[str] = []
    parts: list[tuple[Ints, Ints, npt.NDArray[np.bool_]]] = []
    for first, block_texts in _blocks(texts):
        block = _find_runs(block_texts)
        raw = _number_runs(block, raw_ids, raw_words)
        parts.append((raw, block.chunks + first, block.may_be_sign))
    if not raw_words:
        nothing = np.zeros(0, dtype=np.int64)
        return Tokens([], nothing, nothing)
    raw, chunk, sign = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return _canonical_tokens(raw_words, raw, chunk, sign)


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
    source = _code_points("\n".join(texts))
    FOLD_ARRAYS.learn(source)
    kinds = FOLD_ARRAYS.kinds[source]
    if (kinds == Kind.EXPANDED).any():
        texts = [fold(text) for text in texts]
        source = _code_points("\n".join(texts))
        FOLD_ARRAYS.learn(source)
        kinds = FOLD_ARRAYS.kinds[source]
    ends = np.cumsum(np.fromiter(map(len, texts), dtype=np.int64, count=len(texts)) + 1)
    kept = kinds != Kind.DROPPED
    if not kept.all():
        # Where each chunk ends once the dropped characters before it are gone.
        ends = ends - np.searchsorted(np.flatnonzero(~kept), ends)
        source, kinds = source[kept], kinds[kept]
    return _runs_of(FOLD_ARRAYS.codes[source], kinds, ends)


def _runs_of(codes: npt.NDArray[np.uint32], kinds: npt.NDArray[np.uint8], chunk_ends: Ints) -> _Block:
    kinds = np.concatenate((kinds, np.full(2, Kind.OTHER, dtype=np.uint8)))
    letter, digit = kinds == Kind.LETTER, kinds == Kind.DIGIT
    inside_number = (kinds == Kind.POINT) | (kinds == Kind.COMMA)
    inside_number[1:-1] &= digit[:-2] & digit[2:]
    inside_number[0] = inside_number[-1] = False
    state = letter + np.uint8(2) * (digit | inside_number)
    edges = np.flatnonzero(state[1:] != state[:-1]) + 1
    edges = np.concatenate(([0], edges))
    firsts, nexts = edges[:-1], edges[1:]
    is_run = state[firsts] != 0
    starts, ends = firsts[is_run], nexts[is_run]
    if not len(starts):
        return _Block("", np.zeros(0, dtype=np.uint64), starts, starts, starts, np.zeros(0, dtype=np.bool_))
    chunks = np.searchsorted(chunk_ends, starts, side="right")
    after_number = np.zeros(len(starts), dtype=np.bool_)
    after_number[1:] = (state[starts[:-1]] == 2) & (chunks[1:] == chunks[:-1])
    dotted = (kinds[ends] == Kind.POINT) & letter[np.minimum(ends + 1, len(kinds) - 1)]
    return _Block(
        codes.tobytes().decode("utf-32-le", "surrogatepass"),
        hash_runs(codes, starts, ends),
        starts,
        ends - starts,
        chunks,
        after_number & ~dotted,
    )


def hash_runs(codes: npt.NDArray[np.uint32], starts: Ints, ends: Ints) -> npt.NDArray[np.uint64]:
    """Return a 64-bit hash of each run of letters."""
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


def _code_points(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _number_runs(block: _Block, raw_ids: dict[int, int], raw_words: list[str]) -> Ints:
    """Give each distinct run a number, the same in all blocks."""
    distinct, first, inverse = np.unique(block.hashes, return_index=True, return_inverse=True)
    numbers = np.empty(len(distinct), dtype=np.int64)
    starts = block.starts[first].tolist()
    lengths = block.lengths[first].tolist()
    for at, key in enumerate(distinct.tolist()):
        number = raw_ids.get(key)
        if number is None:
            number = raw_ids[key] = len(raw_words)
            raw_words.append(block.text[starts[at] : starts[at] + lengths[at]])
        numbers[at] = number
    return numbers[inverse]


def _canonical_tokens(raw_words: list[str], raw: Ints, chunk: Ints, may_be_sign: npt.NDArray[np.bool_]) -> Tokens:
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
    is_sign = may_be_sign & (unit_word[raw] >= 0)
    word[is_sign] = unit_word[raw[is_sign]]
    if lists:
        word, chunk = _with_lists(raw, word, chunk, lists)
    return Tokens(list(ids), word, chunk)


def _with_lists(raw: Ints, word: Ints, chunk: Ints, lists: dict[int, list[int]]) -> tuple[Ints, Ints]:
    counts = np.ones(int(raw.max()) + 1, dtype=np.int64)
    for number, word_ids in lists.items():
        counts[number] = len(word_ids)
    repeats = counts[raw]
    wide = np.repeat(word, repeats)
    firsts = np.cumsum(repeats) - repeats
    for at in np.flatnonzero(repeats > 1).tolist():
        word_ids = lists[int(raw[at])]
        wide[firsts[at] : firsts[at] + len(word_ids)] = word_ids
    return wide, np.repeat(chunk, repeats)
