"""Proposes a transform for a feed's JSON, for whoever sees one for the first time; a person decides."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from apps.knowledge.transform.outline import FoundField, fields_of, lists_in
from apps.knowledge.transform.paths import Path
from apps.knowledge.transform.values import number_of, text_of

# What systems call the name and the price of things, in the order of how sure that is.
_NAMES: Final = ("name", "title", "product", "item", "service", "label", "اسم", "الاسم", "عنوان", "المنتج", "الصنف")
_PRICES: Final = ("price", "amount", "cost", "rate", "total", "سعر", "السعر", "المبلغ", "الثمن")
_GROUPS: Final = (
    "category",
    "group",
    "section",
    "department",
    "type",
    "collection",
    "قسم",
    "القسم",
    "فئة",
    "الفئة",
)
_CURRENCIES: Final = ("currency", "currency_code", "currencycode", "عملة", "العملة")
# A code, a sign or a short name such as "ريال سعودي"; no sentence, and nothing that a line would read as a field.
_CURRENCY: Final = re.compile(r"[^\d{}]{1,16}")
# Where the name of a price says what it is in, as in `price_sar`.
_CODE_OF_PRICE: Final = re.compile(r"(?:^|[._-])(sar|aed|kwd|qar|bhd|omr|jod|egp|usd|eur|gbp)$", re.IGNORECASE)
_MOST_ITEMS: Final = 5_000
_LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
_NUMBER: Final = re.compile(r"[\d٠-٩][\d٠-٩.,٫٬]*")


def suggest(value: Any) -> dict[str, str] | None:
    """Where the items are and a line with their name and price; None when there is no list of items.

    The line says the currency where the data does, and items at a price of zero are left out where there are any.
    """
    lists = lists_in(value)
    if not lists:
        return None
    path = lists[0].path
    fields = fields_of(value, path)
    name = _called(fields, _NAMES) or _first(fields, _LETTERS)
    if name is None:
        return None
    price = _called([field for field in fields if field is not name and _NUMBER.search(field.example)], _PRICES)
    group = _called([field for field in fields if field not in {name, price}], _GROUPS)
    return {
        "items_path": path,
        "line": f"{{{name.path}}}" + ("" if price is None else f" — {_price(value, path, fields, price)}"),
        "group_by": "" if group is None else group.path,
        "skip_when_zero": "" if price is None or not _is_ever_zero(value, path, price) else price.path,
    }


def _price(value: Any, items_path: str, fields: Sequence[FoundField], price: FoundField) -> str:
    """The price as a line has it, with the currency unless the price says it itself."""
    shown = f"{{{price.path}}}"
    if _NUMBER.fullmatch(price.example) is None:
        return shown
    currency = _currency_of_items(fields) or _currency_of_all(value, items_path) or _currency_of_name(price)
    return f"{shown} {currency}" if currency else shown


def _currency_of_items(fields: Sequence[FoundField]) -> str:
    field = _called([field for field in fields if _CURRENCY.fullmatch(field.example)], _CURRENCIES)
    return "" if field is None else f"{{{field.path}}}"


def _currency_of_all(value: Any, items_path: str) -> str:
    """What stands once beside the list, or around it."""
    around = reversed(Path.parse(items_path).parents(value))
    told = (text_of(found) for members in around for key, found in members.items() if key.lower() in _CURRENCIES)
    return next((text for text in told if _CURRENCY.fullmatch(text)), "")


def _currency_of_name(price: FoundField) -> str:
    code = _CODE_OF_PRICE.search(price.path)
    return code[1].upper() if code else ""


def _is_ever_zero(value: Any, items_path: str, price: FoundField) -> bool:
    items, path = Path.parse(items_path).of(value), Path.parse(price.path)
    numbers = (number_of(text_of(path.of(item))) for item in islice(items, _MOST_ITEMS))
    return any(number is not None and number.sign == 0 for number in numbers)


def _called(fields: Sequence[FoundField], names: Sequence[str]) -> FoundField | None:
    """The first field that has a value and is called so, the surest name first, else that has it in its name."""
    filled = [field for field in fields if field.example]
    for name in names:
        for field in filled:
            if name in field.path.lower().split("."):
                return field
    return next((field for name in names for field in filled if name in field.path.lower()), None)


def _first(fields: Sequence[FoundField], example: re.Pattern[str]) -> FoundField | None:
    return next((field for field in fields if example.search(field.example)), None)
