"""Chat words around the words that count are recognised by their family, and names of goods never are."""

from collections import Counter

import pytest

from apps.search.fold import fold
from apps.search.query import read_query
from apps.search.stop_words import is_stop_word, stop_words
from apps.search.words import words_of
from bench.relevance.corpora import TEXTS, load_corpora

# Kinds that could name goods; the small words of the language may stand in the name of anything.
SMALL_WORDS = {entry.word for entry in stop_words() if entry.kind in {"function", "question"}}
CHAT_WORDS = {entry.word for entry in stop_words()} - SMALL_WORDS
# The brand Little Tree in Arabic letters ends like the Gulf's word for "mind you".
BRANDS_THAT_LOOK_SO = {"تري"}


@pytest.mark.conformance("KA-037", "KA-120", "KA-124")
@pytest.mark.parametrize(
    "word",
    [
        # wish and need: persons, prefixes of time, objects, orders
        *("أشتري", "نشتري", "هنشتري", "بنشتري", "كنشتري", "تشترون", "يشتروا", "أشتريها", "سأشتري"),
        *("تقدرون", "بتقدرو", "ماتقدرش", "متقدروش", "يقدر"),
        *("يعطوني", "تعطوني", "اعطيلي", "ابحثلي", "ابعتولي", "تنصحوني", "نجرب"),
        # do you have, make, sell, accept, deliver
        *("تبيعونها", "بتبيعوه", "كتبيعو", "مابتبيعوش", "بيعملو", "تعملونها", "تسوونه", "بتقبلوا", "توصلولنا"),
        *("عندكو", "عندهم", "ماعندكم", "معندكوش", "لديهم", "الموجودة"),
        # price words with endings
        *("سعرهم", "تكلفته", "سومتها", "ثمنو", "بكام", "بيكلف"),
        # pointers, vocatives, time, sounds, joined phrases, emphasis
        *(
            "بتاعتكم",
            "ديالهم",
            "تبعكن",
            "اللي",
            "هاي",
            "إياه",
            "النهارده",
            "هلق",
            "دابا",
            "يمي",
            "لوسمحت",
            "انشاءالله",
        ),
        *("وعندكم", "وينفع"),
    ],
)
def test_a_chat_word_is_known_in_any_person_and_with_any_pronoun(word: str) -> None:
    assert is_stop_word(fold(word))


@pytest.mark.parametrize(
    "word",
    [
        *("حلو", "سادة", "كبير", "جديد", "شاي", "عرض", "قوي", "خالص", "أصلي", "عملي", "نسائي", "طلب", "حساب"),
        *("بريد", "عصير", "حصير", "حلقة", "بندورة", "بيكون", "كيك", "الكيك", "تسالي", "فيلا", "القوي", "متجر"),
        *("ملح", "مال قبان", "حقن", "عدة", "هال", "قيمة", "تمن", "بحبة", "مأكولات", "صاحب", "زين", "أذن"),
        *("plus", "boss", "tab", "wash", "men", "right", "mate"),
    ],
)
def test_a_word_that_names_goods_or_what_they_are_like_is_no_stop_word(word: str) -> None:
    assert not is_stop_word(fold(word))


@pytest.mark.conformance("KA-124")
@pytest.mark.parametrize(
    ("query", "counting"),
    [
        ("السلام عليكم ورحمة الله وبركاته لو تكرمتم عندكم مرايا جانبية", ["مرايا", "جانبيه"]),
        ("ربنا يحفظكم يا باشمهندس بتعملوا صيانة تكييف", ["صيانه", "تكييف"]),
        ("تسلم إيديكم يا شيف ممكن منيو السلطات وجزاكم الله خير", ["السلطات"]),
        ("كيف حالك خويا بغيت نشري زربية شحال سومتها", ["زربيه"]),
        ("يسعد مساكن معلم بدي ياها بدون جوز", ["جوز"]),
        ("هلا والله اريدلي بطانية شكد حسابها", ["بطانيه"]),
        ("good evening dear how much is the carpet today please", ["carpet"]),
        ("sabah el 5er 3andkon sejjed? b2addeh", ["sejjed"]),
        ("شكرررا يا غاليييي عندكم خيام", ["خيام"]),
    ],
)
def test_only_the_words_that_count_are_left_of_a_chat_message(query: str, counting: list[str]) -> None:
    read = read_query(query, frozenset(counting).__contains__)
    assert [term.folded for term in read.terms] == counting


@pytest.mark.conformance("KA-038")
@pytest.mark.parametrize(
    ("query", "known", "counting"),
    [
        ("كم سعر", {"خيمه"}, ["كم", "سعر"]),
        ("عندك أم علي", {"ام", "علي"}, ["ام", "علي"]),
        ("في من", {"في", "من"}, ["في", "من"]),
    ],
)
def test_stop_words_alone_are_searched_and_a_name_among_them_first(
    query: str, known: set[str], counting: list[str]
) -> None:
    read = read_query(query, known.__contains__)
    assert ([term.folded for term in read.terms], read.only_stop_words) == (counting, True)


def test_no_chat_word_names_goods_of_the_catalogs_of_the_benchmark() -> None:
    catalogs = [lines for name, lines in load_corpora().items() if name not in TEXTS]
    names = Counter(word.text for lines in catalogs for line in lines.values() for word in words_of(line))
    assert {word for word in names if word in CHAT_WORDS} <= BRANDS_THAT_LOOK_SO


def test_every_stop_word_is_folded_and_has_a_kind() -> None:
    assert {entry for entry in stop_words() if fold(entry.word) != entry.word or not entry.kind} == set()
