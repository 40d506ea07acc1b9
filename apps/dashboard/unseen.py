"""Characters that a model reads and people do not see, so that whoever looks at a text is shown where they are.

A text can hold orders written in tag characters, which no font draws, and can turn the words around it so that they
read otherwise than they stand. Signs that good texts hold are left alone, unless several stand in a row, as they do
where something is hidden in them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_FIRST_TAG: Final = 0xE0000
# Of tag characters those that stand for the printable ones of ASCII.
_TAG_LETTERS: Final = range(0xE0020, 0xE007F)
# They turn what stands around them: embeddings, overrides and isolates.
_TURNING: Final = "\u202a-\u202e\u2066-\u2069"
# Nothing is drawn for them, and no language needs them.
_UNDRAWN: Final = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb"
    "\U0001d173-\U0001d17a\U000e0100-\U000e01ef"
)
# Joiners and marks of direction, which Persian words, emoji and lines with two scripts are written with.
_NEEDED: Final = "\u00ad\u034f\u061c\u200c-\u200f"
_HIDDEN: Final = re.compile(
    rf"(?P<tags>[\U000e0000-\U000e007f]+)|(?P<others>[{_TURNING}{_UNDRAWN}{_NEEDED}]{{2,}}|[{_TURNING}{_UNDRAWN}])"
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text: what is seen of it as it stands, or the names of what is not, and what that says."""

    text: str = ""
    names: str = ""
    message: str = ""


def stretches(text: str) -> Iterator[Stretch]:
    """The text in order; nothing that hides is in the `text` of any of them."""
    position = 0
    for found in _HIDDEN.finditer(text):
        if position < found.start():
            yield Stretch(text[position : found.start()])
        yield _named(found[0])
        position = found.end()
    if position < len(text):
        yield Stretch(text[position:])


def count_hidden(text: str) -> int:
    """How many places of a text hide something."""
    return sum(1 for _ in _HIDDEN.finditer(text))


def _named(hidden: str) -> Stretch:
    if ord(hidden[0]) >> 7 == _FIRST_TAG >> 7:
        return Stretch(names=_code(hidden[0]), message=_message(hidden))
    return Stretch(names=" ".join(_codes(hidden)))


def _message(tags: str) -> str:
    """What tag characters spell."""
    return "".join(chr(ord(tag) - _FIRST_TAG) for tag in tags if ord(tag) in _TAG_LETTERS)


def _codes(hidden: str) -> Iterator[str]:
    """Each character by its code point, one that is repeated with how often."""
    for run in re.finditer(r"(.)\1*", hidden, re.DOTALL):
        times = len(run[0])
        yield _code(run[1]) if times == 1 else f"{_code(run[1])} ×{times}"


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"
