"""The one envelope in which refusals leave, and the way from any exception to it.

Protocols that others have defined have a form of their own for the paths they own (`use_form`).

Codes that belong to requests as such are declared here; rooms declare their own with `kernel.errors.define`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NoReturn, Self

import structlog
from django.conf import settings
from django.core import exceptions as django
from django.db import DataError, IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header
from psycopg.errors import ForeignKeyViolation
from rest_framework import exceptions as drf

from apps.kernel.errors import CATALOGUE, AppError, FieldError, define
from apps.rest.renderers import JSON, encode
from apps.rest.request_id import current_request_id

log = structlog.get_logger(__name__)

MAX_REPORTED_FAULTS: Final = 100
MAX_PARAM_LENGTH: Final = 200

_TYPES: Final = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    412: "precondition_failed",
    413: "payload_too_large",
    422: "idempotency_error",
    429: "rate_limit_error",
    503: "unavailable_error",
}


def type_of(status: int) -> str:
    """The kind of error that a status stands for, as programs branch on it."""
    return _TYPES.get(status) or ("invalid_request_error" if status < 500 else "api_error")  # noqa: PLR2004 -- HTTP


# --- one faulty field ---------------------------------------------------------------------------------------


class Fault(str):
    """The code of a faulty field together with the values that its sentence names.

    DRF rebuilds the details of a validation error at every level of nesting but hands the code on untouched,
    so the values ride on the code.
    """

    __slots__ = ("params",)
    params: Mapping[str, Any]

    def __new__(cls, code: str, params: Mapping[str, Any]) -> Self:
        self = super().__new__(cls, CATALOGUE[code].code)
        self.params = params
        return self


def invalid(code: str, **params: Any) -> drf.ValidationError:
    """The exception by which a serializer's field or `validate_*` method refuses a value."""
    return drf.ValidationError(code, code=Fault(code, params))


# The codes of plain DRF fields whose sentences here name no value; every other one is `invalid`.
_DRF_CODES: Final = {
    "required": "required",
    "null": "null",
    "blank": "blank",
    "not_a_list": "not_a_list",
    "not_a_dict": "not_an_object",
    "empty": "empty_list",
}


def _field_error(detail: drf.ErrorDetail, path: str) -> FieldError:
    code = detail.code
    if isinstance(code, Fault):
        return FieldError(str(code), path or None, code.params)
    return FieldError(_DRF_CODES.get(str(code), "invalid"), path or None)


def _inside(path: str, key: Any) -> str:
    if isinstance(key, int):
        return f"{path}[{key}]"
    if key == "non_field_errors":
        return path
    return f"{path}.{key}" if path else str(key)


def _faults(detail: Any, path: str = "") -> Iterator[FieldError]:
    """Flatten DRF's nested details to paths such as ``knowledge.sources[0].source_id``."""
    if isinstance(detail, dict):
        for key, value in detail.items():
            yield from _faults(value, _inside(path, key))
    elif isinstance(detail, list):
        for position, value in enumerate(detail):
            yield from _faults(value, path if isinstance(value, str) else _inside(path, position))
    else:
        yield _field_error(detail, path)


# --- from any exception to a refusal ------------------------------------------------------------------------

_BY_EXCEPTION: Final[tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...]] = (
    ((Http404, drf.NotFound), "not_found"),
    ((drf.NotAuthenticated, drf.AuthenticationFailed), "authentication_required"),
    ((drf.PermissionDenied, django.PermissionDenied), "forbidden"),
    (django.DisallowedHost, "unknown_host"),
    (UnreadablePostError, "incomplete_body"),
    (DataError, "unstorable_value"),
    ((OperationalError, InterfaceError), "service_unavailable"),
    (
        (django.SuspiciousOperation, django.BadRequest, MultiPartParserError, drf.ParseError),
        "malformed_request",
    ),
)


def as_refusal(error: Exception) -> AppError | None:
    """The refusal that an exception stands for; None when it is a fault of ours."""
    if isinstance(error, AppError):
        return error
    if isinstance(error, drf.ValidationError):
        return AppError.of_fields(list(_faults(error.detail))[:MAX_REPORTED_FAULTS])
    if isinstance(error, django.RequestDataTooBig):
        return AppError("request_too_large", params={"limit": settings.DATA_UPLOAD_MAX_MEMORY_SIZE})
    if was_deleted_meanwhile(error):
        return AppError("service_unavailable")
    for kinds, code in _BY_EXCEPTION:
        if isinstance(error, kinds):
            return AppError(code)
    return None


def was_deleted_meanwhile(error: Exception) -> bool:
    """Whether a row could not be stored because another request deleted what it belongs to."""
    return isinstance(error, IntegrityError) and isinstance(error.__cause__, ForeignKeyViolation)


# --- the envelope -------------------------------------------------------------------------------------------


def language_of(request: HttpRequest) -> str:
    """Arabic when Accept-Language prefers it to English, else English."""
    for tag, quality in parse_accept_lang_header(request.headers.get("Accept-Language", "")[:500].lower()):
        primary = tag.partition("-")[0]
        if quality > 0 and primary in {"ar", "en", "*"}:
            return "ar" if primary == "ar" else "en"
    return "en"


def _sentence(code: str, params: Mapping[str, Any], language: str) -> str:
    return CATALOGUE[code].message(language, params)


def _short(param: str | None) -> str | None:
    return param if param is None or len(param) <= MAX_PARAM_LENGTH else param[:MAX_PARAM_LENGTH] + "…"


def envelope(error: AppError, language: str) -> dict[str, Any]:
    """The body of a refusal; `errors` lists the faulty fields and is empty when no field is at fault."""
    return {
        "error": {
            "type": type_of(error.status),
            "code": error.code,
            "message": _sentence(error.code, error.params, language),
            "param": _short(error.param),
            "request_id": current_request_id(),
            "errors": [
                {
                    "code": fault.code,
                    "message": _sentence(fault.code, fault.params, language),
                    "param": _short(fault.param),
                }
                for fault in error.errors
                if fault.param is not None or len(error.errors) > 1
            ],
            **error.shown,
        }
    }


# A refusal and a language -> status and body.
Form = Callable[[AppError, str], tuple[int, dict[str, Any]]]
_FORMS: Final[list[tuple[re.Pattern[str], Form]]] = []


def use_form(paths: str, form: Form) -> None:
    """Have refusals on paths that begin like this expression leave in this form in place of the envelope."""
    _FORMS.append((re.compile(paths), form))


def has_own_form(path: str) -> bool:
    """Whether a path belongs to a protocol with a form of its own, whatever its caller says that it accepts."""
    return any(paths.match(path) for paths, _ in _FORMS)


def _in_envelope(error: AppError, language: str) -> tuple[int, dict[str, Any]]:
    return error.status, envelope(error, language)


def _form_for(path: str) -> Form:
    return next((form for paths, form in _FORMS if paths.match(path)), _in_envelope)


def respond(error: AppError, request: HttpRequest) -> HttpResponse:
    """The answer that tells a caller of a refusal, in the caller's language."""
    language = language_of(request)
    status, body = _form_for(request.path_info)(error, language)
    response = HttpResponse(encode(body), status=status, content_type=JSON)
    response["Cache-Control"] = "no-store"
    response["Content-Language"] = language
    patch_vary_headers(response, ["Accept-Language"])
    if status == 401:  # noqa: PLR2004 -- HTTP
        response["WWW-Authenticate"] = "Bearer"
    for name, value in error.headers.items():
        response[name] = value
    return response


def respond_to_exception(error: Exception, request: HttpRequest) -> HttpResponse:
    """Turn any exception into an answer; one that nobody foresaw is logged and answered with a plain 500."""
    refusal = as_refusal(error)
    if refusal is None:
        log.error("request_failed", method=request.method, path=request.path, exc_info=error)
        refusal = AppError("internal_error")
    elif refusal.status == 503:  # noqa: PLR2004 -- HTTP
        log.warning("request_unavailable", method=request.method, path=request.path, exc_info=error)
    return respond(refusal, request)


def exception_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """DRF's hook, for plain DRF views; `ApiView` calls the function above itself."""
    return respond_to_exception(error, context["request"])


# --- the handlers that a URL configuration names ------------------------------------------------------------


def malformed(request: HttpRequest, exception: Exception) -> HttpResponse:
    return respond_to_exception(exception, request)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return respond_to_exception(exception, request)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return respond_to_exception(exception, request)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django has logged the exception by the time it calls this."""
    return respond(AppError("internal_error"), request)


def refuse(code: str, param: str | None = None, **params: Any) -> NoReturn:
    """Raise a refusal in one word."""
    raise AppError(code, param=param, params=params)


# --- codes of requests --------------------------------------------------------------------------------------

define(
    "malformed_request",
    400,
    "The request cannot be read. Check how it is put together.",
    "تعذرت قراءة الطلب. تحقق من صياغته.",
)
define(
    "unknown_host",
    400,
    "The Host header names no host of this service.",
    "ترويسة Host لا تسمي مضيفًا لهذه الخدمة.",
)
define(
    "incomplete_body",
    400,
    "The body ended before its announced length.",
    "انتهى جسم الطلب قبل الطول المعلن.",
)
define(
    "invalid_json",
    400,
    "The body is not valid JSON in UTF-8: look at line {line}, column {column}.",
    "جسم الطلب ليس JSON صالحًا بترميز UTF-8: انظر السطر {line}، العمود {column}.",
)
define(
    "json_too_deep",
    400,
    "The JSON is nested deeper than {limit} levels.",
    "تداخل JSON أعمق من {limit} مستوى.",
)
define(
    "number_out_of_range",
    400,
    "The JSON holds a number that is too long or too large.",
    "يحتوي JSON على رقم أطول أو أكبر من المسموح.",
)
define("body_not_an_object", 400, "The body must be a JSON object.", "يجب أن يكون جسم الطلب كائن JSON.")
define(
    "forbidden_character",
    400,
    "The text holds a NUL character or half of a surrogate pair. Remove it.",
    "يحتوي النص على محرف NUL أو نصف زوج بديل. احذفه.",
)
define(
    "not_utf8",
    400,
    "This text is not UTF-8, or letters of it were lost on the way.",
    "هذا النص ليس بترميز UTF-8، أو ضاعت منه حروف في الطريق.",
)
define(
    "unstorable_value",
    400,
    "A value of the request cannot be stored.",
    "إحدى قيم الطلب لا يمكن حفظها.",
)
define(
    "invalid_multipart",
    400,
    "The multipart form cannot be read. Check its boundary and its parts.",
    "تعذرت قراءة نموذج multipart. تحقق من الفاصل والأجزاء.",
)
define(
    "authentication_required",
    401,
    "This needs a valid credential in the Authorization header.",
    "يلزم اعتماد صالح في ترويسة Authorization.",
)
define(
    "key_limited_to_sources",
    403,
    "This key is limited to some knowledge sources and cannot be used here.",
    "هذا المفتاح مقصور على بعض مصادر المعرفة ولا يُستخدم هنا.",
)
define("forbidden", 403, "This is not allowed with this key.", "هذا غير مسموح بهذا المفتاح.")
define(
    "scope_missing",
    403,
    "The API key lacks the scope for this: {scopes}.",
    "ينقص مفتاح API الصلاحية اللازمة: {scopes}.",
)
define(
    "method_not_allowed",
    405,
    "This address does not take this method; the Allow header names those it takes.",
    "هذا العنوان لا يقبل هذه الطريقة، وترويسة Allow تسمي ما يقبله.",
)
define(
    "precondition_failed",
    412,
    "The object has changed since you read it. Read it again and repeat the change.",
    "تغيّر العنصر منذ أن قرأته. اقرأه من جديد ثم أعد التعديل.",
)
define(
    "request_too_large",
    413,
    "The body is larger than the {limit} bytes allowed here.",
    "جسم الطلب أكبر من الحد المسموح هنا وهو {limit} بايت.",
)
define(
    "unsupported_media_type",
    415,
    "Send the body with Content-Type: {allowed}.",
    "أرسل جسم الطلب مع Content-Type: {allowed}.",
)
define(
    "unsupported_content_encoding",
    415,
    "Send the body without Content-Encoding; compressed bodies are not read.",
    "أرسل جسم الطلب دون Content-Encoding، فالأجسام المضغوطة لا تُقرأ.",
)
define(
    "rate_limited",
    429,
    "Too many requests. Wait {seconds} seconds.",
    "طلبات كثيرة. انتظر {seconds} ثانية.",
)
define(
    "invalid_cursor",
    400,
    "The cursor does not belong to this list. Take next_cursor of the page before.",
    "المؤشر لا يخص هذه القائمة. استخدم next_cursor من الصفحة السابقة.",
)
define(
    "unknown_parameter",
    400,
    "This address has no such query parameter.",
    "لا يوجد معامل استعلام بهذا الاسم في هذا العنوان.",
)
define(
    "repeated_parameter",
    400,
    "This query parameter may stand only once.",
    "لا يجوز تكرار معامل الاستعلام هذا.",
)
define(
    "invalid_idempotency_key",
    400,
    "Idempotency-Key takes 1 to 255 visible ASCII characters.",
    "يتكون Idempotency-Key من 1 إلى 255 محرفًا مرئيًا من ASCII.",
)
define(
    "idempotency_key_reused",
    422,
    "This Idempotency-Key was used with another body. Use a new key for a new request.",
    "استُخدم Idempotency-Key هذا مع جسم طلب آخر. استخدم مفتاحًا جديدًا لطلب جديد.",
)
define(
    "idempotency_request_running",
    409,
    "A request with this Idempotency-Key is still running. Try again in a moment.",
    "ما زال طلب بمفتاح Idempotency-Key هذا قيد التنفيذ. أعد المحاولة بعد قليل.",
)

# --- codes of faulty fields ---------------------------------------------------------------------------------

define("invalid", 400, "This value is not valid.", "هذه القيمة غير صالحة.")
define("required", 400, "This field is required.", "هذا الحقل مطلوب.")
define("null", 400, "This field cannot be null.", "لا يجوز أن يكون هذا الحقل null.")
define("blank", 400, "This field cannot be blank.", "لا يجوز أن يكون هذا الحقل فارغًا.")
define("unknown_field", 400, "There is no such field here.", "لا يوجد حقل بهذا الاسم هنا.")
define("not_a_string", 400, "This must be a string.", "يجب أن تكون القيمة نصًا.")
define("not_an_integer", 400, "This must be a whole number.", "يجب أن تكون القيمة عددًا صحيحًا.")
define("not_a_number", 400, "This must be a number.", "يجب أن تكون القيمة رقمًا.")
define("not_a_boolean", 400, "This must be true or false.", "يجب أن تكون القيمة true أو false.")
define("not_a_list", 400, "This must be a list.", "يجب أن تكون القيمة قائمة.")
define("not_an_object", 400, "This must be an object.", "يجب أن تكون القيمة كائنًا.")
define("repeated_field", 400, "This field stands twice.", "هذا الحقل مكرر.")
define("not_a_file", 400, "This must be an uploaded file.", "يجب أن تكون القيمة ملفًا مرفوعًا.")
define(
    "not_a_time",
    400,
    "This must be a time such as 2026-01-31T08:00:00Z.",
    "يجب أن تكون القيمة وقتًا مثل 2026-01-31T08:00:00Z.",
)
define(
    "invalid_choice",
    400,
    "This must be one of: {choices}.",
    "يجب أن تكون القيمة إحدى القيم: {choices}.",
)
define("too_long", 400, "This holds more than {limit} characters.", "النص أطول من {limit} محرفًا.")
define("too_short", 400, "This holds fewer than {limit} characters.", "النص أقصر من {limit} محرفًا.")
define("too_large", 400, "This cannot be more than {limit}.", "لا يجوز أن تزيد القيمة على {limit}.")
define("too_small", 400, "This cannot be less than {limit}.", "لا يجوز أن تقل القيمة عن {limit}.")
define("empty_list", 400, "This list cannot be empty.", "لا يجوز أن تكون هذه القائمة فارغة.")
define("too_many_items", 400, "This holds more than {limit} items.", "عدد العناصر أكثر من {limit}.")
define("repeated_item", 400, "The same item stands here twice.", "العنصر نفسه مكرر هنا.")
define(
    "control_character",
    400,
    "Control characters and characters that turn the writing direction are not allowed here.",
    "لا يُسمح هنا بمحارف التحكم ولا بالمحارف التي تقلب اتجاه الكتابة.",
)
define("invisible_text", 400, "Nothing of this text can be seen.", "لا يظهر شيء من هذا النص.")
define(
    "invalid_format",
    400,
    "This does not have the expected form; write it as in {example}.",
    "القيمة ليست بالصيغة المتوقعة؛ اكتبها كما في {example}.",
)
