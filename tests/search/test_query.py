"""Reading a query: the words that count, the words ignored, the edits allowed."""

import pytest

from apps.search.query import MOST_WORDS, Query, fold_query, max_edits, read_query


def read(query: str, *known: str) -> Query:
    return read_query(query, frozenset(known).__contains__)


def counted(query: str, *known: str) -> list[str]:
    return [term.folded for term in read(query, *known).terms]


@pytest.mark.parametrize(
    ("folded", "edits"),
    [
        pytest.param("عط", 0, marks=pytest.mark.conformance("KA-040")),
        pytest.param("95", 0, marks=pytest.mark.conformance("KA-040", "KA-045")),
        pytest.param("عطر", 1, marks=pytest.mark.conformance("KA-041")),
        pytest.param("صندق", 1, marks=pytest.mark.conformance("KA-041")),
        pytest.param("بخورة", 1, marks=pytest.mark.conformance("KA-041")),
        pytest.param("البخور", 2, marks=pytest.mark.conformance("KA-042", "KA-043")),
        pytest.param("123456789", 0, marks=pytest.mark.conformance("KA-045")),
        pytest.param("ا" * 64, 2),
        pytest.param("ا" * 65, 0),
    ],
)
def test_the_folded_query_word_decides_how_many_edits(folded: str, edits: int) -> None:
    assert max_edits(folded) == edits


@pytest.mark.conformance("KA-043")
def test_marks_do_not_lengthen_a_word() -> None:
    assert read("عَطْـرٌ").terms[0].max_edits == 1


@pytest.mark.conformance("KA-037")
@pytest.mark.parametrize("word", ["في", "من", "كم", "هل", "ما", "the", "of", "is", "how"])
def test_function_and_question_words_are_ignored(word: str) -> None:
    assert (counted(f"{word} عسل"), read(f"{word} عسل").ignored) == (["عسل"], (word,))


@pytest.mark.conformance("KA-120")
@pytest.mark.parametrize(
    "query",
    [
        "وش عندكم عسل",
        "ابغى عسل",
        "عايز عسل",
        "بكام عسل",
        "بدي عسل",
        "قديش عسل",
        "اريد عسل",
        "شكد عسل",
        "بغيت عسل",
        "بشحال عسل",
        "do you have عسل please",
        "avez vous عسل svp",
    ],
)
def test_question_words_of_every_dialect_are_ignored(query: str) -> None:
    assert counted(query) == ["عسل"]


@pytest.mark.conformance("KA-124")
@pytest.mark.parametrize(
    "query",
    [
        "السلام عليكم لو سمحت ابغى عسسسل 🍯",
        "صباح الخير عسل",
        "يعطيك العافية عسل",
        "يا جماعة عسل",
        "عسل من فضلك",
        "عسل !!! 😍😍",
    ],
)
def test_chat_noise_is_ignored(query: str) -> None:
    assert counted(query) == ["عسل"]


@pytest.mark.conformance("KA-124")
@pytest.mark.parametrize("query", ["الخير", "عسل الخير"])
def test_words_of_a_phrase_count_outside_it(query: str) -> None:
    assert "الخير" in counted(query)


@pytest.mark.conformance("KA-038")
def test_stop_words_alone_are_searched_as_they_are() -> None:
    query = read("في من")
    assert ([term.folded for term in query.terms], query.ignored, query.only_stop_words) == (["في", "من"], (), True)


@pytest.mark.parametrize("query", ["", "  ", "— ؟!", "🍯🍯", "\u064e\u0640\u200f"])
def test_a_query_without_letters_or_digits_has_no_words(query: str) -> None:
    assert (read(query).terms, read(query).only_stop_words) == ((), False)


@pytest.mark.conformance("KA-046")
def test_a_repeated_word_counts_once() -> None:
    assert counted("عسل عَسَل عسسسل سدر") == ["عسل", "سدر"]


def test_words_past_the_most_are_ignored() -> None:
    words = [f"كلمه{chr(0x628 + at // 8)}{chr(0x62D + at % 8)}" for at in range(MOST_WORDS + 3)]
    query = read(" ".join(words))
    assert ([term.word for term in query.terms], query.ignored) == (words[:MOST_WORDS], tuple(words[MOST_WORDS:]))


def test_a_word_is_given_back_as_typed() -> None:
    assert [term.word for term in read("العَسَل، 12مل").terms] == ["العَسَل", "12", "مل"]


def test_a_stop_word_broken_off_a_known_word_counts() -> None:
    assert counted("الفان يلا", "الفانيلا") == ["الفان", "يلا"]


@pytest.mark.conformance("KA-123")
@pytest.mark.parametrize(
    ("query", "known", "expected"),
    [
        ("3asal", (), ["3asal"]),
        ("7alib", (), ["7alib"]),
        ("7up", ("7", "up"), ["7", "up"]),
        ("s23", (), ["s", "23"]),
        ("5kg", (), ["5", "كيلو"]),
        ("3'ali", (), ["3'ali"]),
    ],
)
def test_digits_among_latin_letters_are_arabizi_unless_the_sources_know_the_parts(
    query: str, known: tuple[str, ...], expected: list[str]
) -> None:
    assert counted(query, *known) == expected


@pytest.mark.parametrize(
    ("query", "key"),
    [("  كَم سعر   العسل؟ ", "كم سعر العسل"), ("عسل ٩٥٫٠٠", "عسل 95"), ("!", ""), ("ا" * 5000, "ا")],
)
def test_queries_are_counted_by_their_folded_words(query: str, key: str) -> None:
    assert fold_query(query) == key


def test_the_key_of_a_query_is_bounded() -> None:
    assert len(fold_query("كلمة " * 400)) <= 200
