"""Compares words across the Arabic and Latin scripts by their sound, as in لاكوست and Lacoste, 7alib and حليب."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from typing import Final
from zlib import crc32

_MOST_READINGS: Final = 24
_LATIN_WORD: Final = re.compile(r"[a-z][a-z']*")
_ROMANISED: Final = re.compile(r"[a-z0-9']*[a-z][a-z0-9']*")
_ARABIC_WORD: Final = re.compile(r"[\u0621-\u064a]+")

_ARABIC_ALPHABET: Final = frozenset(map(chr, range(0x621, 0x64B)))

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
    "تش": ("c", "tc"),
    "ك": ("k", "c"),
}
_CLASS_TABLE: Final = str.maketrans({**_ARABIC_CLASSES, **dict.fromkeys(_ARABIC_ALPHABET - set(_ARABIC_CLASSES))})
_FINAL_HEH: Final = re.compile(r"(?<=[^\n]{2})ه$", re.MULTILINE)
_DOUBLED: Final = re.compile(r"([a-z])\1+")
_ARTICLE: Final = re.compile(r"[وفبك]?ال|لل|al|el")
_SHORTEST: Final = 3
_MANY_CONSONANTS: Final = 4
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
    "zz": ("tz", "z"),
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
_HARD_C: Final = ("k",)
_LATIN_GRAPHEMES: Final = re.compile(r"sch|tch|sh|ch|kh|gh|th|dh|ph|ck|qu|cc|zz|[37]'|c(?=[eiy])|.")
_VOWEL_SOUNDS: Final = {"ا": "ae", "و": "ouw", "ي": "iey", "ه": "ae"}
_SILENT: Final = str.maketrans("", "", "عء")


def is_latin(word: str) -> bool:
    return _LATIN_WORD.fullmatch(word) is not None


def is_arabic(word: str) -> bool:
    return _ARABIC_WORD.fullmatch(word) is not None


def can_cross(word: str) -> bool:
    """Whether a query word can be sought in the other script."""
    return is_arabic(word) or _ROMANISED.fullmatch(word) is not None


def keys(words: Sequence[str]) -> list[int]:
    """Return the key under which a vocabulary keeps each word for the other script; odd for Latin, 0 for none."""
    arabic = [at for at, word in enumerate(words) if is_arabic(word)]
    found = [0] * len(words)
    skeletons = _first_arabic_skeletons([_without_article(words[at]) for at in arabic])
    for at, skeleton in zip(arabic, skeletons, strict=True):
        found[at] = _key_of(skeleton, latin=False)
    for at, word in enumerate(words):
        if is_latin(word):
            found[at] = _key_of(next(_latin_skeletons(word)), latin=True)
    return found


def _first_arabic_skeletons(words: Sequence[str]) -> list[str]:
    """Return the first skeleton of each word, all words in a few passes over one text."""
    if not words:
        return []
    text = _FINAL_HEH.sub("", "\n".join(words)).replace("تش", "ش").translate(_CLASS_TABLE)
    return _DOUBLED.sub(r"\1", text).split("\n")


def _key_of(skeleton: str, *, latin: bool) -> int:
    if not skeleton:
        return 0
    return crc32(skeleton.encode("ascii")) | 1 if latin else crc32(skeleton.encode("ascii")) & ~1


def keys_sought(word: str) -> tuple[int, ...]:
    """Return the keys of the words in the other script that may be this one."""
    latin = not is_arabic(word)
    skeletons = _latin_skeletons if latin else _arabic_skeletons
    found = (
        _key_of(skeleton, latin=not latin)
        for spelling in _with_and_without_article(word)
        for skeleton in islice(skeletons(spelling), _MOST_READINGS)
    )
    return tuple(dict.fromkeys(filter(None, found)))


def _without_article(word: str) -> str:
    match = _ARTICLE.match(word)
    return word[match.end() :] if match and len(word) - match.end() >= _SHORTEST else word


def _with_and_without_article(word: str) -> tuple[str, ...]:
    bare = _without_article(word)
    return (word,) if bare == word else (word, bare)


def _arabic_skeletons(word: str) -> Iterator[str]:
    spelled = _without_final(word, "ه")
    graphemes = _ARABIC_GRAPHEMES.findall(spelled)
    return _combined([_ARABIC_READINGS.get(grapheme, ("",)) for grapheme in graphemes])


def _latin_skeletons(word: str) -> Iterator[str]:
    spelled = _without_final(word, "h")
    return _combined([_latin_readings(spelled, match) for match in _LATIN_GRAPHEMES.finditer(spelled)])


def _without_final(word: str, letter: str) -> str:
    """Drop a last letter that only marks a vowel."""
    return word.removesuffix(letter) if len(word) >= _SHORTEST else word


def _latin_readings(word: str, match: re.Match[str]) -> tuple[str, ...]:
    grapheme = match.group()
    if grapheme == "c":
        return _SOFT_C if word[match.end() : match.end() + 1] in tuple("eiy") else _HARD_C
    return _LATIN_READINGS.get(grapheme, ("",))


def _combined(readings: list[tuple[str, ...]]) -> Iterator[str]:
    """Combine readings, the first ones of all letters first, doubled consonants written once."""
    for choice in product(*readings):
        yield _DOUBLED.sub(r"\1", "".join(choice))


def agree(one: str, other: str) -> bool:
    """Whether two words of different scripts with the same consonants also agree in their vowels."""
    if min(len(one), len(other)) < _SHORTEST:
        return False
    arabic, latin = (one, other) if is_arabic(one) else (other, one)
    spellings = product(_with_and_without_article(arabic), _with_and_without_article(latin))
    return any(_sound_alike(*pair) for pair in spellings)


def _sound_alike(arabic: str, latin: str) -> bool:
    written, heard = _arabic_gaps(arabic), _latin_gaps(latin)
    consonants = len(written) - 1
    if len(heard) != len(written):
        return consonants >= _MANY_CONSONANTS
    inner = sum(_clash(vowels, sounds) for vowels, sounds in zip(written[1:-1], heard[1:-1], strict=True))
    # A word that begins with a vowel shows it in either script, so a difference there weighs double.
    clashes = inner + _clash_at_end(written[-1], heard[-1]) + 2 * (bool(written[0]) != bool(heard[0]))
    return clashes <= min(2, max(0, consonants - 2))


@lru_cache(maxsize=1 << 14)
def _arabic_gaps(word: str) -> list[str]:
    return _gaps(_arabic_sounds(word))


@lru_cache(maxsize=1 << 14)
def _latin_gaps(word: str) -> list[str]:
    return _gaps(_latin_sounds(word))


def _gaps(sounds: Iterator[tuple[str, str]]) -> list[str]:
    """Return the vowels before, between and after the consonants; doubled consonants are one."""
    gaps, last = [""], ""
    for grapheme, consonants in sounds:
        if not consonants:
            gaps[-1] += grapheme
        elif consonants != last or gaps[-1]:
            gaps += [""] * len(consonants)
        last = consonants
    return gaps


def _arabic_sounds(word: str) -> Iterator[tuple[str, str]]:
    for grapheme in _ARABIC_GRAPHEMES.findall(_without_final(word, "ه")):
        yield grapheme, _ARABIC_READINGS.get(grapheme, ("",))[0]
    if _without_final(word, "ه") != word:
        yield "ه", ""


def _latin_sounds(word: str) -> Iterator[tuple[str, str]]:
    spelled = _without_final(word, "h")
    for match in _LATIN_GRAPHEMES.finditer(spelled):
        yield match.group(), _latin_readings(spelled, match)[0]


def _clash(vowels: str, sounds: str) -> bool:
    """Whether a long vowel written in Arabic is not heard in Latin, or a double one heard is not written."""
    at, vowels = 0, vowels.translate(_SILENT)
    for vowel in vowels:
        while at < len(sounds) and sounds[at] not in _VOWEL_SOUNDS[vowel]:
            at += 1
        if at == len(sounds):
            return True
        at += 1
    return not vowels and (len(sounds) > 1 or sounds == "w")


def _clash_at_end(vowels: str, sounds: str) -> bool:
    """Whether one word ends in a vowel and the other does not; a last e may be silent."""
    if not vowels.translate(_SILENT):
        return sounds not in {"", "e"}
    return _clash(vowels, sounds)
