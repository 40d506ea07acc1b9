"""Reads a query: which of its words count, which are ignored, and how far each may differ from a word found."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from apps.search import lexicon, stop_words
from apps.search.fold import fold
from apps.search.letter_names import LETTERS, MOST_LETTERS, read_letters
from apps.search.numerals import FIRST_NUMERALS, LONGEST_NUMERAL, bare_number, read_numeral
from apps.search.words import (
    LONGEST_FUZZY,
    SHORTEST_TWO_EDITS,
    Word,
    begins_with_digit,
    emphasis_doubled,
    is_emphatic,
    words_of,
)

MOST_WORDS: Final = 32
_SHORTEST_FUZZY: Final = 3
_LONGEST_KEY: Final = 200
_ARABIZI_DIGITS: Final = frozenset("2356789")
_APOSTROPHES: Final = "'’‘`´"
_AND: Final = "و"
_ARTICLES: Final = ("ال", "بال", "لل", "وال")
_SHORTEST_AFTER_AND: Final = 4
_LATIN: Final = re.compile(r"[a-z]+")

Known = Callable[[str], bool]


class Term(NamedTuple):
    """A word of the query that counts: as typed, folded, the edits a word found may need, its place among all."""

    word: str
    folded: str
    max_edits: int
    place: int
    spellings: tuple[str, ...]


class Query(NamedTuple):
    """The words that count in their order, the words ignored as typed, and why nothing may be left."""

    terms: tuple[Term, ...]
    ignored: tuple[str, ...]
    only_stop_words: bool


class _Piece(NamedTuple):
    """A word of the query with its place, so that neighbours can be told."""

    typed: str
    folded: str
    start: int
    end: int


def max_edits(folded: str) -> int:
    """Return how many edits a query word allows, by its own folded length; a first digit leaves no room for any."""
    if begins_with_digit(folded) or not _SHORTEST_FUZZY <= len(folded) <= LONGEST_FUZZY:
        return 0
    return 1 if len(folded) < SHORTEST_TWO_EDITS else 2


def fold_query(query: str) -> str:
    """Return the folded words of a query, bounded in length: the key under which queries are counted."""
    return " ".join(word.text for word in words_of(query))[:_LONGEST_KEY].rstrip()


def read_query(query: str, known: Known) -> Query:
    """Read a query for sources in which `known` words occur."""
    spelled = _with_letters(query, list(_pieces(query, known)), known)
    pieces = [_without_particle(piece, known) for piece in _with_numerals(query, spelled, known)]
    stops = _stops(pieces, known)
    only_stops = bool(pieces) and all(stops)
    if only_stops:
        stops = _all_but_function_words(pieces, known)
    emphatic = is_emphatic(fold(query))
    terms: dict[str, Term] = {}
    ignored: dict[str, None] = {}
    for place, (piece, is_stop) in enumerate(zip(pieces, stops, strict=True)):
        if piece.folded in terms:
            continue
        if is_stop or len(terms) == MOST_WORDS:
            ignored[piece.typed] = None
        else:
            terms[piece.folded] = _term(piece, place, emphatic=emphatic)
    return Query(tuple(terms.values()), tuple(ignored), only_stops)


def _term(piece: _Piece, place: int, *, emphatic: bool) -> Term:
    doubled = emphasis_doubled(fold(piece.typed)) if emphatic else None
    spellings = (piece.folded,) if doubled is None else (piece.folded, doubled)
    return Term(piece.typed, piece.folded, max_edits(piece.folded), place, spellings)


def _pieces(query: str, known: Known) -> Iterator[_Piece]:
    words = words_of(query)
    # Most queries hold no digit that could be a letter, and nothing to look for.
    if _ARABIZI_DIGITS.isdisjoint([word.text for word in words]):
        yield from (_Piece(query[word.start : word.end], *word) for word in words)
        return
    at = 0
    while at < len(words):
        end = _arabizi_end(query, words, at)
        if end > at and not all(known(word.text) for word in words[at:end]):
            yield _joined(query, words[at:end])
        else:
            end = max(end, at + 1)
            yield from (_Piece(query[word.start : word.end], word.text, *word[1:]) for word in words[at:end])
        at = end


def _with_letters(query: str, pieces: Sequence[_Piece], known: Known) -> list[_Piece]:
    """Return the pieces with letters that are said by name as the word that they spell, if the sources know it.

    What the sources write in these words stays. One letter alone is read only before a number.
    """
    if LETTERS.isdisjoint([piece.folded for piece in pieces]):
        return list(pieces)
    found: list[_Piece] = []
    at = 0
    while at < len(pieces):
        count, word = read_letters([piece.folded for piece in pieces[at : at + MOST_LETTERS]], known)
        parts = pieces[at : at + count]
        if all(known(piece.folded) for piece in parts) or (count == 1 and not _is_before_number(pieces, at)):
            found.append(pieces[at])
            at += 1
        else:
            start, end = parts[0].start, parts[-1].end
            found.append(_Piece(query[start:end], word, start, end))
            at += count
    return found


def _is_before_number(pieces: Sequence[_Piece], at: int) -> bool:
    """Whether a piece that means nothing else stands before a number."""
    return (
        at + 1 < len(pieces)
        and begins_with_digit(pieces[at + 1].folded)
        and not stop_words.is_stop_word(pieces[at].folded)
    )


def _with_numerals(query: str, pieces: Sequence[_Piece], known: Known) -> Iterator[_Piece]:
    """Yield the pieces with a number of several words as one, unless the sources write it in these words."""
    if FIRST_NUMERALS.isdisjoint([piece.folded for piece in pieces]):
        yield from pieces
        return
    at = 0
    while at < len(pieces):
        count, digits = read_numeral([piece.folded for piece in pieces[at : at + LONGEST_NUMERAL]])
        parts = pieces[at : at + count]
        if count and not all(known(piece.folded) for piece in parts):
            start, end = parts[0].start, parts[-1].end
            yield _Piece(query[start:end], digits, start, end)
            at += count
        else:
            yield pieces[at]
            at += 1


def _without_particle(piece: _Piece, known: Known) -> _Piece:
    """Take off a particle that belongs to no word the sources know: before a number, and the "and" of a list."""
    word = piece.folded
    if known(word):
        return piece
    number = bare_number(word)
    if number is not None:
        return piece._replace(folded=number)
    rest = word[1:]
    if word[0] == _AND and len(rest) >= _SHORTEST_AFTER_AND and any(known(article + rest) for article in _ARTICLES):
        return piece._replace(folded=rest)
    return piece


def _arabizi_end(query: str, words: Sequence[Word], at: int) -> int:
    """Return the end of the words from `at` that are one word of Latin letters and Arabizi digits, or `at`."""
    end = at
    while end < len(words) and _is_arabizi(words[end]) and (end == at or _touch(query, words[end - 1], words[end])):
        end += 1
    has_digit = any(word.text in _ARABIZI_DIGITS for word in words[at:end])
    has_letter = any(word.text not in _ARABIZI_DIGITS for word in words[at:end])
    goes_on = 0 < end < len(words) and _touch(query, words[end - 1], words[end])
    return end if has_digit and has_letter and not goes_on else at


def _is_arabizi(word: Word) -> bool:
    return word.text in _ARABIZI_DIGITS or _LATIN.fullmatch(word.text) is not None


def _touch(query: str, one: Word, other: Word) -> bool:
    between = query[one.end : other.start]
    return not between or (one.text in {"3", "7"} and between in _APOSTROPHES)


def _joined(query: str, words: Sequence[Word]) -> _Piece:
    start, end = words[0].start, words[-1].end
    folded = re.sub(f"[{_APOSTROPHES}]", "'", fold(query[start:end]))
    return _Piece(query[start:end], folded, start, end)


def _stops(pieces: Sequence[_Piece], known: Known) -> list[bool]:
    """Return which pieces are stop words, alone or as part of a phrase."""
    words = [piece.folded for piece in pieces]
    stops = [_is_stop(word, known) and not _is_broken_off(words, at, known) for at, word in enumerate(words)]
    for at, word in enumerate(words):
        if not stop_words.may_begin_phrase(word):
            continue
        length = stop_words.phrase_length(words[at : at + stop_words.LONGEST_PHRASE])
        stops[at : at + length] = [True] * length
    return stops


def _is_stop(word: str, known: Known) -> bool:
    if stop_words.is_stop_word(word):
        return True
    plain = word if known(word) else stop_words.not_drawn_out(word)
    return plain != word and stop_words.is_stop_word(plain)


def _all_but_function_words(pieces: Sequence[_Piece], known: Known) -> list[bool]:
    """Return what to ignore of stop words alone: all but a name that is made of small words, as أم علي, if any."""
    names = [piece.folded in stop_words.FUNCTION_WORDS and known(piece.folded) for piece in pieces]
    has_name = any(names)
    return [has_name and not is_name for is_name in names]


def _is_broken_off(words: Sequence[str], at: int, known: Known) -> bool:
    """Whether a word that the sources do not know makes a word or a name they know together with a neighbour."""
    if known(words[at]):
        return False
    joins = [words[at - 1] + words[at]] if at else []
    joins += [words[at] + words[at + 1]] if at + 1 < len(words) else []
    return any(map(known, joins)) or any(known(name) for join in joins for name in lexicon.NAMES.get(join, ()))
