"""Compares words across the Arabic and Latin scripts by their sound, as in لاكوست and Lacoste, 7alib and حليب."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice, product
from operator import itemgetter
from typing import Final, NamedTuple
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
    "تش": ("c", "tc", "t"),  # كاتشب ketchup, فورتشنر Fortuner
    "تز": ("tz", "z"),
    "ك": ("k", "g", "c"),
}
# Signs in a text of Arabic words written by classes: of any vowel, and of the two consonants of one grapheme.
_VOWEL: Final = "-"
_TZ: Final = "q"
_CLASS_TABLE: Final = str.maketrans({**dict.fromkeys(_ARABIC_ALPHABET, _VOWEL), **_ARABIC_CLASSES})
# A key says in its lowest bits how many consonants are heard, up to so many, and in the next one the script.
MOST_COUNTED: Final = 7
_LATIN_BIT: Final = MOST_COUNTED + 1
_FINAL_HEH: Final = re.compile(r"(?<=[^\n]{2})ه$", re.MULTILINE)
_DOUBLED: Final = re.compile(r"([a-z])\1+")
# A function, for a template such as \1 is worked out anew for every text.
_ONCE: Final = itemgetter(1)
_ARTICLE: Final = re.compile(r"[وفبك]?ال|لل|al|el")
_SHORTEST: Final = 3
_MANY_CONSONANTS: Final = 4
# Its letters are said by name, so it has no sound: JBL is not جبلي.
_ABBREVIATION: Final = re.compile(r"[b-df-hj-np-tv-xz]{1,3}")
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
    "x": ("ks", "kz"),  # لكزس Lexus
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
# The only letters whose readings depend on what follows them.
_READ_BY_ITS_FOLLOWER: Final = re.compile(r"c|t(?=u|io)")
_SOFT_C: Final = ("s", "c")
_HARD_C: Final = ("k",)
_SOFT_T: Final = ("t", "c")  # Fortuner فورتشنر, station ستيشن
_LATIN_GRAPHEMES: Final = re.compile(r"sch|tch|sh|ch|kh|gh|th|dh|ph|ck|qu|cc|zz|[37]'|c(?=[eiy])|.")
# Stands before an i that may sound like that of Nike and Prime, which Arabic writes as اي: نايك, برايم.
_PERHAPS_A: Final = "`"
_LONG_I: Final = re.compile(r"i[bcdfgklmnprstvz]e$")
_VOWEL_SOUNDS: Final = {"ا": f"ae{_PERHAPS_A}", "و": "ouw", "ي": "iey", "ه": "ae"}
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
    """Return the key under which a vocabulary keeps each word for the other script, 0 for none."""
    arabic = [at for at, word in enumerate(words) if is_arabic(word)]
    found = [0] * len(words)
    first_heard = _first_heard_of_arabic([_without_article(words[at]) for at in arabic])
    for at, (skeleton, count) in zip(arabic, first_heard, strict=True):
        found[at] = _key_of(skeleton, latin=False) + min(count, MOST_COUNTED)
    for at, word in enumerate(words):
        if is_latin(word):
            reading = _first_reading(word)
            key = _key_of(_skeletons([reading[1]])[0], latin=True)
            found[at] = key + min(len(_gaps(reading)) - 1, MOST_COUNTED)
    return found


def _first_heard_of_arabic(words: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield the first skeleton of each word and how many consonants are heard, in a few passes over one text."""
    if not words:
        return
    text = _FINAL_HEH.sub("", "\n".join(words)).replace("تش", "ش").replace("تز", _TZ).translate(_CLASS_TABLE)
    skeletons = _DOUBLED.sub(_ONCE, text.replace(_VOWEL, "").replace(_TZ, "tz"))
    for line, skeleton in zip(text.split("\n"), skeletons.split("\n"), strict=True):
        yield skeleton, len(line) - line.count(_VOWEL) + line.count(_TZ)


def _key_of(skeleton: str, *, latin: bool) -> int:
    """Return the key of a skeleton, which counts nothing yet."""
    if not skeleton:
        return 0
    key = crc32(skeleton.encode("ascii")) & ~(_LATIN_BIT | MOST_COUNTED)
    return key | _LATIN_BIT if latin else key


def keys_sought(word: str) -> dict[int, str]:
    """Return the keys, with nothing counted, of the words in the other script that may be this one.

    Each comes with its skeleton.
    """
    if _ABBREVIATION.fullmatch(word):
        return {}
    latin = not word.isascii()
    skeletons = {skeleton for heard in _heard(word) for skeleton in heard.skeletons if skeleton}
    return {_key_of(skeleton, latin=latin): skeleton for skeleton in skeletons}


def _without_article(word: str) -> str:
    match = _ARTICLE.match(word)
    return word[match.end() :] if match and len(word) - match.end() >= _SHORTEST else word


def _graphemes(word: str) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the letters of a word, joined where they are one sound, and for each its readings, likeliest first."""
    if not word.isascii():
        spelled = _without_final_heh(word)
        letters: list[str] = _ARABIC_GRAPHEMES.findall(spelled) if _FIRST_OF_TWO in spelled else list(spelled)
        letters.extend(word[len(spelled) :])
        readings = [_ARABIC_READINGS.get(letter, _SILENTLY) for letter in letters]
        if len(spelled) < len(word):
            readings[-1] = _SILENTLY
        return letters, readings
    spelled = _SILENT_H.sub("", word)
    if _READ_BY_ITS_FOLLOWER.search(spelled) is None:
        letters = _LATIN_GRAPHEMES.findall(spelled)
        readings = [_LATIN_READINGS.get(letter, _SILENTLY) for letter in letters]
    else:
        parts = list(_LATIN_GRAPHEMES.finditer(spelled))
        letters = [part.group() for part in parts]
        readings = [_latin_readings(spelled, part) for part in parts]
    if _LONG_I.search(spelled):
        letters[-3] = _PERHAPS_A + letters[-3]
    return letters, readings


def _without_final_heh(word: str) -> str:
    """Drop a last letter that only marks a vowel."""
    return word.removesuffix("ه") if len(word) >= _SHORTEST else word


def _latin_readings(word: str, match: re.Match[str]) -> tuple[str, ...]:
    grapheme = match.group()
    if grapheme == "c":
        return _SOFT_C if word[match.end() : match.end() + 1] in tuple("eiy") else _HARD_C
    if grapheme == "t" and word.startswith(("u", "io"), match.end()):
        return _SOFT_T
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


def _first_reading(word: str) -> _Reading:
    """Return the likeliest reading of a word."""
    letters, readings = _graphemes(word)
    return letters, [each[0] for each in readings]


class _Heard(NamedTuple):
    """A spelling of a query word: its letters, the consonants of each reading, and these with doubled ones once."""

    letters: Sequence[str]
    readings: Sequence[tuple[str, ...]]
    skeletons: Sequence[str]
    of_construct: bool


@lru_cache(maxsize=1 << 12)
def _heard(word: str) -> list[_Heard]:
    """Return the spellings of a word: as it stands, without its article, and without the t of a construct."""
    bare = _without_article(word)
    spellings = [word] if bare == word else [word, bare]
    is_construct = word.isascii() and _CONSTRUCT.fullmatch(word) is not None
    if bare.isascii() and _CONSTRUCT.fullmatch(bare) and bare[:-1] not in spellings:
        spellings.append(bare[:-1])
    return [
        _Heard(
            *(reading := _readings(spelling)), _skeletons(reading[1]), is_construct and len(spelling) < len(word)
        )
        for spelling in spellings
    ]


@lru_cache(maxsize=1 << 12)
def _vowels_heard(word: str, sought: str) -> list[tuple[list[str], bool]]:
    """Return the vowels of each reading with the consonants sought, and whether it lacks the t of a construct."""
    return [
        (_gaps((letters, consonants)), of_construct)
        for letters, readings, skeletons, of_construct in _heard(word)
        for consonants, skeleton in zip(readings, skeletons, strict=True)
        if skeleton == sought
    ]


def agree(sought: str, found: str, skeleton: str, consonants: int) -> bool:
    """Whether a word found under the key of a skeleton, which counts its consonants, sounds like one sought."""
    if min(len(sought), len(found)) < _SHORTEST and not _is_short_syllable(sought, found):
        return False
    if _ABBREVIATION.fullmatch(found):
        return False
    latin_found = found.isascii()
    # Few words get so far as to have their vowels compared.
    likely = [
        gaps
        for gaps, of_construct in _vowels_heard(sought, skeleton)
        if (not of_construct or found.endswith("ه"))
        and (
            min(len(gaps) - 1, MOST_COUNTED) == consonants
            or (len(gaps) - 1 if latin_found else consonants) >= _MANY_CONSONANTS
        )
    ]
    if not likely:
        return False
    reading = _first_reading(found if latin_found else _without_article(found))
    written = _gaps(reading)
    return any(_vowels_agree(written, gaps, latin_found=latin_found) for gaps in likely) and (
        _skeletons([reading[1]]) == [skeleton]
    )


def _is_short_syllable(one: str, other: str) -> bool:
    """Whether one is two consonants in Arabic and the other the same with a short vowel, as جل and gel."""
    arabic, latin = (other, one) if one.isascii() else (one, other)
    return (
        len(arabic) < _SHORTEST == len(latin) and set(arabic) <= set(_ARABIC_CLASSES) and latin[1] in _SHORT_VOWELS
    )


def _vowels_agree(of_found: list[str], of_sought: list[str], *, latin_found: bool) -> bool:
    written, heard = (of_sought, of_found) if latin_found else (of_found, of_sought)
    consonants = len(written) - 1
    if len(heard) != len(written):
        return consonants >= _MANY_CONSONANTS
    # A word that begins with a vowel shows it in either script, so a difference there weighs double.
    clashes = 2 * (bool(written[0]) != bool(heard[0])) + _clash_at_end(written[-1], heard[-1])
    clashes += sum(map(_clash, written[1:-1], heard[1:-1]))
    return clashes <= min(2, max(0, consonants - 2))


def _gaps(reading: _Reading) -> list[str]:
    """Return the vowels before, between and after the consonants.

    Doubled consonants are one in Latin. In Arabic only those with a vowel between are written twice, as in لكسس.
    """
    gaps, last = [""], ""
    for letter, consonants in zip(*reading, strict=True):
        if not consonants:
            gaps[-1] += letter
        elif consonants != last or gaps[-1] or not letter.isascii():
            gaps += [""] * len(consonants)
        last = consonants
    return gaps


def _clash(vowels: str, sounds: str) -> bool:
    """Whether a long vowel written in Arabic is not heard in Latin, or a double one heard is not written."""
    if not vowels and not sounds:
        return False
    at, vowels, sounds = 0, vowels.translate(_SILENT), sounds.translate(_SILENT)
    if "ا" not in vowels:
        sounds = sounds.replace(_PERHAPS_A, "")
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
