"""Compares words across the Arabic and Latin scripts by their consonants, as in لاكوست and Lacoste, 7alib and حليب."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, product
from typing import Final
from zlib import crc32

_MOST_READINGS: Final = 24
_LATIN_WORD: Final = re.compile(r"[a-z][a-z']*")
_ROMANISED: Final = re.compile(r"[a-z0-9']*[a-z][a-z0-9']*")
_ARABIC_WORD: Final = re.compile(r"[\u0621-\u064a]+")

# Consonant classes: letters that a writer of the other script cannot tell apart share one.
_ARABIC_CLASSES: Final = {
    **dict.fromkeys("ب", "b"),
    **dict.fromkeys("تطث", "t"),
    **dict.fromkeys("جغ", "g"),
    **dict.fromkeys("حه", "h"),
    "خ": "x",
    **dict.fromkeys("دضذ", "d"),
    "ر": "r",
    **dict.fromkeys("زظ", "z"),
    **dict.fromkeys("سص", "s"),
    "ش": "c",
    "ف": "f",
    **dict.fromkeys("قك", "k"),
    "ل": "l",
    "م": "m",
    "ن": "n",
}
_ARABIC_READINGS: Final = {
    **{letter: (class_,) for letter, class_ in _ARABIC_CLASSES.items()},
    "ق": ("k", "g"),
    "ث": ("t", "s"),
    "ذ": ("d", "z", "t"),
    "ظ": ("z", "d"),
    "ز": ("z", "s"),
    "س": ("s", "z"),
    "ج": ("g", "c"),
    "خ": ("x", "k", "h"),
    "ه": ("h", ""),
    "تش": ("c", "tc"),
    "ك": ("k", "c"),
}
_ARABIC_GRAPHEMES: Final = re.compile(r"تش|[\u0621-\u064a]")

_LATIN_READINGS: Final = {
    "sch": ("c",),
    "tch": ("c",),
    "sh": ("c", "sh"),
    "ch": ("c", "k", "x"),
    "kh": ("x", "k"),
    "gh": ("g",),
    "th": ("t", "d"),
    "dh": ("d", "z"),
    "ph": ("f",),
    "ck": ("k",),
    "qu": ("k",),
    "cc": ("k", "c"),
    "x": ("ks",),
    "j": ("g",),
    "g": ("g", "k"),
    "q": ("k", "g"),
    "k": ("k",),
    "p": ("b",),
    "b": ("b",),
    "v": ("f",),
    "f": ("f",),
    "d": ("d",),
    "t": ("t",),
    "z": ("z", "d"),
    "s": ("s", "z"),
    "h": ("h", ""),
    **{letter: (letter,) for letter in "rlmn"},
    # Digits of Arabizi, and an apostrophe for the dot of the letter.
    "2": ("", "k"),
    "3'": ("g",),
    "3": ("",),
    "5": ("x",),
    "6": ("t",),
    "7'": ("x",),
    "7": ("h",),
    "8": ("k", "g"),
    "9": ("s", "k"),
}
_SOFT_C: Final = ("s", "c")
_HARD_C: Final = ("k", "s")
_LATIN_GRAPHEMES: Final = re.compile(r"sch|tch|sh|ch|kh|gh|th|dh|ph|ck|qu|cc|[37]'|c(?=[eiy])|.")
_ARABIC_VOWELS: Final = frozenset("اويعء")
_VOWEL_SOUNDS: Final = {"ا": "aeo", "و": "ouw", "ي": "iey", "ع": "aeiou3", "ء": "aeiou2"}
_LATIN_VOWELS: Final = frozenset("aeiouyw")


def is_latin(word: str) -> bool:
    return _LATIN_WORD.fullmatch(word) is not None


def is_arabic(word: str) -> bool:
    return _ARABIC_WORD.fullmatch(word) is not None


def can_cross(word: str) -> bool:
    """Whether a query word can be sought in the other script."""
    return is_arabic(word) or _ROMANISED.fullmatch(word) is not None


def key(word: str) -> int:
    """Return the key under which a vocabulary keeps a word for the other script; odd for Latin, 0 for none."""
    if is_arabic(word):
        return _key_of(next(iter(_arabic_skeletons(word))), latin=False)
    if is_latin(word):
        return _key_of(next(iter(_latin_skeletons(word))), latin=True)
    return 0


def _key_of(skeleton: str, *, latin: bool) -> int:
    if not skeleton:
        return 0
    return crc32(skeleton.encode("ascii")) | 1 if latin else crc32(skeleton.encode("ascii")) & ~1


@lru_cache(maxsize=1 << 12)
def keys_sought(word: str) -> tuple[int, ...]:
    """Return the keys of the words in the other script that may be this one."""
    latin = not is_arabic(word)
    readings = _latin_skeletons(word) if latin else _arabic_skeletons(word)
    keys = (_key_of(skeleton, latin=not latin) for skeleton in islice(readings, _MOST_READINGS))
    return tuple(dict.fromkeys(filter(None, keys)))


def _arabic_skeletons(word: str) -> Iterator[str]:
    spelled = word.removesuffix("ه") if len(word) > 2 else word
    graphemes = _ARABIC_GRAPHEMES.findall(spelled)
    return _combined([_ARABIC_READINGS.get(grapheme, ("",)) for grapheme in graphemes])


def _latin_skeletons(word: str) -> Iterator[str]:
    spelled = word.removesuffix("h") if len(word) > 2 else word
    return _combined([_latin_readings(spelled, match) for match in _LATIN_GRAPHEMES.finditer(spelled)])


def _latin_readings(word: str, match: re.Match[str]) -> tuple[str, ...]:
    grapheme = match.group()
    if grapheme == "c":
        return _SOFT_C if word[match.end() : match.end() + 1] in tuple("eiy") else _HARD_C
    return _LATIN_READINGS.get(grapheme, ("",))


def _combined(readings: list[tuple[str, ...]]) -> Iterator[str]:
    """Combine readings, the first ones of all letters first, doubled consonants written once."""
    for choice in product(*readings):
        yield re.sub(r"(.)\1+", r"\1", "".join(choice))


def agree(one: str, other: str) -> bool:
    """Whether two words of different scripts with the same consonants also agree in their vowels."""
    arabic, latin = (one, other) if is_arabic(one) else (other, one)
    heard, written = _vowel_gaps_of_latin(latin), _vowel_gaps_of_arabic(arabic)
    consonants = len(written) - 1
    if len(heard) != len(written):
        return consonants > 2
    clashes = sum(not _vowels_fit(vowels, sounds) for vowels, sounds in zip(written, heard, strict=True))
    return clashes <= max(0, consonants - 2)


def _vowel_gaps_of_arabic(word: str) -> list[str]:
    gaps = [""]
    spelled = word.removesuffix("ه") if len(word) > 2 else word
    last = ""
    for grapheme in _ARABIC_GRAPHEMES.findall(spelled):
        if grapheme in _ARABIC_VOWELS:
            gaps[-1] += grapheme
        elif _ARABIC_READINGS[grapheme][0] != last or gaps[-1]:
            gaps.append("")
        last = _ARABIC_READINGS.get(grapheme, ("",))[0]
    return gaps


def _vowel_gaps_of_latin(word: str) -> list[str]:
    gaps = [""]
    spelled = word.removesuffix("h") if len(word) > 2 else word
    last = ""
    for match in _LATIN_GRAPHEMES.finditer(spelled):
        grapheme = match.group()
        reading = _latin_readings(spelled, match)[0]
        if grapheme in _LATIN_VOWELS or not reading:
            gaps[-1] += grapheme
        elif reading != last or gaps[-1]:
            gaps += [""] * len(reading)
        last = reading
    return gaps


def _vowels_fit(vowels: str, sounds: str) -> bool:
    """Whether every long vowel written in Arabic is heard in the Latin word, in order."""
    at = 0
    for vowel in vowels:
        while at < len(sounds) and sounds[at] not in _VOWEL_SOUNDS[vowel]:
            at += 1
        if at == len(sounds) and vowel not in "عء":
            return False
        at += 1
    return True
