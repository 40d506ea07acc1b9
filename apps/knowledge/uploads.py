"""Turns an uploaded file into text: which type it is, and which of three encodings its bytes are in."""

import codecs
import re
from dataclasses import dataclass
from typing import Final

from apps.kernel.errors import AppError
from apps.knowledge import errors
from apps.rest.fields import Upload

PLAIN: Final = "text/plain"
CSV: Final = "text/csv"

_TYPE_OF_ENDING: Final = {"txt": PLAIN, "text": PLAIN, "md": PLAIN, "csv": CSV, "tsv": CSV}
_ENCODING_OF_CHARSET: Final = {
    "utf-8": "utf-8-sig",
    "utf8": "utf-8-sig",
    "utf-16": "utf-16",
    "utf-16le": "utf-16-le",
    "utf-16be": "utf-16-be",
    "windows-1256": "cp1256",
    "cp1256": "cp1256",
}
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# How many bytes tell UTF-16 without a mark from the rest.
_SAMPLE: Final = 4_096
# High bytes of ASCII and of Arabic letters: in such texts every second byte is one of them.
_HIGH_BYTES: Final = frozenset({0x00, 0x06})
_UTF16_SHARE: Final = 0.7
_FOREIGN_CONTROLS: Final = re.compile("[\0-\x08\x0e-\x1f\x7f]")
_ARABIC: Final = re.compile("[\u0621-\u064a\u067e\u0686\u0698\u06a9\u06af]")
_ACCENTED: Final = "\u00c0-\u00ff\u0152\u0153"
# Another encoding read as Windows-1256 shows accented letters inside of Arabic words, or Arabic letters inside of
# Latin words. A few of the latter are fine: Arabic prefixes stand right before Latin names.
_ACCENT_IN_ARABIC: Final = re.compile(f"[\u0621-\u064a][{_ACCENTED}]|[{_ACCENTED}][\u0621-\u064a]")
_ARABIC_IN_LATIN: Final = re.compile("[a-zA-Z][\u0621-\u064a]|[\u0621-\u064a][a-zA-Z]")
_ACCENT_SHARE: Final = 0.02
_LATIN_SHARE: Final = 0.25
_ARABIC_MARKS: Final = re.compile("[\u064b-\u0652]")


@dataclass(frozen=True, slots=True)
class UploadedText:
    """The text of a file, and whether the file is CSV."""

    text: str
    is_csv: bool


def read(upload: Upload) -> UploadedText:
    """Raises `unsupported_file_type`, `file_not_text`, `unknown_encoding`, all on ``file``."""
    media_type = _media_type(upload)
    return UploadedText(_decode(upload.content, upload.charset or ""), is_csv=media_type == CSV)


def _media_type(upload: Upload) -> str:
    """What the part says it is; a part of another type follows its file name, as Excel's browsers send many.

    A part that says nothing is plain text, as RFC 7578 has it, unless its name tells more.
    """
    stated = upload.media_type.partition(";")[0].strip()
    if stated in {PLAIN, CSV}:
        return stated
    _, dot, ending = upload.file_name.rpartition(".")
    media_type = _TYPE_OF_ENDING.get(ending.lower()) if dot else None
    if media_type is None and not stated:
        return PLAIN
    if media_type is None:
        raise AppError(errors.UNSUPPORTED_FILE_TYPE, param="file")
    return media_type


def _decode(content: bytes, charset: str) -> str:
    encoding = _marked(content) or _ENCODING_OF_CHARSET.get(charset.lower()) or _recognised(content)
    text = _try(content, encoding)
    if text is None and encoding != "cp1256":
        text = _try(content, _recognised(content))
    if text is None:
        raise AppError(errors.UNKNOWN_ENCODING, param="file")
    text = text.removeprefix("\ufeff")
    if _FOREIGN_CONTROLS.search(text):
        raise AppError(errors.FILE_NOT_TEXT, param="file")
    return text


def _marked(content: bytes) -> str | None:
    return next((encoding for mark, encoding in _MARKS if content.startswith(mark)), None)


def _try(content: bytes, encoding: str) -> str | None:
    """The text, or None when the bytes are not in this encoding."""
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return None
    return text if encoding != "cp1256" or _reads_as_arabic(text) else None


def _recognised(content: bytes) -> str:
    """UTF-16 shows in every second byte, UTF-8 proves itself, what is left can only be Windows-1256."""
    if encoding := _utf16_without_mark(content[:_SAMPLE]):
        return encoding
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1256"
    return "utf-8-sig"


def _utf16_without_mark(sample: bytes) -> str | None:
    if len(sample) % 2 or 0x00 not in sample:
        return None
    for encoding, high_bytes in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[0::2])):
        if sum(byte in _HIGH_BYTES for byte in high_bytes) > _UTF16_SHARE * len(high_bytes):
            return encoding
    return None


def _reads_as_arabic(text: str) -> bool:
    """Windows-1256 decodes any bytes, so the result must look like Arabic, or French, which it also serves."""
    arabic = len(_ARABIC.findall(text))
    if not arabic:
        return not _ARABIC_MARKS.search(text)
    return (
        len(_ACCENT_IN_ARABIC.findall(text)) <= _ACCENT_SHARE * arabic
        and len(_ARABIC_IN_LATIN.findall(text)) <= _LATIN_SHARE * arabic
    )
