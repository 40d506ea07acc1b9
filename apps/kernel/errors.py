"""Failures that a caller can see: one exception, and one catalogue of stable codes with their sentences.

A room declares its codes with `define` in its own ``errors.py``; the codes here belong to no room alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """A stable code, the HTTP status it answers with, and its sentence in both languages."""

    code: str
    status: int
    en: str
    ar: str

    def message(self, language: str, params: Mapping[str, Any]) -> str:
        return (self.ar if language == "ar" else self.en).format_map(dict(params))


CATALOGUE: Final[dict[str, ErrorCode]] = {}


def define(code: str, status: int, en: str, ar: str) -> str:
    """Enter a code into the catalogue and return it, so that modules can name it as a constant."""
    if code in CATALOGUE:
        raise ValueError(f"error code {code!r} is defined twice")
    CATALOGUE[code] = ErrorCode(code, status, en, ar)
    return code


@dataclass(frozen=True, slots=True)
class FieldError:
    """One faulty field: its code, its path (``config.transform.line``) and the values its sentence names."""

    code: str
    param: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


class AppError(Exception):
    """A refusal with a code of the catalogue; `errors` lists every fault when there are several.

    `shown` holds figures that programs need and would have to read out of the sentence otherwise.
    """

    def __init__(
        self,
        code: str,
        *,
        param: str | None = None,
        params: Mapping[str, Any] | None = None,
        errors: Sequence[FieldError] = (),
        headers: Mapping[str, str] | None = None,
        shown: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = CATALOGUE[code].code
        self.param = param
        self.params: Mapping[str, Any] = params or {}
        self.errors: tuple[FieldError, ...] = tuple(errors) or (FieldError(code, param, self.params),)
        self.headers: Mapping[str, str] = headers or {}
        self.shown: Mapping[str, int] = shown or {}

    @property
    def status(self) -> int:
        return CATALOGUE[self.code].status

    @classmethod
    def of_fields(cls, errors: Sequence[FieldError]) -> "AppError":
        """One refusal that reports all faulty fields; the first one gives code and param."""
        first = errors[0]
        return cls(first.code, param=first.param, params=first.params, errors=errors)


define("not_found", 404, "There is nothing at this address.", "لا يوجد شيء في هذا العنوان.")
define(
    "internal_error",
    500,
    "Something went wrong on our side. Try again; if it stays, tell us the request id.",
    "حدث خطأ من جهتنا. أعد المحاولة، وإن تكرر فأخبرنا برقم الطلب.",
)
define(
    "service_unavailable",
    503,
    "The service cannot answer right now. Try again in a moment.",
    "الخدمة غير متاحة الآن. أعد المحاولة بعد قليل.",
)
