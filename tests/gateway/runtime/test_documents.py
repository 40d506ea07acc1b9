"""Documents for agents: one hint each, which reads the section of the best hit, never past what is attached."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from apps.agents.models import Agent
from apps.sections import Selection
from tests.api_client import ApiClient
from tests.gateway.runtime.conftest import Create
from tests.gateway.runtime.talking import Talk, change, refusal

TEXT: Final = """مقدمة عامة عن المتجر.
<!-- agent-section:delivery -->
نوصل إلى كل المدن.
<!-- agent-section:delivery.timing -->
يصل الطلب خلال يومين.
<!-- /agent-section:delivery.timing -->
التوصيل مجاني من 200 ريال.
<!-- /agent-section:delivery -->
<!-- agent-section:returns -->
الاسترجاع خلال أسبوع.
<!-- /agent-section:returns -->
"""
WHOLE: Final = Selection("document")

Put = Callable[..., dict[str, Any]]
AttachDocument = Callable[..., None]


@pytest.fixture
def put(api: ApiClient) -> Put:
    """Make the guide say something, each time under a new revision."""
    revisions = iter(range(1, 100))

    def make(text: str = TEXT, **fields: Any) -> dict[str, Any]:
        body = {"revision": str(next(revisions)), "title": "دليل الخدمة", "status": "published", "text": text}
        answer = api.put("/v1/documents/guide", {**body, **fields})
        assert answer.status_code in {200, 201}, answer.content.decode()
        made: dict[str, Any] = answer.json()
        return made

    return make


@pytest.fixture
def attach_document(workspace: Agent, put: Put) -> AttachDocument:
    """Have the workspace's agent search a selection of the guide, and sources beside it."""

    def attach(selection: Selection = WHOLE, *sources: dict[str, Any], text: str = TEXT) -> None:
        put(text)
        document = {"document_id": "guide", "selection": selection, "mode": "searchable"}
        beside = [{"source_id": source["id"], "mode": "searchable"} for source in sources]
        change(workspace, knowledge={"sources": [document, *beside]})

    return attach


@pytest.mark.conformance("BH-049")
def test_a_document_gives_one_hint_however_many_sections_answer(
    talk: Talk, attach_document: AttachDocument
) -> None:
    attach_document()

    hints = talk.searched("خلال")["hints"]

    assert [hint["title"] for hint in hints] == ["دليل الخدمة"]


def test_its_reference_reads_the_section_of_the_best_hit_with_all_below_it(
    talk: Talk, attach_document: AttachDocument
) -> None:
    attach_document()

    hint = talk.hint("التوصيل مجاني")

    assert talk.page(hint["ref"])["content"] == (
        "نوصل إلى كل المدن.\n\nيصل الطلب خلال يومين.\n\nالتوصيل مجاني من 200 ريال."
    )


@pytest.mark.conformance("BH-047")
def test_a_summary_quotes_only_what_the_reference_reads(talk: Talk, attach_document: AttachDocument) -> None:
    attach_document()

    hint = talk.hint("الاسترجاع خلال")

    assert hint["summary"] == "الاسترجاع خلال أسبوع."
    assert talk.page(hint["ref"])["content"] == "الاسترجاع خلال أسبوع."


def test_a_hit_outside_of_sections_reads_the_text_around_them(talk: Talk, attach_document: AttachDocument) -> None:
    attach_document()

    assert talk.page(talk.hint("مقدمة عامة")["ref"])["content"] == "مقدمة عامة عن المتجر."


def test_what_is_not_attached_is_neither_found_nor_read(talk: Talk, attach_document: AttachDocument) -> None:
    attach_document(Selection("self", ("delivery",)))

    assert talk.searched("الاسترجاع")["hints"] == []
    assert talk.searched("يومين")["hints"] == []
    assert "يومين" not in talk.page(talk.hint("التوصيل مجاني")["ref"])["content"]


@pytest.mark.conformance("BH-066")
def test_a_long_section_is_read_page_by_page(talk: Talk, attach_document: AttachDocument) -> None:
    long = "بخور ملكي فاخر. " * 900
    attach_document(text=f"<!-- agent-section:incense -->\n{long}\n<!-- /agent-section:incense -->\n")

    pages = list(talk.pages(talk.hint("بخور")["ref"], max_bytes=4_096))

    assert len(pages) > 3
    assert "".join(page["content"] for page in pages) == long.strip()


def test_documents_and_sources_answer_side_by_side(
    talk: Talk, attach_document: AttachDocument, create: Create
) -> None:
    attach_document(WHOLE, create("التوصيل السريع — 30 ريال"))

    hints = talk.searched("التوصيل")["hints"]

    assert {hint["title"] for hint in hints} == {"دليل الخدمة", "قائمة الأسعار"}
    assert {talk.page(hint["ref"])["title"] for hint in hints} == {"دليل الخدمة", "قائمة الأسعار"}


@pytest.mark.conformance("BH-028")
def test_a_turn_brings_the_chunks_of_documents_too(talk: Talk, attach_document: AttachDocument) -> None:
    attach_document()

    context = talk.started(user_input="التوصيل مجاني")["context"]

    assert context["knowledge"][0]["title"] == "دليل الخدمة"
    assert "التوصيل مجاني من 200 ريال." in context["knowledge"][0]["content"]
    assert context["knowledge_refs"][0]["doc_id"] == "guide"


# --- what can be read ---------------------------------------------------------------------------------------


@pytest.mark.conformance("BH-051")
def test_a_draft_cannot_be_read(talk: Talk, attach_document: AttachDocument, put: Put, create: Create) -> None:
    attach_document()
    put(status="draft")

    assert talk.searched("التوصيل")["status"] == "unavailable"


@pytest.mark.conformance("BH-051")
def test_a_draft_beside_a_source_makes_the_answer_partial(
    talk: Talk, attach_document: AttachDocument, put: Put, create: Create
) -> None:
    attach_document(WHOLE, create("التوصيل السريع — 30 ريال"))
    put(status="draft")

    found = talk.searched("التوصيل")

    assert (found["status"], len(found["hints"])) == ("partial", 1)


def test_a_selection_of_which_nothing_is_left_cannot_be_read(
    talk: Talk, attach_document: AttachDocument, put: Put
) -> None:
    attach_document(Selection("subtree", ("returns",)))
    put("مقدمة عامة.\n")

    assert talk.searched("الاسترجاع")["status"] == "unavailable"


# --- what may not have changed ------------------------------------------------------------------------------


@pytest.mark.conformance("BH-077", "BH-085")
@pytest.mark.parametrize(
    "changed",
    [
        {"text": TEXT.replace("يومين", "ثلاثة أيام")},
        {"title": "دليل آخر"},
        {"status": "draft"},
        {"text": "مقدمة عامة.\n"},
    ],
    ids=["another text", "another title", "a draft", "no section"],
)
def test_a_section_that_reads_differently_or_is_gone_has_changed(
    changed: dict[str, str], talk: Talk, attach_document: AttachDocument, put: Put
) -> None:
    attach_document()
    ref = talk.hint("التوصيل مجاني")["ref"]

    put(**changed)

    assert refusal(talk.read(ref)) == (409, "knowledge_changed")


@pytest.mark.conformance("BH-077")
def test_an_edit_of_another_section_ends_no_reference(
    talk: Talk, attach_document: AttachDocument, put: Put
) -> None:
    attach_document()
    ref = talk.hint("التوصيل مجاني")["ref"]

    put(TEXT.replace("أسبوع", "شهر"))

    assert talk.read(ref).status_code == 200


@pytest.mark.conformance("BH-085")
def test_a_section_that_moved_is_never_taken_for_the_one_that_stands_there_now(
    talk: Talk, attach_document: AttachDocument, put: Put
) -> None:
    attach_document()
    ref = talk.hint("التوصيل مجاني")["ref"]

    put("<!-- agent-section:first -->\nقسم جديد.\n<!-- /agent-section:first -->\n" + TEXT)

    assert refusal(talk.read(ref)) == (409, "knowledge_changed")


@pytest.mark.conformance("BH-076")
@pytest.mark.parametrize("selection", [Selection("subtree", ("delivery",)), None])
def test_another_selection_ends_a_reference(
    selection: Selection | None, talk: Talk, attach_document: AttachDocument, workspace: Agent
) -> None:
    attach_document()
    ref = talk.hint("التوصيل مجاني")["ref"]

    attached = [] if selection is None else [{"document_id": "guide", "selection": selection, "mode": "searchable"}]
    change(workspace, knowledge={"sources": attached})

    assert refusal(talk.read(ref)) == (409, "knowledge_scope_changed")


@pytest.mark.conformance("BH-080")
def test_deleting_the_document_ends_a_reference(
    talk: Talk, attach_document: AttachDocument, api: ApiClient
) -> None:
    attach_document()
    ref = talk.hint("التوصيل مجاني")["ref"]

    assert api.delete("/v1/documents/guide?detach=true").status_code == 204

    assert refusal(talk.read(ref)) == (409, "knowledge_scope_changed")


def test_a_search_of_a_document_is_a_step_that_names_it(
    talk: Talk, attach_document: AttachDocument, api: ApiClient, workspace: Agent
) -> None:
    attach_document()
    run_id = talk.on_demand(user_input="التوصيل مجاني")["run_id"]

    step = api.get(f"/v1/agents/{workspace.id}/runs/{run_id}").json()["steps"][-1]

    assert [source["document_id"] for source in step["sources"]] == ["guide"]
