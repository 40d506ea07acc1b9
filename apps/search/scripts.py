"""Compares words across the Arabic and Latin scripts by their sound, as in لاكوست and Lacoste, 7alib and حليب."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice, product
from operator import itemgetter
from typing import Final
from zlib import crc32

_MOST_READINGS: Final = 48
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
    **dict.fromkeys("دضذظ", "d"),
    "ر": "r",
    "ز": "z",
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
    "ظ": ("d", "z"),
    "ز": ("z", "s"),
    "س": ("s", "z"),
    "ج": ("g", "c"),
    "خ": ("x", "k", "h"),
    "تش": ("c", "tc"),
    "تز": ("tz", "z"),
    "ك": ("k", "g", "c"),
}
_CLASS_TABLE: Final = str.maketrans({**_ARABIC_CLASSES, **dict.fromkeys(_ARABIC_ALPHABET - set(_ARABIC_CLASSES))})
_FINAL_HEH: Final = re.compile(r"(?<=[^\n]{2})ه$", re.MULTILINE)
_DOUBLED: Final = re.compile(r"([a-z])\1+")
# A function, for a template such as \1 is worked out anew for every text.
_ONCE: Final = itemgetter(1)
_ARTICLE: Final = re.compile(r"[وفبك]?ال|لل|al|el")
_SHORTEST: Final = 3
_MANY_CONSONANTS: Final = 4
# The ة of a word that another one follows is heard as a t: 7alawet el jeben, and حلاوة الجبن.
_CONSTRUCT: Final = re.compile(r"[a-z0-9']{3,}[aei]t")
_SILENT_H: Final = re.compile(r"(?<=[aeiou])h$")
# No letter but this one begins a sound of two letters.
_FIRST_OF_TWO: Final = "ت"
_ARABIC_GRAPHEMES: Final = re.compile(r"تش|تز|[\u0621-\u064a]")

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
    "zz": ("z", "tz"),
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
_SILENTLY: Final = ("",)
# The only letter whose readings depend on what follows it.
_READ_BY_ITS_FOLLOWER: Final = "c"
_SOFT_C: Final = ("s", "c")
_HARD_C: Final = ("k",)
_LATIN_GRAPHEMES: Final = re.compile(r"sch|tch|sh|ch|kh|gh|th|dh|ph|ck|qu|cc|zz|[37]'|c(?=[eiy])|.")
_VOWEL_SOUNDS: Final = {"ا": "ae", "و": "ouw", "ي": "iey", "ه": "ae"}
_SHORT_VOWELS: Final = frozenset("aeiou")
_SILENT: Final = str.maketrans("", "", "عء23'")


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
            found[at] = _key_of(_first_reading(word)[1], latin=True)
    return found


def _first_arabic_skeletons(words: Sequence[str]) -> list[str]:
    """Return the first skeleton of each word, all words in a few passes over one text."""
    if not words:
        return []
    text = _FINAL_HEH.sub("", "\n".join(words)).replace("تش", "ش").translate(_CLASS_TABLE)
    return _DOUBLED.sub(_ONCE, text).split("\n")


def _key_of(skeleton: str, *, latin: bool) -> int:
    if not skeleton:
        return 0
    return crc32(skeleton.encode("ascii")) | 1 if latin else crc32(skeleton.encode("ascii")) & ~1


def keys_sought(word: str) -> list[int]:
    """Return the keys of the words in the other script that may be this one."""
    latin = is_arabic(word)
    return [_key_of(skeleton, latin=latin) for skeleton in _sounds_sought(word) if skeleton]


def _without_article(word: str) -> str:
    match = _ARTICLE.match(word)
    return word[match.end() :] if match and len(word) - match.end() >= _SHORTEST else word


def _spellings(word: str) -> tuple[str, ...]:
    """Return a query word as it stands, without its article, and without the t of a construct."""
    bare = _without_article(word)
    construct = (bare[:-1],) if _CONSTRUCT.fullmatch(bare) else ()
    return tuple(dict.fromkeys((word, bare, *construct)))


def _graphemes(word: str) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the letters of a word, joined where they are one sound, and for each its readings, likeliest first."""
    if is_arabic(word):
        spelled = _without_final_heh(word)
        letters: list[str] = _ARABIC_GRAPHEMES.findall(spelled) if _FIRST_OF_TWO in spelled else list(spelled)
        letters.extend(word[len(spelled) :])
        readings = [_ARABIC_READINGS.get(letter, _SILENTLY) for letter in letters]
        if len(spelled) < len(word):
            readings[-1] = _SILENTLY
        return letters, readings
    spelled = _SILENT_H.sub("", word)
    if _READ_BY_ITS_FOLLOWER not in spelled:
        letters = _LATIN_GRAPHEMES.findall(spelled)
        return letters, [_LATIN_READINGS.get(letter, _SILENTLY) for letter in letters]
    parts = list(_LATIN_GRAPHEMES.finditer(spelled))
    return [part.group() for part in parts], [_latin_readings(spelled, part) for part in parts]


def _without_final_heh(word: str) -> str:
    """Drop a last letter that only marks a vowel."""
    return word.removesuffix("ه") if len(word) >= _SHORTEST else word


def _latin_readings(word: str, match: re.Match[str]) -> tuple[str, ...]:
    grapheme = match.group()
    if grapheme == "c":
        return _SOFT_C if word[match.end() : match.end() + 1] in tuple("eiy") else _HARD_C
    return _LATIN_READINGS.get(grapheme, _SILENTLY)


# The letters of a word with the consonants that they are read as, "" for none.
_Reading = tuple[Sequence[str], Sequence[str]]


def _readings(word: str) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the letters of a word and the consonants of each reading, the likeliest of all letters first."""
    letters, readings = _graphemes(word)
    return letters, list(islice(product(*readings), _MOST_READINGS))


def _skeletons(readings: Iterable[Sequence[str]]) -> list[str]:
    """Return the consonants of each reading, doubled ones once, in one pass over one text."""
    return _DOUBLED.sub(_ONCE, "\n".join(map("".join, readings))).split("\n")


def _first_reading(word: str) -> tuple[_Reading, str]:
    """Return the likeliest reading of a word, and its skeleton."""
    letters, readings = _graphemes(word)
    consonants = [each[0] for each in readings]
    return (letters, consonants), _DOUBLED.sub(_ONCE, "".join(consonants))


def agree(sought: str, found: str) -> bool:
    """Whether a word found under a key of a word sought sounds like it, vowels included."""
    if min(len(sought), len(found)) < _SHORTEST and not _is_short_syllable(sought, found):
        return False
    skeleton, written = _sounds_of_found(found)
    latin_found = not is_arabic(found)
    return any(
        (not of_construct or found.endswith("ه"))
        and _vowels_agree(written, _gaps(reading), latin_found=latin_found)
        for reading, of_construct in _sounds_sought(sought).get(skeleton, ())
    )


@lru_cache(maxsize=1 << 12)
def _sounds_sought(word: str) -> dict[str, list[tuple[_Reading, bool]]]:
    """Return the readings of a word by their consonants, and whether each left out the t of a construct."""
    sounds: dict[str, list[tuple[_Reading, bool]]] = {}
    for spelling in _spellings(word):
        of_construct = len(spelling) < len(word) and _CONSTRUCT.fullmatch(word) is not None
        letters, choices = _readings(spelling)
        for skeleton, consonants in zip(_skeletons(choices), choices, strict=True):
            sounds.setdefault(skeleton, []).append(((letters, consonants), of_construct))
    return sounds


def _is_short_syllable(one: str, other: str) -> bool:
    """Whether one is two consonants in Arabic and the other the same with a short vowel, as جل and gel."""
    arabic, latin = (one, other) if is_arabic(one) else (other, one)
    return (
        len(arabic) < _SHORTEST == len(latin) and set(arabic) <= set(_ARABIC_CLASSES) and latin[1] in _SHORT_VOWELS
    )


@lru_cache(maxsize=1 << 14)
def _sounds_of_found(word: str) -> tuple[str, list[str]]:
    """Return the consonants by which a vocabulary keeps a word, and the vowels around them."""
    reading, skeleton = _first_reading(_without_article(word) if is_arabic(word) else word)
    return skeleton, _gaps(reading)


def _vowels_agree(of_found: list[str], of_sought: list[str], *, latin_found: bool) -> bool:
    written, heard = (of_sought, of_found) if latin_found else (of_found, of_sought)
    consonants = len(written) - 1
    if len(heard) != len(written):
        return consonants >= _MANY_CONSONANTS
    inner = sum(_clash(vowels, sounds) for vowels, sounds in zip(written[1:-1], heard[1:-1], strict=True))
    # A word that begins with a vowel shows it in either script, so a difference there weighs double.
    clashes = inner + _clash_at_end(written[-1], heard[-1]) + 2 * (bool(written[0]) != bool(heard[0]))
    return clashes <= min(2, max(0, consonants - 2))


def _gaps(reading: _Reading) -> list[str]:
    """Return the vowels before, between and after the consonants; doubled consonants are one."""
    gaps, last = [""], ""
    for letter, consonants in zip(*reading, strict=True):
        if not consonants:
            gaps[-1] += letter
        elif consonants != last or gaps[-1]:
            gaps += [""] * len(consonants)
        last = consonants
    return gaps


def _clash(vowels: str, sounds: str) -> bool:
    """Whether a long vowel written in Arabic is not heard in Latin, or a double one heard is not written."""
    at, vowels, sounds = 0, vowels.translate(_SILENT), sounds.translate(_SILENT)
    if vowels.endswith("او") and set("ou") & set(sounds):
        vowels = vowels[:-2] + "و"  # او is one sound in ماوس
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
        return sounds.translate(_SILENT) not in {"", "e"}
    # After another vowel a last ه is silent, as in كافيه.
    return _clash(vowels.removesuffix("ه") or vowels, sounds)
