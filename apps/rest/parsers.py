"""From the bytes of a body to plain data, by rules that leave nothing for the database to refuse."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import IO, Any, Final

from django.core.exceptions import SuspiciousOperation
from django.core.files.uploadhandler import FileUploadHandler, StopFutureHandlers
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from rest_framework.parsers import BaseParser

from apps.kernel import strict_json
from apps.kernel.errors import AppError
from apps.rest.errors import refuse
from apps.rest.fields import Upload

MULTIPART: Final = "multipart/form-data"

# Escapes are the only way for either to get into a string: the bytes are UTF-8, the reader refuses raw NUL.
_SUSPICIOUS_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_FORBIDDEN = re.compile("[\0\ud800-\udfff]")

_JSON_FAULTS: Final = {"depth": "json_too_deep", "number": "number_out_of_range"}


def parse_json_object(body: bytes, *, keep_numbers: bool = False) -> dict[str, Any]:
    """The object that a body holds; with `keep_numbers` its numbers stay as they were written."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _invalid_json(error.object[: error.start].decode(), at=None) from error
    try:
        data = strict_json.loads(text, keep_numbers=keep_numbers)
    except strict_json.InvalidJsonError as error:
        if error.reason in _JSON_FAULTS:
            raise AppError(_JSON_FAULTS[error.reason], params={"limit": strict_json.MAX_DEPTH}) from error
        raise _invalid_json(text, error.at) from error
    if not isinstance(data, dict):
        refuse("body_not_an_object")
    if _SUSPICIOUS_ESCAPE.search(text):
        _refuse_forbidden_characters(data)
    return data


def _invalid_json(text: str, at: int | None) -> AppError:
    """Say where a text stops being JSON; without a position the bytes after it are no text."""
    place = strict_json.place_of(text, len(text) if at is None else at)
    return AppError("invalid_json", params=place._asdict())


def _refuse_forbidden_characters(data: Any) -> None:
    for path in _faulty_strings(data, ""):
        refuse("forbidden_character", path.translate(_VISIBLE) or None)


# A key may itself hold what cannot be sent back.
_VISIBLE: Final = dict.fromkeys([0, *range(0xD800, 0xE000)], "\ufffd")


def _faulty_strings(value: Any, path: str) -> Iterator[str]:
    """Where text holds NUL or half of a surrogate pair; depth is bounded by the reader."""
    if isinstance(value, str):
        if _FORBIDDEN.search(value):
            yield path
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _faulty_strings(item, f"{path}[{position}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            inside = f"{path}.{key}" if path else key
            yield from _faulty_strings(key, inside)
            yield from _faulty_strings(item, inside)


def has_forbidden_characters(text: str) -> bool:
    return _FORBIDDEN.search(text) is not None


class StrictJsonParser(BaseParser):
    """A JSON object, read strictly."""

    media_type = "application/json"

    def parse(self, stream: IO[Any], *_: Any, **__: Any) -> dict[str, Any]:
        return parse_json_object(stream.read())


# --- documented uploads -------------------------------------------------------------------------------------


class UploadParser(BaseParser):
    """A form with text fields and one file, held in memory; the body's limit has been applied already."""

    media_type = MULTIPART

    def parse(self, stream: IO[Any], media_type: str | None = None, *_: Any, **__: Any) -> dict[str, str | Upload]:
        return parse_form(stream.read(), media_type or "")


def parse_form(body: bytes, content_type: str) -> dict[str, str | Upload]:
    """Fields and files of a form by name; a name stands once, and text is UTF-8 without forbidden characters."""
    keeper = _KeepInMemory()
    meta = {"CONTENT_TYPE": content_type, "CONTENT_LENGTH": str(len(body))}
    try:
        fields, _ = MultiPartParser(meta, BytesIO(body), [keeper], "utf-8").parse()
    except (MultiPartParserError, SuspiciousOperation, ValueError) as error:
        raise AppError("invalid_multipart") from error
    if not _is_closed(body, content_type):
        refuse("invalid_multipart")
    texts = [(name, _text_of(name, value)) for name, values in fields.lists() for value in values]
    parts: list[tuple[str, str | Upload]] = [*texts, *keeper.uploads]
    form: dict[str, str | Upload] = {}
    for name, value in parts:
        if name in form:
            refuse("repeated_field", name)
        form[name] = value
    return form


def _is_closed(body: bytes, content_type: str) -> bool:
    """Whether the last boundary is there; Django takes a form that was cut off for a whole one."""
    boundary = re.search(r'boundary="?([^";,]+)', content_type)
    return boundary is not None and b"--" + boundary[1].encode() + b"--" in body


def _text_of(name: str, value: str) -> str:
    # Django puts this character where bytes are not UTF-8; sent as such it means the same: letters were lost.
    if "\ufffd" in value:
        refuse("not_utf8", name)
    if has_forbidden_characters(value):
        refuse("forbidden_character", name)
    return value


class _KeepInMemory(FileUploadHandler):
    """Collects the file parts of a form as `Upload`s."""

    def __init__(self) -> None:
        super().__init__()
        self.uploads: list[tuple[str, Upload]] = []
        self._pieces: list[bytes] = []

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self._pieces = []
        raise StopFutureHandlers

    def receive_data_chunk(self, raw_data: bytes, *_: Any) -> None:
        self._pieces.append(raw_data)

    def file_complete(self, *_: Any) -> None:
        upload = Upload(
            file_name=str(self.file_name),
            media_type=(self.content_type or "").lower(),
            charset=_ascii(self.charset),
            content=b"".join(self._pieces),
        )
        self.uploads.append((str(self.field_name), upload))


def _ascii(charset: bytes | str | None) -> str | None:
    """Django hands on a charset as it found it, as bytes or text."""
    return charset.decode("ascii", "replace") if isinstance(charset, bytes) else charset
