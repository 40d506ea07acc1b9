"""What belongs to another project, or lies outside of a key's sources, answers as if it did not exist (I-5, K-7).

The cases are made from the API description, so a new operation is walked without a line here. What the walk cannot
know — how to make a thing that a new parameter names — it asks for by failing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest

from tests.api_client import ApiClient
from tests.description import Operation, described
from tests.factories import Tenant, make_key
from tests.isolation.world import (
    ITEM,
    Call,
    Place,
    World,
    id_name_of,
    id_places,
    is_chosen,
    sound_call,
    thing_at,
    unknown_id,
)

OPERATIONS: Final = list(described().operations.values())
LISTS: Final = [operation for operation in OPERATIONS if operation.is_list]
POSTS: Final = [operation for operation in OPERATIONS if operation.method == "POST"]
# Open to readers, and yet it leaves something: a step of the run.
LEAVING: Final = {"search_in_agent_run"}
READS: Final = [
    operation
    for operation in OPERATIONS
    if (operation.method == "GET" or "read" in operation.scopes) and operation.stated["operationId"] not in LEAVING
]
WRITES: Final = [operation for operation in OPERATIONS if operation not in READS]
CONDITIONAL: Final = [
    (operation, position.name)
    for operation in OPERATIONS
    for position in operation.positions
    if position.name in {"If-Match", "If-None-Match"}
]
OPEN_TO_LIMITED_KEYS: Final = [operation for operation in OPERATIONS if operation.stated["x-limited-keys"]]
OPEN_LISTS: Final = [operation for operation in LISTS if operation in OPEN_TO_LIMITED_KEYS]
OPEN_READS: Final = [operation for operation in READS if operation in OPEN_TO_LIMITED_KEYS]
OPEN_WRITES: Final = [operation for operation in WRITES if operation in OPEN_TO_LIMITED_KEYS]

STRANGE_ETAG: Final = '"00000000000000000000000000000000"'
# They differ between any two answers, whatever was asked.
VARYING_HEADERS: Final = frozenset({"X-Request-Id", "RateLimit", "Date"})


# --- what an answer lets its reader know --------------------------------------------------------------------


def seen(answer: Any, *hidden: str) -> tuple[int, str, dict[str, str]]:
    """Status, body and headers, with the id that was asked for and the request's own id masked."""
    headers = {name: masked(value, hidden) for name, value in answer.headers.items() if name not in VARYING_HEADERS}
    body = re.sub(r'"request_id":"[^"]*"', '"request_id":"-"', answer.content.decode())
    return answer.status_code, masked(body, hidden), headers


def masked(text: str, hidden: tuple[str, ...]) -> str:
    for value in hidden:
        text = text.replace(value, "-")
    return text


def state_of(world: World) -> dict[str, tuple[int, str, dict[str, str]]]:
    """All that the project's own key reads of it."""
    return {str(operation): seen(sound_call(operation, world).send(world.api)) for operation in READS}


# --- every place where an id can stand ----------------------------------------------------------------------


@dataclass(frozen=True)
class IdCase:
    """One place of one operation: a name in the path or the query, or a place in the body."""

    operation: Operation
    where: str
    place: Place
    after_own: bool = False

    @property
    def name(self) -> str:
        """What the id is of, by the name that `World` makes it under."""
        if self.where == "path":
            return thing_at(self.operation, self.place[0])
        field = next(part for part in reversed(self.place) if part != ITEM)
        return id_name_of(field) or field

    def __str__(self) -> str:
        return f"{self.operation} {self.where} {'.'.join(self.place)}{' after its own' if self.after_own else ''}"

    def call(self, world: World, wanted: str, **headers: str) -> Call:
        """A call that would succeed but for the id in this place."""
        call = sound_call(self.operation, world)
        call.headers.update(headers)
        if self.where == "path":
            call.ids[self.place[0]] = wanted
        elif self.where == "query":
            call.query[self.place[0]] = wanted
        elif self.after_own:
            call.put(self.place[:-1], [world.id_of(self.name), wanted])
        else:
            call.put(self.place, wanted)
        return call


def id_cases(operations: list[Operation]) -> Iterator[IdCase]:
    for operation in operations:
        for position in operation.positions:
            if is_chosen(operation, position.name):
                continue
            if position.place == "path" or (position.place == "query" and id_name_of(position.name) is not None):
                yield IdCase(operation, position.place, (position.name,))
        for place in id_places(operation):
            yield IdCase(operation, "body", place)
            if place[-1] == ITEM:
                yield IdCase(operation, "body", place, after_own=True)


@pytest.fixture
def world(shop: Tenant) -> World:
    return World(shop)


@pytest.fixture
def other_world(other_shop: Tenant) -> World:
    return World(other_shop)


@pytest.fixture
def twin(shop: Tenant, world: World) -> World:
    """Other things of the same project, which a key limited to the sources of `world` may not see."""
    return World(shop)


@pytest.fixture
def limited(world: World) -> ApiClient:
    """A client whose key is limited to the world's source and has been used before, so that its use shows."""
    client = world.limited_client()
    client.get("/v1/knowledge_sources")
    return client


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_the_walk_starts_from_calls_that_succeed(world: World, operation: Operation) -> None:
    answer = sound_call(operation, world).send(world.api)

    assert 200 <= answer.status_code < 300, answer.content.decode()


@pytest.mark.conformance("I-5", "KA-002")
@pytest.mark.parametrize("case", list(id_cases(OPERATIONS)), ids=str)
def test_a_foreign_id_answers_like_one_that_nothing_has(world: World, other_world: World, case: IdCase) -> None:
    foreign, unknown = other_world.id_of(case.name), unknown_id(case.name)

    answer = case.call(world, foreign).send(world.api)

    assert answer.status_code == 404
    assert seen(answer, foreign) == seen(case.call(world, unknown).send(world.api), unknown)


# Reading a project full of things takes long, so all calls are looked at together.
@pytest.mark.conformance("I-5", "KA-002")
def test_calls_with_a_foreign_id_change_nothing(world: World, other_world: World) -> None:
    before = state_of(other_world.fill())

    for case in id_cases(WRITES):
        assert case.call(world, other_world.id_of(case.name)).send(world.api).status_code == 404, case

    assert state_of(other_world) == before


@pytest.mark.conformance("I-5", "I-7")
@pytest.mark.parametrize("operation", LISTS, ids=str)
def test_a_foreign_cursor_answers_like_one_that_nobody_gave(
    world: World, other_world: World, operation: Operation
) -> None:
    cursor = cursor_of(operation, other_world)

    answer = listed(operation, world, world.api, cursor=cursor)

    assert answer.status_code == 400
    assert seen(answer) == seen(listed(operation, world, world.api, cursor=cursor[::-1]))


def listed(operation: Operation, world: World, client: ApiClient, **query: str) -> Any:
    call = sound_call(operation, world)
    call.query.update(query)
    return call.send(client)


def cursor_of(operation: Operation, world: World) -> str:
    """Where the second page of the project's list begins."""
    world.fill()
    cursor = listed(operation, world, world.api, limit="1").json()["next_cursor"]
    assert cursor is not None, f"World.fill should make two things for {operation} to list."
    return str(cursor)


@pytest.mark.conformance("I-5", "I-6")
@pytest.mark.parametrize("operation", POSTS, ids=str)
def test_an_idempotency_key_of_another_project_is_a_fresh_one(
    world: World, other_world: World, operation: Operation
) -> None:
    theirs = with_key(sound_call(operation, other_world)).send(other_world.api)

    answer = with_key(sound_call(operation, world)).send(world.api)

    assert "Idempotent-Replayed" not in answer
    assert answer.status_code == theirs.status_code


@pytest.mark.conformance("I-5", "I-6")
@pytest.mark.parametrize("case", list(id_cases(POSTS)), ids=str)
def test_a_call_that_another_project_made_is_not_replayed(world: World, other_world: World, case: IdCase) -> None:
    theirs = with_key(sound_call(case.operation, other_world))
    theirs.send(other_world.api)
    foreign, unknown = other_world.id_of(case.name), unknown_id(case.name)

    answer = with_key(case.call(world, foreign)).send(world.api)

    assert seen(answer, foreign) == seen(with_key(case.call(world, unknown)).send(world.api), unknown)


def with_key(call: Call) -> Call:
    call.headers["idempotency_key"] = "order-1"
    return call


@pytest.mark.conformance("I-5")
@pytest.mark.parametrize(("operation", "header"), CONDITIONAL, ids=str)
def test_a_foreign_etag_answers_like_one_that_nobody_gave(
    world: World, other_world: World, operation: Operation, header: str
) -> None:
    foreign = etag_of(operation, other_world)

    answer = conditional(operation, world, header, foreign)

    assert answer.status_code == (412 if header == "If-Match" else 200)
    assert seen(answer) == seen(conditional(operation, world, header, STRANGE_ETAG))


def conditional(operation: Operation, world: World, header: str, etag: str) -> Any:
    call = sound_call(operation, world)
    call.headers[header.lower().replace("-", "_")] = etag
    return call.send(world.api)


def etag_of(operation: Operation, world: World) -> str:
    """The ETag of the project's own object at the operation's address."""
    read = described().operations["GET", operation.path]
    return str(sound_call(read, world).send(world.api)["ETag"])


@pytest.mark.conformance("I-5", "K-7")
def test_what_another_project_has_changes_no_answer(world: World, other_shop: Tenant) -> None:
    before = state_of(world.fill())

    World(other_shop).fill()

    assert state_of(world) == before


# --- a key that is limited to sources -----------------------------------------------------------------------


@pytest.mark.conformance("K-7")
@pytest.mark.parametrize("operation", OPEN_TO_LIMITED_KEYS, ids=str)
def test_a_limited_key_may_do_with_its_source_what_is_open_to_it(
    world: World, limited: ApiClient, operation: Operation
) -> None:
    answer = sound_call(operation, world).send(limited)

    assert 200 <= answer.status_code < 300, answer.content.decode()


@pytest.mark.conformance("K-7")
@pytest.mark.parametrize("case", list(id_cases(OPEN_TO_LIMITED_KEYS)), ids=str)
def test_a_source_outside_of_the_keys_list_answers_like_one_that_nothing_has(
    world: World, twin: World, limited: ApiClient, case: IdCase
) -> None:
    hidden, unknown = twin.id_of(case.name), unknown_id(case.name)

    answer = case.call(world, hidden).send(limited)

    assert answer.status_code in {403, 404}
    assert seen(answer, hidden) == seen(case.call(world, unknown).send(limited), unknown)


@pytest.mark.conformance("K-7")
def test_calls_with_a_source_outside_of_the_keys_list_change_nothing(
    world: World, twin: World, limited: ApiClient
) -> None:
    # Made first, for what they need of their own belongs to the same project.
    calls = [case.call(world, twin.id_of(case.name)) for case in id_cases(OPEN_WRITES)]
    before = state_of(twin.fill())

    assert {call.send(limited).status_code for call in calls} <= {403, 404}

    assert state_of(twin) == before


@pytest.mark.conformance("K-7")
@pytest.mark.parametrize("operation", OPEN_READS, ids=str)
def test_what_lies_outside_of_the_keys_list_changes_no_answer(
    world: World, twin: World, limited: ApiClient, operation: Operation
) -> None:
    before = seen(sound_call(operation, world).send(limited))

    twin.id_of("revision")

    assert seen(sound_call(operation, world).send(limited)) == before


@pytest.mark.conformance("I-7", "K-7")
@pytest.mark.parametrize("operation", OPEN_LISTS, ids=str)
def test_a_cursor_of_another_key_answers_like_one_that_nobody_gave(
    world: World, limited: ApiClient, operation: Operation
) -> None:
    cursor = cursor_of(operation, world)

    answer = listed(operation, world, limited, cursor=cursor)

    assert answer.status_code == 400
    assert seen(answer) == seen(listed(operation, world, limited, cursor=cursor[::-1]))


@pytest.mark.conformance("I-6")
@pytest.mark.parametrize("operation", POSTS, ids=str)
def test_an_idempotency_key_of_another_key_is_a_fresh_one(shop: Tenant, world: World, operation: Operation) -> None:
    second = ApiClient(make_key(shop)[1])
    with_key(sound_call(operation, world)).send(world.api)

    answer = with_key(sound_call(operation, world)).send(second)

    assert "Idempotent-Replayed" not in answer
