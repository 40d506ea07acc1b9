"""What agents get of documents: the attached selection as it stands, and nothing beyond."""

from typing import Any

import pytest

from apps.kernel.errors import AppError
from apps.knowledge.documents import attached
from apps.knowledge.documents.attached import AttachedDocument, SectionText, Wanted
from apps.projects.scoping import project_scope
from apps.sections import Selection
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.knowledge.documents.conftest import DOCUMENTS, Put

pytestmark = pytest.mark.django_db


def wanted(*selection: str, of: str = "guide") -> Wanted:
    mode, *section_ids = selection or ("document",)
    return Wanted(of, Selection(mode, tuple(section_ids)))


def read(shop: Tenant, *all_wanted: Wanted, with_content: bool = True) -> list[AttachedDocument]:
    with project_scope(shop.id):
        return attached.read(shop.id, all_wanted, with_content=with_content)


def around(shop: Tenant, one: Wanted, section_id: str | None) -> SectionText:
    with project_scope(shop.id):
        return attached.around(shop.id, one, section_id)


def faults_of_check(shop: Tenant, *all_wanted: Wanted) -> dict[str | None, str]:
    with project_scope(shop.id), pytest.raises(AppError) as refused:
        attached.check(shop.id, all_wanted, param=lambda position: f"sources[{position}]")
    return {fault.param: fault.code for fault in refused.value.errors}


@pytest.mark.conformance("KK-061")
def test_an_attachment_gives_its_selection_and_nothing_else(shop: Tenant, put: Put) -> None:
    put(title="Guide", locale="ar")
    found = read(shop, wanted("self", "returns"), wanted("subtree", "delivery"))
    assert [one.content for one in found] == [
        "خلال أسبوع.",
        "نوصل إلى كل المدن.\n\nخلال يومين.\n\nالتوصيل مجاني من 200 ريال.",
    ]
    assert (found[0].title, found[0].revision, found[0].locale, found[0].char_count) == ("Guide", "1", "ar", 11)
    assert all(one.is_readable and one.token_estimate > 0 for one in found)


def test_without_content_an_attachment_says_the_size_of_a_whole_document(shop: Tenant, put: Put) -> None:
    put()
    whole, part = read(shop, wanted(), wanted("self", "returns"), with_content=False)
    assert (whole.content, whole.char_count, part.char_count) == (None, 85, 0)


@pytest.mark.conformance("KK-056")
def test_of_a_draft_agents_get_nothing(shop: Tenant, put: Put) -> None:
    put(status="draft")
    (found,) = read(shop, wanted())
    assert (found.is_draft, found.is_readable, found.content) == (True, False, "")


def test_what_is_gone_says_so(shop: Tenant, put: Put) -> None:
    put()
    gone, part, none = read(shop, wanted(of="gone"), wanted("self", "lost", "returns"), wanted("self", "lost"))
    assert (gone.is_missing, gone.is_readable, gone.content) == (True, False, None)
    assert (part.missing_section_ids, part.is_readable, part.content) == (("lost",), True, "خلال أسبوع.")
    assert (none.missing_section_ids, none.is_readable, none.content) == (("lost",), False, "")


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
    assert around(shop, wanted(*selection), section_id).text == text


def test_the_text_around_a_hit_comes_with_the_way_to_it(shop: Tenant, put: Put) -> None:
    put(title="Guide")
    found = around(shop, wanted(), "delivery.timing")
    assert (found.section_path, found.title, found.revision) == (("delivery", "delivery.timing"), "Guide", "1")


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
    with pytest.raises(AppError) as refused:
        around(shop, wanted(*selection), section_id)
    assert refused.value.code == "section_not_found"


@pytest.mark.conformance("KK-056")
@pytest.mark.parametrize("fields", [{"status": "draft"}, {"document_id": "other"}])
def test_of_a_draft_and_of_what_is_gone_nothing_can_be_read(shop: Tenant, put: Put, fields: dict[str, Any]) -> None:
    put(**fields)
    with pytest.raises(AppError) as refused:
        around(shop, wanted(), "returns")
    assert refused.value.code == "document_not_found"


def test_the_hash_moves_with_title_and_text_of_the_section_alone(shop: Tenant, put: Put) -> None:
    put(parts=["x", {"id": "a", "parts": ["one"]}])
    first = around(shop, wanted(), "a").sha256
    put(revision="2", parts=["y", {"id": "a", "parts": ["one"]}])
    same = around(shop, wanted(), "a").sha256
    put(revision="2", parts=["y", {"id": "a", "parts": ["one"]}], title="Guide")
    titled = around(shop, wanted(), "a").sha256
    put(revision="3", parts=["y", {"id": "a", "parts": ["two"]}], title="Guide")
    changed = around(shop, wanted(), "a").sha256
    assert (first == same, len({first, titled, changed})) == (True, 3)


def test_what_could_not_be_read_is_refused_when_it_is_attached(shop: Tenant, put: Put) -> None:
    put()
    faults = faults_of_check(shop, wanted(), wanted(of="gone"), wanted("self", "returns", "lost", "away"))
    assert faults == {
        "sources[1].document_id": "document_not_found",
        "sources[2].selection.section_ids[1]": "section_not_found",
        "sources[2].selection.section_ids[2]": "section_not_found",
    }


@pytest.mark.conformance("KK-056")
def test_a_draft_may_be_attached(shop: Tenant, put: Put) -> None:
    put(status="draft")
    with project_scope(shop.id):
        attached.check(shop.id, [wanted()], param=str)


@pytest.mark.conformance("KK-050")
def test_documents_of_another_project_cannot_be_attached(
    shop: Tenant, other_shop: Tenant, put: Put, other_api: ApiClient
) -> None:
    put(client=other_api)
    assert other_api.get(f"{DOCUMENTS}/guide").status_code == 200
    assert faults_of_check(shop, wanted()) == {"sources[0].document_id": "document_not_found"}
    assert read(shop, wanted())[0].is_missing
