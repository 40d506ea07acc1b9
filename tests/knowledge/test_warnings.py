"""Warnings: each doubt is raised where it should be, and ordinary content raises none."""

from pathlib import Path

import pytest

from apps.knowledge import warnings

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.mark.parametrize(
    "text",
    [
        "عود,450\nمسك,220\nبخور,95",
        "name;price\nOud;450\nMusk;220",
        "اسم\tسعر\nعود\t450\nمسك\t220",
        '"عود, فاخر",450\n"مسك",220\nبخور,95',
        "sep=;\nعود;450",
    ],
)
def test_lines_of_equal_columns_look_like_csv(text: str) -> None:
    assert warnings.looks_like_csv(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "عود,450\nمسك,220",
        "عود، 450\nمسك، 220\nبخور، 95",
        "Oud, 12 ml\nMusk, 100 ml\nBakhoor, box",
        "Oud 1,200 SAR\nMusk 1,300 SAR\nBakhoor 2,400 SAR",
        "Oud,450\nMusk 220\nBakhoor 95\nGift set",
        "صندوق بخور — 95 ريال\nدهن عود — 450 ريال\nمسك — 220 ريال",
    ],
)
def test_price_lines_do_not_look_like_csv(text: str) -> None:
    assert not warnings.looks_like_csv(text)


@pytest.mark.parametrize("text", ["???? ???? — 95", "ok\n- ????? 12", "عود\ufffd", "caf??x", "اسم ??? ????"])
def test_signs_where_letters_stood_are_noticed(text: str) -> None:
    assert warnings.letters_lost(text)


@pytest.mark.parametrize(
    "text", ["Really??? Yes.", "ماذا؟؟؟", "Oud — ??? SAR", "https://shop.example/?a=1&b=2?", "what??\nok", "?"]
)
def test_ordinary_question_marks_are_left_alone(text: str) -> None:
    assert not warnings.letters_lost(text)


REVERSED = "لاير 95 — روخب قودنص\nلاير 450 — يكلم دوع نهد\nةيدهلا ةبلع"


def test_arabic_back_to_front_is_noticed() -> None:
    assert warnings.reversed_text(REVERSED)


def test_arabic_the_right_way_round_is_not() -> None:
    assert not warnings.reversed_text("\n".join(line[::-1] for line in REVERSED.splitlines()))


@pytest.mark.parametrize(
    "text", ["فانيلا شوكولا نوتيلا موزاريلا مرتديلا", "قليلا كاملا طويلا فضلا", "Oud 450", "", "ى ة"]
)
def test_words_that_only_look_reversed_are_left_alone(text: str) -> None:
    assert not warnings.reversed_text(text)


def test_only_plain_lines_are_asked_whether_they_are_csv() -> None:
    assert warnings.of_text("a,1\nb,2\nc,3", plain_lines=False) == []


@pytest.mark.parametrize("language", ["ar", "en"])
@pytest.mark.parametrize("code", list(warnings.SENTENCES))
def test_every_warning_has_a_sentence_in_both_languages(code: str, language: str) -> None:
    assert warnings.shown([code], language)[0]["message"]


def _real_texts() -> list[Path]:
    return sorted(DATA.glob("*.txt"))


@pytest.mark.shared
@pytest.mark.skipif(not DATA.is_dir(), reason="the real catalogs are not beside the project")
@pytest.mark.parametrize("path", _real_texts(), ids=lambda path: path.name)
def test_real_catalogs_and_texts_raise_no_warning(path: Path) -> None:
    assert warnings.of_text(path.read_text(encoding="utf-8"), plain_lines=True) == []


@pytest.mark.shared
@pytest.mark.skipif(not DATA.is_dir(), reason="the real catalogs are not beside the project")
@pytest.mark.parametrize("name", ["grocery_sa.txt", "bakhoor_shop_made_up.txt", "text_udhr.txt", "menu_lb.txt"])
def test_real_texts_back_to_front_are_noticed(name: str) -> None:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    assert warnings.reversed_text("\n".join(line[::-1] for line in lines))
