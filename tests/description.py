"""The API description as tests read it: operations, what they take, and whether an answer is as described."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

import jsonschema_rs
from django.conf import settings
from django.urls import Resolver404, resolve

from apps.rest.schema import description

JSON: Final = "application/json"
FORM: Final = "multipart/form-data"

_ERROR: Final = {"$ref": "#/components/schemas/Error"}
_METHODS: Final = ("get", "put", "post", "delete", "patch", "head", "options", "trace")
# Described headers that every answer of its status has; the others depend on the request or on Redis.
_PROMISED_HEADERS: Final = frozenset({"ETag", "Location", "X-Request-Id"})
_CONVERTER: Final = re.compile(r"<(?:[a-z]+:)?([a-z_]+)>")


@dataclass(frozen=True, slots=True)
class Position:
    """A place of a request where a caller's value stands: path, query or header, and the name there."""

    place: str
    name: str

    def __str__(self) -> str:
        return f"{self.place} {self.name}"


class Description:
    """The description of one URL configuration."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self._validators: dict[str, Any] = {}

    @cached_property
    def operations(self) -> Mapping[tuple[str, str], "Operation"]:
        return {(found.method, found.path): found for found in self._read()}

    def _read(self) -> Iterator["Operation"]:
        for path, methods in self.document["paths"].items():
            for method in _METHODS:
                if method in methods:
                    yield Operation(self, method.upper(), path, methods[method])

    def resolved(self, node: Mapping[str, Any]) -> Mapping[str, Any]:
        """The node itself, or what its ``$ref`` names."""
        while "$ref" in node:
            target: Any = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            node = target
        return node

    def shape(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The schema without its wrapping: what a reference names, and the first, not null, of alternatives."""
        schema = self.resolved(schema)
        for wrapping in ("oneOf", "anyOf", "allOf"):
            if wrapping in schema:
                return self.shape(schema[wrapping][0])
        return schema

    def faults(self, instance: Any, schema: Mapping[str, Any]) -> list[str]:
        """What is wrong with a value; a field that the description does not know is wrong too."""
        return [
            f"{'.'.join(map(str, error.instance_path)) or 'the body'}: {error.message}"
            for error in self._validator(schema).iter_errors(instance)
        ]

    def _validator(self, schema: Mapping[str, Any]) -> Any:
        known_as = json.dumps(schema, sort_keys=True)
        if known_as not in self._validators:
            whole = {**schema, "components": self._closed_components}
            self._validators[known_as] = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        return self._validators[known_as]

    @cached_property
    def _closed_components(self) -> Any:
        return _closed(self.document["components"])


def _closed(node: Any) -> Any:
    """The schemas with every object limited to the properties it names."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    inner = {name: _closed(value) for name, value in node.items()}
    if isinstance(node.get("properties"), dict) and "type" in node:
        inner.setdefault("additionalProperties", False)
    return inner


@dataclass(frozen=True, eq=False, repr=False)
class Operation:
    """One method of one address."""

    description: Description
    method: str
    path: str
    stated: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def positions(self) -> list[Position]:
        parameters = map(self.description.resolved, self.stated.get("parameters", []))
        return [Position(parameter["in"], parameter["name"]) for parameter in parameters]

    @property
    def path_names(self) -> list[str]:
        return re.findall(r"{([a-z_]+)}", self.path)

    @property
    def scopes(self) -> list[str]:
        """The scopes of which any one is enough."""
        return [scope for way in self.stated["security"] for scopes in way.values() for scope in scopes]

    @property
    def is_list(self) -> bool:
        return Position("query", "cursor") in self.positions

    @property
    def body_schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """The schema of each media type that the operation takes."""
        content = self.stated.get("requestBody", {}).get("content", {})
        return {media_type: self.description.resolved(taken["schema"]) for media_type, taken in content.items()}

    def fault_of(self, answer: Any) -> str | None:
        """What is wrong with an answer, by the description; None when it is as described."""
        stated = self.stated["responses"].get(str(answer.status_code))
        if stated is None:
            return f"{self} does not describe the status {answer.status_code}."
        response = self.description.resolved(stated)
        for name in sorted(_PROMISED_HEADERS.intersection(response.get("headers", {}))):
            if name not in answer:
                return f"{self} answers {answer.status_code} without the header {name}, which it describes."
        return self._fault_of_content(answer, response.get("content", {}))

    def _fault_of_content(self, answer: Any, content: Mapping[str, Any]) -> str | None:
        if not content:
            return f"{self} describes no body with {answer.status_code}." if answer.content else None
        sent = answer.get("Content-Type", "nothing")
        if sent not in content:
            return f"{self} answers {answer.status_code} with {sent}; it describes {', '.join(content)}."
        faults = self.description.faults(json.loads(answer.content), content[sent]["schema"])
        return f"{self} answers {answer.status_code} not as described: {'; '.join(faults)}" if faults else None


@cache
def description_of(urlconf: str) -> Description:
    return Description(description(urlconf))


def described() -> Description:
    """The description of the addresses in use."""
    return description_of(settings.ROOT_URLCONF)


def fault_of_answer(method: str, path: str, answer: Any) -> str | None:
    """What is wrong with an answer under /v1, by the description; None when it is as described.

    The toy API of the tests answers what its tests need; it only has to refuse in the envelope.
    """
    if not path.startswith("/v1/"):
        return None
    view, template = _place_of(path)
    if getattr(view, "public", False) or method == "OPTIONS":
        return None
    if method == "HEAD":
        return f"HEAD {path[:200]} answers with a body." if answer.content else None
    operation = described().operations.get((method, template))
    if answer.status_code >= 400 and (operation is None or _is_toy()):
        return _fault_of_refusal(f"{method} {path[:200]}", answer)
    if _is_toy():
        return None
    return operation.fault_of(answer) if operation else f"{method} {path[:200]} answers and is not described."


def _is_toy() -> bool:
    return settings.ROOT_URLCONF.startswith("tests.")


def _place_of(path: str) -> tuple[Any, str]:
    """The view behind a path and the path as the description writes it; nothing for an unknown one."""
    try:
        match = resolve(path.partition("?")[0], urlconf=settings.ROOT_URLCONF)
    except Resolver404:
        return None, ""
    return getattr(match.func, "cls", None), "/" + _CONVERTER.sub(r"{\1}", match.route)


def _fault_of_refusal(what: str, answer: Any) -> str | None:
    if answer.get("Content-Type") != JSON:
        return f"{what} answers {answer.status_code} with {answer.get('Content-Type')} in place of the envelope."
    faults = described().faults(json.loads(answer.content), _ERROR)
    return f"{what} answers {answer.status_code} without the envelope: {'; '.join(faults)}" if faults else None
