"""Verifying the signed callback of a finished job, for the backend that receives it."""

import hashlib
import hmac
import re
import time
from collections.abc import Mapping
from typing import Final

SIGNATURE_HEADER: Final = "X-Bailing-Signature"
TIMESTAMP_HEADER: Final = "X-Bailing-Timestamp"
WINDOW_SECONDS: Final = 300

_SECONDS: Final = re.compile(r"[0-9]{1,12}", re.ASCII)


class CallbackRefusedError(ValueError):
    """The callback is not signed with our secret, or not lately."""


def verify_job_callback(
    body: bytes, headers: Mapping[str, str], callback_secret: str, *, now: float | None = None
) -> None:
    """Raise unless these bytes were signed with the secret within five minutes of now."""
    named = {name.lower(): value for name, value in headers.items()}
    timestamp = named.get(TIMESTAMP_HEADER.lower(), "")
    signature = named.get(SIGNATURE_HEADER.lower(), "")
    if not _SECONDS.fullmatch(timestamp):
        raise CallbackRefusedError("The callback has no time.")
    if abs((time.time() if now is None else now) - int(timestamp)) > WINDOW_SECONDS:
        raise CallbackRefusedError("The callback is older than five minutes, or from the future.")
    signed = hmac.new(callback_secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(f"sha256={signed}".encode(), signature.encode()):
        raise CallbackRefusedError("The callback is not signed with this secret.")
