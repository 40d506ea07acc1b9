"""Amounts that a query may name otherwise than a line: نص كيلو for 500 جرام, لترين for 2 لتر, 1000 مل for 1 لتر."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from apps.search import lexicon
from apps.search.words import is_number

# An amount is sought as two neighbouring words of a line.
Amount = tuple[str, str]

_FRACTIONS: Final = {
    "نص": Decimal("0.5"),
    "نصف": Decimal("0.5"),
    "ربع": Decimal("0.25"),
    "ثمن": Decimal("0.125"),
    "تمن": Decimal("0.125"),
}
_AND: Final = "و"
_DUAL: Final = "ين"
_LONGEST_NUMBER: Final = 12
_LARGER_UNITS: Final = {smaller: (unit, count) for unit, (smaller, count) in lexicon.SMALLER_UNITS.items()}
_UNITS: Final = frozenset(lexicon.SMALLER_UNITS) | frozenset(_LARGER_UNITS)


def amounts_of_pair(one: str, other: str) -> Iterable[Amount]:
    """Return what two neighbouring words of a query may be called in a line, if they are an amount."""
    if other in _UNITS:
        value = _value_of(one)
        return () if value is None else _same_amounts(value, other, but=(one, other))
    if other[1:] not in _FRACTIONS:
        return ()
    if one in _UNITS and other.startswith(_AND):
        return _same_amounts(1 + _FRACTIONS[other[1:]], one)
    unit = one.removesuffix(_DUAL)
    return _same_amounts(2 + _FRACTIONS[other[1:]], unit) if unit != one and unit in _UNITS else ()


def amounts_of_word(word: str) -> Iterable[Amount]:
    """Return what the dual of a unit may be called: لترين is 2 لتر."""
    unit = word.removesuffix(_DUAL)
    return _same_amounts(Decimal(2), unit) if unit != word and unit in _UNITS else ()


def dual_of(one: str, other: str) -> tuple[str, ...]:
    """Return the dual that a line may have for 2 of a unit."""
    return (other + _DUAL,) if one == "2" and other in _UNITS else ()


def _value_of(word: str) -> Decimal | None:
    if word in _FRACTIONS:
        return _FRACTIONS[word]
    digits = word if is_number(word) else lexicon.NUMBER_WORDS_BESIDE_A_UNIT.get(word)
    return Decimal(digits) if digits and len(digits) <= _LONGEST_NUMBER else None


def _same_amounts(value: Decimal, unit: str, but: Sequence[str] = ()) -> Iterator[Amount]:
    """Yield the amount in its own unit, the smaller and the larger one."""
    amounts = [(value, unit)]
    if unit in lexicon.SMALLER_UNITS:
        smaller, count = lexicon.SMALLER_UNITS[unit]
        amounts.append((value * count, smaller))
    if unit in _LARGER_UNITS:
        larger, count = _LARGER_UNITS[unit]
        amounts.append((value / count, larger))
    for number, name in amounts:
        written = (_written(number), name)
        if written != tuple(but):
            yield written


def _written(value: Decimal) -> str:
    """Write a number as the words of lines have it, without zeros that do not count."""
    digits = f"{value:f}"
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
