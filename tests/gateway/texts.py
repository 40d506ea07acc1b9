"""Texts that are hard to cut: what JSON escapes, marks on letters, emoji made of several."""

from typing import Final

FAMILY: Final = "👨\u200d👩\u200d👧\u200d👦"
FLAG: Final = "🇸🇦"
MARKED: Final = "مُحَمَّدٌ ﷺ"

# One alphabet a row, of whole clusters each.
ALPHABETS: Final[dict[str, tuple[str, ...]]] = {
    "ascii": ("a", "b", " ", "1", "."),
    "quotes and backslashes": ('"', "\\", "\n", "\t", "\r\n", "x"),
    "control characters": ("\x01", "\x1f", "\x0b", "y"),
    "arabic with marks": ("مُ", "حَ", "مَّ", "دٌ", " ", "لله", "ـ"),
    "emoji with joiners": (FAMILY, FLAG, "👍🏽", "❤\ufe0f\u200d🔥", "e\u0301", "1\ufe0f\u20e3"),
    "of all": ("a", '"', "مَّ", FAMILY, "\n", FLAG, "é", "각", "क्ष"),
}


def body_of(alphabet: tuple[str, ...], size: int) -> str:
    """A text of at least so many UTF-8 bytes that runs through an alphabet in a changing order."""
    pieces: list[str] = []
    length = place = 0
    while length < size:
        piece = alphabet[place * place % len(alphabet)] + alphabet[place % len(alphabet)]
        pieces.append(piece)
        length += len(piece.encode())
        place += 1
    return "".join(pieces)
