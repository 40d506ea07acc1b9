"""Reading by reference: pages that join to the body, and every way in which a reference is no good."""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from apps.agents.models import Agent
from apps.gateway.references import content_revision
from apps.gateway.runtime import reading
from apps.knowledge import searched, shelf
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import ROUTE, make_client, make_session, make_workspace
from tests.gateway.runtime.conftest import Attach, Create
from tests.gateway.runtime.talking import Talk, change, refusal, told
from tests.gateway.texts import ALPHABETS, body_of

INVALID: Final = (400, "knowledge_reference_invalid")
EXPIRED: Final = (410, "knowledge_reference_expired")
SCOPE_CHANGED: Final = (409, "knowledge_scope_changed")
CHANGED: Final = (409, "knowledge_changed")


@pytest.fixture
def source(create: Create, attach: Attach) -> dict[str, Any]:
    """A long price list, which the agent searches."""
    made = create("\n".join(f"صندوق بخور {number} — 95 ريال" for number in range(400)))
    attach(made)
    return made


@pytest.fixture
def ref(talk: Talk, source: dict[str, Any]) -> str:
    """A reference to the source, outside of a run."""
    found: str = talk.hint()["ref"]
    return found


@pytest.fixture
def cursor(talk: Talk, ref: str) -> str:
    """Of the second page."""
    found: str = talk.page(ref)["next_cursor"]
    return found


def altered(token: str) -> str:
    """The token with another letter in its middle."""
    middle = len(token) // 2
    return f"{token[:middle]}{'B' if token[middle] == 'A' else 'A'}{token[middle + 1 :]}"


# --- what a page is -----------------------------------------------------------------------------------------


@pytest.mark.conformance(
    "BH-057", "BH-060", "BH-061", "BH-062", "BH-003", "SDK-013", "SDK-017", "SDK-018", "SDK-025"
)
def test_a_page_has_all_its_fields(talk: Talk, create: Create, attach: Attach) -> None:
    source = create("صندوق بخور — 95 ريال")
    attach(source)
    ref = talk.hint()["ref"]

    assert talk.page(ref) == {
        "schema": "bailing.agent-knowledge-read.v1",
        "schema_version": "bailing.agent-knowledge-read.v1",
        "route": "order-assistant",
        "knowledge_scope_revision": told(talk.capabilities())["knowledge_scope_revision"],
        "ref": ref,
        "revision": content_revision("قائمة الأسعار", source["revision"]),
        "title": "قائمة الأسعار",
        "content": "صندوق بخور — 95 ريال",
        "trust": "reference_only",
        "next_cursor": None,
        "truncated": False,
        "budget_exhausted": False,
        "total_content_bytes": 35,
        "read_chain_max_bytes": 131072,
    }


@pytest.mark.conformance("BH-061")
def test_a_page_in_a_run_names_it(talk: Talk, source: dict[str, Any]) -> None:
    run_id = talk.started()["run_id"]

    assert talk.page(talk.hint(run_id=run_id)["ref"], run_id=run_id)["run_id"] == run_id


@pytest.mark.conformance("BH-063", "BH-064", "BH-065", "SDK-020")
@pytest.mark.parametrize(
    ("asked", "most"), [({}, 16_384), ({"max_bytes": 4_096}, 4_096), ({"max_bytes": 32_768}, 32_768)]
)
def test_a_page_fills_its_budget_and_not_one_byte_more(
    asked: dict[str, int], most: int, talk: Talk, create: Create, attach: Attach
) -> None:
    attach(create("صندوق بخور — 95 ريال\n" * 2_000))

    answer = talk.read(talk.hint()["ref"], **asked)

    assert most - 64 - 4 <= len(answer.content) <= most


@pytest.mark.conformance("BH-064", "SDK-020")
@pytest.mark.parametrize("size", [4_095, 32_769, 0, -1, "16384", 16_384.5, True, None, 10**30])
def test_another_size_is_refused(size: Any, talk: Talk, ref: str) -> None:
    assert refusal(talk.read(ref, max_bytes=size)) == (400, "invalid_request")


@pytest.mark.conformance("BH-065", "BH-066", "BH-067", "SDK-022")
@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS)
@pytest.mark.parametrize("size", [4_096, 9_001, 32_768])
def test_joined_pages_are_the_source_byte_for_byte(
    alphabet: tuple[str, ...], size: int, talk: Talk, create: Create, attach: Attach
) -> None:
    body = f"بخور\n{body_of(alphabet, 30_000)}"
    attach(create(body, kind="text"))

    pages = list(talk.pages(talk.hint("بخور")["ref"], max_bytes=size))

    assert "".join(page["content"] for page in pages) == body
    assert [page["truncated"] for page in pages] == [True] * (len(pages) - 1) + [False]
    assert {page["total_content_bytes"] for page in pages} == {len(body.encode())}


@pytest.mark.conformance("BH-068", "BH-069", "BH-071", "SDK-023", "SDK-024")
def test_a_text_of_200000_arabic_letters_ends_in_an_exhausted_budget(
    talk: Talk, create: Create, attach: Attach
) -> None:
    body = "بخور " + "ب" * 199_995
    attach(create(body, kind="text"))

    pages = list(talk.pages(talk.hint("بخور")["ref"], max_bytes=32_768))

    shown = "".join(page["content"] for page in pages)
    assert body.startswith(shown)
    assert 131_072 - 2 < len(shown.encode()) <= 131_072
    assert (pages[-1]["truncated"], pages[-1]["budget_exhausted"], pages[-1]["next_cursor"]) == (True, True, None)
    assert not any(page["budget_exhausted"] for page in pages[:-1])
    assert pages[0]["total_content_bytes"] == len(body.encode()) > 131_072


@pytest.mark.conformance("BH-070")
def test_another_reference_reads_from_the_beginning_again(talk: Talk, ref: str) -> None:
    first = talk.page(ref)
    list(talk.pages(ref))

    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=2)):
        assert talk.page(talk.hint()["ref"])["content"] == first["content"]


def test_a_page_can_be_read_again(talk: Talk, ref: str, cursor: str) -> None:
    assert talk.page(ref, cursor=cursor) == talk.page(ref, cursor=cursor)


@pytest.mark.conformance("SDK-021")
def test_references_and_cursors_are_short(ref: str, cursor: str) -> None:
    assert max(len(ref), len(cursor)) < 400


# --- whom a reference is for --------------------------------------------------------------------------------


@pytest.mark.conformance("BH-074", "SDK-028")
def test_another_session_of_the_same_person_cannot_read_it(colleague: Talk, ref: str) -> None:
    assert refusal(colleague.read(ref)) == INVALID


@pytest.mark.conformance("BH-074")
def test_another_client_cannot_read_it(ref: str, shop: Tenant) -> None:
    client, _ = make_client(shop)

    assert refusal(Talk(ApiClient(make_session(client).access_token), ROUTE).read(ref)) == INVALID


@pytest.mark.conformance("BH-075")
def test_it_cannot_be_read_in_another_workspace(shop: Tenant, source: dict[str, Any]) -> None:
    make_workspace(shop, "returns-assistant")
    client, _ = make_client(shop, [ROUTE, "returns-assistant"])
    agent = ApiClient(make_session(client).access_token)
    ref = Talk(agent, ROUTE).hint()["ref"]

    assert refusal(Talk(agent, "returns-assistant").read(ref)) == INVALID
    assert Talk(agent, ROUTE).read(ref).status_code == 200


@pytest.mark.conformance("BH-058")
@pytest.mark.parametrize("other", ["none", "another", "nobody's"])
def test_what_was_found_in_a_run_is_read_in_that_run(other: str, talk: Talk, source: dict[str, Any]) -> None:
    run_id = talk.started()["run_id"]
    ref = talk.hint(run_id=run_id)["ref"]
    others = {"none": {}, "another": {"run_id": talk.started()["run_id"]}, "nobody's": {"run_id": str(uuid4())}}

    assert refusal(talk.read(ref, **others[other])) == INVALID


@pytest.mark.conformance("BH-058")
def test_what_was_found_outside_of_a_run_is_not_read_in_one(talk: Talk, ref: str) -> None:
    assert refusal(talk.read(ref, run_id=talk.started()["run_id"])) == INVALID


@pytest.mark.conformance("BH-036")
def test_in_a_run_that_ended_nothing_is_read(talk: Talk, source: dict[str, Any]) -> None:
    run_id = talk.started()["run_id"]
    ref = talk.hint(run_id=run_id)["ref"]
    talk.complete(run_id)

    assert refusal(talk.read(ref, run_id=run_id)) == (404, "run_not_found")


@pytest.mark.conformance("SDK-027")
def test_another_deployment_with_the_same_key_cannot_read_it(talk: Talk, ref: str, settings: Settings) -> None:
    settings.PUBLIC_URL = "https://other.example"

    assert refusal(talk.read(ref)) == INVALID


@pytest.mark.conformance("BH-082", "BH-072")
def test_after_a_change_of_the_key_a_new_search_is_needed(talk: Talk, ref: str, settings: Settings) -> None:
    settings.SECRET_KEY = "another key"

    assert refusal(talk.read(ref)) == INVALID
    assert talk.read(talk.hint()["ref"]).status_code == 200


# --- how long it is good ------------------------------------------------------------------------------------


@pytest.fixture
def after(talk: Talk, source: dict[str, Any]) -> Iterator[Callable[[int], Any]]:
    """Move the clock so many seconds past a search, of which the reference is."""
    with time_machine.travel(datetime.now(UTC), tick=False) as clock:
        yield clock.shift


@pytest.mark.conformance("BH-018", "BH-073", "SDK-026")
@pytest.mark.parametrize(("seconds", "status"), [(299, 200), (301, 410)])
def test_a_reference_is_good_for_five_minutes(
    seconds: int, status: int, talk: Talk, after: Callable[[int], Any]
) -> None:
    ref = talk.hint()["ref"]
    after(seconds)

    assert talk.read(ref).status_code == status


@pytest.mark.conformance("BH-073")
def test_a_cursor_does_not_outlive_its_reference(talk: Talk, after: Callable[[int], Any]) -> None:
    ref = talk.hint()["ref"]
    after(290)
    cursor = talk.page(ref)["next_cursor"]
    after(11)

    assert refusal(talk.read(ref, cursor=cursor)) == EXPIRED


# --- what may not have changed ------------------------------------------------------------------------------

CHANGES_OF_SCOPE: Final = (
    *("a source more", "a source less", "another mode", "another lowest score", "knowledge that is off"),
    *("a list that is not complete", "a deleted source"),
)


@pytest.fixture
def set_up_anew(
    api: ApiClient, workspace: Agent, create: Create, attach: Attach, source: dict[str, Any]
) -> Callable[[str], None]:
    """Change what the agent's knowledge is set up to be."""
    path = f"/v1/knowledge_sources/{source['id']}"
    ways: dict[str, Callable[[], Any]] = {
        "a source more": lambda: attach(source, create("عسل")),
        "a source less": attach,
        "another mode": lambda: attach(always=[source]),
        "another lowest score": lambda: change(workspace, knowledge={"min_score": 0.1}),
        "knowledge that is off": lambda: change(workspace, knowledge={"enabled": False}),
        "a list that is not complete": lambda: api.patch(path, {"complete": False}),
        "a deleted source": lambda: api.delete(f"{path}?detach=true"),
    }
    return lambda what: ways[what]()


@pytest.mark.conformance("BH-076", "BH-079", "BH-080")
@pytest.mark.parametrize("what", CHANGES_OF_SCOPE)
def test_knowledge_that_is_set_up_anew_ends_a_reference(
    what: str, talk: Talk, ref: str, set_up_anew: Callable[[str], None]
) -> None:
    set_up_anew(what)

    assert refusal(talk.read(ref)) == SCOPE_CHANGED


@pytest.mark.conformance("BH-076")
def test_what_has_nothing_to_do_with_knowledge_ends_no_reference(talk: Talk, ref: str, workspace: Agent) -> None:
    change(workspace, name="مساعد آخر", instructions="أجب بلطف.", agent_client={"instructions": "اختصر."})

    assert talk.read(ref).status_code == 200


@pytest.mark.conformance("BH-077", "BH-085")
@pytest.mark.parametrize("changed", [{"content": "صندوق بخور — 99 ريال"}, {"name": "الأسعار الجديدة"}], ids=str)
def test_another_title_or_body_ends_a_reference_and_its_cursors(
    changed: dict[str, str], talk: Talk, api: ApiClient, source: dict[str, Any], ref: str
) -> None:
    cursor = talk.page(ref)["next_cursor"]

    api.patch(f"/v1/knowledge_sources/{source['id']}", changed)

    assert refusal(talk.read(ref)) == CHANGED
    assert refusal(talk.read(ref, cursor=cursor)) == CHANGED


@pytest.mark.conformance("BH-077")
def test_what_was_changed_and_changed_back_is_read(
    talk: Talk, api: ApiClient, source: dict[str, Any], ref: str
) -> None:
    api.patch(f"/v1/knowledge_sources/{source['id']}", {"content": "عسل"})
    api.patch(f"/v1/knowledge_sources/{source['id']}", {"content": source["content"]})

    assert talk.read(ref).status_code == 200


@pytest.mark.conformance("BH-080")
def test_a_source_that_is_gone_has_changed(talk: Talk, ref: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "read_body", lambda *_, **__: None)

    assert refusal(talk.read(ref)) == CHANGED


@pytest.mark.conformance("BH-078")
def test_a_reference_ends_with_its_session(talk: Talk, ref: str, api: ApiClient) -> None:
    session_id = api.get("/v1/agent_sessions").json()["data"][0]["id"]
    api.post(f"/v1/agent_sessions/{session_id}/revoke")

    assert refusal(talk.read(ref)) == (401, "unauthorized")


# --- the order of refusals ----------------------------------------------------------------------------------


@pytest.mark.conformance("BH-084")
def test_refusals_come_in_their_order(
    talk: Talk, api: ApiClient, workspace: Agent, source: dict[str, Any], after: Callable[[int], Any]
) -> None:
    ref = talk.hint()["ref"]
    api.patch(f"/v1/knowledge_sources/{source['id']}", {"content": "صندوق بخور — 99 ريال"})
    codes = [refusal(talk.read(ref))]
    change(workspace, knowledge={"min_score": 0.1})
    codes.append(refusal(talk.read(ref)))
    after(301)
    codes.append(refusal(talk.read(ref)))
    codes.append(refusal(talk.read(altered(ref))))
    codes.append(refusal(talk.read(ref, cursor="forged")))

    assert codes == [CHANGED, SCOPE_CHANGED, EXPIRED, INVALID, INVALID]


# --- forgery ------------------------------------------------------------------------------------------------


@pytest.mark.conformance("BH-059")
@pytest.mark.parametrize("what", ["the reference", "of another source", "twice", "cut"])
def test_only_its_own_cursor_goes_on(
    what: str, talk: Talk, create: Create, attach: Attach, source: dict[str, Any]
) -> None:
    attach(source, create("صندوق بخور فاخر — 95 ريال\n" * 900, name="أخرى"))
    one, other = (hint["ref"] for hint in talk.searched()["hints"])
    cursor = talk.page(one)["next_cursor"]
    cursors = {
        "the reference": one,
        "of another source": talk.page(other)["next_cursor"],
        "twice": cursor + cursor,
        "cut": cursor[:-1],
    }

    assert refusal(talk.read(one, cursor=cursors[what])) == INVALID


@pytest.mark.conformance("BH-087")
@pytest.mark.parametrize("size", [4_096, 4_097, 100_000])
@pytest.mark.parametrize("where", ["ref", "cursor"])
def test_an_oversized_reference_or_cursor_is_a_wrong_one(where: str, size: int, talk: Talk, ref: str) -> None:
    sent = {"ref": "A" * size} if where == "ref" else {"ref": ref, "cursor": "A" * size}

    assert refusal(talk.read(**sent)) == INVALID


@pytest.mark.conformance("BH-088", "BH-061")
@pytest.mark.parametrize(
    "sent", [{}, {"ref": None}, {"ref": ""}, {"ref": 7}, {"ref": ["x"]}, {"ref": "x", "cursor": None}]
)
def test_what_is_no_reference_at_all_is_refused(sent: dict[str, Any], talk: Talk) -> None:
    assert refusal(talk.agent.post(f"{talk.path}/knowledge/read", sent)) == (400, "invalid_request")


STRANGE: Final = [
    "ا" * 128,
    "A" * 128,
    "=" * 128,
    "😀",
    " ",
    "../../etc/passwd",
    "null",
    "{}",
    "a b",
    "\\",
    "A" * 127,
]


@pytest.mark.conformance("BH-059", "BH-086")
@pytest.mark.parametrize("text", STRANGE)
def test_strange_references_and_cursors_are_wrong_ones(text: str, talk: Talk, ref: str) -> None:
    assert refusal(talk.read(text)) == INVALID
    assert refusal(talk.read(ref, cursor=text)) == INVALID


def changed_copies(token: str, count: int) -> list[str]:
    """Copies with one letter replaced, every letter in its turn."""
    dice = random.Random(token)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    places = [number % len(token) for number in range(count)]
    others = [dice.choice(letters.replace(token[place], "")) for place in places]
    return [f"{token[:place]}{other}{token[place + 1 :]}" for place, other in zip(places, others, strict=True)]


@pytest.mark.conformance("BH-059", "BH-086")
def test_hundreds_of_changed_references_and_cursors_are_all_refused(talk: Talk, ref: str, cursor: str) -> None:
    answers = [talk.read(changed) for changed in changed_copies(ref, 256)]
    answers += [talk.read(ref, cursor=changed) for changed in changed_copies(cursor, 81)]

    assert {refusal(answer) for answer in answers} == {INVALID}


@pytest.mark.conformance("BH-086")
def test_no_refusal_holds_anything_of_the_source(talk: Talk, ref: str, cursor: str, source: dict[str, Any]) -> None:
    told_of_it = talk.read(ref, cursor=altered(cursor)).content.decode()

    secrets = [source["id"], source["name"], "بخور", ref, cursor, "SELECT"]
    assert [secret for secret in secrets if secret in told_of_it] == []


# --- one look at the database -------------------------------------------------------------------------------


@pytest.mark.conformance("BH-085")
def test_an_edit_between_pages_is_told_and_never_mixed(
    talk: Talk, api: ApiClient, source: dict[str, Any], ref: str, cursor: str
) -> None:
    before = talk.page(ref)["content"]
    api.patch(f"/v1/knowledge_sources/{source['id']}", {"content": source["content"].replace("95", "99")})

    assert refusal(talk.read(ref, cursor=cursor)) == CHANGED
    again = talk.page(talk.hint()["ref"])["content"]
    assert (before.count("95 ريال") > 0, again.count("95 ريال")) == (True, 0)


@pytest.mark.conformance("BH-081")
def test_another_process_with_the_same_key_reads_it(talk: Talk, ref: str) -> None:
    """Nothing of a reference is kept: a client of its own, after all that is remembered was dropped."""
    searched.forget_everything()
    shelf.forget_everything()

    assert Talk(talk.agent, ROUTE).read(ref).status_code == 200


@pytest.mark.conformance("BH-009")
def test_reading_by_get_is_no_way(talk: Talk) -> None:
    answer = Client().get(f"{talk.path}/knowledge/read")

    assert answer.status_code == 401
