"""The base of every endpoint: who asks, how often, what for, with what; then the handler, in one transaction."""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO
from typing import Any, ClassVar, Final, cast

from django.conf import settings
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.module_loading import import_string
from rest_framework.authentication import BaseAuthentication
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from apps.kernel.errors import AppError
from apps.rest import idempotency, throttles
from apps.rest.bodies import MediaType, read_body
from apps.rest.caller import Caller
from apps.rest.errors import refuse, respond_to_exception, was_deleted_meanwhile
from apps.rest.etag import etag_of, is_unchanged, may_change
from apps.rest.fields import QuerySerializer, StrictSerializer
from apps.rest.operations import Operation, operation_of
from apps.rest.pagination import ListPlace, Page
from apps.rest.parsers import (
    MULTIPART,
    StrictJsonParser,
    UploadParser,
    has_forbidden_characters,
    parse_json_object,
)
from apps.rest.renderers import JSON, JsonRenderer, encode

BODY_LIMIT: Final = 256 * 1024
KNOWLEDGE_BODY_LIMIT: Final = 5 * 1024 * 1024

_METHODS_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
# The longest part of a path that can name anything is a document's id, whose 200 characters are ASCII.
_MAX_PATH_PART: Final = 200


class JsonOnly(BaseContentNegotiation):
    """Answers are JSON whatever a client says it accepts; a body's parser is the one of its media type."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        name = MediaType.of(request._request).name  # noqa: SLF001 -- DRF's only way to the request it wraps
        return next((parser for parser in parsers if parser.media_type == name), None)

    def select_renderer(self, *_: Any, **__: Any) -> tuple[BaseRenderer, str]:
        return JsonRenderer(), JSON


class ApiRequest(Request):
    """DRF's request over a body that was read and counted before anything parsed it."""

    raw_body: bytes = b""

    @property
    def stream(self) -> BytesIO | None:
        return BytesIO(self.raw_body) if self.raw_body else None


class ApiView(APIView):
    """An endpoint: handlers named by method, each with its `operation`.

    A handler finds its validated input in `self.body` and `self.query`, its caller in `self.caller`, and answers
    with `single`, `created`, `accepted`, `listing` or `no_content`. Unless a view is `public`, nothing is answered
    without a caller.
    """

    public: ClassVar[bool] = False
    body_limit: ClassVar[int] = BODY_LIMIT
    # Parameters of the path whose every form, however odd, a handler answers itself.
    free_path_names: ClassVar[frozenset[str]] = frozenset()

    renderer_classes = (JsonRenderer,)
    parser_classes = (StrictJsonParser, UploadParser)
    content_negotiation_class = JsonOnly
    permission_classes = ()
    throttle_classes = ()

    request: ApiRequest
    body: dict[str, Any]
    query: dict[str, Any]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for method in set(cls.http_method_names) & set(vars(cls)):
            operation_of(vars(cls)[method])

    # --- the way of a request ---------------------------------------------------------------------------

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        self.args, self.kwargs = args, kwargs
        self.standing: throttles.Standing | None = None
        self.request = ApiRequest(
            request,
            parsers=self.get_parsers(),
            authenticators=self.get_authenticators(),
            negotiator=self.get_content_negotiator(),
            parser_context=self.get_parser_context(request),
        )
        try:
            response = self._answer()
        except Exception as error:  # noqa: BLE001 -- whatever happens leaves in the envelope
            response = respond_to_exception(error, request)
        return self._finish(response)

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Nobody's credential is looked at where none is needed, so a bad one does no harm there."""
        return [] if self.public else super().get_authenticators()

    def _answer(self) -> HttpResponse:
        self._refuse_impossible_path()
        if self.request.method == "OPTIONS":
            return self.no_content(headers={"Allow": self._allow()})
        if not self.public:
            self._admit()
        handler, operation = self._handler()
        if not self.public:
            self.check_scope(operation)
        if self.request.method in _METHODS_WITH_BODY:
            self.request.raw_body = read_body(
                self.request._request,  # noqa: SLF001 -- DRF's only way to the request it wraps
                limit=self.body_limit,
                media_types=_media_types(operation),
            )
        key = self.idempotency_key()
        if key is None:
            return self._perform(handler, operation, keep=lambda _: None)
        return idempotency.run_once(self._attempt(key), lambda keep: self._perform(handler, operation, keep=keep))

    def idempotency_key(self) -> str | None:
        """The key under which the answer is kept; None where every request is a new one."""
        if self.request.method != "POST" or self.public:
            return None
        return idempotency.read_key(self.request.headers.get("Idempotency-Key"))

    def _refuse_impossible_path(self) -> None:
        for name, part in self.kwargs.items():
            if name in self.free_path_names:
                continue
            if len(str(part)) > _MAX_PATH_PART or has_forbidden_characters(str(part)):
                refuse("not_found")

    def _admit(self) -> None:
        """Authenticate, then count the request."""
        self._require_caller()
        self.standing = self.take_turn()
        if not self.standing.allowed:
            raise throttles.over_limit(self.standing.reset_seconds)

    def _require_caller(self) -> None:
        if self.request.auth is None:
            refuse("authentication_required")

    def take_turn(self) -> throttles.Standing:
        """Count this request of the caller."""
        return throttles.take(self.caller.project_id, self.caller.key_id, limit=settings.RATE_LIMIT_PER_KEY)

    def _handler(self) -> tuple[Callable[..., HttpResponse], Operation]:
        method = (self.request.method or "").lower()
        handler = getattr(self, method, None) if method in self.http_method_names else None
        if handler is None:
            raise AppError("method_not_allowed", headers={"Allow": self._allow()})
        return handler, operation_of(handler)

    def _allow(self) -> str:
        return ", ".join(self.allowed_methods)

    def check_scope(self, operation: Operation) -> None:
        """Refuse a caller who may not do this."""
        wanted = operation.scopes_for(self.request.method or "")
        if not wanted & self.caller.scopes:
            refuse("scope_missing", scopes=" / ".join(sorted(wanted)))
        if self.caller.source_ids is not None and not operation.limited_keys:
            refuse("key_limited_to_sources")

    def _attempt(self, key: str) -> idempotency.Attempt:
        media_type = MediaType.of(self.request._request).name  # noqa: SLF001 -- as above
        query = self.request.META.get("QUERY_STRING", "")
        if media_type == MULTIPART:
            form = dict(self.request.data)
            body_hash = idempotency.hash_of_form(media_type, query, form)
        else:
            body_hash = idempotency.hash_of_body(media_type, query, self.request.raw_body)
        return idempotency.Attempt(self.caller, "POST", self.request.path, key, body_hash)

    def _perform(
        self,
        handler: Callable[..., HttpResponse],
        operation: Operation,
        *,
        keep: Callable[[HttpResponse], None],
    ) -> HttpResponse:
        self.query = _read_query(self.request.query_params, operation.query)
        self.body = self._read_body(operation)
        try:
            return self._handle(handler, keep)
        except IntegrityError as error:
            if not was_deleted_meanwhile(error):
                raise
            # Nothing was kept of it. Handled once more, it tells what is not there any more, be it the caller.
            self._find_caller_again()
            return self._handle(handler, keep)

    def _find_caller_again(self) -> None:
        """As DRF does it once for each request."""
        for authenticator in self.get_authenticators():
            found = authenticator.authenticate(self.request)
            self.request.auth = None if found is None else found[1]
            self._require_caller()

    def _handle(self, handler: Callable[..., HttpResponse], keep: Callable[[HttpResponse], None]) -> HttpResponse:
        with self._scope():
            response = handler(self.request, *self.args, **self.kwargs)
            keep(response)
        return response

    def _read_body(self, operation: Operation) -> dict[str, Any]:
        if self.request.method not in _METHODS_WITH_BODY:
            return {}
        # A body without bytes counts as an empty object, or as an empty form where only a form is taken.
        is_form = _is_form(self.request) or operation.request is None
        shape = operation.upload if is_form and operation.upload else operation.request
        return _validated(shape or StrictSerializer, self.request.data, partial=operation.partial)

    def _scope(self) -> AbstractContextManager[None]:
        """The transaction in which only the caller's project exists."""
        if self.public:
            return nullcontext()
        scope: AbstractContextManager[None] = import_string(settings.REST_SCOPE)(self.caller.project_id)
        return scope

    def _finish(self, response: HttpResponse) -> HttpResponse:
        if self.standing is not None:
            for name, value in self.standing.headers.items():
                response[name] = value
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = _cache_control(self.request.method or "")
        if self.request.method == "HEAD" and not response.streaming:
            response["Content-Length"] = str(len(response.content))
            response.content = b""
        return response

    # --- what handlers use ------------------------------------------------------------------------------

    @property
    def caller(self) -> Caller:
        return cast(Caller, self.request.auth)

    @property
    def is_upload(self) -> bool:
        """Whether the body came as a form."""
        return _is_form(self.request)

    def body_as_written(self) -> dict[str, Any]:
        """The JSON body once more, with every number as its sender wrote it."""
        return parse_json_object(self.request.raw_body, keep_numbers=True)

    def single(
        self,
        data: Mapping[str, Any],
        *,
        status: int = 200,
        tagged: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> HttpResponse:
        """One object with its ETag, or 304 when the reader has it already.

        `tagged` stands for the object in its ETag where its sentences depend on the reader's language.
        """
        etag = etag_of(data if tagged is None else tagged)
        reads = self.request.method in {"GET", "HEAD"}
        if reads and is_unchanged(self.request.headers.get("If-None-Match"), etag):
            return _bare(304, {"ETag": etag})
        return _json(data, status, {"ETag": etag, **(headers or {})})

    def created(
        self,
        data: Mapping[str, Any],
        *,
        location: str,
        tagged: Mapping[str, Any] | None = None,
    ) -> HttpResponse:
        headers = {"Location": location}
        return self.single(data, status=201, tagged=tagged, headers=headers)

    def accepted(self, data: Mapping[str, Any]) -> HttpResponse:
        return _json(data, 202)

    def answer(self, data: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
        """A result that is no object of its own and so has no ETag, such as hits of a search."""
        return _json(data, status)

    def listing(self, page: Page) -> HttpResponse:
        return _json(page.body(), 200)

    def no_content(self, *, headers: Mapping[str, str] | None = None) -> HttpResponse:
        return _bare(204, headers)

    def check_if_match(self, data: Mapping[str, Any]) -> None:
        """Refuse a change to something else than the caller has seen; `data` is the object as shown now.

        Call it with the row locked, else the object may still change between check and write.
        """
        if not may_change(self.request.headers.get("If-Match"), etag_of(data)):
            refuse("precondition_failed")

    @property
    def place(self) -> ListPlace:
        """The list being read, for its cursors."""
        filters = {name: value for name, value in self.query.items() if name not in {"limit", "cursor"}}
        return ListPlace(self.caller.project_id, self.caller.key_id, self.request.path, filters)

    @property
    def paging(self) -> dict[str, Any]:
        """The arguments that the functions of `pagination` take from a request."""
        return {"place": self.place, "limit": self.query["limit"], "cursor": self.query.get("cursor")}


def _media_types(operation: Operation) -> Collection[str]:
    if operation.upload is None:
        return (JSON,)
    return (JSON, MULTIPART) if operation.request is not None else (MULTIPART,)


def _is_form(request: ApiRequest) -> bool:
    return MediaType.of(request._request).name == MULTIPART  # noqa: SLF001 -- as above


def _validated(shape: type[StrictSerializer], data: Any, *, partial: bool = False) -> dict[str, Any]:
    serializer = shape(data=data, partial=partial)
    serializer.is_valid(raise_exception=True)
    validated: dict[str, Any] = serializer.validated_data
    return validated


def _read_query(sent: QueryDict, shape: type[QuerySerializer] | None) -> dict[str, Any]:
    for name, values in sent.lists():
        if any(map(has_forbidden_characters, [name, *values])):
            refuse("forbidden_character", name.replace("\0", "\ufffd"))
        if len(values) > 1:
            refuse("repeated_parameter", name)
    return _validated(shape or QuerySerializer, sent.dict())


def _json(data: Any, status: int, headers: Mapping[str, str] | None = None) -> HttpResponse:
    return HttpResponse(encode(data), status=status, content_type=JSON, headers=headers)


def _bare(status: int, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """An answer that has no body, and so no type of one."""
    response = HttpResponse(status=status, headers=headers)
    del response["Content-Type"]
    return response


def _cache_control(method: str) -> str:
    """Reads may be kept by the reader and revalidated; answers to writes may hold secrets."""
    return "private, no-cache" if method in {"GET", "HEAD"} else "no-store"
