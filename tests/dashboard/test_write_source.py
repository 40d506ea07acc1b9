"""Writing contents: typed, pasted, uploaded, looked at first, and never over somebody else's edit."""

import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.dashboard.uploading import MAX_FORM_BYTES
from apps.knowledge import lookup
from apps.projects.models import User
from apps.projects.scoping import project_scope
from apps.rest.views import KNOWLEDGE_BODY_LIMIT
from tests.dashboard.making import (
    PRICES,
    Visitor,
    add_source,
    change_source,
    content_of,
    only_source,
    read_source,
)
from tests.factories import Tenant

TYPED = {"name": "الأسعار", "kind": "catalog", "format": "lines", "content": PRICES, "complete": "kind"}
TABLE = "الصنف;السعر\nعسل سدر;230\nتمر سكري;45"


@pytest.fixture
def visitor(shop: Tenant, member: User) -> Visitor:
    return Visitor(shop, member)


def file(content: bytes, name: str = "prices.txt", media_type: str = "text/plain") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content, media_type)


# --- a new source -------------------------------------------------------------------------------------------


def test_what_is_typed_can_be_found_at_once(shop: Tenant, visitor: Visitor) -> None:
    answer = visitor.send("sources/new", **TYPED)

    source = only_source(shop)
    assert answer["Location"] == f"/p/{shop.id}/sources/{source.id}"
    with project_scope(shop.id):
        assert lookup.search(shop.id, "صندق بخور")["hits"][0]["text"] == "صندوق بخور — 95 ريال"


def test_line_ends_of_browsers_become_ours(shop: Tenant, visitor: Visitor) -> None:
    visitor.send("sources/new", **{**TYPED, "content": "عسل\r\nتمر"})

    assert content_of(only_source(shop)) == "عسل\nتمر"


@pytest.mark.parametrize(
    ("chosen", "kind", "complete"),
    [
        ("kind", "catalog", True),
        ("kind", "text", False),
        ("no", "catalog", False),
        ("yes", "text", True),
        ("", "text", False),
    ],
)
def test_completeness_is_the_kinds_unless_stated(
    shop: Tenant, visitor: Visitor, chosen: str, kind: str, complete: bool
) -> None:
    visitor.send("sources/new", **{**TYPED, "kind": kind, "complete": chosen})

    assert only_source(shop).complete is complete


@pytest.mark.parametrize(
    ("fields", "config"),
    [
        ({"format": "lines", "content": TABLE}, {"format": "lines"}),
        ({"format": "csv", "content": TABLE, "header": "on"}, {"format": "csv", "header": True}),
        (
            {"format": "csv", "content": TABLE, "delimiter": ";"},
            {"format": "csv", "header": False, "delimiter": ";"},
        ),
        (
            {"format": "csv", "content": "a\tb", "delimiter": "tab"},
            {"format": "csv", "header": False, "delimiter": "\t"},
        ),
        ({"kind": "text", "format": "csv", "content": TABLE}, None),
    ],
)
def test_a_list_is_read_as_chosen(
    shop: Tenant, visitor: Visitor, fields: dict[str, str], config: dict[str, Any] | None
) -> None:
    visitor.send("sources/new", **{**TYPED, **fields})

    assert only_source(shop).config == config


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1256"])
def test_a_file_is_read_in_its_encoding(shop: Tenant, visitor: Visitor, encoding: str) -> None:
    content = PRICES.replace("—", "-")
    visitor.send("sources/new", **{**TYPED, "content": "", "file": file(content.encode(encoding))})

    assert content_of(only_source(shop)) == content


def test_a_table_in_a_file_is_read_as_one(shop: Tenant, visitor: Visitor) -> None:
    uploaded = file(TABLE.encode(), "prices.csv", "application/vnd.ms-excel")
    visitor.send("sources/new", **{**TYPED, "content": "", "header": "on", "file": uploaded})

    source = only_source(shop)
    assert source.config == {"format": "csv", "header": True}
    assert source.revision is not None
    assert (source.revision.chunk_count, source.revision.origin) == (2, "upload")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "a\u202eb"}, "characters that turn the writing direction are not allowed"),
        ({"name": "\u200b"}, "Nothing of this text can be seen."),
        ({"content": " \n "}, "The content holds nothing that could be found."),
        ({"content": "x" * 2_001}, "Line 1 makes an item of more than 2000 characters."),
        ({"format": "csv", "content": 'a,"b\nc'}, "has a quotation mark that is never closed"),
        ({"kind": "text", "content": "س" * 200_001}, "more than 200000 characters"),
        ({"kind": "api"}, "api"),
        ({"file": file(b"\x00\x01\x02PNG", "a.png", "image/png")}, "Only plain text and CSV files can be uploaded"),
        ({"file": file(b"\x00\x01\x02", "a.txt")}, "This file is not text."),
        ({"content": "x\0y"}, "Null characters"),
    ],
)
def test_what_cannot_be_saved_is_said_in_words_and_kept_in_the_form(
    shop: Tenant, visitor: Visitor, fields: dict[str, Any], sentence: str
) -> None:
    shown = visitor.sent("sources/new", **{**TYPED, **fields})

    assert sentence in unescape(shown)
    assert 'role="alert"' in shown


def test_the_largest_content_is_taken(shop: Tenant, visitor: Visitor) -> None:
    line = "صندوق بخور ملكي فاخر 500 جرام — 95 ريال\n"
    content = line * ((KNOWLEDGE_BODY_LIMIT - 100) // len(line.encode()))

    assert visitor.send("sources/new", **{**TYPED, "content": content}).status_code == 302
    assert content_of(only_source(shop)) == content


def test_a_larger_content_is_refused_in_words(shop: Tenant, visitor: Visitor) -> None:
    shown = visitor.sent("sources/new", **{**TYPED, "content": "x\n" * (KNOWLEDGE_BODY_LIMIT // 2 + 1)})

    assert "The content is larger than" in shown


def test_a_larger_file_is_refused_in_words(shop: Tenant, visitor: Visitor) -> None:
    uploaded = file(b"x\n" * (KNOWLEDGE_BODY_LIMIT // 2 + 1))

    assert "The content is larger than" in visitor.sent("sources/new", **{**TYPED, "file": uploaded})


@pytest.mark.conformance("U-1")
@pytest.mark.parametrize(
    "fields",
    [{"content": "x" * 7_000_000}, {"file": file(b"x" * MAX_FORM_BYTES)}],
    ids=["typed", "uploaded"],
)
def test_what_no_form_takes_is_refused_on_a_page(visitor: Visitor, fields: dict[str, Any]) -> None:
    answer = visitor.send("sources/new", **{**TYPED, **fields})

    assert answer.status_code == 413
    assert "What you sent is too large" in answer.content.decode()


# --- looking first ------------------------------------------------------------------------------------------


def test_a_look_shows_what_a_search_will_find(visitor: Visitor) -> None:
    shown = visitor.sent("sources/new/look", kind="catalog", format="lines", content=f"{PRICES}\n\n ")

    assert "3 items" in shown
    assert re.findall(r'<bdi dir="rtl">(.*?)</bdi>', shown) == PRICES.split("\n")
    assert "<html" not in shown


def test_a_look_at_a_table_shows_its_columns(visitor: Visitor) -> None:
    shown = visitor.sent("sources/new/look", kind="catalog", format="csv", header="on", content=TABLE)

    assert re.findall(r"<th[^>]*><bdi>(.*?)</bdi>", shown) == ["الصنف", "السعر"]
    assert "<td><bdi>230</bdi></td>" in shown


def test_a_look_warns_of_what_looks_like_a_table(visitor: Visitor) -> None:
    shown = visitor.sent("sources/new/look", kind="catalog", format="lines", content=TABLE)

    assert "The lines look like CSV." in shown
    assert 'data-picks="format" data-value="csv"' in shown


def test_a_look_at_a_file_needs_no_typing(visitor: Visitor) -> None:
    uploaded = file(TABLE.encode("cp1256"), "prices.csv", "text/csv")

    assert "عسل سدر" in visitor.sent("sources/new/look", kind="catalog", header="on", file=uploaded)


@pytest.mark.parametrize("content", ["", " \n\t", "\u200b" * 3])
def test_a_look_at_nothing_says_what_to_do_or_what_is_wrong(visitor: Visitor, content: str) -> None:
    shown = visitor.sent("sources/new/look", kind="catalog", content=content)

    assert "Type or paste" in shown or "nothing that could be found" in shown


def test_a_look_says_what_saving_would_refuse(visitor: Visitor) -> None:
    shown = visitor.sent("sources/new/look", kind="catalog", format="csv", content='a,"b')

    assert "never closed" in shown


@pytest.mark.conformance("U-5")
def test_a_look_escapes_what_it_shows(visitor: Visitor) -> None:
    shown = visitor.sent("sources/new/look", kind="catalog", content="<script>alert(1)</script>")

    assert "<script>" not in shown


def test_without_scripts_the_page_shows_the_look_and_forgets_nothing(visitor: Visitor) -> None:
    shown = visitor.sent("sources/new", **{**TYPED, "name": "", "do": "look"})

    assert "3 items" in shown
    assert PRICES in shown
    assert 'role="alert"' not in shown


# --- a source that is there ---------------------------------------------------------------------------------


def form_of(page: str) -> dict[str, Any]:
    """What a browser would send of an editor as it was opened."""
    hidden = re.findall(r'<input type="hidden" name="(seen|kind)" value="([^"]*)"', page)
    text = re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)
    name = re.search(r'name="name" value="([^"]*)"', page)
    assert text is not None
    assert name is not None
    shown = {"content": unescape(text[1]), "name": name[1], "complete": "yes", "header": "on"}
    return {**TYPED, **{field: unescape(value) for field, value in hidden}, **shown}


@pytest.mark.conformance("KA-026")
@pytest.mark.parametrize(
    ("language", "label"), [("en", "Live: applies to all versions"), ("ar", "مباشر: يسري على كل الإصدارات")]
)
def test_the_editor_says_that_it_is_live(shop: Tenant, member: User, language: str, label: str) -> None:
    source = add_source(shop)

    assert f"<strong>{label}</strong>" in Visitor(shop, member, language).see(f"sources/{source.id}/edit")


@pytest.mark.parametrize("content", [PRICES, "\n\nعسل\n", "عسل\r\nتمر", "<b>&amp;</b>\n</textarea>"])
def test_saving_an_editor_as_it_was_opened_changes_nothing(shop: Tenant, visitor: Visitor, content: str) -> None:
    source = add_source(shop, content)
    form = form_of(visitor.see(f"sources/{source.id}/edit"))

    visitor.send(f"sources/{source.id}/edit", **{**form, "content": form["content"].replace("\n", "\r\n")})

    assert content_of(source) == content
    assert "Nothing changed." in visitor.see(f"sources/{source.id}")


def test_a_change_is_live_and_the_content_before_it_is_kept(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop)
    form = form_of(visitor.see(f"sources/{source.id}/edit"))

    visitor.send(f"sources/{source.id}/edit", **{**form, "content": PRICES.replace("95", "101")})

    assert content_of(source) == PRICES.replace("95", "101")
    assert "What changed" in visitor.see(f"sources/{source.id}/history")


def test_a_list_that_was_a_table_can_be_read_line_by_line(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop, TABLE, config={"format": "csv"})
    form = form_of(visitor.see(f"sources/{source.id}/edit"))

    visitor.send(f"sources/{source.id}/edit", **{**form, "format": "lines"})

    changed = read_source(source)
    assert changed.config == {"format": "lines"}
    assert changed.revision is not None
    assert changed.revision.chunk_count == 3


def test_what_cannot_be_saved_leaves_the_source_as_it_is(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop)
    form = form_of(visitor.see(f"sources/{source.id}/edit"))

    shown = visitor.sent(f"sources/{source.id}/edit", **{**form, "name": "other", "content": "x" * 2_001})

    assert "Line 1 makes an item" in shown
    assert (read_source(source).name, content_of(source)) == ("الأسعار", PRICES)


# --- two edits at once --------------------------------------------------------------------------------------


@pytest.fixture
def contested(shop: Tenant, visitor: Visitor) -> tuple[str, dict[str, Any]]:
    """The address of an editor that somebody opened before another one saved, and what it holds by now."""
    source = add_source(shop)
    form = form_of(visitor.see(f"sources/{source.id}/edit"))
    change_source(source, content=PRICES.replace("520", "555"), name="أسعار اليوم")
    return f"sources/{source.id}/edit", {**form, "content": PRICES.replace("95", "101")}


def test_an_edit_that_comes_second_is_not_saved_over_the_first(
    shop: Tenant, visitor: Visitor, contested: tuple[str, dict[str, Any]]
) -> None:
    address, form = contested

    answer = visitor.send(address, **form)

    assert answer.status_code == 409
    assert content_of(only_source(shop)) == PRICES.replace("520", "555")


def test_both_versions_are_shown(visitor: Visitor, contested: tuple[str, dict[str, Any]]) -> None:
    address, form = contested

    shown = visitor.send(address, **form).content.decode()

    assert "<del><bdi>أسعار اليوم</bdi></del> <ins><bdi>الأسعار</bdi></ins>" in shown
    assert "<mark>555</mark>" in shown
    assert "<mark>101</mark>" in shown


def resent(page: str) -> dict[str, str]:
    """What the button of a conflict sends."""
    return {
        name: unescape(value)
        for name, value in re.findall(r'<textarea name="(\w+)" hidden>\n(.*?)</textarea>', page, re.DOTALL)
    }


def test_who_has_seen_both_may_save_theirs(
    shop: Tenant, visitor: Visitor, contested: tuple[str, dict[str, Any]]
) -> None:
    address, form = contested
    again = resent(visitor.send(address, **form).content.decode())

    answer = visitor.send(address, **again)

    assert answer.status_code == 302
    assert content_of(only_source(shop)) == PRICES.replace("95", "101")


def test_the_text_of_a_file_is_not_lost_in_a_conflict(
    shop: Tenant, visitor: Visitor, contested: tuple[str, dict[str, Any]]
) -> None:
    address, form = contested
    uploaded = file(TABLE.encode("cp1256"), "prices.csv", "text/csv")
    again = resent(visitor.send(address, **{**form, "file": uploaded}).content.decode())

    visitor.send(address, **again)

    source = only_source(shop)
    assert content_of(source) == TABLE
    assert source.config is not None
    assert source.config["format"] == "csv"


def test_a_third_edit_meanwhile_is_noticed_as_well(
    shop: Tenant, visitor: Visitor, contested: tuple[str, dict[str, Any]]
) -> None:
    address, form = contested
    again = resent(visitor.send(address, **form).content.decode())
    change_source(only_source(shop), content="عسل")

    assert visitor.send(address, **again).status_code == 409
    assert content_of(only_source(shop)) == "عسل"


def test_a_form_that_says_nothing_of_what_was_seen_is_not_trusted(shop: Tenant, visitor: Visitor) -> None:
    source = add_source(shop)

    assert visitor.send(f"sources/{source.id}/edit", **{**TYPED, "complete": "yes"}).status_code == 409


@pytest.mark.parametrize("page", ["sources/new", "sources/new_feed"])
def test_a_new_source_may_be_written_or_connected_on_either_page(visitor: Visitor, page: str) -> None:
    shown = visitor.see(page)

    assert "Connect your shop or system</strong>" in shown
    assert "Type, paste or upload</strong>" in shown
    assert re.search(rf'href="/p/[^"]+/{page}" aria-current="page"', shown)
