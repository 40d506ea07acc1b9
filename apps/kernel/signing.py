"""Keys for one purpose each, derived from the server's secret key, and the marks made with them."""

import base64
import hashlib
import hmac


def derive_key(secret_key: str, purpose: str, *, info: bytes = b"") -> bytes:
    """32 bytes for one purpose, no two alike: HMAC-SHA256 of the purpose under the secret."""
    return hmac.new(secret_key.encode(), b"mawrid\0" + purpose.encode() + b"\0" + info, hashlib.sha256).digest()


def mark(key: bytes, message: bytes, *, length: int = 16) -> str:
    """A URL-safe authentication mark of a message, cut to `length` bytes."""
    digest = hmac.new(key, message, hashlib.sha256).digest()[:length]
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def mark_matches(key: bytes, message: bytes, candidate: str, *, length: int = 16) -> bool:
    """Compare in constant time; text that is not ASCII is simply wrong (`compare_digest` would raise)."""
    return hmac.compare_digest(mark(key, message, length=length).encode(), candidate.encode("utf-8", "replace"))
