"""The words of the pages: every one in both languages, with the same values in it, and none that no page knows."""

import ast
import re
import string
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.agents.wording import PEOPLE
from apps.dashboard.texts import ROOMS, Counted, Text, UnknownTextError, texts_of, words_in
from apps.kernel.errors import CATALOGUE
from apps.knowledge.warnings import SENTENCES

DASHBOARD: Final = Path(__file__).parents[2] / "apps" / "dashboard"
ALL: Final = [(room, key, text) for room in ROOMS for key, text in texts_of(room).items()]

# The name of the other language stands in that language; placeholders show how customers type.
LATIN_IN_BOTH: Final = {"shell.other_language"}
ARABIC_IN_BOTH: Final = {"shell.other_language"}
_ARABIC: Final = re.compile(r"[\u0620-\u064a]")
_LATIN: Final = re.compile(r"[A-Za-z]")


def forms(text: Text) -> tuple[list[str], list[str]]:
    """The Arabic and the English wordings of one text; what is never said of none has no words for that."""
    if isinstance(text, Counted):
        return [form for form in text.ar if form != text.ar[0] or form], list(text.en)
    return [text[0]], [text[1]]


def values_in(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_every_text_is_in_both_languages() -> None:
    assert [f"{room}.{key}" for room, key, text in ALL if not all(map(str.strip, chain(*forms(text))))] == []


def test_both_languages_name_the_same_values() -> None:
    assert [f"{room}.{key}" for room, key, text in ALL if not _agree(text)] == []


def _agree(text: Text) -> bool:
    arabic, english = ({name for form in wording for name in values_in(form)} for wording in forms(text))
    return arabic == english


def test_arabic_texts_are_arabic_and_english_ones_are_not() -> None:
    latin = {f"{room}.{key}" for room, key, text in ALL if _is_latin("".join(forms(text)[0]))}
    arabic = {f"{room}.{key}" for room, key, text in ALL if _ARABIC.search("".join(forms(text)[1]))}

    assert latin == LATIN_IN_BOTH
    assert {name for name in arabic if not name.endswith("placeholder")} == ARABIC_IN_BOTH


def _is_latin(words: str) -> bool:
    """Whether there are letters in it, besides the names of values, and none of them is Arabic."""
    return bool(_LATIN.search(_without_values(words))) and not _ARABIC.search(words)


def sentences() -> Iterator[tuple[str, str, str]]:
    """All that pages say, in Arabic and English: their own words, refusals of the API, and what agents lack."""
    for room, key, text in ALL:
        arabic, english = forms(text)
        yield f"{room}.{key}", " ".join(arabic), " ".join(english)
    yield from ((code, error.ar, error.en) for code, error in CATALOGUE.items())
    yield from ((code, sentence.ar, sentence.en) for code, sentence in PEOPLE.items())
    yield from ((code, sentence.ar, sentence.en) for code, sentence in SENTENCES.items())


# One word an idea; see the glossary in docs/dashboard.md.
@pytest.mark.parametrize(
    ("english", "arabic"),
    [
        (r"\btokens?\b", r"وحد\S+ (ال)?نصي|تصريح|تصاريح"),
        (r"\bcodes?\b", r"رمز|رموز"),
        (r"\bversions?\b", r"إصدار"),
        (r"\brevisions?\b", r"مراجع"),
        (r"\bfeeds?\b", r"را?و?ابط"),
    ],
)
def test_an_idea_has_one_word_in_arabic(english: str, arabic: str) -> None:
    about = [(name, ar) for name, ar, en in sentences() if re.search(english, _without_values(en), re.IGNORECASE)]

    assert about
    assert [name for name, ar in about if not re.search(arabic, ar)] == []


def test_the_word_for_codes_means_nothing_else() -> None:
    said = [(name, en) for name, ar, en in sentences() if re.search("رمز|رموز", ar)]

    assert [name for name, en in said if not re.search(r"\bcodes?\b", en, re.IGNORECASE)] == []


def _without_values(words: str) -> str:
    return re.sub(r"\{[^}]*\}", "", words)


def test_templates_ask_only_for_texts_that_exist() -> None:
    known = {f"{room}.{key}" for room, key, _ in ALL}
    asked = {
        found
        for path in DASHBOARD.rglob("*.html")
        for found in re.findall(r"\bt\.([a-z_]+\.[a-z0-9_]+)", path.read_text(encoding="utf-8"))
    }

    assert asked - known == set()


def test_code_asks_only_for_texts_that_exist() -> None:
    known = {f"{room}.{key}" for room, key, _ in ALL}
    rooms = tuple(f"{room}." for room in ROOMS)
    asked = {
        str(node.value)
        for path in DASHBOARD.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and re.fullmatch(r"[a-z]+\.[a-z0-9_]+", str(node.value))
    }

    strange = {text for text in asked if text.startswith(rooms)} - known
    # A beginning to which code adds the name of a value.
    assert [text for text in strange if not any(one.startswith(text) for one in known)] == []


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "لا عناصر"),
        (1, "عنصر واحد"),
        (2, "عنصران"),
        (3, "٣ عناصر"),
        (10, "١٠ عناصر"),
        (11, "١١ عنصرًا"),
        (99, "٩٩ عنصرًا"),
        (100, "١٠٠ عنصر"),
        (102, "١٠٢ عنصر"),
        (103, "١٠٣ عناصر"),
        (111, "١١١ عنصرًا"),
        (1_000, "١٬٠٠٠ عنصر"),
    ],
)
def test_arabic_counts_as_its_grammar_does(number: int, shown: str) -> None:
    assert words_in("ar").count("shell.items", number) == shown


@pytest.mark.parametrize(
    ("number", "shown"), [(0, "0 items"), (1, "1 item"), (2, "2 items"), (1_000, "1,000 items")]
)
def test_english_counts_one_and_more(number: int, shown: str) -> None:
    assert words_in("en").count("shell.items", number) == shown


@given(number=st.integers(min_value=0, max_value=10**9))
def test_every_number_has_a_form(number: int) -> None:
    assert words_in("ar").count("shell.items", number)


@pytest.mark.parametrize("path", ["shell.nothing", "nowhere.title", "shell", ""])
def test_a_text_that_does_not_exist_is_an_error_and_not_silence(path: str) -> None:
    with pytest.raises(UnknownTextError):
        words_in("en")(path)


@pytest.mark.conformance("U-5")
def test_a_value_in_a_sentence_is_escaped_and_isolated() -> None:
    said = words_in("en").html("members.said_invited", email="<b>\u202ex")

    assert said.startswith("<bdi>&lt;b&gt;\u202ex</bdi> is invited")
