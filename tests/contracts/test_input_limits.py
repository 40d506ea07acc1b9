"""Every text that a caller can send has a limit, which the API description states (U-1)."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.description import Operation, described

DESCRIPTION = described()
OPERATIONS = [operation for operation in DESCRIPTION.operations.values() if operation.body_schemas]
# Content is limited by the size of its body, by its kind, and by the length of its lines; a file by its body.
LIMITED_BY_THE_BODY = {"content", "file", "sample"}
# As the text field of a form a config is limited by the body; of a header the client's rules take 4 KiB.
LIMITED_OTHERWISE = {"config", "config.headers[]"}


def unlimited(schema: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The places of texts without any limit in what may be sent."""
    node = DESCRIPTION.shape(schema)
    kinds = node.get("type")
    is_text = kinds == "string" or (isinstance(kinds, list) and "string" in kinds)
    if is_text and not {"maxLength", "enum", "pattern", "format"} & node.keys():
        yield path
    for name, inner in node.get("properties", {}).items():
        if name not in LIMITED_BY_THE_BODY:
            yield from unlimited(inner, f"{path}.{name}".lstrip("."))
    for keyword in ("items", "additionalProperties"):
        if isinstance(node.get(keyword), Mapping):
            yield from unlimited(node[keyword], f"{path}[]")
    for keyword in ("oneOf", "anyOf", "allOf"):
        for inner in node.get(keyword, ()):
            yield from unlimited(inner, path)


@pytest.mark.conformance("U-1")
@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
def test_every_text_of_a_body_is_limited(operation: Operation) -> None:
    found = [place for schema in operation.body_schemas.values() for place in unlimited(schema)]

    assert set(found) <= LIMITED_OTHERWISE
