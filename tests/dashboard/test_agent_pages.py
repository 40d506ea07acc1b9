"""Pages of agents: what they are given and how, their words and switches, how they stand, and deleting them."""

import re
from html import unescape
from typing import Any

import pytest

from apps.agents import queries
from apps.agents.models import Agent
from apps.dashboard.unseen import count_hidden
from apps.knowledge.documents import services as documents
from apps.knowledge.models import Source
from apps.projects.models import Role, User
from apps.projects.scoping import project_scope
from tests.dashboard.making import (
    Visitor,
    add_agent,
    add_document,
    add_source,
    draft_of,
    publish_agent,
    read_agent,
)
from tests.dashboard.world import Shop, signed_in
from tests.factories import Tenant
from tests.gateway.making import make_client

HOSTILE = "<script>alert(1)</script>\"'&"
# About 9,000 tokens.
LONG = "\n".join(f"عطر رقم {number} بخلاصة الورد — {number} ريال" for number in range(700))


@pytest.fixture
def visitor(shop: Tenant, owner: User) -> Visitor:
    return Visitor(shop, owner)


@pytest.fixture
def prices(shop: Tenant) -> Source:
    return add_source(shop)


@pytest.fixture
def hours(shop: Tenant) -> Source:
    return add_source(shop, "نفتح من التاسعة.", kind="text", name="أوقات العمل")


def seen_in(page: str) -> str:
    """The state that a form of a page starts from."""
    found = re.search(r'name="seen" value="([^"]*)"', page)
    assert found
    return unescape(found[1])


def said(answer: Any) -> str:
    """What the next page says about the form that was just sent."""
    page: str = answer.client.get(answer["Location"].partition("#")[0]).content.decode()
    return " ".join(re.findall(r'<div class="note (?:ok|bad|warn)">.*?<div>(.*?)</div>', page, re.DOTALL))


# --- creating and listing -----------------------------------------------------------------------------------


def test_an_agent_is_created_with_its_words(visitor: Visitor, shop: Tenant) -> None:
    answer = visitor.send("agents/new", name="مساعد", instructions="سطر\r\nوآخر")

    with project_scope(shop.id):
        made = queries.agents_of(shop.id).get()
    assert (made.name, made.instructions) == ("مساعد", "سطر\nوآخر")
    assert answer["Location"].endswith(f"/agents/{made.id}")


@pytest.mark.parametrize("name", ["", "   ", "a\u202eb", "\u200b", "x" * 201])
def test_an_agent_needs_a_name_that_people_can_read(visitor: Visitor, shop: Tenant, name: str) -> None:
    assert 'id="id_name_error"' in visitor.sent("agents/new", name=name)

    with project_scope(shop.id):
        assert not queries.agents_of(shop.id).exists()


@pytest.mark.parametrize(
    ("content", "mode", "badge"),
    [("عسل — 95", "searchable", "Ready"), (LONG, "always", "Look into it"), (None, "searchable", "Not ready")],
)
def test_the_list_tells_at_a_glance_who_is_ready(
    visitor: Visitor, shop: Tenant, content: str | None, mode: str, badge: str
) -> None:
    kind: dict[str, Any] = {} if content else {"kind": "api", "config": {"url": "https://shop.example/feed"}}
    add_agent(shop, (add_source(shop, content, **kind), mode))

    page = visitor.see("agents")

    assert [word for word in ("Not ready", "Ready", "Look into it") if f"</svg>{word}</span>" in page] == [badge]


def test_the_list_judges_what_is_in_use_beside_the_draft(visitor: Visitor, shop: Tenant) -> None:
    feed = add_source(shop, None, kind="api", config={"url": "https://shop.example/feed"})
    agent = add_agent(shop, (feed, "searchable"))
    publish_agent(agent)
    visitor.send(f"agents/{agent.id}/arrange", do="remove", attachment=f"source:{feed.id}")

    assert "</svg>Not ready</span>" in visitor.see("agents")


def test_the_list_tells_version_route_and_cost(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"), route="order-assistant")
    publish_agent(agent)
    visitor.send(f"agents/{agent.id}/edit", name="مساعد", instructions="جديد", min_score=0, max_result_tokens=50)

    page = visitor.see("agents")

    assert ">order-assistant</code>" in page
    assert "Version <bdi>1</bdi>" in page
    assert "Changes not published" in page
    assert re.search(r"\d+ tokens", page)


def test_names_and_instructions_stand_on_pages_as_text(visitor: Visitor, shop: Tenant) -> None:
    source = add_source(shop, HOSTILE, kind="text", name=HOSTILE)
    agent = add_agent(shop, (source, "always"), name=HOSTILE, instructions=HOSTILE)
    publish_agent(agent)
    pages = ["", "/prompt", "/versions/1?against=previous", "/publish", "/edit", "/attach", "/delete", "/switches"]

    shown = [visitor.see(f"agents/{agent.id}{page}") for page in pages]

    assert [page for page in (visitor.see("agents"), *shown) if "<script>alert" in page] == []


# --- what it is given ---------------------------------------------------------------------------------------


def test_sources_and_documents_are_attached_in_one_go(
    visitor: Visitor, shop: Tenant, prices: Source, hours: Source
) -> None:
    document, agent = add_document(shop), add_agent(shop, (hours, "always"))

    visitor.send(f"agents/{agent.id}/attach", source=[prices.id], document=[document.handle], mode="searchable")

    assert draft_of(agent) == [(hours.id, "always"), (prices.id, "searchable"), ("guide", "searchable")]


def test_what_is_attached_is_not_offered_again(
    visitor: Visitor, shop: Tenant, prices: Source, hours: Source
) -> None:
    agent = add_agent(shop, (hours, "always"))

    page = visitor.see(f"agents/{agent.id}/attach")

    assert (f'value="{prices.id}"' in page, f'value="{hours.id}"' in page) == (True, False)


def test_what_is_offered_is_found_by_its_name(
    visitor: Visitor, shop: Tenant, prices: Source, hours: Source
) -> None:
    agent = add_agent(shop)

    page = visitor.see(f"agents/{agent.id}/attach", q="أوقات")

    assert (f'value="{prices.id}"' in page, f'value="{hours.id}"' in page) == (False, True)


@pytest.mark.parametrize(
    "form", [{}, {"mode": "searchable"}, {"source": "ks_x"}, {"source": "ks_x", "mode": "odd"}]
)
def test_nothing_is_attached_unless_something_is_chosen(
    visitor: Visitor, shop: Tenant, form: dict[str, str]
) -> None:
    agent = add_agent(shop)

    assert "Choose at least one source" in visitor.sent(f"agents/{agent.id}/attach", **form)
    assert draft_of(agent) == []


@pytest.mark.parametrize("field", ["source", "document"])
def test_nothing_of_another_project_is_attached(
    visitor: Visitor, shop: Tenant, other_shop: Tenant, field: str
) -> None:
    foreign = {"source": add_source(other_shop).id, "document": add_document(other_shop, "theirs").handle}
    agent = add_agent(shop)

    answer = visitor.send(f"agents/{agent.id}/attach", **{field: foreign[field]}, mode="always")

    assert "There is no" in said(answer)
    assert draft_of(agent) == []


def test_no_agent_is_given_more_than_it_may_have(
    visitor: Visitor, shop: Tenant, prices: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.dashboard.agents.attaching.MAX_ATTACHMENTS", 0)
    agent = add_agent(shop)

    answer = visitor.send(f"agents/{agent.id}/attach", source=prices.id, mode="always")

    assert "more than 0 items" in said(answer)
    assert draft_of(agent) == []


@pytest.mark.parametrize("value", ["ks_\0", "\0", "x" * 5_000, "'; --"])
def test_odd_ids_attach_nothing(visitor: Visitor, shop: Tenant, value: str) -> None:
    agent = add_agent(shop)

    answer = visitor.send(f"agents/{agent.id}/attach", source=value, document=value, mode="always")

    assert answer.status_code in {200, 302}
    assert draft_of(agent) == []


@pytest.mark.parametrize(
    ("deed", "expected"),
    [
        ("up", [("second", "always"), ("first", "always")]),
        ("down", [("first", "always"), ("second", "always")]),
        ("searchable", [("first", "always"), ("second", "searchable")]),
        ("always", [("first", "always"), ("second", "always")]),
        ("remove", [("first", "always")]),
        ("odd", [("first", "always"), ("second", "always")]),
    ],
)
def test_buttons_change_one_attachment(
    visitor: Visitor, shop: Tenant, deed: str, expected: list[tuple[str, str]]
) -> None:
    add_document(shop, "first")
    add_document(shop, "second")
    agent = add_agent(shop, ("first", "always"), ("second", "always"))

    visitor.send(f"agents/{agent.id}/arrange", do=deed, attachment="document:second")

    assert draft_of(agent) == expected


def test_a_button_for_what_another_took_out_says_so(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"))

    answer = visitor.send(f"agents/{agent.id}/arrange", do="up", attachment="source:ks_gone")

    assert "does not have this any more" in said(answer)


def test_the_order_is_changed_without_scripts(
    visitor: Visitor, shop: Tenant, prices: Source, hours: Source
) -> None:
    agent = add_agent(shop, (prices, "always"), (hours, "always"))
    page = visitor.see(f"agents/{agent.id}")

    forms = re.findall(r'<form method="post" action="[^"]*/arrange" class="deeds".*?</form>', page, re.DOTALL)

    assert [len(re.findall(r'value="(?:up|down|remove)"', form)) for form in forms] == [3, 3]


@pytest.mark.conformance("KA-023", "KA-024")
def test_the_advice_names_what_to_search_and_is_followed_at_a_click(
    visitor: Visitor, shop: Tenant, hours: Source
) -> None:
    catalog = add_source(shop, LONG, name="قائمة العطور")
    agent = add_agent(shop, (hours, "always"), (catalog, "always"))
    advice = re.compile(r"heavier than advised.*قائمة العطور", re.DOTALL)

    assert advice.search(visitor.see(f"agents/{agent.id}"))
    visitor.send(f"agents/{agent.id}/arrange", do="advice")

    assert draft_of(agent) == [(hours.id, "always"), (catalog.id, "searchable")]
    assert not advice.search(visitor.see(f"agents/{agent.id}"))


@pytest.mark.conformance("KA-024")
def test_an_agent_over_the_advice_is_published_all_the_same(visitor: Visitor, shop: Tenant) -> None:
    agent = add_agent(shop, (add_source(shop, LONG), "always"))

    visitor.send(f"agents/{agent.id}/publish")

    assert read_agent(agent).published_version == 1


# --- sections of documents ----------------------------------------------------------------------------------


def test_an_agent_gets_chosen_sections_and_keeps_its_order(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    document = add_document(shop)
    agent = add_agent(shop, ("guide", "always"), (prices, "always"))
    path = f"agents/{agent.id}/documents/{document.handle}"

    visitor.send(path, mode="subtree", section=["returns", "delivery"], use="searchable")

    assert draft_of(agent) == [("guide", "searchable"), (prices.id, "always")]
    page = visitor.see(path)
    assert re.findall(r'value="([^"]+)" checked', page) == ["subtree", "delivery", "returns", "searchable"]


@pytest.mark.parametrize(
    "form",
    [
        {"mode": "subtree", "use": "always"},
        {"mode": "document"},
        {"mode": "document", "use": "odd"},
    ],
)
def test_sections_are_chosen_whole(visitor: Visitor, shop: Tenant, form: dict[str, str]) -> None:
    document, agent = add_document(shop), add_agent(shop)

    page = visitor.sent(f"agents/{agent.id}/documents/{document.handle}", **form)

    assert "Choose at least one section" in page
    assert draft_of(agent) == []


def test_a_section_that_is_not_there_is_not_given(visitor: Visitor, shop: Tenant) -> None:
    document, agent = add_document(shop), add_agent(shop)

    answer = visitor.send(
        f"agents/{agent.id}/documents/{document.handle}", mode="self", section="odd\u202e", use="always"
    )

    assert "has no section" in said(answer)
    assert draft_of(agent) == []


def test_a_document_of_another_project_has_no_sections_here(
    visitor: Visitor, shop: Tenant, other_shop: Tenant
) -> None:
    document, agent = add_document(other_shop, "theirs"), add_agent(shop)

    assert visitor.ask(f"agents/{agent.id}/documents/{document.handle}").status_code == 404


def test_a_section_that_went_keeps_nobody_from_changing_the_rest(
    visitor: Visitor, shop: Tenant, prices: Source
) -> None:
    agent = _lost_section(shop)

    visitor.send(f"agents/{agent.id}/attach", source=prices.id, mode="always")
    visitor.send(f"agents/{agent.id}/arrange", do="searchable", attachment="document:guide")

    assert draft_of(agent) == [("guide", "searchable"), (prices.id, "always")]


# --- words and switches -------------------------------------------------------------------------------------

WORDS = {"name": "مساعد", "instructions": "جديد", "min_score": "0.5", "max_result_tokens": "٥٠٠"}


def test_words_are_kept_in_the_draft_alone(visitor: Visitor, shop: Tenant) -> None:
    agent = add_agent(shop, instructions="قديم")
    publish_agent(agent)

    visitor.send(f"agents/{agent.id}/edit", **WORDS)

    changed = read_agent(agent)
    assert (changed.instructions, changed.min_score, changed.max_result_tokens) == ("جديد", 0.5, 500)
    with project_scope(shop.id):
        assert queries.get_version(changed, 1).instructions == "قديم"
    assert changed.is_changed


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"name": ""}, "name"),
        ({"instructions": "x" * 50_001}, "instructions"),
        ({"min_score": "1.5"}, "min_score"),
        ({"min_score": "nan"}, "min_score"),
        ({"max_result_tokens": "49"}, "max_result_tokens"),
        ({"max_result_tokens": "20001"}, "max_result_tokens"),
    ],
)
def test_wrong_words_change_nothing(visitor: Visitor, shop: Tenant, change: dict[str, str], field: str) -> None:
    agent = add_agent(shop, instructions="قديم")

    page = visitor.sent(f"agents/{agent.id}/edit", **{**WORDS, **change})

    assert f'id="id_{field}_error"' in page
    assert read_agent(agent).instructions == "قديم"


def test_an_edit_that_came_late_is_shown_beside_what_is_saved_and_saved_only_then(
    visitor: Visitor, shop: Tenant, member: User
) -> None:
    agent = add_agent(shop, instructions="قديم")
    seen = seen_in(visitor.see(f"agents/{agent.id}/edit"))
    Visitor(shop, member).send(f"agents/{agent.id}/edit", **{**WORDS, "instructions": "منها"})

    late = visitor.send(f"agents/{agent.id}/edit", **{**WORDS, "instructions": "مني"}, seen=seen)

    page = late.content.decode()
    assert late.status_code == 409
    assert read_agent(agent).instructions == "منها"
    assert ">\nمني</textarea>" in page
    assert re.search(r'class="removed".*منها.*class="added".*مني', page, re.DOTALL)
    visitor.send(f"agents/{agent.id}/edit", **{**WORDS, "instructions": "مني"}, seen=seen_in(page))
    assert read_agent(agent).instructions == "مني"


def test_attaching_meanwhile_makes_no_edit_late(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop)
    seen = seen_in(visitor.see(f"agents/{agent.id}/edit"))
    visitor.send(f"agents/{agent.id}/attach", source=prices.id, mode="always")

    assert visitor.send(f"agents/{agent.id}/edit", **WORDS, seen=seen).status_code == 302


SWITCHES = {"knowledge_enabled": "on", "client_enabled": "on", "client_audiences": "internal"}


def test_switches_are_live_for_every_version(visitor: Visitor, shop: Tenant) -> None:
    agent = add_agent(shop)
    publish_agent(agent)

    visitor.send(
        f"agents/{agent.id}/switches",
        route="orders",
        client_audiences="internal\r\n customers \r\n\r\n",
        client_instructions="باختصار",
    )

    now = read_agent(agent)
    assert (now.route, now.knowledge_enabled, now.client_enabled) == ("orders", False, False)
    assert (now.client_audiences, now.client_instructions) == (["internal", "customers"], "باختصار")
    assert not now.is_changed


@pytest.mark.conformance("KA-026")
@pytest.mark.parametrize("page", ["", "/switches", "/prompt"])
def test_live_things_are_labelled_so(
    visitor: Visitor, shop: Tenant, prices: Source, owner: User, page: str
) -> None:
    agent = add_agent(shop, (prices, "always"))

    assert "Live: applies to all versions" in visitor.see(f"agents/{agent.id}{page}")
    assert "مباشر: يسري على كل الإصدارات" in Visitor(shop, owner, "ar").see(f"agents/{agent.id}{page}")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"route": "auto"}, "route"),
        ({"route": "Orders"}, "route"),
        ({"route": "x"}, "route"),
        ({"route": "orders\n"}, None),
        ({"route": "taken"}, "route"),
        ({"route": "مسار"}, "route"),
        ({"client_audiences": "two words"}, "client_audiences"),
        ({"client_audiences": "\n".join(f"kind-{number}" for number in range(21))}, "client_audiences"),
        ({"client_instructions": "x" * 20_001}, "client_instructions"),
    ],
)
def test_wrong_switches_change_nothing(
    visitor: Visitor, shop: Tenant, change: dict[str, str], field: str | None
) -> None:
    add_agent(shop, route="taken")
    agent = add_agent(shop)

    answer = visitor.send(f"agents/{agent.id}/switches", **{**SWITCHES, **change})

    shown = re.findall(r'id="id_(\w+)_error"', answer.content.decode())
    assert shown == ([] if field is None else [field])
    assert read_agent(agent).route == (None if field else "orders")


def test_switches_that_came_late_are_not_saved_at_once(visitor: Visitor, shop: Tenant, member: User) -> None:
    agent = add_agent(shop)
    seen = seen_in(visitor.see(f"agents/{agent.id}/switches"))
    Visitor(shop, member).send(f"agents/{agent.id}/switches", **SWITCHES, route="theirs")

    late = visitor.send(f"agents/{agent.id}/switches", **SWITCHES, route="mine", seen=seen)

    assert (late.status_code, read_agent(agent).route) == (409, "theirs")
    visitor.send(f"agents/{agent.id}/switches", **SWITCHES, route="mine", seen=seen_in(late.content.decode()))
    assert read_agent(agent).route == "mine"


def test_the_programs_that_reach_an_agent_are_named_by_its_route(visitor: Visitor, shop: Tenant) -> None:
    agent = add_agent(shop, route="order-assistant")
    client, _ = make_client(shop, ["order-assistant"])

    assert f"<bdi>{client.name}</bdi>" in visitor.see(f"agents/{agent.id}/switches")
    assert f"<bdi>{client.name}</bdi>" in visitor.see(f"agents/{agent.id}/delete")


# --- how it stands ------------------------------------------------------------------------------------------


def _never_synced(shop: Tenant) -> Agent:
    feed = add_source(shop, None, kind="api", config={"url": "https://shop.example/feed"})
    return add_agent(shop, (feed, "searchable"))


def _draft_document(shop: Tenant) -> Agent:
    add_document(shop, status="draft")
    return add_agent(shop, ("guide", "always"))


def _lost_section(shop: Tenant) -> Agent:
    document = add_document(shop)
    agent = add_agent(shop)
    Visitor(shop, Shop(shop, "x").people[Role.OWNER]).send(
        f"agents/{agent.id}/documents/guide", mode="self", section="returns", use="always"
    )
    add_document(shop, document.handle, "بلا أقسام.", revision="2")
    return agent


def _off(shop: Tenant) -> Agent:
    return add_agent(shop, (add_source(shop), "always"), knowledge={"enabled": False})


@pytest.mark.parametrize(
    ("make", "way_out"),
    [
        (_never_synced, r"/sources/ks_\w+"),
        (_draft_document, r"/documents/guide"),
        (_lost_section, r"/agents/agt_\w+/documents/guide"),
        (_off, r"/agents/agt_\w+/switches"),
        (add_agent, r"/agents/agt_\w+/attach"),
        (lambda shop: add_agent(shop, (add_source(shop, LONG), "always")), r"/agents/agt_\w+#knowledge"),
        (lambda shop: add_agent(shop, (add_source(shop, LONG * 4), "always")), r"/agents/agt_\w+/edit"),
    ],
    ids=["never synced", "draft document", "lost section", "switched off", "nothing", "heavy", "too large"],
)
def test_what_keeps_an_agent_from_answering_leads_to_what_mends_it(
    visitor: Visitor, shop: Tenant, make: Any, way_out: str
) -> None:
    agent = make(shop)

    page = visitor.see(f"agents/{agent.id}")
    readiness = page.partition('id="readiness-title"')[2].partition("</section>")[0]

    assert re.search(rf'<a href="/p/{shop.id}{way_out}"', readiness)


def test_a_document_that_was_deleted_leaves_every_draft(visitor: Visitor, shop: Tenant) -> None:
    document = add_document(shop)
    agent = add_agent(shop, ("guide", "always"))
    with project_scope(shop.id):
        documents.delete_document(document, detach=True, actor="operator")

    assert draft_of(agent) == []
    assert visitor.ask(f"agents/{agent.id}").status_code == 200


def test_an_issue_of_one_version_says_of_which(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = _never_synced(shop)
    publish_agent(agent)
    visitor.send(f"agents/{agent.id}/attach", source=prices.id, mode="always")
    (feed, _), *_ = draft_of(agent)
    visitor.send(f"agents/{agent.id}/arrange", do="remove", attachment=f"source:{feed}")

    page = visitor.see(f"agents/{agent.id}")

    assert "Version <bdi>1</bdi></span></p></div></li>" in page


# --- what hides ---------------------------------------------------------------------------------------------


@pytest.mark.conformance("U-8")
@pytest.mark.parametrize("page", ["", "/prompt", "/versions/1?against=previous"])
def test_what_hides_in_instructions_is_shown(visitor: Visitor, shop: Tenant, page: str) -> None:
    order = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    agent = add_agent(shop, instructions=f"كن لطيفًا{order} \u202eدائمًا")
    publish_agent(agent)

    shown = visitor.see(f"agents/{agent.id}{page}")

    assert '<mark class="hides" dir="ltr">U+E006F <b>obey</b></mark>' in shown
    assert '<mark class="hides" dir="ltr">U+202E</mark>' in shown
    assert count_hidden(shown) == 0


# --- who may what -------------------------------------------------------------------------------------------


def test_a_viewer_reads_and_is_offered_nothing_to_change(shop: Tenant, shown: Shop, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"))
    page = Visitor(shop, shown.people[Role.VIEWER]).see(f"agents/{agent.id}")

    main = page.partition("<main")[2].partition("</main>")[0]

    assert "<form" not in main
    assert re.findall(rf"/agents/{agent.id}/(\w+)", main) == ["prompt", "versions", "runs"]


@pytest.mark.parametrize(("role", "may_delete"), [(Role.OWNER, True), (Role.EDITOR, False)])
def test_only_owners_are_offered_to_delete(shown: Shop, role: Role, may_delete: bool) -> None:
    agent = add_agent(shown.tenant)

    page = Visitor(shown.tenant, shown.people[role]).see(f"agents/{agent.id}")

    assert (f"/agents/{agent.id}/delete" in page) is may_delete


def test_deleting_names_what_goes_and_then_does_it(visitor: Visitor, shop: Tenant, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"), route="orders")
    publish_agent(agent)
    visitor.send(f"agents/{agent.id}/try", question="عسل")

    page = visitor.see(f"agents/{agent.id}/delete")

    assert "1 published version" in page
    assert "1 run, and the proof" in page
    assert "<bdi>orders</bdi>" in page
    answer = visitor.send(f"agents/{agent.id}/delete")
    assert answer["Location"].endswith("/agents")
    assert visitor.ask(f"agents/{agent.id}").status_code == 404


@pytest.mark.parametrize("agent_id", ["agt_\0", "%00", "agt_" + "0" * 26, "..", "<b>"])
def test_an_agent_that_cannot_be_is_not_there(visitor: Visitor, agent_id: str) -> None:
    assert visitor.ask(f"agents/{agent_id}").status_code == 404


def test_the_pages_of_agents_are_in_arabic_too(shop: Tenant, owner: User, prices: Source) -> None:
    agent = add_agent(shop, (prices, "always"))

    assert "ما يعرفه" in signed_in(owner, "ar").get(f"/p/{shop.id}/agents/{agent.id}").content.decode()
