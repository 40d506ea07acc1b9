"""Reading texts with anchors: what becomes a section, and what is refused with its line."""

import pytest
from hypothesis import given

from apps.sections import (
    CrossingSectionsError,
    DocumentError,
    InvalidIdError,
    InvalidRevisionError,
    KnowledgeDocument,
    MalformedMarkerError,
    MarkerError,
    MarkerIdError,
    RepeatedSectionError,
    Section,
    SectionCycleError,
    StructureError,
    TooDeepError,
    UnclosedSectionError,
    UnopenedSectionError,
    compile_document,
    parse_knowledge_document,
)
from tests.sections.conftest import GUIDE
from tests.sections.trees import writable_documents, written


def parsed(text: str) -> KnowledgeDocument:
    return parse_knowledge_document(id="doc", revision="1", text=text)


def section_ids(text: str) -> tuple[str, ...]:
    return compile_document(parsed(text)).section_ids


def marked(*ids: str, body: str = "text") -> str:
    """A text in which each section stands inside the one before it."""
    opened = "".join(f"<!-- agent-section:{section_id} -->\n" for section_id in ids)
    closed = "".join(f"<!-- /agent-section:{section_id} -->\n" for section_id in reversed(ids))
    return f"{opened}{body}\n{closed}"


@pytest.mark.conformance("KK-003", "KK-016", "KK-019", "KK-025")
def test_a_text_becomes_a_tree(guide: KnowledgeDocument) -> None:
    timing = Section("delivery.timing", ("Two days.",))
    assert guide == KnowledgeDocument(
        "service-guide",
        "1",
        (
            "General introduction.",
            Section("delivery", ("About delivery.", timing, "More about delivery.")),
            Section("returns", ("Within a week.",)),
            "Goodbye.",
        ),
        "en",
    )


@given(writable_documents)
def test_what_is_written_is_read_back_as_it_was(document: KnowledgeDocument) -> None:
    read = parse_knowledge_document(
        id=document.id, revision=document.revision, text=written(document.parts), locale=document.locale
    )
    assert read == document


@pytest.mark.conformance("KK-001", "KK-023")
def test_headings_make_no_sections_and_stay_in_the_text() -> None:
    text = "# Prices\n\n## Delivery {#delivery}\nTwo days."
    assert (parsed(text).parts, section_ids(text)) == ((text,), ())


@pytest.mark.conformance("KK-024")
@pytest.mark.parametrize("fence", ["```", "~~~", "    ", "> ", "<!--\n"])
def test_anchors_inside_of_code_and_quotes_are_anchors(fence: str) -> None:
    assert section_ids(f"{fence}\n{marked('a')}{fence}\n") == ("a",)


@pytest.mark.conformance("KK-059")
@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_do_not_hide_markers(line_end: str, guide: KnowledgeDocument) -> None:
    text = "\ufeff" + GUIDE.replace("\n", line_end)
    read = parse_knowledge_document(id="service-guide", revision="1", text=text, locale="en")
    assert read == guide


def test_a_marker_may_end_the_text_without_a_line_end() -> None:
    assert section_ids("<!-- agent-section:a -->\nx\n<!-- /agent-section:a -->") == ("a",)


@pytest.mark.parametrize("line_break", ["\u2028", "\u2029", "\x0b", "\x0c", "\x85", "\x1e"])
def test_only_line_ends_end_lines(line_break: str) -> None:
    with pytest.raises(MalformedMarkerError):
        parsed(f"before{line_break}<!-- agent-section:a -->\n<!-- /agent-section:a -->")


@pytest.mark.conformance("KK-020", "KK-028", "KK-029")
def test_an_id_has_letters_digits_and_four_signs_and_its_dots_mean_nothing() -> None:
    text = marked("Az09_.:-") + marked("a.b") + marked("a")
    assert section_ids(text) == ("Az09_.:-", "a.b", "a")


@pytest.mark.conformance("KK-020")
@pytest.mark.parametrize("section_id", ["مقدمة", "a b", "", "a/b", "é", "a" * 201, "١", "a\u200b", " a", "a "])
def test_another_id_in_a_marker_is_refused_with_its_line(section_id: str) -> None:
    with pytest.raises(MarkerIdError) as refused:
        parsed(f"one\ntwo\n<!-- agent-section:{section_id} -->\n<!-- /agent-section:{section_id} -->")
    assert (refused.value.line, refused.value.section_id) == (3, section_id[:80])


MALFORMED = {
    "indented by a space": " <!-- agent-section:a -->",
    "indented by a tab": "\t<!-- agent-section:a -->",
    "indented by a no-break space": "\u00a0<!-- agent-section:a -->",
    "after an invisible sign": "\u200f<!-- agent-section:a -->",
    "after a word": "see <!-- agent-section:a -->",
    "after a list's dash": "- <!-- agent-section:a -->",
    "in a quotation": "> <!-- agent-section:a -->",
    "before a space": "<!-- agent-section:a --> ",
    "before a word": "<!-- agent-section:a --> text",
    "two on a line": "<!-- agent-section:a --><!-- /agent-section:a -->",
    "without spaces": "<!--agent-section:a-->",
    "without the first space": "<!--agent-section:a -->",
    "without the last space": "<!-- agent-section:a-->",
    "with two spaces": "<!--  agent-section:a -->",
    "with a tab": "<!--\tagent-section:a -->",
    "with a no-break space": "<!--\u00a0agent-section:a -->",
    "with an invisible sign": "<!-- \u200bagent-section:a -->",
    "closing with a space": "<!-- / agent-section:a -->",
    "closing by a backslash": "<!-- \\agent-section:a -->",
    "closing twice": "<!-- //agent-section:a -->",
    "closing at the end": "<!-- agent-section:a/ -->",
    "space after the colon": "<!-- agent-section: a -->",
    "space before the colon": "<!-- agent-section :a -->",
    "without a colon": "<!-- agent-section a -->",
    "without an id": "<!-- agent-section -->",
    "with an equals sign": "<!-- agent-section=a -->",
    "in capitals": "<!-- AGENT-SECTION:a -->",
    "with a capital": "<!-- Agent-section:a -->",
    "with an underscore": "<!-- agent_section:a -->",
    "with a space in the name": "<!-- agent section:a -->",
    "with a long dash in the name": "<!-- agent–section:a -->",
    "in one word": "<!-- agentsection:a -->",
    "in the plural": "<!-- agent-sections:a -->",
    "a letter short": "<!-- agent-secton:a -->",
    "a letter wrong": "<!-- agent-sektion:a -->",
    "a letter twice": "<!-- agent-secttion:a -->",
    "two letters swapped": "<!-- agnet-section:a -->",
    "a letter of another script": "<!-- аgent-section:a -->",
    "never ended": "<!-- agent-section:a",
    "ended by one dash": "<!-- agent-section:a ->",
    "begun by one dash": "<!- agent-section:a -->",
    "begun without the mark": "<-- agent-section:a -->",
    "with dashes of a word processor": "<!— agent-section:a —>",
    "as an element": "<agent-section:a>",
    "over two lines": "<!-- agent-section:a\n-->",
}


@pytest.mark.conformance("KK-017", "KK-018")
@pytest.mark.parametrize("marker", MALFORMED.values(), ids=MALFORMED)
def test_what_looks_like_a_marker_and_is_none_is_refused_with_its_line(marker: str) -> None:
    with pytest.raises(MarkerError) as refused:
        parsed(f"{marked('first')}one\ntwo\n{marker}\nmore")
    assert (refused.value.line, refused.value.document_id) == (6, "doc")


HARMLESS = {
    "a comment": "<!-- a note -->",
    "a comment about agents": "<!-- agent notes: section one -->",
    "another comment of the sort": "<!-- agent-selection:a -->",
    "a comment of sessions": "<!-- agent-session:a -->",
    "an element": '<section id="agent">',
    "the name in prose": "The agent-section:a is described below.",
    "escaped": "&lt;!-- agent-section:a --&gt;",
    "the name alone": "agent-section",
    "a comparison": "5 < 6 agents",
    "no letters": "<<<>>><!---->",
}


@pytest.mark.parametrize("line", HARMLESS.values(), ids=HARMLESS)
def test_what_is_no_marker_is_text(line: str) -> None:
    assert parsed(line).parts == (line,)


@pytest.mark.conformance("KK-016")
def test_an_unclosed_section_is_refused_with_the_line_that_opens_it() -> None:
    with pytest.raises(UnclosedSectionError) as refused:
        parsed(f"{marked('a')}<!-- agent-section:b -->\ntext\n<!-- agent-section:c -->\n<!-- /agent-section:c -->")
    assert (refused.value.section_id, refused.value.line) == ("b", 4)


@pytest.mark.conformance("KK-016")
@pytest.mark.parametrize(("before", "line"), [("", 1), ("one\n", 2), (marked("a"), 4), (marked("b"), 4)])
def test_closing_what_is_not_open_is_refused_with_its_line(before: str, line: int) -> None:
    with pytest.raises(UnopenedSectionError) as refused:
        parsed(f"{before}<!-- /agent-section:a -->")
    assert (refused.value.section_id, refused.value.line) == ("a", line)


@pytest.mark.conformance("KK-022")
def test_crossing_pairs_are_refused_with_both_lines() -> None:
    text = (
        "<!-- agent-section:a -->\n<!-- agent-section:b -->\n<!-- /agent-section:a -->\n<!-- /agent-section:b -->"
    )
    with pytest.raises(CrossingSectionsError) as refused:
        parsed(text)
    assert (refused.value.section_id, refused.value.line) == ("a", 3)
    assert refused.value.facts == {"open_id": "b", "open_line": 2}


@pytest.mark.conformance("KK-005", "KK-013", "KK-014")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (marked("a") + marked("a"), 4),
        (marked("a", "b") + marked("b"), 6),
        (marked("a") + marked("b", "a"), 5),
    ],
)
def test_an_id_that_repeats_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(RepeatedSectionError) as refused:
        compile_document(parsed(text))
    assert refused.value.line == line
    assert repr(refused.value.section_id) in str(refused.value)


@pytest.mark.conformance("KK-015")
def test_a_section_inside_itself_is_refused_with_its_line() -> None:
    with pytest.raises(SectionCycleError) as refused:
        compile_document(parsed(marked("a", "b", "a")))
    assert (refused.value.section_id, refused.value.line) == ("a", 3)


@pytest.mark.conformance("KK-015")
def test_sections_may_be_nested_32_deep_and_not_deeper() -> None:
    assert len(section_ids(marked(*map(str, range(32))))) == 32
    with pytest.raises(TooDeepError) as refused:
        parsed(marked(*map(str, range(33))))
    assert (refused.value.section_id, refused.value.line) == ("32", 33)


def test_depth_beyond_any_recursion_is_refused_like_any_other() -> None:
    with pytest.raises(TooDeepError):
        parsed(marked(*map(str, range(200_000))))


@pytest.mark.conformance("KK-004", "KK-044")
@pytest.mark.parametrize("value", ["", "a" * 201, 5, None, b"a", ["a"]])
@pytest.mark.parametrize(("field", "refusal"), [("id", InvalidIdError), ("revision", InvalidRevisionError)])
def test_a_document_needs_an_id_and_a_revision(field: str, refusal: type[DocumentError], value: object) -> None:
    given_fields: dict[str, object] = {"id": "doc", "revision": "1", "text": "", field: value}
    with pytest.raises(refusal) as refused:
        parse_knowledge_document(**given_fields)  # type: ignore[arg-type]
    assert refused.value.place == field


@pytest.mark.conformance("KK-044")
@pytest.mark.parametrize(
    "revision", ["content-version-1", "7", "2026-11-30", " a b ", "نسخة ١", "0" * 64, "v" * 200]
)
def test_a_revision_is_any_text_and_stays_as_it_was_given(revision: str) -> None:
    assert parse_knowledge_document(id="doc", revision=revision, text="").revision == revision


@pytest.mark.parametrize(("field", "value"), [("text", None), ("text", b"x"), ("locale", ""), ("locale", 5)])
def test_text_and_locale_of_another_type_are_refused(field: str, value: object) -> None:
    with pytest.raises(StructureError, match=field):
        parse_knowledge_document(**{"id": "doc", "revision": "1", "text": "", field: value})  # type: ignore[arg-type]


def test_every_refusal_is_a_value_error_with_the_document_in_its_sentence() -> None:
    with pytest.raises(ValueError, match="'doc'") as refused:
        parsed("<!-- /agent-section:a -->")
    assert isinstance(refused.value, DocumentError)
