"""What may stand in a name that people read: the rules for projects, sources, agents and keys alike."""

import unicodedata
from typing import Final

# Embeddings, overrides and isolates: they turn the text around them, so a name could pose as another.
_TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Letters and symbols that show nothing although their category says they would.
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\U0001d159")
_CONTROLS: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
_UNSEEN: Final = frozenset({"Cf", "Cn", "Zs", "Mn", "Me"}) | _CONTROLS


def fault_of_name(name: str) -> str | None:
    """The code of what is wrong with a trimmed name, or None; its length is the caller's affair."""
    if any(character in _TURNING or unicodedata.category(character) in _CONTROLS for character in name):
        return "control_character"
    if not any(_is_seen(character) for character in name):
        return "invisible_text"
    return None


def _is_seen(character: str) -> bool:
    return character not in _BLANK_LETTERS and unicodedata.category(character) not in _UNSEEN
