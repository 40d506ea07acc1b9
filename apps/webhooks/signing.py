"""Signatures of deliveries, as Standard Webhooks has them: over id, time and body together."""

import base64
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from standardwebhooks import Webhook

SECRET_BYTES: Final = 32
_PREFIX: Final = "whsec_"


def new_signing_secret() -> str:
    return _PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signed_headers(message_id: str, body: str, *, at: datetime, signing_secrets: Sequence[str]) -> dict[str, str]:
    """The three headers of a delivery, with one signature for each secret that is valid now."""
    moment = at.astimezone(UTC)  # The library takes the clock time of any zone for UTC.
    signatures = [Webhook(secret).sign(message_id, moment, body) for secret in signing_secrets]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(int(moment.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
