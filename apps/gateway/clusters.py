"""Where a text may be cut without tearing what people see as one character.

These are the extended grapheme clusters of Unicode (UAX #29): a letter with its marks, an emoji of several joined
ones, a flag of two letters, a Korean syllable. Where Python's own tables do not tell what Unicode's do, more is
held together rather than less.
"""

import unicodedata
from enum import Enum, auto
from typing import Final

# A longer cluster is nothing that anybody reads, so a page may end inside it.
LONGEST: Final = 32


class Kind(Enum):
    """What a code point does to its neighbours."""

    OTHER = auto()
    CONTROL = auto()
    EXTENDING = auto()
    JOINER = auto()
    PREPENDED = auto()
    PICTURE = auto()
    FLAG_LETTER = auto()
    KOREAN_LEAD = auto()
    KOREAN_VOWEL = auto()
    KOREAN_TRAIL = auto()
    KOREAN_OPEN = auto()
    KOREAN_CLOSED = auto()


_BY_CATEGORY: Final = {
    "Mn": Kind.EXTENDING,
    "Me": Kind.EXTENDING,
    "Mc": Kind.EXTENDING,
    "Cc": Kind.CONTROL,
    "Cf": Kind.CONTROL,
    "Zl": Kind.CONTROL,
    "Zp": Kind.CONTROL,
    # Every sign that may be an emoji is among these, but for the few below.
    "So": Kind.PICTURE,
    "Sm": Kind.PICTURE,
}
# What the category does not tell; the Arabic signs before a number are among the prepended.
_RANGES: Final = (
    (0x1F3FB, 0x1F3FF, Kind.EXTENDING),
    (0x1F1E6, 0x1F1FF, Kind.FLAG_LETTER),
    (0x1F000, 0x1FFFD, Kind.PICTURE),
    (0x200D, 0x200D, Kind.JOINER),
    (0x200C, 0x200C, Kind.EXTENDING),
    (0x0E33, 0x0E33, Kind.EXTENDING),
    (0x0EB3, 0x0EB3, Kind.EXTENDING),
    (0xFF9E, 0xFF9F, Kind.EXTENDING),
    (0xE0020, 0xE007F, Kind.EXTENDING),
    *((point, point, Kind.PICTURE) for point in (0x203C, 0x2049, 0x2139, 0x3030, 0x303D)),
    (0x0600, 0x0605, Kind.PREPENDED),
    *((point, point, Kind.PREPENDED) for point in (0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x0D4E)),
    *((point, point, Kind.PREPENDED) for point in (0x110BD, 0x110CD, 0x111C2, 0x111C3, 0x1193F, 0x11941)),
    *((point, point, Kind.PREPENDED) for point in (0x11A3A, *range(0x11A84, 0x11A8A), 0x11D46, 0x11F02)),
    (0x1100, 0x115F, Kind.KOREAN_LEAD),
    (0xA960, 0xA97C, Kind.KOREAN_LEAD),
    (0x1160, 0x11A7, Kind.KOREAN_VOWEL),
    (0xD7B0, 0xD7C6, Kind.KOREAN_VOWEL),
    (0x11A8, 0x11FF, Kind.KOREAN_TRAIL),
    (0xD7CB, 0xD7FB, Kind.KOREAN_TRAIL),
)
_FIRST_SYLLABLE, _LAST_SYLLABLE, _SYLLABLES_A_VOWEL = 0xAC00, 0xD7A3, 28
_KOREAN: Final = frozenset(
    {
        (Kind.KOREAN_LEAD, Kind.KOREAN_LEAD),
        (Kind.KOREAN_LEAD, Kind.KOREAN_VOWEL),
        (Kind.KOREAN_LEAD, Kind.KOREAN_OPEN),
        (Kind.KOREAN_LEAD, Kind.KOREAN_CLOSED),
        (Kind.KOREAN_OPEN, Kind.KOREAN_VOWEL),
        (Kind.KOREAN_OPEN, Kind.KOREAN_TRAIL),
        (Kind.KOREAN_VOWEL, Kind.KOREAN_VOWEL),
        (Kind.KOREAN_VOWEL, Kind.KOREAN_TRAIL),
        (Kind.KOREAN_CLOSED, Kind.KOREAN_TRAIL),
        (Kind.KOREAN_TRAIL, Kind.KOREAN_TRAIL),
    }
)
# The virama of each Indian script that joins two consonants to one, and where these scripts stand.
_LINKERS: Final = frozenset("\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d")
_FIRST_INDIAN, _LAST_INDIAN = "\u0900", "\u0d7f"


def cut_at(text: str, most: int) -> int:
    """The last place up to `most` where a text may end; inside a cluster only when that is over-long.

    The text has to go on for `LONGEST` code points after `most`, unless it ends there.
    """
    start = next((at for at in range(most, max(most - LONGEST, -1), -1) if is_boundary(text, at)), None)
    if start is None or start == most:
        return most
    is_readable = any(is_boundary(text, at) for at in range(most + 1, start + LONGEST + 1))
    return start if is_readable else most


def is_boundary(text: str, at: int) -> bool:
    """Whether a cluster ends before the code point at `at`; a text begins and ends with one."""
    return at <= 0 or at >= len(text) or not _belong_together(text, at)


def _belong_together(text: str, at: int) -> bool:
    before, after = _kind_of(text[at - 1]), _kind_of(text[at])
    if Kind.CONTROL in {before, after}:
        return text[at - 1 : at + 1] == "\r\n"
    if after in {Kind.EXTENDING, Kind.JOINER} or before is Kind.PREPENDED or (before, after) in _KOREAN:
        return True
    if (before, after) == (Kind.FLAG_LETTER, Kind.FLAG_LETTER):
        return _is_second_of_flag(text, at)
    if (before, after) == (Kind.JOINER, Kind.PICTURE):
        return _extends_picture(text, at - 1)
    return before in {Kind.EXTENDING, Kind.JOINER} and _is_linked_consonant(text, at)


def _is_second_of_flag(text: str, at: int) -> bool:
    """Whether an odd number of flag letters stands before, for two of them make a flag."""
    start = at
    while start and _kind_of(text[start - 1]) is Kind.FLAG_LETTER:
        start -= 1
    return (at - start) % 2 == 1


def _extends_picture(text: str, at: int) -> bool:
    """Whether what stands before a joiner is a picture, with whatever extends it."""
    while at and _kind_of(text[at - 1]) is Kind.EXTENDING:
        at -= 1
    return at > 0 and _kind_of(text[at - 1]) is Kind.PICTURE


def _is_linked_consonant(text: str, at: int) -> bool:
    if not _FIRST_INDIAN <= text[at] <= _LAST_INDIAN or unicodedata.category(text[at]) != "Lo":
        return False
    start = at
    while start and _kind_of(text[start - 1]) in {Kind.EXTENDING, Kind.JOINER}:
        start -= 1
    return not _LINKERS.isdisjoint(text[start:at])


def _kind_of(character: str) -> Kind:
    code = ord(character)
    if _FIRST_SYLLABLE <= code <= _LAST_SYLLABLE:
        is_open = (code - _FIRST_SYLLABLE) % _SYLLABLES_A_VOWEL == 0
        return Kind.KOREAN_OPEN if is_open else Kind.KOREAN_CLOSED
    for first, last, kind in _RANGES:
        if first <= code <= last:
            return kind
    return _BY_CATEGORY.get(unicodedata.category(character), Kind.OTHER)
