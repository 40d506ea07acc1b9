"""Finds the runs of letters and digits of many texts at once, in pieces small enough for any text."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from apps.search.fold import FOLD_ARRAYS, Kind

Ints = npt.NDArray[np.int64]

_PIECE_CHARACTERS: Final = 1 << 17
_WINDOW: Final = 1 << 12
_LETTERS: Final = 1
_NUMBER: Final = 2
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_STEP: Final = 0xD6E8FEB86659FD93


class TooMuchTextError(ValueError):
    """A text has more words, or longer ones, than the caller lets through."""


class Piece(NamedTuple):
    """Some of the texts, from number `first` on, or a part of one that begins at `base`."""

    first: int
    base: int
    texts: Sequence[str]


class Runs(NamedTuple):
    """The runs of a piece: hash, text, range in the piece's text, and whether a unit sign may stand there.

    `firsts` and `nexts` say where each begins and ends in the folded `codes`.
    """

    codes: npt.NDArray[np.uint32]
    firsts: Ints
    nexts: Ints
    hashes: npt.NDArray[np.uint64]
    chunk: Ints
    start: Ints
    end: Ints
    may_be_sign: npt.NDArray[np.bool_]
    ends_in_number: bool


def pieces(texts: Sequence[str], longest_stretch: int | None = None) -> Iterator[Piece]:
    """Cut texts into pieces such that no run, and nothing that decides about one, lies in two of them.

    Raises `TooMuchTextError` for a stretch longer than `longest_stretch` where that is nowhere possible.
    """
    first, size = 0, 0
    for at, text in enumerate(texts):
        if len(text) <= 2 * _PIECE_CHARACTERS:
            size += len(text)
            if size >= _PIECE_CHARACTERS:
                yield Piece(first, 0, texts[first : at + 1])
                first, size = at + 1, 0
            continue
        if first < at:
            yield Piece(first, 0, texts[first:at])
        for start, end in _parts(text, longest_stretch):
            yield Piece(at, start, [text[start:end]])
        first, size = at + 1, 0
    if first < len(texts):
        yield Piece(first, 0, texts[first:])


def _parts(text: str, longest_stretch: int | None) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = _cut_after(text, start + _PIECE_CHARACTERS)
        if longest_stretch is not None and end - start > longest_stretch + _PIECE_CHARACTERS:
            raise TooMuchTextError
        yield start, end
        start = end


def _cut_after(text: str, start: int) -> int:
    """Return the first place from `start` where a text can be cut."""
    for at in range(start, len(text), _WINDOW):
        kinds = FOLD_ARRAYS.kinds(_code_points(text[at - 1 : at + _WINDOW]))
        letters, digits = kinds == Kind.LETTER, kinds == Kind.DIGIT
        points = (kinds == Kind.POINT) | (kinds == Kind.COMMA)
        # A point counts only between digits or before a letter, and never together with another one.
        changes = (letters[:-1] & digits[1:]) | (digits[:-1] & letters[1:])
        places = np.flatnonzero((kinds[:-1] == Kind.OTHER) | changes | (points[:-1] & points[1:]))
        if len(places):
            return at + int(places[0])
    return len(text)


def _code_points(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def find_runs(texts: Sequence[str], *, after_number: bool) -> Runs:
    """Find the runs of texts; `after_number` says that the first text goes on after a number."""
    source = _code_points("\n".join(texts))
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
    chunk_starts = (chunk_ends - lengths)[chunk]
    are_numbers = state[firsts] == _NUMBER
    follows_number = np.zeros(len(firsts), dtype=np.bool_)
    follows_number[:1] = after_number
    follows_number[1:] = are_numbers[:-1] & (chunk[1:] == chunk[:-1])
    return Runs(
        codes,
        firsts,
        nexts,
        hash_runs(codes, firsts, nexts),
        chunk,
        begins - chunk_starts,
        ends - chunk_starts,
        follows_number & ~_goes_on_after_point(kinds, nexts),
        bool(are_numbers[-1]) if len(firsts) else after_number,
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


def places_of(starts: npt.NDArray[np.integer], lengths: npt.NDArray[np.integer]) -> Ints:
    """Return the numbers of some ranges, one range after another."""
    lengths = lengths.astype(np.int64)
    offsets = np.cumsum(lengths) - lengths
    places: Ints = np.arange(lengths.sum()) + np.repeat(starts - offsets, lengths)
    return places


def slices(lengths: npt.NDArray[np.integer], most: int) -> Iterator[tuple[int, int]]:
    """Cut a sequence of things of some lengths into ranges whose lengths add up to `most`, or of one thing."""
    ends = np.cumsum(lengths, dtype=np.int64)
    start, before = 0, 0
    while start < len(ends):
        end = max(start + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield start, end
        start, before = end, int(ends[end - 1])
