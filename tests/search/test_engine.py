"""The search as a whole: what is found, in which order, and what a hit says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from apps.search.chunks import Chunk, lines
from apps.search.engine import Hit, Join, Part, search
from apps.search.segment import Segment, compile_segment
from apps.search.words import words_of
from tests.search.searches import compiled, find, find_fully, search_catalog

SEED_LINE = "صندوق بخور — 95 ريال"
LETTERS = "ابتسعل"
# Letters of which no small word is made: those answer only themselves.
RARE_LETTERS = "ثخذضظغ"


def small_catalogs(letters: str) -> st.SearchStrategy[list[str]]:
    words = st.text(st.sampled_from(letters), min_size=1, max_size=7)
    return st.lists(st.lists(words, min_size=1, max_size=5).map(" ".join), min_size=1, max_size=8)


@pytest.mark.conformance("KA-051")
def test_the_misspelling_of_the_guide_finds_its_line() -> None:
    assert find(SEED_LINE, "صندق بخور") == [SEED_LINE]


@pytest.mark.conformance("KA-043", "KA-120")
def test_the_question_of_the_guide_finds_the_line_fully() -> None:
    assert find_fully(f"{SEED_LINE}\nدهن عود", "كم سعر صندق البخور") == [SEED_LINE]


@pytest.mark.conformance("KA-124")
def test_a_chat_message_finds_the_line_fully() -> None:
    assert find_fully("عسل سدر\nسكر", "السلام عليكم لو سمحت ابغى عسسسل 🍯") == ["عسل سدر"]


@pytest.mark.parametrize(
    ("line", "query", "edits"),
    [
        pytest.param("بخور", "بخو", 1, marks=pytest.mark.conformance("KA-041")),
        pytest.param("بخور", "بخرو", 1, marks=pytest.mark.conformance("KA-044")),
        pytest.param("شوكولاته", "شكولاطه", 2, marks=pytest.mark.conformance("KA-042")),
        pytest.param("بخور", "بخور", 0, marks=pytest.mark.conformance("KA-040")),
        pytest.param("95", "٩٥", 0, marks=pytest.mark.conformance("KA-034", "KA-045")),
    ],
)
def test_a_hit_says_how_many_edits_it_took(line: str, query: str, edits: int) -> None:
    assert [hit.edits for hit in search_catalog(line, query).hits] == [edits]


@pytest.mark.parametrize(
    ("line", "query"),
    [
        pytest.param("عط قط", "عم", marks=pytest.mark.conformance("KA-040")),
        pytest.param("96", "95", marks=pytest.mark.conformance("KA-040", "KA-045")),
        pytest.param("220", "280", marks=pytest.mark.conformance("KA-045")),
        pytest.param("زنجبيل", "سنجبن", marks=pytest.mark.conformance("KA-041")),
        pytest.param("شوكولاته", "شكلاطه", marks=pytest.mark.conformance("KA-042")),
        pytest.param("190 جرام", "180", marks=pytest.mark.conformance("KA-119")),
    ],
)
def test_a_word_too_far_off_is_not_found(line: str, query: str) -> None:
    assert find(line, query) == []


@pytest.mark.conformance("KA-119")
@pytest.mark.parametrize(
    ("line", "query"),
    [
        ("1.5 لتر", "١٫٥ لتر"),
        ("95.00 ريال", "95"),
        ("190 جرام", "190جم"),
        ("1,250 ريال", "1250"),
        ("٩٥ ريال", "95.0"),
    ],
)
def test_numbers_and_units_match_however_written(line: str, query: str) -> None:
    assert find_fully(line, query) == [line]


@pytest.mark.conformance("KA-052")
def test_hits_show_the_source_text() -> None:
    assert find("أَثَاثٌ مُؤثَّر — ٩٥", "اثاث موثر") == ["أَثَاثٌ مُؤثَّر — ٩٥"]


@pytest.mark.conformance("KA-046", "KA-047", "KA-048")
def test_more_matched_words_come_first() -> None:
    catalog = "عود\nعود ورد\nعود ورد مسك مع كلام طويل بعده"
    assert find(catalog, "عود ورد مسك") == [
        "عود ورد مسك مع كلام طويل بعده",
        "عود ورد",
        "عود",
    ]


@pytest.mark.conformance("KA-047")
def test_a_line_without_any_word_is_no_hit() -> None:
    assert find("زعفران\nهيل", "عود مسك") == []


@pytest.mark.conformance("KA-049")
def test_equal_matches_are_ordered_by_edits_then_form_then_length_then_place() -> None:
    catalog = "عسم\nالعسل\nعسل سدر جبلي\nعسل سدر\nعسل طلح"
    assert find(catalog, "عسل") == ["عسل سدر", "عسل طلح", "عسل سدر جبلي", "العسل", "عسم"]


@pytest.mark.conformance("KA-050")
def test_at_most_25_hits_are_returned() -> None:
    assert len(find("\n".join(f"عطر رقم {at}" for at in range(40)), "عطر")) == 25


def test_a_smaller_limit_returns_the_best_of_them() -> None:
    parts = [Part(compiled("عسل سدر جبلي\nعسل"), (0,))]
    assert [hit.text for hit in search(parts, "عسل", limit=1).hits] == ["عسل"]


@pytest.mark.conformance("KA-054")
@pytest.mark.parametrize(
    ("line", "query", "matched"),
    [
        ("بهارات", "إطارات سيارات", 1),
        ("عطر", "عطر عطور", 1),
        ("عطر عطور", "عطور عطر", 2),
        ("عطر عطر", "عطر عطور", 2),
    ],
)
def test_a_word_of_a_line_answers_one_word_of_the_query(line: str, query: str, matched: int) -> None:
    hit = search_catalog(line, query).hits[0]
    assert (hit.matched_words, len(hit.highlights)) == (matched, matched)


@pytest.mark.conformance("KA-039")
@pytest.mark.parametrize(
    ("line", "query", "highlights"),
    [
        ("دهن عود ملكي", "دهنعود ملكي", [[0, 7], [8, 12]]),
        ("ماورد طبيعي", "ماو رد", [[0, 5]]),
        ("كورن فليكس", "كورنفليكس", [[0, 10]]),
    ],
)
def test_words_joined_or_split_are_found(line: str, query: str, highlights: list[list[int]]) -> None:
    hit = search_catalog(line, query).hits[0]
    assert (hit.full_match, hit.edits, hit.highlights) == (True, 0, highlights)


@pytest.mark.conformance("KA-039")
def test_parts_of_a_word_must_be_neighbours() -> None:
    assert find_fully("عود دهن\nدهن ورد عود", "دهنعود") == []


@pytest.mark.conformance("KA-039")
def test_a_word_that_the_sources_know_is_not_split() -> None:
    assert find_fully("دهنعود\nدهن عود", "دهنعود") == ["دهنعود"]


@pytest.mark.conformance("KA-039", "KA-115")
def test_known_is_judged_over_all_searched_sources() -> None:
    parts = [Part(compiled("دهن عود"), (0,)), Part(compiled("دهنعود"), (1,))]
    assert [hit.text for hit in search(parts, "دهنعود").hits] == ["دهنعود"]


@pytest.mark.conformance("KA-051")
def test_a_hit_says_all_about_itself() -> None:
    fields = {"name": "صندوق بخور", "price": "95 ريال"}
    segment = Segment(compile_segment([Chunk("عود"), Chunk(SEED_LINE, "بخور", fields)]))
    result = search([Part(segment, (4,))], "صندق بخور عنبر")
    assert result.hits == [
        Hit(
            source_rank=4,
            position=2,
            text=SEED_LINE,
            group="بخور",
            fields=fields,
            matched_words=2,
            total_words=3,
            full_match=False,
            edits=1,
            score=0.6333,
            highlights=[[0, 5], [6, 10]],
        )
    ]


@pytest.mark.parametrize(
    ("query", "no_words", "only_stop_words"),
    [("عسل", False, False), ("🍯", True, False), ("في من", False, True)],
)
def test_a_result_says_why_words_may_be_missing(query: str, no_words: bool, only_stop_words: bool) -> None:
    result = search_catalog("سكر", query)
    assert (result.no_words, result.only_stop_words) == (no_words, only_stop_words)


def test_words_over_64_letters_match_exactly_only() -> None:
    long = "اب" * 33
    assert (find(long, long), find(long, long[:-1]), find(long + "ب", long)) == ([long], [], [])


def test_without_parts_nothing_is_found() -> None:
    assert search([], "عسل").hits == []


@pytest.mark.conformance("KA-049", "KA-115")
def test_equal_lines_are_ordered_by_the_rank_of_their_source() -> None:
    segments = [compiled("عسل ا\nعسل ب"), compiled("عسل ج"), compiled("عسل د")]
    parts = [Part(Join(segments[:2]), (2, 1)), Part(segments[2], (0,))]
    assert [hit.text for hit in search(parts, "عسل").hits] == ["عسل د", "عسل ج", "عسل ا", "عسل ب"]


def test_a_source_left_out_of_a_join_is_neither_found_nor_known() -> None:
    parts = [Part(Join([compiled("دهنعود"), compiled("دهن عود")]), (None, 0))]
    assert [hit.text for hit in search(parts, "دهنعود").hits] == ["دهن عود"]


@pytest.mark.conformance("KA-115", "KA-117")
@settings(max_examples=60, deadline=None)
@given(
    small_catalogs(LETTERS),
    small_catalogs(LETTERS),
    st.text(st.sampled_from(LETTERS + " "), min_size=1, max_size=14),
)
def test_joined_sources_answer_like_sources_apart(one: list[str], other: list[str], query: str) -> None:
    segments = [compiled("\n".join(one)), compiled("\n".join(other))]
    joined = search([Part(Join(segments), (0, 1))], query)
    apart = search([Part(segment, (rank,)) for rank, segment in enumerate(segments)], query)
    assert joined == apart


@settings(max_examples=60, deadline=None)
@given(small_catalogs(RARE_LETTERS), st.text(st.sampled_from(RARE_LETTERS), min_size=3, max_size=8))
def test_no_word_within_the_edits_is_missed(catalog: list[str], query: str) -> None:
    result = search_catalog("\n".join(catalog), query)
    word = result.words[0]
    near = {
        line
        for line in catalog
        if any(OSA.distance(word.folded, found.text) <= word.max_edits for found in words_of(line))
    }
    assert near <= {hit.text for hit in result.hits}


@settings(max_examples=60, deadline=None)
@given(small_catalogs(LETTERS), st.text(st.sampled_from(LETTERS + " "), min_size=1, max_size=20))
def test_hits_keep_the_order_and_the_score_that_is_promised(catalog: list[str], query: str) -> None:
    hits = search_catalog("\n".join(catalog), query).hits
    keys = [(-hit.matched_words, hit.edits) for hit in hits]
    assert keys == sorted(keys)
    assert [hit.score for hit in hits] == [
        round(max(0.0, (hit.matched_words - 0.1 * hit.edits) / hit.total_words), 4) for hit in hits
    ]
    assert all(hit.full_match == (hit.matched_words == hit.total_words) for hit in hits)


def test_chunks_without_words_are_never_hits() -> None:
    segment = Segment(compile_segment([*lines("🍯\n—"), Chunk(""), Chunk("عسل")]))
    assert [(hit.position, hit.text) for hit in search([Part(segment, (0,))], "عسل").hits] == [(4, "عسل")]
