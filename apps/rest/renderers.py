"""JSON as it leaves: UTF-8, unescaped, made by one encoder."""

from typing import Any, Final

import msgspec
from rest_framework.renderers import BaseRenderer

JSON: Final = "application/json"

_encoder = msgspec.json.Encoder()
_canonical = msgspec.json.Encoder(order="deterministic")


def encode(data: Any) -> bytes:
    return _encoder.encode(data)


def encode_canonically(data: Any) -> bytes:
    """The same bytes for equal data, whatever the order of its keys."""
    return _canonical.encode(data)


class JsonRenderer(BaseRenderer):
    """The only form in which an endpoint answers."""

    media_type = JSON
    format = "json"
    charset = None

    def render(self, data: Any, *_: Any, **__: Any) -> bytes:
        return b"" if data is None else encode(data)
