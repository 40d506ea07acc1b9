"""Documents that agents attach: what they get of them, what a run says of it, and what becomes of it later."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.agents import queries
from apps.agents.models import Run
from apps.agents.replay import Outcome, replay
from apps.knowledge.documents import services
from apps.projects.scoping import project_scope
from tests.agents.conftest import AGENTS, CreateAgent, CreateSource, attached, refusal
from tests.api_client import ApiClient
from tests.factories import Tenant

pytestmark = pytest.mark.django_db

DOCUMENTS = "/v1/documents"
WHOLE = {"mode": "document"}
PARTS = [
    "مقدمة عامة.",
    {
        "id": "delivery",
        "parts": ["نوصل إلى كل المدن.", {"id": "delivery.timing", "parts": ["خلال يومين."]}],
    },
    {"id": "returns", "parts": ["الإرجاع مقبول."]},
    {"id": "secret", "parts": ["هامش الربح سري."]},
]

Put = Callable[..., None]


@pytest.fixture
def put(api: ApiClient) -> Put:
    """Make a document of the shop what is given; the guide of four sections unless parts are."""

    def make(document_id: str = "guide", **fields: Any) -> None:
        body = {"revision": "1", "title": "Guide", "parts": PARTS, **fields}
        answer = api.put(f"{DOCUMENTS}/{document_id}", body)
        assert answer.status_code in {200, 201}, answer.content.decode()

    return make


def document(mode: str = "always", *selection: str, of: str = "guide") -> dict[str, Any]:
    """An attachment: all of the guide unless sections are named."""
    chosen = {"mode": selection[0], "section_ids": list(selection[1:])} if selection else WHOLE
    return {"document_id": of, "selection": chosen, "mode": mode}


def make_agent(agent: CreateAgent, *sources: dict[str, Any], **fields: Any) -> str:
    return f"{AGENTS}/{agent(knowledge={'sources': list(sources)}, **fields)}"


def prompt(api: ApiClient, path: str) -> dict[str, Any]:
    answer = api.get(f"{path}/prompt")
    assert answer.status_code == 200, answer.content.decode()
    shown: dict[str, Any] = answer.json()
    return shown


def run_of(api: ApiClient, path: str) -> str:
    return f"{path}/runs/{api.post(f'{path}/runs').json()['id']}"


def look(api: ApiClient, run: str, query: str) -> dict[str, Any]:
    answer = api.post(f"{run}/search_knowledge", {"query": query})
    assert answer.status_code == 200, answer.content.decode()
    found: dict[str, Any] = answer.json()
    return found


def steps(api: ApiClient, run: str) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = api.get(run).json()["steps"]
    return shown


def codes(issues: list[dict[str, Any]]) -> list[tuple[str, str | None]]:
    return [(issue["code"], issue.get("document_id")) for issue in issues]


# --- attaching ----------------------------------------------------------------------------------------------


def test_documents_and_sources_are_attached_side_by_side_in_one_order(
    api: ApiClient, put: Put, source: CreateSource, agent: CreateAgent
) -> None:
    put()
    (prices,) = attached((source(), "always"))
    wanted = [document("searchable", "subtree", "delivery"), prices, document("always", of="guide")]
    put("other")
    wanted[2] = document("always", "self", "returns", of="other")

    path = make_agent(agent, *wanted)

    assert api.get(path).json()["knowledge"]["sources"] == wanted


@pytest.mark.parametrize(
    ("given", "code", "param"),
    [
        ({"mode": "always"}, "required", "source_id"),
        ({"document_id": "guide", "mode": "always"}, "required", "selection"),
        ({"document_id": "guide", "selection": WHOLE}, "required", "mode"),
        ({"source_id": "ks_1", "selection": WHOLE, "mode": "always"}, "selection_of_a_source", "selection"),
        (
            {"source_id": "ks_1", "document_id": "guide", "selection": WHOLE, "mode": "always"},
            "source_or_document",
            "document_id",
        ),
        (
            {"document_id": "guide", "selection": {"mode": "self"}, "mode": "always"},
            "required",
            "selection.section_ids",
        ),
        (
            {"document_id": "guide", "selection": {"mode": "document", "path": "/"}, "mode": "always"},
            "unknown_field",
            "selection.path",
        ),
        ({"document_id": 5, "selection": WHOLE, "mode": "always"}, "not_a_string", "document_id"),
    ],
)
def test_a_faulty_attachment_is_refused_by_its_place(
    api: ApiClient, put: Put, given: dict[str, Any], code: str, param: str
) -> None:
    put()
    answer = api.post(AGENTS, {"name": "x", "knowledge": {"sources": [given]}})
    assert refusal(answer) == (400, code, f"knowledge.sources[0].{param}")


def test_a_change_takes_whole_attachments_only(api: ApiClient, put: Put, agent: CreateAgent) -> None:
    put()
    path = make_agent(agent)
    answer = api.patch(path, {"knowledge": {"sources": [{"document_id": "guide", "mode": "always"}]}})
    assert refusal(answer) == (400, "required", "knowledge.sources[0].selection")


def test_a_document_is_attached_once(api: ApiClient, put: Put) -> None:
    put()
    sources = [document("always", "self", "returns"), document("always", "self", "delivery")]
    answer = api.post(AGENTS, {"name": "x", "knowledge": {"sources": sources}})
    assert refusal(answer) == (400, "repeated_item", "knowledge.sources[1].document_id")


@pytest.mark.conformance("KK-042", "KK-050")
def test_what_the_project_does_not_have_is_refused_by_its_place(
    api: ApiClient, put: Put, source: CreateSource, other_api: ApiClient
) -> None:
    put()
    other_api.put(f"{DOCUMENTS}/theirs", {"revision": "1", "parts": PARTS})
    (prices,) = attached((source(), "always"))
    sources = [prices, document(of="theirs"), document("always", "self", "returns", "gone")]
    answer = api.post(AGENTS, {"name": "x", "knowledge": {"sources": sources}})
    assert answer.status_code == 404
    assert {fault["param"]: fault["code"] for fault in answer.json()["error"]["errors"]} == {
        "knowledge.sources[1].document_id": "document_not_found",
        "knowledge.sources[2].selection.section_ids[1]": "section_not_found",
    }


def test_another_selection_is_a_change_to_publish(api: ApiClient, put: Put, agent: CreateAgent) -> None:
    put()
    path = make_agent(agent, document("always", "self", "returns"))
    api.post(f"{path}/publish")
    same = api.patch(path, {"knowledge": {"sources": [document("always", "self", "returns")]}}).json()["version"]
    other = api.patch(path, {"knowledge": {"sources": [document("always", "self", "delivery")]}}).json()["version"]
    assert (same, other) == (1, 2)


# --- what an agent gets -------------------------------------------------------------------------------------


@pytest.mark.conformance("KK-061")
def test_the_x_ray_shows_document_revision_and_selection(api: ApiClient, put: Put, agent: CreateAgent) -> None:
    put()
    shown = prompt(api, make_agent(agent, document("always", "subtree", "delivery")))
    (section,) = shown["sections"]
    (used,) = section["sources"]
    assert "## Guide\n\nنوصل إلى كل المدن.\n\nخلال يومين." in section["text"]
    assert "مقدمة" not in shown["text"]
    assert used.pop("token_estimate") > 0
    assert used == {
        "source_id": None,
        "source_name": "Guide",
        "updated_at": api.get(f"{DOCUMENTS}/guide").json()["updated_at"],
        "revision": "1",
        "document_id": "guide",
        "selection": {"mode": "subtree", "section_ids": ["delivery"]},
    }


def test_always_texts_stand_in_the_order_of_the_agent(
    api: ApiClient, put: Put, source: CreateSource, agent: CreateAgent
) -> None:
    put()
    (prices,) = attached((source("صندوق بخور", name="Prices"), "always"))
    put("other", title="Other", parts=["آخر."])
    text = prompt(api, make_agent(agent, document(of="other"), prices, document()))["text"]
    assert text.index("## Other") < text.index("## Prices") < text.index("## Guide")


def test_an_edit_of_a_document_is_live_for_every_version(api: ApiClient, put: Put, agent: CreateAgent) -> None:
    put()
    path = make_agent(agent, document("always", "self", "returns"))
    api.post(f"{path}/publish")
    put(revision="2", parts=[{"id": "returns", "parts": ["لا إرجاع."]}])
    shown = api.get(f"{path}/prompt?version=1").json()
    assert "لا إرجاع." in shown["text"]
    assert shown["sections"][0]["sources"][0]["revision"] == "2"


def test_a_searchable_document_is_in_the_tool_and_not_in_the_text(
    api: ApiClient, put: Put, agent: CreateAgent
) -> None:
    put(title="Shop guide")
    shown = prompt(api, make_agent(agent, document("searchable")))
    assert "مقدمة" not in shown["text"]
    assert "Shop guide" in shown["tools"][0]["function"]["description"]


@pytest.mark.conformance("KK-061")
def test_a_search_finds_in_the_attached_selection_and_nothing_beyond(
    api: ApiClient, put: Put, agent: CreateAgent
) -> None:
    put()
    run = run_of(api, make_agent(agent, document("searchable", "self", "delivery", "returns")))
    found, beyond, below = (look(api, run, query) for query in ("الإرجاع", "الربح", "يومين"))
    (hit,) = found["hits"]
    assert (hit["document_id"], hit["section_id"], hit["source_id"]) == ("guide", "returns", None)
    assert "Guide:\n- الإرجاع مقبول." in found["content"]
    assert (beyond["hits"], below["hits"]) == ([], [])


def test_a_search_goes_through_sources_and_documents_together(
    api: ApiClient, put: Put, source: CreateSource, agent: CreateAgent
) -> None:
    put()
    (prices,) = attached((source("الإرجاع — 5 ريال", name="Prices"), "searchable"))
    found = look(api, run_of(api, make_agent(agent, document("searchable"), prices)), "الإرجاع")
    assert {hit["source_name"] for hit in found["hits"]} == {"Prices", "Guide"}
    assert [one["id"] for one in found["searched_documents"]] == ["guide"]


def test_documents_are_never_evidence_for_an_agent(
    api: ApiClient, put: Put, source: CreateSource, agent: CreateAgent
) -> None:
    put()
    (prices,) = attached((source(), "searchable"))
    miss = look(api, run_of(api, make_agent(agent, document("searchable"), prices)), "غسالة")["miss"]
    assert (miss["evidence"], [reason["code"] for reason in miss["reasons"]]) == (False, ["documents_searched"])


@pytest.mark.conformance("KK-056")
def test_a_draft_is_invisible_to_an_agent(api: ApiClient, put: Put, agent: CreateAgent) -> None:
    put()
    put("found")
    always = make_agent(agent, document())
    searching = run_of(api, make_agent(agent, document("searchable"), document("searchable", of="found")))
    put(status="draft")
    assert prompt(api, always)["text"] == ""
    assert {hit["document_id"] for hit in look(api, searching, "الإرجاع")["hits"]} == {"found"}


# --- what runs say ------------------------------------------------------------------------------------------


@pytest.mark.conformance("KK-061")
def test_steps_name_document_revision_and_selection(api: ApiClient, put: Put, agent: CreateAgent) -> None:
    put()
    put("other", title="Other")
    path = make_agent(agent, document("always", "self", "returns"), document("searchable", of="other"))
    run = run_of(api, path)
    look(api, run, "الإرجاع")
    told = steps(api, run)
    assert [
        [one["document_id"], one["revision"], one["selection"]] for step in told for one in step["sources"]
    ] == [
        ["guide", "1", {"mode": "self", "section_ids": ["returns"]}],
        ["other", "1", {"mode": "document"}],
    ]
    assert told[1]["hits"] == [
        {
            "source_id": None,
            "position": 4,
            "score": 1.0,
            "full_match": True,
            "document_id": "other",
            "section_id": "returns",
        }
    ]


@pytest.fixture
def proven(api: ApiClient, put: Put, source: CreateSource, agent: CreateAgent) -> str:
    """A run with a prompt and two searches over documents and a source."""
    put()
    put("other", title="Other")
    (prices,) = attached((source("الإرجاع — 5 ريال"), "searchable"))
    path = make_agent(
        agent,
        document("always", "subtree", "delivery"),
        prices,
        document("searchable", "self", "returns", of="other"),
        instructions="أجب باختصار.",
    )
    run = run_of(api, path)
    look(api, run, "الإرجاع")
    look(api, run, "غسالة")
    return run


def outcomes(shop: Tenant, run: str) -> list[Outcome]:
    with project_scope(shop.id):
        row = Run.objects.for_project(shop.id).get(id=run.rpartition("/")[2])
        return [replay(row, step) for step in queries.steps_of(row)]


@pytest.mark.conformance("KK-052", "KK-053")
def test_a_run_can_be_repeated_after_its_documents_changed(
    api: ApiClient, shop: Tenant, put: Put, proven: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "KEPT_EARLIER_REVISIONS", 0)
    text = steps(api, proven)[0]["text"]
    for document_id in ("guide", "other"):
        put(document_id, revision="2", parts=["All new."])
        put(document_id, revision="3", parts=["Newer still."])
    assert outcomes(shop, proven) == [Outcome.SAME] * 3
    assert steps(api, proven)[0]["text"] == text


def test_a_run_whose_document_is_deleted_cannot_be_repeated(api: ApiClient, shop: Tenant, proven: str) -> None:
    api.delete(f"{DOCUMENTS}/guide?detach=true")
    assert outcomes(shop, proven) == [Outcome.GONE, Outcome.SAME, Outcome.SAME]


# --- what becomes of attachments ----------------------------------------------------------------------------


def test_a_document_in_use_stays_and_its_users_are_named(api: ApiClient, put: Put, agent: CreateAgent) -> None:
    put()
    path = make_agent(agent, document(), name="مساعد")
    answer = api.delete(f"{DOCUMENTS}/guide")
    assert refusal(answer)[:2] == (409, "document_in_use")
    assert f"مساعد ({path.rpartition('/')[2]})" in answer.json()["error"]["message"]


def test_detaching_takes_it_out_of_draft_and_published_version_and_older_ones_say_so(
    api: ApiClient, put: Put, agent: CreateAgent
) -> None:
    put()
    put("other")
    path = make_agent(agent, document())
    api.post(f"{path}/publish")
    api.patch(path, {"knowledge": {"sources": [document(of="other"), document()]}})
    api.post(f"{path}/publish")

    assert api.delete(f"{DOCUMENTS}/guide?detach=true").status_code == 204

    latest, first = api.get(f"{path}/versions").json()["data"]
    assert latest["knowledge"]["sources"] == [document(of="other")]
    assert first["knowledge"]["sources"] == [document()]
    assert [(warning["code"], warning["document_ids"]) for warning in first["warnings"]] == [
        ("document_missing", ["guide"])
    ]
    assert api.get(path).json()["knowledge"]["sources"] == [document(of="other")]
    assert codes(api.get(f"{path}/readiness?version=1").json()["issues"]) == [("document_missing", "guide")]


@pytest.mark.conformance("KK-027", "KK-054")
def test_a_write_that_takes_a_section_away_names_the_agents_that_attach_it(
    api: ApiClient, put: Put, agent: CreateAgent
) -> None:
    put()
    path = make_agent(agent, document("always", "self", "returns", "delivery"), name="مساعد")
    api.post(f"{path}/publish")
    body = {"revision": "2", "parts": PARTS[:2]}
    strictly = api.put(f"{DOCUMENTS}/guide?strict=true", body)
    done = api.put(f"{DOCUMENTS}/guide", body)
    assert refusal(strictly)[:2] == (409, "broken_references")
    assert done.json()["broken_references"] == [
        {
            "document_id": "guide",
            "user_id": path.rpartition("/")[2],
            "user_name": "مساعد",
            "code": "section_not_found",
            "section_ids": ["returns"],
        }
    ]


def test_a_section_that_went_is_no_fault_of_a_change_that_leaves_it_attached(
    api: ApiClient, put: Put, agent: CreateAgent
) -> None:
    put()
    put("other")
    lost = document("always", "self", "returns", "delivery")
    path = make_agent(agent, lost)
    api.put(f"{DOCUMENTS}/guide", {"revision": "2", "parts": PARTS[:2]})

    more = api.patch(path, {"knowledge": {"sources": [document("always", of="other"), lost]}})
    again = api.patch(path, {"knowledge": {"sources": [document("always", "self", "returns")]}})

    assert more.json()["knowledge"]["sources"] == [document("always", of="other"), lost]
    assert refusal(again)[1] == "section_not_found"


def test_readiness_and_warnings_say_what_an_agent_does_not_get(
    api: ApiClient, put: Put, agent: CreateAgent
) -> None:
    put("draft")
    put("cut")
    put("empty")
    path = make_agent(
        agent,
        document(of="draft"),
        document("searchable", "self", "returns", "delivery", of="cut"),
        document(of="empty"),
    )
    put("draft", status="draft")
    put("cut", revision="2", parts=PARTS[:2])
    put("empty", revision="2", parts=[{"id": "a", "parts": []}])
    expected = [("document_is_draft", "draft"), ("section_missing", "cut"), ("knowledge_empty", "empty")]
    shown = api.get(f"{path}/readiness").json()
    assert (shown["ready"], codes(shown["issues"])) == (False, expected)
    warned = api.get(path).json()["warnings"]
    assert [(one["code"], *one["document_ids"]) for one in warned] == expected


def test_large_documents_are_advised_to_be_searchable(api: ApiClient, put: Put, agent: CreateAgent) -> None:
    put(parts=["كلمة " * 30_000, {"id": "a", "parts": ["قليل."]}])
    whole, part = make_agent(agent, document()), make_agent(agent, document("always", "self", "a"))
    (warning,) = api.get(whole).json()["warnings"]
    assert (warning["code"], warning["source_ids"], warning["document_ids"]) == (
        "always_knowledge_large",
        [],
        ["guide"],
    )
    assert api.get(part).json()["warnings"] == []
