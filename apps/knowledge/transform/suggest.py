"""Proposes a transform for a feed's JSON, for whoever sees one for the first time; a person decides."""

import re
from collections.abc import Sequence
from typing import Any, Final

from apps.knowledge.transform.outline import FoundField, fields_of, lists_in

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
_LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
_NUMBER: Final = re.compile(r"[\d٠-٩][\d٠-٩.,٫٬]*")


def suggest(value: Any) -> dict[str, str] | None:
    """Where the items are and a line with their name and price; None when there is no list of items."""
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
    line = f"{{{name.path}}}" if price is None else f"{{{name.path}}} — {{{price.path}}}"
    return {"items_path": path, "line": line, "group_by": "" if group is None else group.path}


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
