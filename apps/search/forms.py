"""Other forms of a word: with or without a prefix, singular or plural."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

from apps.search import lexicon

Row = TypeVar("Row", bound=tuple[str, Any])

SHORTEST_REST: Final = 3
_SHORTEST_PART: Final = 2
_SHORTEST_WITH_EDITS: Final = 6
_ARABIC_FIRST, _ARABIC_LAST = "ء", "ي"
# The article and its joins may change against each other; a single letter comes off one of two words only while the
# other stands whole, for it may belong to the word.
ARTICLES: Final = ("ال", "وال", "بال", "فال", "كال", "لل", "ولل", "فلل", "وبال", "وكال")
_PARTICLES: Final = ("و", "ف", "ب", "ك", "ل", "وب", "ول", "وك", "فب", "فل")
# What chat puts before a word for "this" and "on the"; in a line it would be part of the word.
_SPOKEN_ARTICLES: Final = ("هال", "عال")
_ALL_ARTICLES: Final = ARTICLES + _SPOKEN_ARTICLES
_ARTICLE_AFTER: Final = {"و": "وال", "ف": "فال", "ب": "بال", "ك": "كال", "ل": "لل"}
_ALEF: Final = "ا"
_OTHER_LONG_VOWELS: Final = "وي"
_LONG_VOWELS: Final = _ALEF + _OTHER_LONG_VOWELS
_FEMININE: Final = "ه"
_FEMININE_JOINED: Final = "ت"
_NO_FORMS: Final[frozenset[str]] = frozenset()


@lru_cache(maxsize=1 << 14)
def forms_of(word: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the other forms of a word: those found bare or after any article, and those found only as they are."""
    if not _ARABIC_FIRST <= word[0] <= _ARABIC_LAST:
        return _NO_FORMS, frozenset(_english_forms(word))
    bare = [word, *_inflections(word)]
    for stem in _without(word, _ALL_ARTICLES):
        bare += (stem, *_inflections(stem))
    whole = [particle + word for particle in _PARTICLES]
    if word[0] in _ARTICLE_AFTER:
        whole += (*_without(word, _PARTICLES), *_same_particle(word))
    return frozenset(bare), frozenset(whole)


def _same_particle(word: str) -> Iterator[str]:
    """Yield the word with an article more or less after its particle, which stays: بلبن and باللبن."""
    particle = word[0]
    with_article = _ARTICLE_AFTER[particle]
    rest = word.removeprefix(with_article)
    if rest != word and len(rest) >= SHORTEST_REST:
        yield particle + rest
    elif rest == word and len(word) > SHORTEST_REST:
        yield with_article + word[1:]


def other_articles(word: str) -> tuple[str, ...]:
    """Return a word with an article put on, or taken off, where edits alone reach nothing."""
    if len(word) < _SHORTEST_WITH_EDITS or not _ARABIC_FIRST <= word[0] <= _ARABIC_LAST:
        return ()
    return tuple(_without(word, ARTICLES)) or ("ال" + word,)


def halves_of(word: str) -> Iterator[tuple[str, str]]:
    """Yield the two words that a word may be written together of; the second may have had an article."""
    for at in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        one, other = word[:at], word[at:]
        yield one, other
        if one.endswith("ا"):
            yield one + "ء", other  # ماورد is ماء ورد
        yield from ((one, bare) for bare in _without(other, ("ال",)))


def _without(word: str, prefixes: tuple[str, ...]) -> list[str]:
    # Most words begin with none of them.
    if not word.startswith(prefixes):
        return []
    return [
        word[len(prefix) :]
        for prefix in prefixes
        if word.startswith(prefix) and len(word) - len(prefix) >= SHORTEST_REST
    ]


def _inflections(stem: str) -> list[str]:
    """Return a word without prefix in other numbers and genders, and owned by others."""
    forms = [*lexicon.BROKEN_PLURALS.get(stem, ()), *_broken_patterns(stem)]
    last = stem[-1]
    if last != _FEMININE:
        forms += [stem + ending for ending in _ADDED]
    if len(stem) >= _SHORTEST_OWNED:
        base = stem[:-1] + _FEMININE_JOINED if last == _FEMININE else stem
        forms += [base + owner for owner in _OWNERS]
    if last in _ENDINGS_BY_LETTER:
        forms += _other_endings(stem)
    if last in _PRONOUNS_BY_LETTER:
        forms += _other_owners(stem)
    return forms


def _other_endings(stem: str) -> Iterator[str]:
    """Yield a word with other endings of feminine, masculine and dual; three letters stay at least."""
    for ending, others in _ENDINGS_BY_LETTER[stem[-1]]:
        rest = stem.removesuffix(ending)
        if rest != stem and len(rest) >= SHORTEST_REST - 1:
            yield from [rest + other for other in others if len(rest) + len(other) >= SHORTEST_REST]
    if stem.endswith("ات"):
        # A plural made a plural again, as the Gulf says عطورات.
        yield from lexicon.BROKEN_PLURALS.get(stem.removesuffix("ات"), ())


def _other_owners(stem: str) -> Iterator[str]:
    """Yield a word with other pronouns than it has, and without, as حسابكم for حسابي; before a pronoun ة is ت."""
    for pronoun, shortest in _PRONOUNS_BY_LETTER[stem[-1]]:
        rest = stem.removesuffix(pronoun)
        if rest != stem and len(rest) >= shortest:
            yield from (rest, *[rest + other for other in _OWNERS])
            if rest.endswith(_FEMININE_JOINED):
                yield rest[:-1] + _FEMININE


_SHORTEST_OWNED: Final = 4
# Pronouns at the end of a word, each with the letters that must stay; one letter may well belong to the word.
_PRONOUNS: Final = (("كم", 3), ("كن", 4), ("نا", 4), ("ها", 4), ("هم", 4), ("ي", 4), ("ك", 4))
_OWNERS: Final = ("ي", "ك", "كم", "نا", "ها", "هم")

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


def _by_last_letter(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Sort rows by the last letter of the ending that each begins with, so that most words need to try few."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row[0][-1], []).append(row)
    return found


_ENDINGS_BY_LETTER: Final = _by_last_letter(_ENDINGS)
_PRONOUNS_BY_LETTER: Final = _by_last_letter(_PRONOUNS)


# Singulars and broken plurals by the pattern of their letters: digits are letters of the root, V is any long vowel.
_PATTERNS: Final = (
    ("123", "ا12ا3"),  # قلم أقلام
    ("1ا2", "ا1وا2"),  # باب أبواب
    ("123", "12و3"),  # عطر عطور
    ("12ا3", "ا123ه"),  # قماش أقمشة
    ("1ا23", "1وا23"),  # خاتم خواتم
    ("1ا23ه", "1وا23"),  # فاكهة فواكه
    ("1234", "12ا34"),  # مكتب مكاتب
    ("1234ه", "12ا34"),  # مبخرة مباخر
    ("12V3ه", "12اي3"),  # حقيبة حقائب
    ("123V4", "12ا3ي4"),  # صندوق صناديق
    ("123V4ه", "12ا3ي4"),  # سجادة سجاجيد
    ("1ا2V3", "1وا2ي3"),  # فانوس فوانيس
    ("1ا2V3ه", "1وا2ي3"),  # فاتورة فواتير
)
_ROOT: Final = f"([^{_ALEF}])"


class _Pattern(NamedTuple):
    """A pattern that a word may have, and the words of the other pattern that it then stands beside."""

    fits: re.Pattern[str]
    others: tuple[str, ...]


def _alefs(word: str) -> tuple[int, ...]:
    """Return how many letters stand before, between and after the alefs of a word."""
    return tuple(map(len, word.split(_ALEF)))


def _by_alefs() -> dict[tuple[int, ...], list[_Pattern]]:
    """Sort the patterns by their alefs, for only those with the alefs of a word can fit it."""
    found: dict[tuple[int, ...], list[_Pattern]] = {}
    for singular, plural in _PATTERNS:
        for one, other in ((singular, plural), (plural, singular)):
            # Every pattern has the letters of the root in their order.
            template = re.sub(r"\d", "%s", other)
            others = tuple(template.replace("V", vowel) for vowel in (_LONG_VOWELS if "V" in other else "V"))
            for vowels in (_ALEF, _OTHER_LONG_VOWELS) if "V" in one else ("",):
                fits = re.sub(r"\d", _ROOT, one).replace("V", f"[{vowels}]")
                key = _alefs(one.replace("V", vowels[:1]))
                found.setdefault(key, []).append(_Pattern(re.compile(fits), others))
    return found


_PATTERNS_BY_ALEFS: Final = _by_alefs()


def _broken_patterns(stem: str) -> list[str]:
    """Return the plurals or singulars that the pattern of the letters allows."""
    return [
        other % match.groups()
        for pattern in _PATTERNS_BY_ALEFS.get(_alefs(stem), ())
        if (match := pattern.fits.fullmatch(stem))
        for other in pattern.others
    ]


def _english_forms(word: str) -> Iterator[str]:
    yield from lexicon.BROKEN_PLURALS.get(word, ())
    if len(word) < SHORTEST_REST or not word.isascii():
        return
    yield word + "s"
    yield word + "es"
    if word.endswith("y"):
        yield word[:-1] + "ies"
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith("es") and len(word) > SHORTEST_REST + 1:
        yield word[:-2]
    if word.endswith("s") and len(word) > SHORTEST_REST:
        yield word[:-1]
