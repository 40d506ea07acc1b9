"""What chat and grammar put around a word: particles before an article, spoken articles, pronouns, adjectives."""

import pytest

from tests.search.searches import find_fully, search_catalog


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


@pytest.mark.conformance("KA-042", "KA-118")
@pytest.mark.parametrize(
    ("query", "line", "found"),
    [
        ("كاردمنشن", "شاي الكارديمنشن", True),
        ("الزنجبييل", "زنجبيل مطحون", True),
        ("والخشب", "كرسي الحشبي", False),
    ],
)
def test_edits_are_counted_once_the_article_is_off(query: str, line: str, found: bool) -> None:
    assert bool(find_fully(line, query)) is found


@pytest.mark.parametrize(
    ("query", "line"),
    [("الغي", "التوصيل إلى البيت"), ("ملن", "كل من يطلب"), ("3alaj", "الشحن على العميل"), ("معا", "قهوة مع هيل")],
)
def test_a_small_word_of_a_line_answers_only_itself(query: str, line: str) -> None:
    assert find_fully(line, query) == []


@pytest.mark.conformance("KA-039")
@pytest.mark.parametrize(
    ("query", "line"),
    [("ماورد", "ماء ورد"), ("مازمزم", "ماء زمزم"), ("زيتالسمسم", "زيت سمسم"), ("سجادة 2 متر", "سجادة مترين")],
)
def test_words_written_together_are_found_apart(query: str, line: str) -> None:
    assert find_fully(line, query) == [line]
