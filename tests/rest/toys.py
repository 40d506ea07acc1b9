"""A tiny API in place of the rooms above `rest`: one endpoint for each behaviour, and who may call it.

Its credential is the list of scopes itself, such as ``Bearer read+write``; ``@source`` limits it to sources.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.core import exceptions as django
from django.db import DataError, IntegrityError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.urls import include, path
from psycopg.errors import ForeignKeyViolation
from rest_framework import exceptions as drf
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.kernel.errors import AppError
from apps.rest.caller import Caller
from apps.rest.fields import (
    AnyJsonField,
    InstantField,
    KeptJsonField,
    ListQuery,
    NameField,
    QueryBooleanField,
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictDictField,
    StrictIntegerField,
    StrictListField,
    StrictNumberField,
    StrictSerializer,
    UploadField,
)
from apps.rest.idempotency import Claimed, Conflict, Outcome, Replay, Running
from apps.rest.operations import operation
from apps.rest.pagination import by_position
from apps.rest.views import KNOWLEDGE_BODY_LIMIT, ApiView

NUMBERS = list(range(250))


@dataclass(frozen=True, slots=True)
class ToyCaller:
    project_id: str
    key_id: str
    scopes: frozenset[str]
    source_ids: frozenset[str] | None = None


class ToyAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[None, ToyCaller] | None:
        scheme, _, credential = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer":
            return None
        if credential == "revoked" or (credential == "read+vanishing" and scopes_ended):
            raise AppError("authentication_required")
        scopes, _, source = credential.partition("@")
        sources = frozenset({source}) if source else None
        return None, ToyCaller("prj_toy", f"key_{credential}", frozenset(scopes.split("+")), sources)


# --- the transaction, and what it did -----------------------------------------------------------------------

scopes_ended: list[str] = []


@contextmanager
def toy_scope(project_id: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        scopes_ended.append(f"{project_id} rolled back")
        raise
    scopes_ended.append(f"{project_id} committed")


# --- a store in memory --------------------------------------------------------------------------------------


@dataclass
class ToyRecord:
    claim: str
    body_hash: bytes
    sealed_answer: bytes | None = None


class ToyStore:
    """The records outlive the store as rows of a table would."""

    records: dict[tuple[str, ...], ToyRecord] = {}

    def claim(self, caller: Caller, *, method: str, path: str, key_hash: bytes, body_hash: bytes) -> Outcome:
        place = (caller.project_id, caller.key_id, method, path, key_hash.hex())
        record = self.records.get(place)
        if record is None:
            claim = f"claim {len(self.records)}"
            self.records[place] = ToyRecord(claim, body_hash)
            return Claimed(claim)
        if record.body_hash != body_hash:
            return Conflict()
        return Running() if record.sealed_answer is None else Replay(record.sealed_answer)

    def complete(self, caller: Caller, claim: str, sealed_answer: bytes) -> bool:
        for record in self.records.values():
            if record.claim == claim:
                record.sealed_answer = sealed_answer
                return True
        return False

    def abandon(self, caller: Caller, claim: str) -> None:
        unfinished = {
            place
            for place, record in self.records.items()
            if record.claim == claim and record.sealed_answer is None
        }
        for place in unfinished:
            del self.records[place]


# --- endpoints ----------------------------------------------------------------------------------------------


class ToyView(ApiView):
    authentication_classes = (ToyAuthentication,)


class Part(StrictSerializer):
    word = StrictCharField(max_length=5)
    weight = StrictNumberField(min_value=0, required=False)


class NewThing(StrictSerializer):
    name = NameField(max_length=20)
    kind = StrictChoiceField(choices=["text", "catalog"], required=False)
    minutes = StrictIntegerField(min_value=15, max_value=1440, required=False)
    complete = StrictBooleanField(required=False)
    until = InstantField(required=False, allow_null=True)
    note = StrictCharField(allow_blank=True, min_length=2, required=False)
    code = StrictCharField(pattern="[A-Z][A-Z0-9_]*", example="GOOD_1", required=False)
    tags = StrictListField(
        child=StrictCharField(max_length=5), max_items=3, unique=True, allow_empty=False, required=False
    )
    headers = StrictDictField(child=StrictCharField(), required=False)
    part = Part(required=False)
    parts = StrictListField(child=Part(), max_items=10, required=False)
    sample = AnyJsonField(required=False, allow_null=True)
    kept = KeptJsonField(required=False, allow_null=True)


class ThingShape(StrictSerializer):
    id = StrictCharField()
    name = StrictCharField()


class ThingsQuery(ListQuery):
    even = QueryBooleanField(required=False)
    since = InstantField(required=False)
    kind = StrictChoiceField(choices=["text", "catalog"], required=False)


things_made: list[dict[str, Any]] = []


class ThingsView(ToyView):
    @operation("List things", id="list_things", query=ThingsQuery, answers={200: ThingShape})
    def get(self, request: HttpRequest) -> HttpResponse:
        numbers = [number for number in NUMBERS if number % 2 == 0] if self.query.get("even") else NUMBERS
        page = by_position(lambda start, stop: numbers[start:stop], len(numbers), str, **self.paging)
        return self.listing(page)

    @operation("Create a thing", id="create_thing", request=NewThing, answers={201: ThingShape})
    def post(self, request: HttpRequest) -> HttpResponse:
        thing = {"id": f"thing_{len(things_made)}", "name": self.body["name"], "sync": None}
        things_made.append(self.body)
        return self.created(thing, location=f"/v1/things/{thing['id']}")


class OneThingView(ToyView):
    thing: dict[str, Any] = {"id": "thing_1", "name": "صندوق بخور", "sync": {"status": "ok"}}

    @operation("Read a thing", id="get_thing", answers={200: ThingShape}, limited_keys=True)
    def get(self, request: HttpRequest, thing_id: str) -> HttpResponse:
        """A thing as it is."""
        return self.single(self.thing)

    @operation("Change a thing", id="update_thing", request=NewThing, partial=True, answers={200: ThingShape})
    def patch(self, request: HttpRequest, thing_id: str) -> HttpResponse:
        self.check_if_match(self.thing)
        return self.single({**self.thing, **self.body})

    @operation("Delete a thing", id="delete_thing", answers={204: None})
    def delete(self, request: HttpRequest, thing_id: str) -> HttpResponse:
        self.check_if_match(self.thing)
        return self.no_content()


class WorkView(ToyView):
    @operation("Start work", id="start_work", answers={202: ThingShape}, scopes={"read", "search"})
    def post(self, request: HttpRequest) -> HttpResponse:
        things_made.append({})
        return self.accepted({"id": "thing_1", "name": "x"})


class UploadShape(StrictSerializer):
    name = NameField(max_length=20)
    file = UploadField()


class UploadsView(ToyView):
    body_limit = KNOWLEDGE_BODY_LIMIT

    @operation("Upload", id="upload", request=NewThing, upload=UploadShape, answers={201: ThingShape})
    def post(self, request: HttpRequest) -> HttpResponse:
        things_made.append(self.body)
        return self.created(self._shown(), location="/v1/things/1")

    @operation("Replace", id="replace", upload=UploadShape, answers={200: ThingShape})
    def put(self, request: HttpRequest) -> HttpResponse:
        return self.single(self._shown())

    def _shown(self) -> dict[str, Any]:
        upload = self.body.get("file")
        name = self.body["name"]
        if upload is None:
            return {"id": "1", "name": name}
        return {
            "id": "1",
            "name": name,
            "file_name": upload.file_name,
            "media_type": upload.media_type,
            "size": len(upload.content),
        }


class EchoView(ToyView):
    """Gives numbers back as they were written."""

    body_limit = KNOWLEDGE_BODY_LIMIT

    @operation("Echo", id="echo", request=NewThing, answers={200: None})
    def post(self, request: HttpRequest) -> HttpResponse:
        return self.answer({"written": str(self.body_as_written().get("sample"))})


def deleted_meanwhile() -> IntegrityError:
    error = IntegrityError("secret detail")
    error.__cause__ = ForeignKeyViolation("secret detail")
    return error


FAILURES: dict[str, Exception] = {
    "app_error": AppError("invalid_choice", param="kind", params={"choices": "text"}),
    "not_found": Http404(),
    "drf_not_found": drf.NotFound(),
    "permission": django.PermissionDenied(),
    "suspicious": django.SuspiciousOperation("secret detail"),
    "bad_request": django.BadRequest("secret detail"),
    "too_big": django.RequestDataTooBig(),
    "too_many_fields": django.TooManyFieldsSent(),
    "multipart": MultiPartParserError("secret detail"),
    "unreadable": UnreadablePostError("secret detail"),
    "data_error": DataError("secret detail"),
    "database_down": OperationalError("secret detail"),
    "not_unique": IntegrityError("secret detail"),
    "deleted_meanwhile": deleted_meanwhile(),
    "bug": RuntimeError("secret detail"),
    "recursion": RecursionError("secret detail"),
    "plain_drf": drf.ValidationError({"name": ["secret detail"]}),
}


class FailingView(ToyView):
    @operation("Fail", id="fail", answers={200: None})
    def get(self, request: HttpRequest, failure: str) -> HttpResponse:
        raise FAILURES[failure]

    @operation("Fail", id="fail_post", answers={200: None})
    def post(self, request: HttpRequest, failure: str) -> HttpResponse:
        raise FAILURES[failure]


class VanishingView(ToyView):
    """A thing that is deleted while it is handled, so that it is there the first time and then never again."""

    @operation("Use what vanishes", id="use_what_vanishes", answers={200: None})
    def post(self, request: HttpRequest) -> HttpResponse:
        raise deleted_meanwhile() if not scopes_ended else Http404()


class OpenView(ToyView):
    public = True

    @operation("Open to all", id="open", answers={200: None})
    def get(self, request: HttpRequest) -> HttpResponse:
        return self.answer({"open": True})


urlpatterns = [
    path("", include("apps.rest.urls")),
    path("v1/things", ThingsView.as_view()),
    path("v1/things/<str:thing_id>", OneThingView.as_view()),
    path("v1/work", WorkView.as_view()),
    path("v1/uploads", UploadsView.as_view()),
    path("v1/echo", EchoView.as_view()),
    path("v1/fail/<str:failure>", FailingView.as_view()),
    path("v1/vanishing", VanishingView.as_view()),
    path("v1/open", OpenView.as_view()),
]

handler400 = "apps.rest.errors.malformed"
handler403 = "apps.rest.errors.forbidden"
handler404 = "apps.rest.errors.page_not_found"
handler500 = "apps.rest.errors.server_error"
