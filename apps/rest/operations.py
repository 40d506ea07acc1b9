"""What an operation takes and answers, stated once on its handler.

Requests are validated by the very serializers from which the API description is made.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from rest_framework.serializers import Serializer

from apps.rest.fields import ListQuery, QuerySerializer, StrictSerializer

Handler = TypeVar("Handler", bound=Callable[..., Any])
Shape = type[Serializer[Any]] | None

READ: Final = frozenset({"read"})
WRITE: Final = frozenset({"write"})


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one address."""

    summary: str
    id: str
    answers: Mapping[int, Shape]
    request: type[StrictSerializer] | None = None
    upload: type[StrictSerializer] | None = None
    query: type[QuerySerializer] | None = None
    partial: bool = False
    scopes: frozenset[str] | None = None
    limited_keys: bool = False
    errors: Mapping[int, str] = field(default_factory=dict)

    @property
    def is_list(self) -> bool:
        return self.query is not None and issubclass(self.query, ListQuery)

    def scopes_for(self, method: str) -> frozenset[str]:
        """The scopes of which any one is enough."""
        if self.scopes is not None:
            return self.scopes
        return READ if method in {"GET", "HEAD"} else WRITE


def operation(
    summary: str,
    *,
    id: str,  # noqa: A002 -- the name the API description gives it
    answers: Mapping[int, Shape],
    request: type[StrictSerializer] | None = None,
    upload: type[StrictSerializer] | None = None,
    query: type[QuerySerializer] | None = None,
    partial: bool = False,
    scopes: frozenset[str] | set[str] | None = None,
    limited_keys: bool = False,
    errors: Mapping[int, str] | None = None,
) -> Callable[[Handler], Handler]:
    """State what a handler of an `ApiView` takes and answers.

    `answers` names the shape of each good status (None: no body; of a list: of one item). `request` is the JSON
    body, `upload` the form of a documented upload, `query` the query parameters; what is not named is refused.
    `partial` makes every field of the body optional, for PATCH. `scopes` are those of which any one is enough, by
    default `read` for GET and `write` for the rest. `limited_keys` opens it to keys that are limited to sources;
    such an operation shows and touches only those. `errors` says when statuses beyond the general ones occur.
    """
    stated = Operation(
        summary=summary,
        id=id,
        answers=answers,
        request=request,
        upload=upload,
        query=query,
        partial=partial,
        scopes=None if scopes is None else frozenset(scopes),
        limited_keys=limited_keys,
        errors=errors or {},
    )

    def state(handler: Handler) -> Handler:
        _STATED[handler] = stated
        return handler

    return state


_STATED: Final[dict[Callable[..., Any], Operation]] = {}


def operation_of(handler: Callable[..., Any]) -> Operation:
    """What a handler, bound or not, was stated to be."""
    stated = _STATED.get(getattr(handler, "__func__", handler))
    if stated is None:
        raise TypeError(f"{handler.__qualname__} lacks @operation, so nobody knows what it takes.")
    return stated
