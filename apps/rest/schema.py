"""The API description, made from what each handler states and from what all of them share."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from rest_framework.serializers import JSONField, Serializer

from apps.rest.errors import type_of
from apps.rest.fields import (
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictListField,
    StrictSerializer,
)
from apps.rest.operations import Operation, Shape, operation_of
from apps.rest.parsers import MULTIPART
from apps.rest.renderers import JSON

DESCRIBED_PREFIX: Final = "/v1/"
_ACCEPTED: Final = 202
# A result, such as that of a search, has neither.
_MARKS_OF_OBJECTS: Final = frozenset({"id", "created_at"})

_ERRORS_OF_ALL: Final = {
    400: "The request is malformed or a field is faulty; `errors` lists every faulty field.",
    401: "There is no valid API key.",
    403: "The key may not do this.",
    429: "Too many requests; `Retry-After` says how many seconds to wait.",
    500: "Something went wrong on our side.",
    503: "The service cannot answer right now.",
}
_ERRORS_OF_SOME: Final = {
    404: "There is no such object in the project.",
    409: "The request conflicts with the state of things, or one with its Idempotency-Key is still running.",
    412: "`If-Match` names another state of the object than the present one.",
    413: "The body is larger than this operation takes.",
    415: "The body has a media type or a coding that this operation does not take.",
    422: "The Idempotency-Key was used with another request.",
}
_METHODS_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


def _error_schema() -> dict[str, Any]:
    """The envelope of errors as a schema."""
    text = {"type": "string"}
    param = {"type": ["string", "null"], "description": "The faulty field, such as `config.transform.line`."}
    fault = {"code": text, "message": text, "param": param}
    error = {
        "type": {**text, "enum": sorted({type_of(status) for status in {**_ERRORS_OF_ALL, **_ERRORS_OF_SOME}})},
        "code": {**text, "description": "Stable; programs branch on it."},
        "message": {**text, "description": "One plain sentence, in Arabic when Accept-Language prefers it."},
        "param": param,
        "request_id": {**text, "description": "The value of X-Request-Id."},
        "errors": {
            "type": "array",
            "description": "Every faulty field.",
            "items": _object(fault),
        },
    }
    actual = {"type": "integer", "description": "Only of `selection_too_large`: how long the text is."}
    described = _object(error)
    described["properties"]["actual_chars"] = actual
    return _object({"error": described})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


_HEADERS: Final[dict[str, Any]] = {
    "X-Request-Id": {
        "description": "Names this request in errors and logs.",
        "schema": {"type": "string"},
    },
    "ETag": {"description": "The state of the object, for If-Match.", "schema": {"type": "string"}},
    "Location": {"description": "The path of the new object.", "schema": {"type": "string"}},
    "RateLimit-Policy": {
        "description": 'Requests per minute, such as `"default";q=1200;w=60`.',
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": 'Requests left and seconds until they start anew, such as `"default";r=1199;t=42`.',
        "schema": {"type": "string"},
    },
    "Idempotent-Replayed": {
        "description": "`true` on a stored answer.",
        "schema": {"type": "string", "enum": ["true"]},
    },
}

_PARAMETERS: Final[dict[str, Any]] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Makes it safe to send the request again: within 24 hours the same key and body get the "
        "stored answer.",
        "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "The ETag last seen; another state of the object is left alone (412).",
        "schema": {"type": "string"},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The ETag last seen; the same state is answered with 304.",
        "schema": {"type": "string"},
    },
    "RequestId": {
        "name": "X-Request-Id",
        "in": "header",
        "description": "Your own id for the request, up to 128 letters, digits and `. _ : / + = @ -`; anything "
        "else is replaced.",
        "schema": {"type": "string"},
    },
}


def _reference(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}


class OperationSchema(AutoSchema):
    """One operation of the description, from the handler's `operation`."""

    @property
    def stated(self) -> Operation:
        return operation_of(getattr(self.view, self.method.lower()))

    def is_excluded(self) -> bool:
        return not self.path.startswith(DESCRIBED_PREFIX) or getattr(self.view, "public", True)

    def get_operation_id(self) -> str:
        return self.stated.id

    def get_summary(self) -> str:
        return self.stated.summary

    def get_description(self) -> str:  # type: ignore[override]
        return getattr(self.view, self.method.lower()).__doc__ or ""

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix(DESCRIBED_PREFIX).partition("/")[0]]

    def get_auth(self) -> list[dict[str, list[str]]]:
        """A way in for each scope, because any one is enough."""
        return [{"ApiKey": [scope]} for scope in sorted(self.stated.scopes_for(self.method))]

    def get_override_parameters(self) -> list[Any]:
        return [self.stated.query] if self.stated.query else []

    def get_request_serializer(self) -> Any:
        taken = {JSON: self.stated.request, MULTIPART: self.stated.upload}
        return {media_type: shape for media_type, shape in taken.items() if shape is not None}

    def get_response_serializers(self) -> Any:
        answers: Mapping[int, Any] = self.stated.answers
        return {
            status: _list_of(shape) if self.stated.is_list and shape else shape for status, shape in answers.items()
        }

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        described = super().get_operation(*args, **kwargs)
        if described is None:
            return None
        for status, response in described["responses"].items():
            response["headers"] = {name: _reference("headers", name) for name in self._answer_headers(int(status))}
            response["description"] = _GOOD[int(status)]
        if self._answers_object(200) and self.method == "GET":
            described["responses"]["304"] = {"description": "The object is as `If-None-Match` says."}
        described["responses"] |= self._error_responses()
        described["x-limited-keys"] = self.stated.limited_keys
        described.setdefault("parameters", [])
        described["parameters"] += [_reference("parameters", name) for name in self._header_parameters()]
        return described

    def _answer_headers(self, status: int) -> list[str]:
        names = ["X-Request-Id", "RateLimit-Policy", "RateLimit"]
        if self._answers_object(status):
            names.append("ETag")
        if status == 201:  # noqa: PLR2004 -- HTTP
            names.append("Location")
        if self.method == "POST":
            names.append("Idempotent-Replayed")
        return names

    def _answers_object(self, status: int) -> bool:
        """Whether an answer is a single object, which has an ETag; work that goes on and mere results have none."""
        shape = self.stated.answers.get(status)
        if shape is None or status == _ACCEPTED or self.stated.is_list:
            return False
        return not _MARKS_OF_OBJECTS.isdisjoint(shape().fields)

    def _header_parameters(self) -> list[str]:
        names = ["RequestId"]
        if self.method == "POST":
            names.append("IdempotencyKey")
        if self.method in {"PATCH", "DELETE"}:
            names.append("IfMatch")
        if self.method == "GET" and self._answers_object(200):
            names.append("IfNoneMatch")
        return names

    def _error_responses(self) -> dict[str, Any]:
        statuses = set(_ERRORS_OF_ALL) | set(self.stated.errors)
        if "{" in self.path:
            statuses.add(404)
        if self.method in {"PATCH", "DELETE"}:
            statuses |= {409, 412}
        if self.method == "POST":
            statuses |= {409, 422}
        if self.method in _METHODS_WITH_BODY:
            statuses |= {413, 415}
        return {str(status): self._error_response(status) for status in sorted(statuses)}

    def _error_response(self, status: int) -> dict[str, Any]:
        description = self.stated.errors.get(status)
        if description is None:
            return _reference("responses", f"Error{status}")
        return _error_response(description)

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:  # noqa: FBT001, FBT002 -- the framework's signature
        mapped = super()._map_serializer_field(  # type: ignore[no-untyped-call]
            field, direction, bypass_extensions
        )
        if isinstance(field, JSONField):
            # Any value includes null, which the framework would describe twice.
            return {name: value for name, value in mapped.items() if name == "description"}
        if isinstance(field, StrictListField):
            mapped |= _rules_of_list(field)
        mapped.pop("x-spec-enum-id", None)
        return mapped

    def _map_serializer(self, serializer: Any, direction: Any, bypass_extensions: bool = False) -> Any:  # noqa: FBT001, FBT002 -- the framework's signature
        mapped = super()._map_serializer(  # type: ignore[no-untyped-call]
            serializer, direction, bypass_extensions
        )
        if direction == "request" and issubclass(_class_of(serializer), StrictSerializer):
            mapped["additionalProperties"] = False
        if not vars(_class_of(serializer)).get("__doc__"):
            mapped.pop("description", None)  # It would be that of a base class.
        return mapped


def _rules_of_list(field: StrictListField) -> dict[str, Any]:
    """What the field refuses and its validators do not tell."""
    rules: dict[str, Any] = {}
    if not field.allow_empty:
        rules["minItems"] = 1
    if field.unique:
        rules["uniqueItems"] = True
    return rules


_GOOD: Final = {
    200: "Done.",
    201: "Created.",
    202: "Accepted; the work goes on.",
    204: "Done; there is nothing to show.",
}


def _class_of(serializer: Any) -> type[Any]:
    return serializer if isinstance(serializer, type) else type(serializer)


@cache
def _list_of(shape: type[Serializer[Any]]) -> Shape:
    """The envelope of a list of such objects."""
    fields = {
        "object": StrictChoiceField(choices=["list"]),
        "data": shape(many=True),
        "has_more": StrictBooleanField(),
        "next_cursor": StrictCharField(allow_null=True),
    }
    name = re.sub(r"(Shape|Serializer)$", "", shape.__name__) + "List"
    return type(name, (StrictSerializer,), fields)


def _error_response(description: str) -> dict[str, Any]:
    return {
        "description": description,
        "headers": {"X-Request-Id": _reference("headers", "X-Request-Id")},
        "content": {JSON: {"schema": _reference("schemas", "Error")}},
    }


def add_shared_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Put what operations refer to into the description: the envelope, headers, parameters and the scheme."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Error"] = _error_schema()
    components["responses"] = {
        f"Error{status}": _error_response(description)
        for status, description in sorted({**_ERRORS_OF_ALL, **_ERRORS_OF_SOME}.items())
    }
    components["headers"] = _HEADERS
    components["parameters"] = _PARAMETERS
    components["securitySchemes"] = {
        "ApiKey": {
            "type": "http",
            "scheme": "bearer",
            "description": "A project's API key. `search` opens searching, `read` every GET, previews and "
            "searching, `write` every other method. An operation names the scopes of which any one is enough; "
            "`x-limited-keys` says whether a key that is limited to sources may use it.",
        }
    }
    return result


@cache
def description(urlconf: str) -> dict[str, Any]:
    """The description of a URL configuration, which does not change while the process runs."""
    generator: Any = SchemaGenerator(urlconf=urlconf)  # type: ignore[no-untyped-call]
    document: dict[str, Any] = generator.get_schema(request=None, public=True)
    return document
