"""The API description is made from the handlers' own statements, and the reference needs no outside host."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from drf_spectacular.validation import validate_schema

from apps.rest.schema import description
from tests.api_client import ApiClient


@pytest.fixture
def document() -> dict[str, Any]:
    return description("tests.rest.toys")


def resolve(document: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    for key in node.get("$ref", "#").split("/")[1:]:
        document = document[key]
    return document if "$ref" in node else node


def test_the_description_is_sound_openapi_3_1(document: dict[str, Any]) -> None:
    validate_schema(document)  # type: ignore[no-untyped-call]

    assert document["openapi"].startswith("3.1")


def test_only_the_api_itself_is_described(document: dict[str, Any]) -> None:
    assert set(document["paths"]) == {
        "/v1/things",
        "/v1/things/{thing_id}",
        "/v1/work",
        "/v1/uploads",
        "/v1/echo",
        "/v1/fail/{failure}",
        "/v1/vanishing",
    }


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    references = set(re.findall(r'"\$ref": "([^"]+)"', json.dumps(document)))

    assert all(resolve(document, {"$ref": reference}) for reference in references)


OPERATIONS = [
    ("/v1/things", "get", {"200"}),
    ("/v1/things", "post", {"201", "409", "413", "415", "422"}),
    ("/v1/things/{thing_id}", "get", {"200", "304", "404"}),
    ("/v1/things/{thing_id}", "patch", {"200", "404", "409", "412", "413", "415"}),
    ("/v1/things/{thing_id}", "delete", {"204", "404", "409", "412"}),
    ("/v1/uploads", "put", {"200", "413", "415"}),
]


@pytest.mark.parametrize(("path", "method", "statuses"), OPERATIONS)
def test_an_operation_names_every_status(
    document: dict[str, Any], path: str, method: str, statuses: set[str]
) -> None:
    responses = document["paths"][path][method]["responses"]

    assert set(responses) == statuses | {"400", "401", "403", "429", "500", "503"}


@pytest.mark.parametrize(("path", "method"), [(path, method) for path, method, _ in OPERATIONS])
def test_every_refusal_is_the_envelope(document: dict[str, Any], path: str, method: str) -> None:
    responses = document["paths"][path][method]["responses"]
    shapes = [
        resolve(document, response)["content"]["application/json"]["schema"]
        for status, response in responses.items()
        if status >= "400"
    ]

    assert shapes == [{"$ref": "#/components/schemas/Error"}] * len(shapes)


@pytest.mark.parametrize(
    ("path", "method", "headers"),
    [
        ("/v1/things", "get", {"RequestId"}),
        ("/v1/things", "post", {"RequestId", "IdempotencyKey"}),
        ("/v1/things/{thing_id}", "get", {"RequestId", "IfNoneMatch"}),
        ("/v1/things/{thing_id}", "patch", {"RequestId", "IfMatch"}),
        ("/v1/things/{thing_id}", "delete", {"RequestId", "IfMatch"}),
    ],
)
def test_an_operation_names_the_headers_it_reads(
    document: dict[str, Any], path: str, method: str, headers: set[str]
) -> None:
    parameters = document["paths"][path][method]["parameters"]

    assert {node["$ref"].rpartition("/")[2] for node in parameters if "$ref" in node} == headers


def test_a_list_is_described_with_its_envelope(document: dict[str, Any]) -> None:
    operation = document["paths"]["/v1/things"]["get"]
    schema = resolve(document, operation["responses"]["200"]["content"]["application/json"]["schema"])

    assert set(schema["required"]) == {"object", "data", "has_more", "next_cursor"}
    assert schema["properties"]["data"]["items"] == {"$ref": "#/components/schemas/ThingShape"}


def test_query_parameters_are_those_that_are_read(document: dict[str, Any]) -> None:
    parameters = {
        node["name"]: node for node in document["paths"]["/v1/things"]["get"]["parameters"] if "name" in node
    }

    assert set(parameters) == {"limit", "cursor", "even", "since", "kind"}
    assert parameters["limit"]["schema"] == {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}


def test_bodies_are_described_with_their_limits_and_nothing_else_is_allowed(document: dict[str, Any]) -> None:
    body = document["components"]["schemas"]["NewThingRequest"]

    assert body["additionalProperties"] is False
    assert body["required"] == ["name"]
    assert body["properties"]["name"] == {"type": "string", "minLength": 1, "maxLength": 20}
    assert body["properties"]["minutes"] == {"type": "integer", "minimum": 15, "maximum": 1440}
    assert body["properties"]["tags"]["maxItems"] == 3


def test_an_upload_is_described_beside_the_json_body(document: dict[str, Any]) -> None:
    content = document["paths"]["/v1/uploads"]["post"]["requestBody"]["content"]

    assert set(content) == {"application/json", "multipart/form-data"}
    file = document["components"]["schemas"]["UploadShapeRequest"]["properties"]["file"]
    assert file == {"type": "string", "format": "binary"}


@pytest.mark.parametrize(
    ("path", "method", "scopes", "limited_keys"),
    [
        ("/v1/things", "get", ["read"], False),
        ("/v1/things", "post", ["write"], False),
        ("/v1/things/{thing_id}", "get", ["read"], True),
        ("/v1/work", "post", ["read", "search"], False),
    ],
)
def test_an_operation_names_the_keys_that_open_it(
    document: dict[str, Any], path: str, method: str, scopes: list[str], limited_keys: bool
) -> None:
    operation = document["paths"][path][method]

    assert operation["security"] == [{"ApiKey": [scope]} for scope in scopes]
    assert operation["x-limited-keys"] is limited_keys
    assert document["components"]["securitySchemes"]["ApiKey"]["scheme"] == "bearer"


def test_the_description_is_in_english_whatever_the_server_speaks(document: dict[str, Any]) -> None:
    assert not re.search("[\u0600-\u06ff]", json.dumps(document, ensure_ascii=False))


def test_the_description_is_served_to_everyone_and_can_be_revalidated(anyone: ApiClient) -> None:
    first = anyone.get("/v1/openapi.json")
    again = anyone.get("/v1/openapi.json", if_none_match=first["ETag"])

    assert first.json()["info"]["title"] == "Mawrid"
    assert (first.status_code, again.status_code) == (200, 304)


# --- the reference ------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a page loads, and what a strict policy would stop."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in {"script", "link", "img"}:
            self.loads.append(given.get("src") or given.get("href") or "")
        if tag == "style" or (tag == "script" and not given.get("src")):
            self.inline.append(tag)
        self.inline += [name for name in given if name == "style" or name.startswith("on")]


@pytest.fixture
def page(anyone: ApiClient) -> Page:
    response = anyone.get("/docs")
    assert (response.status_code, response["Content-Type"]) == (200, "text/html; charset=utf-8")
    return Page(response.content.decode())


def test_the_reference_has_nothing_inline_and_the_policy_stands(anyone: ApiClient, page: Page) -> None:
    policy = anyone.get("/docs")["Content-Security-Policy"]

    assert page.inline == []
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_the_reference_loads_only_files_that_we_serve(page: Page) -> None:
    assert len(page.loads) == 4
    assert all(path.startswith("/static/") for path in page.loads)
    assert all(finders.find(path.removeprefix("/static/")) for path in page.loads)


def test_the_reference_asks_no_validator(page: Page) -> None:
    script = Path(str(finders.find("rest/reference.js"))).read_text()

    assert "validatorUrl: null" in script
