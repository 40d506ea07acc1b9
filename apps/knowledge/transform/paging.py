"""Whether a feed says that there is more than this answer, so that a search that finds nothing proves nothing.

Feeds say so in many ways: a total beside the list, a number of pages, the address or token of the next page, a
flag; beside the list itself, further up, or in an object of its own such as `meta` or `pagination`. Names count
without case, underscores and hyphens. A doubtful sign counts: a false alarm costs no more than a softer answer.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from apps.knowledge.transform.values import is_zero_or_missing

_NAME_MARKS: Final = str.maketrans("", "", "_-")
_WHOLE_NUMBER: Final = re.compile(r"[0-9]{1,15}")
_NEXT_RELATION: Final = re.compile(r';\s*rel\s*=\s*"?[^";,]*\bnext\b', re.IGNORECASE)
_DEEPEST: Final = 3  # meta.pagination.links.next


def _exceeds(value: Any, limit: int) -> bool:
    """Whether a count, given as a number or as text, is a whole number over the limit."""
    text = value.strip() if isinstance(value, str) else ""
    return _WHOLE_NUMBER.fullmatch(text) is not None and int(text) > limit


def _is_larger_total(value: Any, shown: int) -> bool:
    return _exceeds(value, shown)


def _is_several_pages(value: Any, _: int) -> bool:
    return _exceeds(value, 1)


def _is_something(value: Any, _: int) -> bool:
    return not is_zero_or_missing(value)


def _is_true(value: Any, _: int) -> bool:
    return value is True


def _is_false(value: Any, _: int) -> bool:
    return value is False


_PAGING_OBJECTS: Final = frozenset(
    {"links", "meta", "metadata", "page", "pageinfo", "pager", "paginator", "pagination", "paging"}
)
_TOTALS: Final = (
    *("count", "itemcount", "numfound", "recordstotal", "total", "totalcount", "totalelements", "totalentries"),
    *(
        "totalhits",
        "totalitems",
        "totalproducts",
        "totalproductscount",
        "totalrecords",
        "totalresults",
        "totalrows",
    ),
)
_PAGE_COUNTS: Final = ("lastpage", "numpages", "pagecount", "pages", "pagescount", "totalpages")
_NEXTS: Final = (
    *("next", "nextcursor", "nexthref", "nextlink", "nextoffset", "nextpage", "nextpagetoken", "nextpageurl"),
    *("nexttoken", "nexturl", "continuationtoken", "@odata.nextlink"),
)
_SIGNS: Final[dict[str, Callable[[Any, int], bool]]] = {
    **dict.fromkeys(_TOTALS, _is_larger_total),
    **dict.fromkeys(_PAGE_COUNTS, _is_several_pages),
    **dict.fromkeys(_NEXTS, _is_something),
    **dict.fromkeys(("hasmore", "hasmorepages", "hasnext", "hasnextpage", "more", "moreavailable"), _is_true),
    **dict.fromkeys(("islast", "islastpage", "last"), _is_false),
}


def announces_more(objects: list[dict[str, Any]], shown: int) -> bool:
    """Whether the objects around a list of `shown` items, or their paging objects, tell of further items."""
    return any(
        name in _SIGNS and _SIGNS[name](value, shown)
        for members in objects
        for name, value in _paging_members(members, _DEEPEST)
    )


def headers_announce_more(headers: Mapping[str, str], shown: int) -> bool:
    """The same from an answer's headers with lower-case names, where several shop systems say it."""
    return (
        _NEXT_RELATION.search(headers.get("link", "")) is not None
        or any(_exceeds(headers.get(name), 1) for name in ("x-wp-totalpages", "x-total-pages"))
        or any(_exceeds(headers.get(name), shown) for name in ("x-wp-total", "x-total-count"))
    )


def _paging_members(members: Mapping[str, Any], depth: int) -> Iterator[tuple[str, Any]]:
    for name, value in members.items():
        plain = name.lower().translate(_NAME_MARKS)
        yield plain, value
        if depth and plain in _PAGING_OBJECTS and isinstance(value, dict):
            yield from _paging_members(value, depth - 1)
