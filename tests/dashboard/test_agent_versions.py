"""Pages about what a model is told: the X-ray, versions and publishing, runs with their steps, and trying."""

import json
import re
from html import unescape
from typing import Any

import pytest

from apps.agents import queries, runs
from apps.agents.context import assemble
from apps.agents.models import Agent, Run
from apps.agents.search import search
from apps.knowledge import services as sources
from apps.knowledge.documents.queries import get_document
from apps.knowledge.documents.services import delete_document
from apps.knowledge.models import QueryCount, Source
from apps.knowledge.queries import get_source
from apps.projects.models import User
from apps.projects.scoping import project_scope
from tests.dashboard.making import (
    PRICES,
    Visitor,
    add_agent,
    add_document,
    add_source,
    change_source,
    draft_of,
    publish_agent,
    read_agent,
)
from tests.factories import Tenant

LONG = "\n".join(f"عطر رقم {number} بخلاصة الورد والعنبر 100 مل — {number} ريال" for number in range(900))
QUESTION = "صندق بخور"


@pytest.fixture
def visitor(shop: Tenant, owner: User) -> Visitor:
    return Visitor(shop, owner)


@pytest.fixture
def prices(shop: Tenant) -> Source:
    return add_source(shop, name="الأسعار")


def told(page: str) -> list[str]:
    """The texts that a page shows as a model reads them."""
    found = re.findall(r'<pre class="reading-text[^>]*>(.*?)</pre>', page, re.DOTALL)
    return [unescape(text) for text in found]


def delete_source(source: Source) -> None:
    with project_scope(source.project_id):
        locked = get_source(source.project_id, source.id, lock=True)
        sources.delete_source(locked, detach=True, actor="operator")


# --- the X-ray ----------------------------------------------------------------------------------------------


def test_the_xray_shows_all_that_is_told_to_the_letter(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"), instructions="كن لطيفًا.")
    with project_scope(shop.id):
        prompt = assemble(queries.read_edition(agent, None, with_content=True))

    page = visitor.see(f"agents/{agent.id}/prompt")

    assert "\n\n".join(told(page)) == prompt.text
    assert f"{prompt.token_estimate} tokens" in page


def test_the_xray_names_each_source_with_its_revision_and_age(
    visitor: Visitor, shop: Tenant, prices: Source
) -> None:
    agent = add_agent(shop, (prices, "always"))
    revision = prices.revision
    assert revision is not None

    page = visitor.see(f"agents/{agent.id}/prompt")

    assert f"/sources/{prices.id}" in page
    assert revision.sha256[:12] in page
    assert "Changed <time" in page


def test_sections_of_the_xray_are_folded(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"), instructions="كن لطيفًا.")

    page = visitor.see(f"agents/{agent.id}/prompt")

    assert len(re.findall(r'<details class="fold(?: inner)?"', page.partition('class="xray"')[2])) == 3


@pytest.mark.parametrize("form", ["openai", "anthropic", "mcp"])
def test_the_tool_is_shown_in_every_form(visitor: Visitor, shop: Tenant, prices: Source, form: str) -> None:
    agent = add_agent(shop, (prices, "searchable"))

    page = visitor.see(f"agents/{agent.id}/prompt")
    found = re.search(rf'<pre id="tool-{form}"[^>]*>(.*?)</pre>', page, re.DOTALL)

    assert found
    assert "search_knowledge" in json.dumps(json.loads(unescape(found[1])))


def test_without_anything_searchable_there_is_no_tool(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"))

    assert "Nothing is searchable" in visitor.see(f"agents/{agent.id}/prompt")


def test_the_xray_of_a_version_is_not_that_of_the_draft(visitor: Visitor, shop: Tenant) -> None:
    agent = add_agent(shop, instructions="الأولى")
    publish_agent(agent)
    visitor.send(f"agents/{agent.id}/edit", name="م", instructions="المسودة", min_score=0, max_result_tokens=50)

    assert told(visitor.see(f"agents/{agent.id}/prompt")) == ["المسودة"]
    assert told(visitor.see(f"agents/{agent.id}/prompt", version="1")) == ["الأولى"]


@pytest.mark.parametrize(("version", "status"), [("7", 404), ("9" * 30, 200), ("odd", 200), ("", 200), ("٧", 200)])
def test_only_a_version_that_is_there_is_shown(visitor: Visitor, shop: Tenant, version: str, status: int) -> None:
    agent = add_agent(shop)

    assert visitor.ask(f"agents/{agent.id}/prompt", version=version).status_code == status


def test_what_other_programs_are_told_is_shown_when_asked_for(visitor: Visitor, shop: Tenant) -> None:
    agent = add_agent(shop, instructions="للجميع", agent_client={"instructions": "للبرامج"})

    assert told(visitor.see(f"agents/{agent.id}/prompt")) == ["للجميع"]
    assert told(visitor.see(f"agents/{agent.id}/prompt", **{"for": "clients"})) == ["للجميع", "للبرامج"]


def test_a_long_text_is_cut_until_all_of_it_is_asked_for(visitor: Visitor, shop: Tenant) -> None:
    agent = add_agent(shop, (add_source(shop, LONG), "always"))

    cut, whole = visitor.see(f"agents/{agent.id}/prompt"), visitor.see(f"agents/{agent.id}/prompt", whole="1")

    assert "more characters are not shown here" in cut
    assert len(told(cut)[-1]) == 20_000
    assert told(whole)[-1].endswith(LONG)


def test_a_prompt_that_no_model_takes_is_told_and_not_shown(
    visitor: Visitor, shop: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.agents.context.MAX_PROMPT_CHARACTERS", 10)
    agent = add_agent(shop, (add_source(shop), "always"))

    assert "more than the 10 that fit" in visitor.see(f"agents/{agent.id}/prompt")


# --- versions -----------------------------------------------------------------------------------------------


def test_a_version_tells_what_the_draft_changes_in_it(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"), instructions="أجب بلطف")
    publish_agent(agent)
    form = {"name": "م", "instructions": "أجب باختصار", "min_score": "0.5", "max_result_tokens": "500"}
    visitor.send(f"agents/{agent.id}/edit", **form)
    visitor.send(f"agents/{agent.id}/arrange", do="searchable", attachment=f"source:{prices.id}")

    page = visitor.see(f"agents/{agent.id}/versions/1")

    assert re.search(r"used otherwise</span><bdi>الأسعار</bdi>", page)
    assert "from <bdi>2,000</bdi> to <bdi>500</bdi>" in page
    assert "from <bdi>0%</bdi> to <bdi>50%</bdi>" in page
    assert re.search(r'class="removed".*بلطف.*class="added".*باختصار', page, re.DOTALL)


def test_a_version_tells_what_it_changed_in_the_one_before(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop)
    publish_agent(agent)
    visitor.send(f"agents/{agent.id}/attach", source=prices.id, mode="always")
    publish_agent(agent)

    assert "added</span><bdi>الأسعار</bdi>" in visitor.see(f"agents/{agent.id}/versions/2", against="previous")
    assert "Nothing differs" in visitor.see(f"agents/{agent.id}/versions/2")


def test_the_first_version_brought_all_that_it_has(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"), instructions="كن لطيفًا.")
    publish_agent(agent)

    page = visitor.see(f"agents/{agent.id}/versions/1", against="previous")

    assert "added</span><bdi>الأسعار</bdi>" in page
    assert "from <bdi>" not in page


@pytest.mark.parametrize("version", ["0", "2", "-1", "x", "١", "9" * 40])
def test_a_version_that_is_not_there_has_no_page(visitor: Visitor, shop: Tenant, version: str) -> None:
    agent = add_agent(shop)
    publish_agent(agent)

    assert visitor.ask(f"agents/{agent.id}/versions/{version}").status_code == 404


def test_what_was_deleted_since_is_named_by_its_id(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"))
    publish_agent(agent)
    publish_agent(agent)
    delete_source(prices)

    assert re.search(rf"{prices.id}</bdi><span[^>]*>deleted<", visitor.see(f"agents/{agent.id}/versions/1"))


# --- publishing ---------------------------------------------------------------------------------------------


def test_publishing_shows_what_changes_and_asks_once(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"), instructions="كن لطيفًا.")

    page = visitor.see(f"agents/{agent.id}/publish")

    assert "Publish version <bdi>1</bdi>?" in page
    assert "added</span><bdi>الأسعار</bdi>" in page
    assert read_agent(agent).published_version is None
    visitor.send(f"agents/{agent.id}/publish", seen=_state(page))
    assert read_agent(agent).published_version == 1


def _state(page: str) -> str:
    found = re.search(r'name="seen" value="([^"]*)"', page)
    assert found
    return unescape(found[1])


def test_what_was_published_is_told_in_the_digits_of_the_page(shop: Tenant, owner: User) -> None:
    agent = add_agent(shop)

    visitor = Visitor(shop, owner, "ar")

    visitor.send(f"agents/{agent.id}/publish")

    assert "نُشر الإصدار <bdi>١</bdi>." in visitor.see(f"agents/{agent.id}")


def test_a_draft_that_changed_since_it_was_seen_is_not_published(
    visitor: Visitor, shop: Tenant, prices: Source
) -> None:
    agent = add_agent(shop)
    seen = _state(visitor.see(f"agents/{agent.id}/publish"))
    visitor.send(f"agents/{agent.id}/attach", source=prices.id, mode="always")

    answer = visitor.send(f"agents/{agent.id}/publish", seen=seen)

    assert answer.status_code == 409
    assert read_agent(agent).published_version is None


def test_with_nothing_new_there_is_no_button_to_publish(visitor: Visitor, shop: Tenant) -> None:
    agent = add_agent(shop)
    publish_agent(agent)

    page = visitor.see(f"agents/{agent.id}/publish")

    assert "nothing to publish" in page
    assert 'name="seen"' not in page


def test_a_prompt_too_large_for_programs_is_not_published(visitor: Visitor, shop: Tenant) -> None:
    agent = add_agent(shop, (add_source(shop, LONG * 3), "always"))

    answer = visitor.send(f"agents/{agent.id}/publish")

    assert answer.status_code == 409
    assert "Shorten the instructions" in answer.content.decode()
    assert read_agent(agent).published_version is None


# --- an earlier version again -------------------------------------------------------------------------------


def test_a_version_becomes_the_draft_again(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"), instructions="الأولى")
    publish_agent(agent)
    visitor.send(f"agents/{agent.id}/edit", name="م", instructions="الثانية", min_score=1, max_result_tokens=50)
    visitor.send(f"agents/{agent.id}/arrange", do="remove", attachment=f"source:{prices.id}")
    publish_agent(agent)

    visitor.send(f"agents/{agent.id}/versions/1/reuse")

    now = read_agent(agent)
    assert (now.instructions, now.min_score, now.published_version, now.is_changed) == ("الأولى", 0.0, 2, True)
    assert draft_of(agent) == [(prices.id, "always")]


def test_what_is_lost_by_going_back_is_named(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    gone = add_source(shop, name="قديم")
    agent = add_agent(shop, (gone, "always"), (prices, "always"))
    publish_agent(agent)
    publish_agent(agent)
    delete_source(gone)
    visitor.send(f"agents/{agent.id}/edit", name="م", instructions="جديد", min_score=0, max_result_tokens=50)

    page = visitor.see(f"agents/{agent.id}/versions/1/reuse")

    assert "What the draft says and was not published" in page
    assert f"Deleted since and left out: <bdi>{gone.id}</bdi>" in page
    visitor.send(f"agents/{agent.id}/versions/1/reuse")
    assert draft_of(agent) == [(prices.id, "always")]


def test_going_back_from_a_published_draft_loses_nothing(visitor: Visitor, shop: Tenant) -> None:
    agent = add_agent(shop)
    publish_agent(agent)

    assert "This cannot be undone" not in visitor.see(f"agents/{agent.id}/versions/1/reuse")


# --- trying -------------------------------------------------------------------------------------------------


def only_run(agent: Agent) -> Run:
    with project_scope(agent.project_id):
        return queries.runs_of(agent).get()


def test_a_trial_shows_just_what_the_model_is_told(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "searchable"))

    answer = visitor.send(f"agents/{agent.id}/try", question=QUESTION)

    run = only_run(agent)
    with project_scope(shop.id):
        content = queries.steps_of(run)[1].detail["content"]
    page = visitor.see(f"agents/{agent.id}/try", run=run.id)
    assert answer["Location"].endswith(f"/try?run={run.id}#latest")
    assert told(page) == [content]
    assert "صندوق بخور — 95 ريال" in content


def test_a_trial_is_of_the_draft(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop)
    publish_agent(agent)
    visitor.send(f"agents/{agent.id}/attach", source=prices.id, mode="searchable")

    visitor.send(f"agents/{agent.id}/try", question=QUESTION)

    assert only_run(agent).version is None


def test_a_trial_goes_on_in_its_run(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "searchable"))
    visitor.send(f"agents/{agent.id}/try", question="عسل")

    visitor.send(f"agents/{agent.id}/try", question="عود", run=only_run(agent).id)

    with project_scope(shop.id):
        assert [step.kind for step in queries.steps_of(only_run(agent))].count("search_knowledge") == 2


def test_a_trial_is_no_question_of_a_customer(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "searchable"))

    visitor.send(f"agents/{agent.id}/try", question="طائرات")

    with project_scope(shop.id):
        assert not QueryCount.objects.for_project(shop.id).exists()


def test_a_miss_says_whether_the_model_may_deny(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    document = add_document(shop)
    sure, unsure = (
        add_agent(shop, (prices, "searchable")),
        add_agent(shop, (prices, "searchable"), (document.handle, "searchable")),
    )

    pages = [_tried(visitor, agent, "طائرات نفاثة") for agent in (sure, unsure)]

    assert ["it may say that you do not have it" in page for page in pages] == [True, False]
    assert "Documents were searched" in pages[1]


def _tried(visitor: Visitor, agent: Agent, question: str) -> str:
    visitor.send(f"agents/{agent.id}/try", question=question)
    return visitor.see(f"agents/{agent.id}/try", run=only_run(agent).id)


def test_hits_below_the_lowest_match_are_told_as_the_reason(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "searchable"), knowledge={"min_score": 1.0})

    assert "below the lowest match" in _tried(visitor, agent, "بخور طائرات")


@pytest.mark.parametrize("question", ["", "   ", "x" * 2_001, "\0"])
def test_no_question_starts_no_run(visitor: Visitor, shop: Tenant, question: str) -> None:
    agent = add_agent(shop)

    assert visitor.send(f"agents/{agent.id}/try", question=question).status_code == 200
    with project_scope(shop.id):
        assert not queries.runs_of(agent).exists()


def test_an_agent_without_knowledge_says_so_and_keeps_no_run(visitor: Visitor, shop: Tenant) -> None:
    agent = add_agent(shop, knowledge={"enabled": False})

    assert "knowledge is switched off" in visitor.sent(f"agents/{agent.id}/try", question="عسل")
    with project_scope(shop.id):
        assert not queries.runs_of(agent).exists()


@pytest.mark.parametrize("method", ["ask", "send"])
def test_the_run_of_another_agent_is_not_gone_on_with(
    visitor: Visitor, shop: Tenant, prices: Source, method: str
) -> None:
    other = add_agent(shop, (prices, "searchable"))
    visitor.send(f"agents/{other.id}/try", question="عسل")
    form: dict[str, Any] = {"run": only_run(other).id, "question": "عود"}

    assert getattr(visitor, method)(f"agents/{add_agent(shop).id}/try", **form).status_code == 404


def test_kept_questions_are_offered(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    visitor.send(
        "search/examples/keep", question="كم العسل", source_id=prices.id, text="عسل سدر 500 جرام — 230 ريال"
    )

    assert 'value="كم العسل"' in visitor.see(f"agents/{add_agent(shop).id}/try")


# --- runs ---------------------------------------------------------------------------------------------------


@pytest.fixture
def tried(visitor: Visitor, shop: Tenant, prices: Source) -> Agent:
    """An agent with a run of its published version, which looked for something in a list and a document."""
    add_document(shop)
    agent = add_agent(shop, (prices, "always"), ("guide", "searchable"), instructions="كن لطيفًا.")
    publish_agent(agent)
    with project_scope(shop.id):
        edition = queries.read_edition(agent, 1, with_content=True)
        run = runs.start_run(edition).run
        runs.search_in_run(run, edition, "خلال يومين")
    return agent


def test_runs_are_listed_with_what_was_searched_for(visitor: Visitor, tried: Agent) -> None:
    page = visitor.see(f"agents/{tried.id}/runs")

    assert only_run(tried).id in page
    assert "خلال يومين" in page
    assert "Version <bdi>1</bdi>" in page


def test_a_run_shows_each_step_with_what_it_rested_on(visitor: Visitor, tried: Agent) -> None:
    page = visitor.see(f"agents/{tried.id}/runs/{only_run(tried).id}")

    assert len(re.findall(r'<li class="card">', page)) == 2
    assert PRICES in unescape(page)
    assert ">delivery.timing</code>" in page
    assert page.count("unchanged since") == 2


def test_what_changed_since_a_run_is_said_and_led_to(
    visitor: Visitor, shop: Tenant, tried: Agent, prices: Source
) -> None:
    was = prices.revision
    assert was is not None
    change_source(prices, content="عسل — 1")
    add_document(shop, "guide", "نص آخر", revision="2")

    page = visitor.see(f"agents/{tried.id}/runs/{only_run(tried).id}")

    assert page.count("changed since</span>") - page.count("unchanged since</span>") == 2
    assert f"/sources/{prices.id}/history/{was.sha256}" in page or was.sha256 in page
    assert "/documents/guide/revision?revision=1" in page
    assert PRICES in unescape(page)


def test_what_was_deleted_since_a_run_is_said(visitor: Visitor, tried: Agent, prices: Source) -> None:
    delete_source(prices)
    with project_scope(tried.project_id):
        from_guide = queries.steps_of(only_run(tried))[1].sources[0]
    assert from_guide["document_id"] == "guide"

    page = visitor.see(f"agents/{tried.id}/runs/{only_run(tried).id}")

    assert "deleted since" in page
    assert "cannot be put together again" in page


def test_a_run_is_repeated_when_asked_for(visitor: Visitor, tried: Agent) -> None:
    path = f"agents/{tried.id}/runs/{only_run(tried).id}"

    assert "comes out the same" not in visitor.see(path)
    assert visitor.see(path, repeat="1").count("comes out the same") == 2


def test_a_search_that_others_put_into_words_shows_its_hits(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "searchable"))
    with project_scope(shop.id):
        edition = queries.read_edition(agent, None, with_content=True)
        run = runs.start_run(edition).run
        result = search(edition, QUESTION)
        runs.record_search(run, edition, result, None)

    page = visitor.see(f"agents/{agent.id}/runs/{run.id}")

    assert "put what was found into words itself" in page
    assert f"/sources/{prices.id}?from=1#content-title" in page


@pytest.mark.conformance("U-8")
def test_what_hides_in_a_run_is_shown(visitor: Visitor, shop: Tenant) -> None:
    source = add_source(shop, "عسل سدر\u202eمقلوب\u202c — 95")
    agent = add_agent(shop, (source, "searchable"), (add_source(shop, "تمر\u2066 سكري"), "always"))
    visitor.send(f"agents/{agent.id}/try", question="عسل سدر")

    page = visitor.see(f"agents/{agent.id}/runs/{only_run(agent).id}")

    assert set(re.findall(r'class="hides" dir="ltr">([^<]+)<', page)) == {
        "U+202E",
        "U+202C",
        "U+2066",
    }
    assert "\u202e" not in page


def test_runs_of_a_deleted_document_stay_readable(visitor: Visitor, shop: Tenant, tried: Agent) -> None:
    with project_scope(shop.id):
        delete_document(get_document(shop.id, "guide", lock=True), detach=True, actor="operator")

    assert "deleted since" in visitor.see(f"agents/{tried.id}/runs/{only_run(tried).id}")
