"""No name that people read can hide or turn text, wherever the API takes one (U-4)."""

from typing import Final

import pytest

from tests.description import Operation, described
from tests.factories import Tenant
from tests.isolation.world import World, sound_call

NAMES: Final = ("name", "title", "device_label", "on_behalf_of")
TAKING_NAMES: Final = [
    (operation, name)
    for operation in described().operations.values()
    for schema in operation.body_schemas.values()
    for name in NAMES
    if name in described().shape(schema).get("properties", {})
]


@pytest.mark.conformance("U-4")
@pytest.mark.parametrize("hidden", ["\u202e", "\x07", "\u2066"], ids=ascii)
@pytest.mark.parametrize(("operation", "name"), TAKING_NAMES, ids=str)
def test_a_name_that_hides_something_is_refused(shop: Tenant, operation: Operation, name: str, hidden: str) -> None:
    world = World(shop)
    call = sound_call(operation, world)
    call.put((name,), f"a{hidden}b")

    answer = call.send(world.api)

    assert answer.status_code == 400
    assert name in answer.content.decode()
