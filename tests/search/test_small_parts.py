"""What chat and grammar put around a word: particles before an article, spoken articles, pronouns, adjectives."""

import pytest

from tests.search.searches import search_catalog


def is_answered(query: str, line: str) -> bool:
    hits = search_catalog(line, query).hits
    return any(hit.full_match and hit.edits == 0 for hit in hits)


@pytest.mark.conformance("KA-118")
@pytest.mark.parametrize(
    ("query", "line"),
    [
        # the same particle with and without the article
        ("كيكة بجزر", "كيكة بالجزر"),
        ("كيكة بالجزر", "كيكة بجزر"),
        ("للأطفال", "لأطفال"),
        ("كحرير", "كالحرير"),
        # the "and" of a list before a word that the line has with an article
        ("شاي وزنجبيل", "شاي بالزنجبيل"),
        # this and on the, as spoken
        ("هالسجادة", "سجادة صوف"),
        ("عالحطب", "مشوي على الحطب"),
    ],
)
def test_particles_and_articles_are_no_difference(query: str, line: str) -> None:
    assert is_answered(query, line)


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("عنواني", "تعديل عنوانكم من صفحة الحساب"),
        ("فاتورتي", "تصلكم فاتورة ضريبية"),
        ("اشتراككم", "يلغى اشتراكك في أي وقت"),
        ("هديتها", "غلفوا الهدية"),
        ("طلباتنا", "تجدون طلباتكم هنا"),
    ],
)
def test_a_pronoun_at_the_end_is_no_difference(query: str, line: str) -> None:
    assert is_answered(query, line)


@pytest.mark.conformance("KA-121")
@pytest.mark.parametrize(
    ("query", "line"),
    [("شنط نسائية", "شنطة للنساء"), ("ملابس أطفال", "ملبس أطفالي"), ("نص متر قماش", "نصف متر قماش")],
)
def test_a_listed_form_is_no_difference(query: str, line: str) -> None:
    assert is_answered(query, line)


@pytest.mark.parametrize(
    ("query", "line"), [("وردة", "الردة"), ("كنافة", "النافة"), ("بخور", "الخور"), ("والد", "الولد")]
)
def test_a_letter_of_the_word_is_no_particle(query: str, line: str) -> None:
    assert not is_answered(query, line)
