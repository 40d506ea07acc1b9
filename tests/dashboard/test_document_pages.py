"""Pages of documents: writing with sections, publishing, reading as agents do, revisions, snapshots, deleting."""

import re
from html import unescape
from typing import Any

import pytest

from apps.agents.models import Mode
from apps.knowledge.documents import queries, services
from apps.knowledge.documents.body import of_parts, of_text
from apps.knowledge.documents.models import Document, DocumentStatus
from apps.knowledge.documents.services import Wish
from apps.projects.models import Role, User
from apps.projects.scoping import project_scope
from apps.sections import Selection
from tests.dashboard.making import (
    GUIDE,
    Visitor,
    add_agent,
    add_document,
    draft_of,
    read_document,
)
from tests.dashboard.world import Shop
from tests.factories import Tenant

HOSTILE = "<script>alert(1)</script>\"'&"
SHORT = "<!-- agent-section:returns -->\nالاسترجاع خلال شهر.\n<!-- /agent-section:returns -->"
FORM = {"title": "دليل الاسترجاع", "text": GUIDE, "revision": "1", "locale": "ar", "status": "published"}


@pytest.fixture
def visitor(shop: Tenant, member: User) -> Visitor:
    return Visitor(shop, member)


@pytest.fixture
def guide(shop: Tenant) -> Document:
    return add_document(shop, locale="ar")


def only_document(shop: Tenant) -> Document:
    with project_scope(shop.id):
        return queries.get_document(shop.id, queries.list_documents(shop.id).get().handle)


def text_now(document: Document) -> str:
    with project_scope(document.project_id):
        _, read = queries.read(document.project_id, document.handle, selection=Selection())
        return read.content


def revision_now(document: Document) -> str:
    revision = read_document(document).revision
    assert revision is not None
    return revision.revision


def seen_in(page: str) -> str:
    found = re.search(r'name="seen" value="([^"]*)"', page)
    assert found
    return unescape(found[1])


def said(answer: Any) -> str:
    page: str = answer.client.get(answer["Location"]).content.decode()
    return " ".join(re.findall(r'<div class="note (?:ok|bad|warn)">.*?<div>(.*?)</div>', page, re.DOTALL))


# --- the list and a document --------------------------------------------------------------------------------


def test_documents_are_listed_with_what_they_are(visitor: Visitor, guide: Document) -> None:
    page = visitor.see("documents")

    assert f"<bdi>{guide.title}</bdi>" in page
    assert "3 sections" in page
    assert ">published</span>" in page


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ({}, ["ب", "أ"]),
        ({"q": "أ"}, ["أ"]),
        ({"status": "draft"}, ["ب"]),
        ({"status": "odd"}, ["ب", "أ"]),
        ({"q": "x\0"}, ["ب", "أ"]),
        ({"q": "nothing"}, []),
    ],
)
def test_the_list_is_narrowed(visitor: Visitor, shop: Tenant, query: dict[str, str], titles: list[str]) -> None:
    add_document(shop, "a", title="أ")
    add_document(shop, "b", title="ب", status="draft")

    page = visitor.see("documents", **query)

    assert re.findall(r'/documents/[ab]"><bdi>(.)</bdi>', page) == titles


def test_the_tree_leads_to_each_section(visitor: Visitor, guide: Document) -> None:
    page = visitor.see("documents/guide")

    links = re.findall(r"\?mode=subtree&amp;section=([\w.]+)", page)

    assert links == ["delivery", "delivery.timing", "returns"]
    assert re.findall(r'<li class="indent-(\d)">', page) == ["1", "1", "2", "1"]


def test_a_document_names_the_agents_that_use_it(visitor: Visitor, shop: Tenant, guide: Document) -> None:
    agent = add_agent(shop, ("guide", "always"), name="مساعد التوصيل")

    assert f'/agents/{agent.id}"><bdi>مساعد التوصيل</bdi>' in visitor.see("documents/guide")


def test_a_draft_says_that_nobody_sees_it(visitor: Visitor, shop: Tenant) -> None:
    add_document(shop, status="draft")

    assert "no agent sees it" in visitor.see("documents/guide")


def test_contents_and_names_stand_on_pages_as_text(visitor: Visitor, shop: Tenant) -> None:
    parts = [HOSTILE, {"id": f"s {HOSTILE}", "parts": [HOSTILE]}]
    with project_scope(shop.id):
        wish = Wish("x", f"r/{HOSTILE}", HOSTILE, DocumentStatus.PUBLISHED, of_parts(parts, None))
        services.put_document(shop.id, wish, strict=False, actor="operator")
    paths = ["documents", "documents/x", "documents/x/edit", "documents/x/read", "documents/x/delete"]

    pages = [visitor.see(path) for path in (*paths, "documents/x/revision", "documents/x/publish")]

    assert [page for page in pages if "<script>alert" in page] == []


@pytest.mark.parametrize("name", ["r/1", "a b", "?x=1&y", "#", "مراجعة", HOSTILE])
def test_revisions_have_any_name(visitor: Visitor, shop: Tenant, name: str) -> None:
    add_document(shop, revision=name)
    add_document(shop, "guide", "آخر", revision="next")
    page = visitor.see("documents/guide")
    found = re.search(r'/documents/guide/revision(\?revision=[^"]+)"', page)

    assert found
    answer = visitor.client.get(f"/p/{shop.id}/documents/guide/revision{unescape(found[1])}")
    assert answer.status_code == 200
    visitor.send("documents/guide/restore", revision=name)
    assert revision_now(read_document(only_document(shop))) == name


# --- writing ------------------------------------------------------------------------------------------------


def test_a_document_is_written_with_its_sections(visitor: Visitor, shop: Tenant) -> None:
    answer = visitor.send("new-document", **{**FORM, "text": GUIDE.replace("\n", "\r\n")})

    made = only_document(shop)
    assert made.revision is not None
    assert (made.title, made.status, made.revision.locale) == ("دليل الاسترجاع", "published", "ar")
    assert made.revision.section_ids == ["delivery", "delivery.timing", "returns"]
    assert answer["Location"].endswith(f"/documents/{made.handle}")


@pytest.mark.parametrize(
    ("title", "taken", "handle"),
    [("Delivery", [], "delivery"), ("Delivery", ["delivery"], "delivery-2"), ("دليل", ["document"], "document-2")],
)
def test_a_document_gets_an_id_when_nobody_chose_one(
    visitor: Visitor, shop: Tenant, title: str, taken: list[str], handle: str
) -> None:
    for name in taken:
        add_document(shop, name)

    answer = visitor.send("new-document", **{**FORM, "title": title})

    assert answer["Location"].endswith(f"/documents/{handle}")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": ""}, "id_title"),
        ({"title": "a\u202eb"}, "id_title"),
        ({"document_id": "with space"}, "id_document_id"),
        ({"document_id": "دليل"}, "id_document_id"),
        ({"document_id": "publish"}, "id_document_id"),
        ({"document_id": ".."}, "id_document_id"),
        ({"document_id": "taken"}, "id_document_id"),
        ({"revision": ""}, "id_revision"),
        ({"revision": "x" * 201}, "id_revision"),
        ({"locale": "xx"}, "id_locale"),
        ({"status": "odd"}, "id_status"),
    ],
)
def test_a_wrong_form_makes_no_document(visitor: Visitor, shop: Tenant, change: dict[str, str], field: str) -> None:
    add_document(shop, "taken")

    page = visitor.sent("new-document", **{**FORM, **change})

    assert f'href="#{field}"' in page or f'id="{field}_error"' in page
    with project_scope(shop.id):
        assert queries.list_documents(shop.id).count() == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("أول\n<!-- agent-section:a -->\nثالث", 2),
        ("أول\n<!-- /agent-section:a -->", 2),
        ("<!-- agent-section:a -->\n<!-- agent-section:b -->\n<!-- /agent-section:a -->", 3),
        ("أول\nثان\n<!-- agent section: a -->", 3),
        ("<!-- agent-section:قسم -->", 1),
    ],
)
def test_a_fault_in_the_marks_is_told_with_its_line(visitor: Visitor, shop: Tenant, text: str, line: int) -> None:
    page = visitor.sent("new-document", **{**FORM, "text": text})
    faults = page.partition('id="text-error"')[2].partition("</div>")[0]

    assert re.search(rf"[Ll]ine {line}\b", faults)
    assert f"Line <bdi>{line}</bdi>: <code" in page
    with project_scope(shop.id):
        assert not queries.list_documents(shop.id).exists()


def test_a_text_that_is_too_long_is_refused(visitor: Visitor) -> None:
    assert "text-error" in visitor.sent("new-document", **{**FORM, "text": "ا" * 200_001})


def test_the_preview_shows_the_sections_while_one_types(visitor: Visitor) -> None:
    page = visitor.sent("look-at-document", text=GUIDE)

    assert "3 sections" in page
    assert "<html" not in page


@pytest.mark.parametrize("text", ["", "   \n"])
def test_the_preview_of_nothing_says_what_to_do(visitor: Visitor, text: str) -> None:
    assert "how the sections are understood" in visitor.sent("look-at-document", text=text)


def test_looking_without_scripts_saves_nothing(visitor: Visitor, shop: Tenant) -> None:
    page = visitor.sent("new-document", text=GUIDE, do="look")

    assert "3 sections" in page
    assert "faults" not in page
    with project_scope(shop.id):
        assert not queries.list_documents(shop.id).exists()


# --- editing ------------------------------------------------------------------------------------------------


def test_the_editor_has_the_text_and_a_new_name_for_it(visitor: Visitor, guide: Document) -> None:
    page = visitor.see("documents/guide/edit")
    text = page.partition("<textarea")[2].partition(">\n")[2].partition("</textarea>")[0]

    assert of_text(unescape(text), None).parts == of_text(GUIDE, None).parts
    assert re.search(r'name="revision" value="2"', page)
    assert "Live: applies to all versions" in page


def test_another_text_is_another_revision(visitor: Visitor, guide: Document) -> None:
    visitor.send("documents/guide/edit", **{**FORM, "text": SHORT, "revision": "2"})

    assert (revision_now(guide), text_now(guide)) == ("2", "الاسترجاع خلال شهر.")


def test_a_new_title_alone_leaves_the_revision(visitor: Visitor, guide: Document) -> None:
    visitor.send("documents/guide/edit", **{**FORM, "title": "جديد", "revision": "2"})

    now = read_document(guide)
    assert (now.title, revision_now(now)) == ("جديد", "1")


def test_the_name_of_a_revision_stands_for_one_text(visitor: Visitor, guide: Document) -> None:
    page = visitor.sent("documents/guide/edit", **{**FORM, "text": SHORT, "revision": "1"})

    assert 'id="id_revision_error"' in page
    assert revision_now(guide) == "1"


def test_an_edit_that_came_late_is_shown_beside_what_is_saved(
    visitor: Visitor, shop: Tenant, owner: User, guide: Document
) -> None:
    seen = seen_in(visitor.see("documents/guide/edit"))
    Visitor(shop, owner).send("documents/guide/edit", **{**FORM, "text": "منها", "revision": "2"})
    mine = {**FORM, "text": "مني", "revision": "3"}

    late = visitor.send("documents/guide/edit", **mine, seen=seen)

    page = late.content.decode()
    assert (late.status_code, text_now(guide)) == (409, "منها")
    assert ">\nمني</textarea>" in page
    assert re.search(r'class="removed".*منها.*class="added".*مني', page, re.DOTALL)
    visitor.send("documents/guide/edit", **mine, seen=seen_in(page))
    assert text_now(guide) == "مني"


def test_what_agents_would_lose_is_told_before_anything_is_saved(
    visitor: Visitor, shop: Tenant, guide: Document
) -> None:
    agent = add_agent(shop, name="مساعد التوصيل")
    visitor.send(f"agents/{agent.id}/documents/guide", mode="self", section="delivery", use="always")
    change = {**FORM, "text": SHORT, "revision": "2"}

    page = visitor.sent("documents/guide/edit", **change)

    assert "مساعد التوصيل" in page
    assert 'name="anyway"' in page
    assert revision_now(guide) == "1"
    visitor.send("documents/guide/edit", **change, anyway="on")
    assert revision_now(guide) == "2"
    assert "مساعد التوصيل" in visitor.see("documents/guide").partition("Agents were given sections")[2]


def test_what_no_text_says_keeps_its_parts(visitor: Visitor, shop: Tenant) -> None:
    parts = [{"id": "زمن التوصيل", "parts": ["خلال يومين."]}]
    with project_scope(shop.id):
        wish = Wish("guide", "1", "دليل", DocumentStatus.PUBLISHED, of_parts(parts, None))
        made = services.put_document(shop.id, wish, strict=False, actor="operator").document

    page = visitor.see("documents/guide/edit")
    visitor.send("documents/guide/edit", title="جديد", status="draft")

    assert "<textarea" not in page
    now = read_document(made)
    assert now.revision is not None
    assert (now.title, now.status, now.revision.parts) == ("جديد", "draft", parts)


@pytest.mark.parametrize("locale", ["en-GB", "fr"])
def test_a_language_that_is_not_offered_stays(visitor: Visitor, shop: Tenant, locale: str) -> None:
    made = add_document(shop, locale=locale)

    visitor.send("documents/guide/edit", **{**FORM, "text": SHORT, "revision": "2", "locale": locale})

    now = read_document(made)
    assert now.revision is not None
    assert (now.revision.revision, now.revision.locale) == ("2", locale)


# --- publishing and taking back -----------------------------------------------------------------------------


def test_publishing_names_who_gets_it_and_asks_once(visitor: Visitor, shop: Tenant) -> None:
    made = add_document(shop, status="draft")
    add_agent(shop, ("guide", "always"), name="مساعد التوصيل")

    assert "مساعد التوصيل" in visitor.see("documents/guide/publish")
    assert read_document(made).status == DocumentStatus.DRAFT
    visitor.send("documents/guide/publish")
    assert read_document(made).status == DocumentStatus.PUBLISHED


def test_taking_back_names_who_loses_it_and_asks_once(visitor: Visitor, shop: Tenant, guide: Document) -> None:
    add_agent(shop, ("guide", "always"), name="مساعد التوصيل")

    assert "<bdi>مساعد التوصيل</bdi> loses it" in visitor.see("documents/guide/withdraw")
    visitor.send("documents/guide/withdraw")
    assert (read_document(guide).status, revision_now(guide)) == (DocumentStatus.DRAFT, "1")


# --- reading ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ({}, "مقدمة عامة.\n\nنوصل إلى كل المدن.\n\nخلال يومين.\n\nالاسترجاع خلال أسبوع."),
        ({"mode": "subtree", "section": "delivery"}, "نوصل إلى كل المدن.\n\nخلال يومين."),
        ({"mode": "self", "section": "delivery"}, "نوصل إلى كل المدن."),
        ({"mode": "odd"}, "مقدمة عامة.\n\nنوصل إلى كل المدن.\n\nخلال يومين.\n\nالاسترجاع خلال أسبوع."),
    ],
)
def test_a_selection_reads_as_it_does_for_an_agent(
    visitor: Visitor, guide: Document, query: dict[str, str], text: str
) -> None:
    page = visitor.see("documents/guide/read", **query)

    found = re.search(r'<pre class="reading-text"[^>]*>(.*?)</pre>', page, re.DOTALL)
    assert found
    assert found[1] == text
    assert f"{len(text)} characters" in page


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"mode": "subtree"}, "Choose at least one section"),
        ({"mode": "self", "section": "odd"}, "has no section odd"),
        ({"mode": "self", "section": "\0"}, "has no section"),
    ],
)
def test_a_selection_of_nothing_says_so(
    visitor: Visitor, guide: Document, query: dict[str, str], problem: str
) -> None:
    assert problem in visitor.see("documents/guide/read", **query)


@pytest.mark.parametrize("revision", ["9", "\0x", "x" * 500])
def test_a_revision_that_is_not_kept_is_not_there(visitor: Visitor, guide: Document, revision: str) -> None:
    assert visitor.ask("documents/guide/read", revision=revision).status_code == 404
    assert visitor.ask("documents/guide/revision", revision=revision).status_code == 404


def test_a_document_of_english_reads_from_the_left(visitor: Visitor, shop: Tenant) -> None:
    add_document(shop, text="We deliver.", locale="en-GB")

    assert '<pre class="reading-text" dir="ltr"' in visitor.see("documents/guide/read")


@pytest.mark.conformance("U-8")
def test_what_hides_in_a_document_is_shown(visitor: Visitor, shop: Tenant) -> None:
    add_document(shop, text="نوصل\u202e إلى كل المدن")

    page = visitor.see("documents/guide/read")

    assert '<mark class="hides" dir="ltr">U+202E</mark>' in page
    assert "\u202e" not in page


def test_a_reading_is_stored_once(visitor: Visitor, shop: Tenant, guide: Document) -> None:
    form = {"mode": "subtree", "section": "delivery"}

    first, second = (visitor.send("documents/guide/snapshots", **form) for _ in range(2))

    assert first["Location"] == second["Location"]
    assert "نوصل إلى كل المدن." in visitor.client.get(first["Location"]).content.decode()
    assert "The snapshot is stored" in visitor.see("documents/guide/read", **form)
    assert first["Location"] in visitor.see("documents/guide")


def test_a_snapshot_stays_when_its_document_goes(visitor: Visitor, shop: Tenant, guide: Document) -> None:
    where = visitor.send("documents/guide/snapshots", mode="document")["Location"]
    visitor.send("documents/guide/delete")

    page = visitor.client.get(where).content.decode()

    assert "the snapshot stays" in page
    assert "نوصل إلى كل المدن." in page


def test_nothing_is_stored_of_nothing(visitor: Visitor, guide: Document) -> None:
    assert "Choose at least one section" in said(visitor.send("documents/guide/snapshots", mode="self"))


# --- revisions ----------------------------------------------------------------------------------------------


def test_a_revision_is_shown_beside_the_present_one_and_restored(
    visitor: Visitor, shop: Tenant, guide: Document
) -> None:
    add_document(shop, "guide", SHORT, revision="2", locale="ar")

    page = visitor.see("documents/guide/revision", revision="1")

    assert re.search(r'class="added".*نوصل', page, re.DOTALL)
    visitor.send("documents/guide/restore", revision="1")
    assert revision_now(guide) == "1"


def test_restoring_tells_which_agents_would_lose_what(visitor: Visitor, shop: Tenant) -> None:
    add_document(shop, "guide", SHORT, revision="old")
    add_document(shop, "guide", GUIDE, revision="new")
    agent = add_agent(shop, name="مساعد التوصيل")
    visitor.send(f"agents/{agent.id}/documents/guide", mode="self", section="delivery", use="always")

    page = visitor.see("documents/guide/revision", revision="old")

    assert "مساعد التوصيل" in page.partition("takes these away")[2]


def test_what_is_not_kept_is_not_restored(visitor: Visitor, guide: Document) -> None:
    assert "no content under this revision" in said(visitor.send("documents/guide/restore", revision="9"))
    assert revision_now(guide) == "1"


# --- deleting and roles -------------------------------------------------------------------------------------


def test_deleting_takes_it_out_of_the_agents_that_were_named(
    visitor: Visitor, shop: Tenant, guide: Document
) -> None:
    agent = add_agent(shop, ("guide", Mode.ALWAYS.value), name="مساعد التوصيل")

    page = visitor.see("documents/guide/delete")
    assert "<bdi>مساعد التوصيل</bdi>" in page
    assert visitor.send("documents/guide/delete").status_code == 409
    assert draft_of(agent) == [("guide", "always")]

    visitor.send("documents/guide/delete", detach=agent.id)
    assert draft_of(agent) == []
    assert visitor.ask("documents/guide").status_code == 404


def test_a_viewer_reads_and_is_offered_nothing_to_change(shown: Shop) -> None:
    add_document(shown.tenant)
    page = Visitor(shown.tenant, shown.people[Role.VIEWER]).see("documents/guide")

    main = page.partition("<main")[2].partition("</main>")[0]

    assert "<form" not in main
    assert set(re.findall(r"/documents/guide/(\w+)", main)) == {"read"}


@pytest.mark.parametrize("document_id", ["\0", "a\0b", "..", "%2e", "<b>", "ا", "x" * 300])
def test_a_document_that_cannot_be_is_not_there(visitor: Visitor, document_id: str) -> None:
    assert visitor.ask(f"documents/{document_id}").status_code == 404


def test_a_document_may_be_called_as_our_pages_are(visitor: Visitor, shop: Tenant) -> None:
    for name in ("new", "edit", "read"):
        add_document(shop, name)

    assert [visitor.ask(f"documents/{name}").status_code for name in ("new", "edit", "read")] == [200, 200, 200]
