import base64
import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
import standardwebhooks
import svix.webhooks
import time_machine
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC
from hypothesis import given
from hypothesis import strategies as st

from apps.webhooks.signing import new_signing_secret, signed_headers

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
MESSAGE = "msg_p5jXN8AQM9LWM0D4loKWxJek"
BODY = '{"test": 2432232314}'
AT = datetime.fromtimestamp(1_614_265_330, UTC)


def verified_by_the_book(secret: str, headers: dict[str, str], body: bytes) -> bool:
    """A third verifier, written from the specification's text on another library's HMAC."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body])
    return any(_matches(key, signed, signature) for signature in headers["webhook-signature"].split(" "))


def _matches(key: bytes, signed: bytes, signature: str) -> bool:
    version, _, encoded = signature.partition(",")
    mac = HMAC(key, SHA256())
    mac.update(signed)
    try:
        mac.verify(base64.b64decode(encoded))
    except InvalidSignature:
        return False
    return version == "v1"


@pytest.mark.conformance("KA-114", "W-1")
def test_the_published_vector() -> None:
    headers = signed_headers(MESSAGE, BODY, at=AT, signing_secrets=[SECRET])

    assert headers == {
        "webhook-id": MESSAGE,
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


@pytest.mark.conformance("KA-114", "W-1")
@given(st.text(max_size=200).filter(str.isprintable))
def test_independent_libraries_verify_what_we_sign(text: str) -> None:
    secret, body = new_signing_secret(), json.dumps({"name": text}, ensure_ascii=False)
    headers = signed_headers("evt_1", body, at=datetime.now(UTC), signing_secrets=[secret])

    assert standardwebhooks.Webhook(secret).verify(body.encode(), headers) == {"name": text}
    svix.webhooks.Webhook(secret).verify(body.encode(), headers)
    assert verified_by_the_book(secret, headers, body.encode())


@pytest.mark.conformance("W-1")
@pytest.mark.parametrize(
    "change",
    [
        {"webhook-id": "msg_other"},
        {"webhook-timestamp": "1614265331"},
        {"webhook-signature": "v1,AAAA"},
        {"webhook-signature": "v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
    ],
)
@time_machine.travel(AT, tick=False)
def test_a_changed_header_is_not_verified(change: dict[str, str]) -> None:
    headers = signed_headers(MESSAGE, BODY, at=AT, signing_secrets=[SECRET]) | change

    assert not verified_by_the_book(SECRET, headers, BODY.encode())
    with pytest.raises(standardwebhooks.WebhookVerificationError):
        standardwebhooks.Webhook(SECRET).verify(BODY, headers)


@pytest.mark.conformance("W-1")
@time_machine.travel(AT, tick=False)
def test_every_valid_secret_signs() -> None:
    old, new = new_signing_secret(), new_signing_secret()
    headers = signed_headers(MESSAGE, BODY, at=AT, signing_secrets=[new, old])

    assert len(headers["webhook-signature"].split(" ")) == 2
    standardwebhooks.Webhook(old).verify(BODY, headers)
    svix.webhooks.Webhook(new).verify(BODY, headers)


def test_the_clock_of_another_zone_gives_the_same_signature() -> None:
    riyadh = AT.astimezone(timezone(timedelta(hours=3)))

    assert signed_headers(MESSAGE, BODY, at=riyadh, signing_secrets=[SECRET]) == signed_headers(
        MESSAGE, BODY, at=AT, signing_secrets=[SECRET]
    )


def test_a_new_secret_is_32_random_bytes() -> None:
    secret = new_signing_secret()

    assert secret.startswith("whsec_")
    assert len(base64.b64decode(secret.removeprefix("whsec_"))) == 32
    assert secret != new_signing_secret()
