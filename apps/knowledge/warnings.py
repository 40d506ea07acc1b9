"""Doubts about content that the owner should look into, found without ever refusing it.

Each detector prefers silence to a false alarm: a warning other than `looks_like_csv` also says that the search may
not see what is there, so that a miss is no evidence while it stands.
"""

import re
from dataclasses import dataclass
from itertools import islice
from typing import Final

LOOKS_LIKE_CSV: Final = "looks_like_csv"
LETTERS_LOST: Final = "letters_lost"
REVERSED_TEXT: Final = "reversed_text"
# Of a feed's last answer, found by `sync`.
FEED_PAGED: Final = "feed_paged"
ITEMS_DROPPED: Final = "items_dropped"


@dataclass(frozen=True, slots=True)
class Sentence:
    en: str
    ar: str


SENTENCES: Final = {
    LOOKS_LIKE_CSV: Sentence(
        "The lines look like CSV. If they are, set config.format to csv, so that columns become fields.",
        "تبدو الأسطر بصيغة CSV. إن كانت كذلك فاجعل config.format هو csv لتصبح الأعمدة حقولًا.",
    ),
    LETTERS_LOST: Sentence(
        "Question marks or replacement signs stand where letters were. Upload the original file again as UTF-8.",
        "توجد علامات استفهام أو محارف بديلة مكان الحروف. أعد رفع الملف الأصلي بترميز UTF-8.",
    ),
    REVERSED_TEXT: Sentence(
        "The Arabic text stands back to front, as copied from some PDF files. Copy it from the original document.",
        "النص العربي معكوس الحروف كما يحدث عند النسخ من بعض ملفات PDF. انسخه من المستند الأصلي.",
    ),
    FEED_PAGED: Sentence(
        "The feed says that it has further pages or more items than it gave. Ask it for all of them in one answer.",
        "يذكر رابط البيانات أن لديه صفحات أخرى أو عناصر أكثر مما أرسله. اطلب كل العناصر في إجابة واحدة.",
    ),
    ITEMS_DROPPED: Sentence(
        "More than half of the feed's items gave no line. Check the field names in config.transform.line.",
        "أكثر من نصف عناصر رابط البيانات لم ينتج عنها أي سطر. تحقق من أسماء الحقول في config.transform.line.",
    ),
}

# While one of these stands, a search that finds nothing says nothing.
SPOIL_EVIDENCE: Final = frozenset({LETTERS_LOST, REVERSED_TEXT, FEED_PAGED, ITEMS_DROPPED})


def of_text(text: str, *, plain_lines: bool) -> list[str]:
    """The codes of all warnings; `plain_lines` says that each line is taken as an item as it stands."""
    found = {
        LOOKS_LIKE_CSV: plain_lines and looks_like_csv(text),
        LETTERS_LOST: letters_lost(text),
        REVERSED_TEXT: reversed_text(text),
    }
    return [code for code, stands in found.items() if stands]


def shown(codes: list[str], language: str) -> list[dict[str, str]]:
    """How callers see warnings, in their language."""
    return [
        {"code": code, "message": SENTENCES[code].ar if language == "ar" else SENTENCES[code].en} for code in codes
    ]


# --- looks_like_csv -----------------------------------------------------------------------------------------

_SAMPLE_LINES: Final = 200
_FEWEST_LINES: Final = 3
_CSV_SHARE: Final = 0.95
_LINE: Final = re.compile(r"[^\r\n]+")
_QUOTED: Final = re.compile(r'"[^"\r\n]*"')
# A comma before a space is prose, one inside 1,200 belongs to the number.
_SEPARATORS: Final = (re.compile(r",(?!\s)(?<!\d,(?=\d{3}(?!\d)))"), re.compile(";"), re.compile("\t"))


def looks_like_csv(text: str) -> bool:
    """Whether nearly all lines have the same number, at least one, of the same separator outside of quotes."""
    if text[:4].lower() == "sep=":
        return True
    lines = [_QUOTED.sub("", line[0]) for line in islice(_LINE.finditer(text), _SAMPLE_LINES) if line[0].strip()]
    return len(lines) >= _FEWEST_LINES and any(_separates(separator, lines) for separator in _SEPARATORS)


def _separates(separator: re.Pattern[str], lines: list[str]) -> bool:
    counts = [len(separator.findall(line)) for line in lines]
    most_common = max(counts, key=counts.count)
    return most_common > 0 and counts.count(most_common) >= _CSV_SHARE * len(counts)


# --- letters_lost -------------------------------------------------------------------------------------------

# Nobody starts a line with ??, and nobody writes it inside a word.
_LOST_AT_START_OR_INSIDE: Final = re.compile(r"^[^\w?\r\n]{0,4}\?\?|\w\?{2,64}\w", re.MULTILINE)
_LOST_WORDS_IN_A_LINE: Final = re.compile(r"(?<!\S)\?{2,}[^\S\r\n]+\?{2,}(?!\S)")


def letters_lost(text: str) -> bool:
    """U+FFFD anywhere, or runs of ``?`` at the start of a line, inside a word, or as words side by side."""
    if "\ufffd" in text:
        return True
    if "??" not in text:
        return False
    return bool(_LOST_AT_START_OR_INSIDE.search(text) or _LOST_WORDS_IN_A_LINE.search(text))


# --- reversed_text ------------------------------------------------------------------------------------------

_WORD: Final = re.compile("[\u0621-\u063a\u0641-\u064a]{2,}")
_SAMPLE_WORDS: Final = 5_000
# Frequent words that are no word when read backwards.
_FREQUENT: Final = frozenset(
    {
        *("ريال", "درهم", "دينار", "جنيه", "ليرة", "دولار", "سعر", "السعر", "جرام", "كيلو", "لتر", "حبة", "علبة"),
        *("في", "على", "إلى", "أو", "هذا", "التي", "الذي", "بعد", "قبل", "كان", "غير", "جديد", "أبيض", "أسود"),
    }
)
_FREQUENT_REVERSED: Final = frozenset(word[::-1] for word in _FREQUENT)
# ة and ى end words and never start one.
_LAST_LETTERS: Final = ("ة", "ى")
_ARTICLE: Final = "ال"
_ARTICLE_REVERSED: Final = _ARTICLE[::-1]
_SHORTEST: Final = 3
_SHORTEST_WITH_ARTICLE: Final = 5
# Letters before a final لا in ordinary words (قليلا, شوكولا), where it is no article read backwards.
_BEFORE_ORDINARY_LA: Final = frozenset("ياولأ")
_FEWEST_SIGNS: Final = 2
_SIGNS_TO_COUNTER_SIGNS: Final = 4


def reversed_text(text: str) -> bool:
    """Whether words begin as Arabic words end and end as they begin, with next to none the right way round."""
    words = [match[0] for match in islice(_WORD.finditer(text), _SAMPLE_WORDS)]
    sure = sum(map(_is_surely_reversed, words))
    signs = sure + sum(map(_ends_with_article, words))
    counter_signs = sum(map(_reads_forward, words))
    return sure > 0 and signs >= max(_FEWEST_SIGNS, _SIGNS_TO_COUNTER_SIGNS * counter_signs)


def _is_surely_reversed(word: str) -> bool:
    return word in _FREQUENT_REVERSED or (len(word) >= _SHORTEST and word.startswith(_LAST_LETTERS))


def _ends_with_article(word: str) -> bool:
    return (
        len(word) >= _SHORTEST_WITH_ARTICLE
        and word.endswith(_ARTICLE_REVERSED)
        and word[-3] not in _BEFORE_ORDINARY_LA
    )


def _reads_forward(word: str) -> bool:
    return (
        word in _FREQUENT
        or (len(word) >= _SHORTEST and word.endswith(_LAST_LETTERS))
        or (len(word) >= _SHORTEST_WITH_ARTICLE and word.startswith(_ARTICLE))
    )
