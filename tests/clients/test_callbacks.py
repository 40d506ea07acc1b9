"""The callback of a finished job is believed when it is signed with our secret, lately."""

import hashlib
import hmac

import pytest

from mawrid_client import CallbackRefusedError, verify_job_callback

SECRET = "callback-secret"
BODY = '{"job_id":"…","status":"done"}'.encode()
NOW = 1_790_000_000


def signed(body: bytes = BODY, *, at: int = NOW, secret: str = SECRET) -> dict[str, str]:
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Bailing-Timestamp": str(at), "X-Bailing-Signature": f"sha256={digest}"}


@pytest.mark.parametrize("at", [NOW, NOW - 300, NOW + 300])
def test_a_callback_of_ours_is_believed(at: int) -> None:
    verify_job_callback(BODY, signed(at=at), SECRET, now=NOW)


def test_names_of_headers_may_be_of_any_case() -> None:
    headers = {name.lower(): value for name, value in signed().items()}

    verify_job_callback(BODY, headers, SECRET, now=NOW)


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (BODY + b" ", signed()),
        (BODY, signed(secret="another")),
        (BODY, signed(at=NOW - 301)),
        (BODY, signed(at=NOW + 301)),
        (BODY, {}),
        (BODY, {"X-Bailing-Signature": signed()["X-Bailing-Signature"]}),
        (BODY, {"X-Bailing-Timestamp": str(NOW)}),
        (BODY, {**signed(), "X-Bailing-Timestamp": f"{NOW}.0"}),
        (BODY, {**signed(), "X-Bailing-Timestamp": str(NOW + 1)}),
        (BODY, {**signed(), "X-Bailing-Signature": signed()["X-Bailing-Signature"].upper()}),
        (BODY, {**signed(), "X-Bailing-Signature": "sha256=ى"}),
    ],
)
def test_every_other_callback_is_refused(body: bytes, headers: dict[str, str]) -> None:
    with pytest.raises(CallbackRefusedError):
        verify_job_callback(body, headers, SECRET, now=NOW)
