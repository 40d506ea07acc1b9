"""Words of the search bench."""

from typing import Final

from apps.dashboard.texts import Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("مختبر البحث", "Search bench"),
    "lead": (
        "اكتب السؤال كما يكتبه عملاؤك، وشاهد ما الذي سيجده وكلاؤك.",
        "Ask as your customers type, and see what your agents will find.",
    ),
    "query": ("السؤال", "Question"),
    "placeholder": ("كم سعر صندق البخور", "كم سعر صندق البخور"),
    "ask": ("ابحث", "Search"),
    "hits": ("النتائج", "Hits"),
    "full_match": ("كل الكلمات", "all words"),
    "edits": ("فروق إملائية: {n}", "spelling differences: {n}"),
    "miss": ("لا نتيجة", "Nothing found"),
    "ignored": ("كلمات لم تُحتسب", "Words that did not count"),
    "too_long": ("السؤال أطول من ٢٬٠٠٠ حرف. اختصره.", "The question is longer than 2,000 characters. Shorten it."),
}
