"""Other forms of a word: with or without a prefix, singular or plural."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from apps.search import lexicon

_SHORTEST_REST: Final = 3
# The article and its joins may change against each other; a single letter comes off one of two words only while the
# other stands whole, for it may belong to the word.
_ARTICLES: Final = ("ال", "وال", "بال", "فال", "كال", "لل", "ولل", "فلل", "وبال", "وكال")
_PARTICLES: Final = ("و", "ف", "ب", "ك", "ل", "وب", "ول", "وك", "فب", "فل")
_WITH_ARTICLE: Final = re.compile(rf"^((?:{'|'.join(_ARTICLES)})(.{{{_SHORTEST_REST},}}))$", re.MULTILINE)
_LONG_VOWELS: Final = "اوي"


@lru_cache(maxsize=1 << 14)
def forms_of(word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the other forms of a word: those found bare or with any article before them, and those found only whole."""
    if not "ء" <= word[0] <= "ي":
        return (), tuple(_english_forms(word))
    stems = (word, *_without(word, _ARTICLES))
    bare = dict.fromkeys(form for stem in stems for form in (stem, *_inflections(stem)))
    particled = (particle + word for particle in _PARTICLES)
    return tuple(bare), (*particled, *_without(word, _PARTICLES))


def with_article(words: str) -> list[tuple[str, str]]:
    """Return the words, given one a line, that begin with an article, each with what follows it."""
    return _WITH_ARTICLE.findall(words)


def _without(word: str, prefixes: tuple[str, ...]) -> list[str]:
    return [
        word[len(prefix) :]
        for prefix in prefixes
        if word.startswith(prefix) and len(word) - len(prefix) >= _SHORTEST_REST
    ]


def _inflections(stem: str) -> tuple[str, ...]:
    """Return the other numbers and genders of a word without prefix."""
    return tuple(
        dict.fromkeys(
            (*lexicon.BROKEN_PLURALS.get(stem, ()), *_regular_endings(stem), *_broken_patterns(stem)),
        )
    )


def _regular_endings(stem: str) -> Iterator[str]:
    """Endings of feminine, masculine and dual; the rest keeps three letters."""
    for ending, others in _ENDINGS:
        rest = stem.removesuffix(ending)
        if rest != stem and len(rest) >= _SHORTEST_REST:
            yield from (rest + other for other in others)
    if not stem.endswith("ه"):
        yield from (stem + ending for ending in _ADDED)


_ADDED: Final = ("ات", "ين", "ون", "ان", "ه")
# What an ending may change into.
_ENDINGS: Final = (
    ("ه", ("", "ات", "تين", "تان", "ين", "ون")),
    ("ات", ("", "ه", "ا")),
    ("ا", ("ات", "وات")),
    ("وات", ("ا",)),
    ("تين", ("ه", "ات")),
    ("تان", ("ه", "ات")),
    ("ين", ("", "ه", "ون")),
    ("ون", ("", "ين")),
    ("ان", ("",)),
)


def _broken_patterns(stem: str) -> Iterator[str]:
    """Yield broken plurals that follow the pattern of the letters, in both directions."""
    yield from _BY_LENGTH.get(len(stem), _no_pattern)(stem)


def _no_pattern(_: str) -> Iterator[str]:
    return iter(())


def _three(stem: str) -> Iterator[str]:
    first, second, third = stem
    yield f"ا{first}{'و' if second == 'ا' else second}ا{third}"  # قلم أقلام, باب أبواب
    if second not in "او":
        yield f"{first}{second}و{third}"  # عطر عطور, بيت بيوت


def _four(stem: str) -> Iterator[str]:
    first, second, third, fourth = stem
    if third == "و" and second not in "او":
        yield first + second + fourth
    if third == "ا" and second not in _LONG_VOWELS:
        yield f"ا{first}{second}{fourth}ه"  # قماش أقمشة
    if second == "ا":
        yield f"{first}وا{third}{fourth}"  # خاتم خواتم
    elif fourth != "ه" and not set(_LONG_VOWELS) & set(stem[1:3]):
        yield f"{first}{second}ا{third}{fourth}"  # مكتب مكاتب


def _five(stem: str) -> Iterator[str]:
    first, second, third, fourth, fifth = stem
    if first == "ا" and fourth == "ا":
        yield second + third + fifth
    if first == "ا" and fifth == "ه":
        yield f"{second}{third}ا{fourth}"
    if third == "ا":
        yield from _singulars_of_five(stem)
    if fifth == "ه":
        if third in _LONG_VOWELS:
            yield f"{first}{second}اي{fourth}"  # حقيبة حقائب
        elif second == "ا":
            yield f"{first}وا{third}{fourth}"  # فاكهة فواكه
        else:
            yield f"{first}{second}ا{third}{fourth}"  # مبخرة مباخر
    elif fourth in _LONG_VOWELS:
        middle = "و" if second == "ا" else second
        yield f"{first}{middle}ا{third}ي{fifth}"  # صندوق صناديق, فانوس فوانيس


def _singulars_of_five(stem: str) -> Iterator[str]:
    first, second, _, fourth, fifth = stem
    if second == "و":
        yield f"{first}ا{fourth}{fifth}"
        yield f"{first}ا{fourth}{fifth}ه"
        return
    if fourth == "ي":
        yield from (f"{first}{second}{vowel}{fifth}ه" for vowel in _LONG_VOWELS)
    yield first + second + fourth + fifth
    yield f"{first}{second}{fourth}{fifth}ه"


def _six(stem: str) -> Iterator[str]:
    first, second, third, fourth, fifth, sixth = stem
    if third == "ا" and fifth == "ي":
        middle = "ا" if second == "و" else second
        for vowel in _LONG_VOWELS:
            yield f"{first}{middle}{fourth}{vowel}{sixth}"
            yield f"{first}{middle}{fourth}{vowel}{sixth}ه"
    if sixth == "ه" and fourth in _LONG_VOWELS:
        middle = "و" if second == "ا" else second
        yield f"{first}{middle}ا{third}ي{fifth}"  # فاتورة فواتير


_BY_LENGTH: Final = {3: _three, 4: _four, 5: _five, 6: _six}


def _english_forms(word: str) -> Iterator[str]:
    if len(word) < _SHORTEST_REST or not word.isascii():
        return
    yield word + "s"
    yield word + "es"
    if word.endswith("y"):
        yield word[:-1] + "ies"
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith("es") and len(word) > _SHORTEST_REST + 1:
        yield word[:-2]
    if word.endswith("s") and len(word) > _SHORTEST_REST:
        yield word[:-1]
