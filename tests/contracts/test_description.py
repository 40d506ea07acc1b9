"""The API description is sound, says all that callers need, and what it says of objects holds."""

import re
from typing import Any, Final

import jsonschema_rs
import pytest

from tests.api_client import ApiClient
from tests.description import Operation, Position, described
from tests.factories import Tenant
from tests.isolation.world import World, sound_call

OPERATIONS: Final = list(described().operations.values())
ALWAYS: Final = {"400", "401", "403", "429", "500", "503"}
READS_OF_ONE: Final = [
    operation for operation in OPERATIONS if Position("header", "If-None-Match") in operation.positions
]
CREATES: Final = [operation for operation in OPERATIONS if "201" in operation.stated["responses"]]
CHANGES: Final = [operation for operation in OPERATIONS if operation.method == "PATCH"]


def test_it_is_openapi_3_1() -> None:
    assert described().document["openapi"] == "3.1.1"


def test_every_schema_in_it_is_a_sound_json_schema() -> None:
    faulty = [
        name
        for name, schema in described().document["components"]["schemas"].items()
        if not jsonschema_rs.meta.is_valid({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
    ]
    assert faulty == []


def test_every_reference_in_it_leads_somewhere() -> None:
    document = described().document
    targets = set(re.findall(r"'\$ref': '([^']+)'", str(document)))

    assert [target for target in sorted(targets) if not described().resolved({"$ref": target})] == []


def test_ids_of_operations_are_unique() -> None:
    ids = [operation.stated["operationId"] for operation in OPERATIONS]

    assert sorted(set(ids)) == sorted(ids)


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_a_path_is_plain(operation: Operation) -> None:
    assert re.fullmatch(r"/v1(/([a-z_]+|\{[a-z_]+\}))+", operation.path)


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_an_operation_has_a_summary_and_scopes(operation: Operation) -> None:
    assert operation.stated["summary"]
    assert set(operation.scopes) <= {"search", "read", "write"}
    assert operation.scopes


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_an_operation_names_the_refusals_that_are_possible(operation: Operation) -> None:
    expected = set(ALWAYS)
    if operation.path_names:
        expected |= {"404"}
    if operation.method in {"PATCH", "DELETE"}:
        expected |= {"412"}
    if operation.method == "POST":
        expected |= {"409", "422"}
    if operation.method in {"POST", "PUT", "PATCH"}:
        expected |= {"413", "415"}

    assert expected <= set(operation.stated["responses"])


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_every_parameter_of_the_path_is_described(operation: Operation) -> None:
    described_names = [position.name for position in operation.positions if position.place == "path"]

    assert sorted(described_names) == sorted(operation.path_names)


# --- what it says of objects --------------------------------------------------------------------------------


@pytest.fixture
def world(shop: Tenant) -> World:
    return World(shop)


def etag_of(client: ApiClient, path: str) -> str:
    return str(client.get(path)["ETag"])


@pytest.mark.parametrize("operation", CREATES, ids=str)
def test_the_etag_of_a_new_object_is_the_one_it_is_read_with(world: World, operation: Operation) -> None:
    created = sound_call(operation, world).send(world.api)

    assert created["ETag"] == etag_of(world.api, created["Location"])


@pytest.mark.parametrize("operation", CHANGES, ids=str)
def test_the_etag_of_a_changed_object_is_the_one_it_is_read_with(world: World, operation: Operation) -> None:
    call = sound_call(operation, world)

    changed = call.send(world.api)

    assert changed["ETag"] == etag_of(world.api, operation.path.format_map(call.ids))


@pytest.mark.parametrize("operation", READS_OF_ONE, ids=str)
def test_an_object_that_was_read_is_not_sent_again(world: World, operation: Operation) -> None:
    call = sound_call(operation, world)
    call.send(world.api)  # The first use of a key shows in its time of last use.
    call.headers["if_none_match"] = call.send(world.api)["ETag"]

    answer = call.send(world.api)

    assert (answer.status_code, answer.content) == (304, b"")


def test_the_description_is_served_as_it_is(stranger: ApiClient) -> None:
    answer: Any = stranger.get("/v1/openapi.json")

    assert answer.json()["paths"].keys() == described().document["paths"].keys()
