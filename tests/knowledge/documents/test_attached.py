"""What agents get of documents: the attached selection as it stands, and nothing beyond."""

import pytest

from apps.knowledge.documents import attached, reading
from apps.knowledge.documents.attached import AttachedDocument, SectionText
from apps.knowledge.documents.sought import Wanted
from apps.projects.scoping import project_scope
from apps.sections import Selection
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.knowledge.documents.conftest import DOCUMENTS, Put

pytestmark = pytest.mark.django_db


def wanted(*selection: str, of: str = "guide") -> Wanted:
    mode, *section_ids = selection or ("document",)
    return Wanted(of, Selection(mode, tuple(section_ids)))


def read(shop: Tenant, *all_wanted: Wanted, with_content: bool = True) -> list[AttachedDocument | None]:
    with project_scope(shop.id):
        return attached.read(shop.id, all_wanted, with_content=lambda _: with_content)


def read_one(shop: Tenant, one: Wanted, *, with_content: bool = True) -> AttachedDocument:
    (found,) = read(shop, one, with_content=with_content)
    assert found is not None
    return found


def around(shop: Tenant, one: Wanted, section_id: str | None) -> SectionText | None:
    with project_scope(shop.id):
        return attached.around(shop.id, one, section_id)


def text_around(shop: Tenant, one: Wanted, section_id: str | None) -> SectionText:
    found = around(shop, one, section_id)
    assert found is not None
    return found


def faults(shop: Tenant, *all_wanted: Wanted) -> dict[str | None, str]:
    with project_scope(shop.id):
        found = attached.faults(shop.id, all_wanted, param=lambda position: f"sources[{position}]")
    return {fault.param: fault.code for fault in found}


# --- the whole selection ------------------------------------------------------------------------------------


@pytest.mark.conformance("KK-061")
def test_an_attachment_gives_its_selection_and_nothing_else(shop: Tenant, put: Put) -> None:
    put(title="Guide", locale="ar")
    part, branch = read_one(shop, wanted("self", "returns")), read_one(shop, wanted("subtree", "delivery"))
    assert part.content == "خلال أسبوع."
    assert branch.content == "نوصل إلى كل المدن.\n\nخلال يومين.\n\nالتوصيل مجاني من 200 ريال."
    assert (part.title, part.revision, part.locale, part.char_count) == ("Guide", "1", "ar", 11)
    assert part.is_readable


@pytest.mark.parametrize("selection", [("document",), ("self", "returns"), ("subtree", "delivery")])
def test_an_attachment_tells_its_size_with_and_without_its_text(
    shop: Tenant, put: Put, selection: tuple[str, ...]
) -> None:
    put()
    bare, full = (read_one(shop, wanted(*selection), with_content=one) for one in (False, True))
    assert bare.content is None
    assert (bare.char_count, bare.token_estimate) == (len(full.content or ""), full.token_estimate)


@pytest.mark.conformance("KK-056")
def test_of_a_draft_agents_get_nothing(shop: Tenant, put: Put) -> None:
    put(status="draft")
    found = read_one(shop, wanted())
    assert (found.is_draft, found.is_readable, found.content, found.char_count) == (True, False, "", 0)


def test_what_is_gone_says_so(shop: Tenant, put: Put) -> None:
    put()
    gone, part, nothing = read(shop, wanted(of="gone"), wanted("self", "lost", "returns"), wanted("self", "lost"))
    assert gone is None
    assert part is not None
    assert nothing is not None
    assert (part.missing_section_ids, part.is_readable, part.content) == (("lost",), True, "خلال أسبوع.")
    assert (nothing.missing_section_ids, nothing.is_readable, nothing.content) == (("lost",), False, "")


def test_an_attachment_follows_its_document(shop: Tenant, put: Put) -> None:
    put()
    read_one(shop, wanted("self", "returns"))
    put(revision="2", parts=[{"id": "returns", "parts": ["خلال شهر."]}])
    found = read_one(shop, wanted("self", "returns"))
    assert (found.content, found.revision, found.char_count) == ("خلال شهر.", "2", 9)


def test_a_fresh_process_reads_the_same(shop: Tenant, put: Put) -> None:
    put()
    before = read_one(shop, wanted("self", "returns"))
    reading.forget_project(shop.id)
    assert read_one(shop, wanted("self", "returns")) == before


@pytest.mark.conformance("KK-053")
def test_what_a_selection_said_then_can_be_read_as_long_as_it_is_kept(
    shop: Tenant, api: ApiClient, put: Put
) -> None:
    put(revision="1")
    put(revision="2", text="All new.")
    with project_scope(shop.id):
        then = attached.text_then(shop.id, wanted("self", "returns"), "1")
        never = attached.text_then(shop.id, wanted("self", "returns"), "9")
    assert (then, never) == ("خلال أسبوع.", None)


# --- around a hit -------------------------------------------------------------------------------------------


@pytest.mark.conformance("KK-061")
@pytest.mark.parametrize(
    ("selection", "section_id", "text"),
    [
        (("document",), "delivery.timing", "خلال يومين."),
        (("document",), "delivery", "نوصل إلى كل المدن.\n\nخلال يومين.\n\nالتوصيل مجاني من 200 ريال."),
        (("self", "delivery"), "delivery", "نوصل إلى كل المدن.\n\nالتوصيل مجاني من 200 ريال."),
        (("subtree", "delivery.timing"), "delivery", "خلال يومين."),
        (("document",), None, "مقدمة عامة."),
    ],
)
def test_around_a_hit_is_its_section_as_far_as_the_selection_goes(
    shop: Tenant, put: Put, selection: tuple[str, ...], section_id: str | None, text: str
) -> None:
    put()
    assert text_around(shop, wanted(*selection), section_id).text == text


def test_the_text_around_a_hit_comes_with_the_way_to_it(shop: Tenant, put: Put) -> None:
    put(title="Guide")
    found = text_around(shop, wanted(), "delivery.timing")
    assert (found.section_path, found.title, found.revision) == (("delivery", "delivery.timing"), "Guide", "1")


@pytest.mark.parametrize("section_id", [None, "delivery", "delivery.timing", "returns"])
def test_a_part_is_read_again_by_its_number(shop: Tenant, put: Put, section_id: str | None) -> None:
    put()
    found = text_around(shop, wanted(), section_id)
    with project_scope(shop.id):
        assert attached.part(shop.id, wanted(), found.part) == found


@pytest.mark.conformance("KK-061")
@pytest.mark.parametrize("number", [-1, 0, 5, 1_000])
def test_a_number_that_no_part_has_reads_nothing(shop: Tenant, put: Put, number: int) -> None:
    put()
    with project_scope(shop.id):
        assert attached.part(shop.id, wanted(), number) is None


@pytest.mark.conformance("KK-061")
@pytest.mark.parametrize(
    ("selection", "section_id"),
    [
        (("self", "returns"), "delivery"),
        (("self", "delivery"), "delivery.timing"),
        (("subtree", "delivery"), None),
        (("document",), "gone"),
    ],
)
def test_what_the_selection_does_not_hold_cannot_be_read(
    shop: Tenant, put: Put, selection: tuple[str, ...], section_id: str | None
) -> None:
    put()
    assert around(shop, wanted(*selection), section_id) is None


@pytest.mark.conformance("KK-056")
@pytest.mark.parametrize(("status", "document_id"), [("draft", "guide"), ("published", "other")])
def test_of_a_draft_and_of_what_is_gone_nothing_can_be_read(
    shop: Tenant, put: Put, status: str, document_id: str
) -> None:
    put(document_id, status=status)
    assert around(shop, wanted(), "returns") is None


def test_the_hash_moves_with_the_text_of_the_section_alone(shop: Tenant, put: Put) -> None:
    put(parts=["x", {"id": "a", "parts": ["one"]}])
    first = text_around(shop, wanted(), "a").sha256
    put(revision="2", parts=["y", {"id": "a", "parts": ["one"]}])
    same = text_around(shop, wanted(), "a").sha256
    put(revision="3", parts=["y", {"id": "a", "parts": ["two"]}])
    assert (first == same, first == text_around(shop, wanted(), "a").sha256) == (True, False)


# --- attaching ----------------------------------------------------------------------------------------------


def test_what_could_not_be_read_is_named_by_its_place(shop: Tenant, put: Put) -> None:
    put()
    assert faults(shop, wanted(), wanted(of="gone"), wanted("self", "returns", "lost", "away")) == {
        "sources[1].document_id": "document_not_found",
        "sources[2].selection.section_ids[1]": "section_not_found",
        "sources[2].selection.section_ids[2]": "section_not_found",
    }


@pytest.mark.conformance("KK-056")
def test_a_draft_may_be_attached(shop: Tenant, put: Put) -> None:
    put(status="draft")
    assert faults(shop, wanted()) == {}


@pytest.mark.conformance("KK-050")
def test_documents_of_another_project_cannot_be_attached(
    shop: Tenant, other_shop: Tenant, put: Put, other_api: ApiClient
) -> None:
    put(client=other_api)
    assert other_api.get(f"{DOCUMENTS}/guide").status_code == 200
    assert faults(shop, wanted()) == {"sources[0].document_id": "document_not_found"}
    assert read(shop, wanted()) == [None]
