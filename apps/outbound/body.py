"""Reads the body of an answer up to a limit, counted before and after decoding."""

import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple

from apps.outbound.errors import OutboundError

_GZIP_ONLY: Final = zlib.MAX_WBITS | 16


class Body(NamedTuple):
    content: bytes
    wire_bytes: int  # As received: after the transfer coding, before the content coding.


def read_whole(pieces: Iterable[bytes], coding: str, limit: int) -> Body:
    """The complete body; one byte over the limit, on the wire or decoded, is an error."""
    decoder = _decoder(coding, limit)
    wire_bytes = 0
    for piece in pieces:
        wire_bytes += len(piece)
        if wire_bytes > limit:
            raise OutboundError("too_large")
        decoder.feed(piece)
        if len(decoder.content) > limit:
            raise OutboundError("too_large")
    decoder.finish()
    return Body(bytes(decoder.content), wire_bytes)


def read_beginning(pieces: Iterable[bytes], coding: str, limit: int) -> Body:
    """As much of the body as fits into the limit; nothing of a body that cannot be decoded."""
    received = bytearray()
    for piece in pieces:
        received += piece
        if len(received) >= limit:
            break
    try:
        decoder = _decoder(coding, limit)
        decoder.feed(bytes(received[:limit]))
    except OutboundError:
        return Body(b"", len(received))
    return Body(bytes(decoder.content[:limit]), len(received))


class _Identity:
    def __init__(self) -> None:
        self.content = bytearray()

    def feed(self, piece: bytes) -> None:
        self.content += piece

    def finish(self) -> None:
        """Whether all of it came is known to the transfer coding alone."""


class _Gzip:
    """Decodes at most one byte more than the limit, so that a small bomb never unfolds."""

    def __init__(self, limit: int) -> None:
        self.content = bytearray()
        self._limit = limit
        self._stream = zlib.decompressobj(_GZIP_ONLY)

    def feed(self, piece: bytes) -> None:
        if piece and self._stream.eof:
            raise OutboundError("invalid_json", "coding")
        while piece and len(self.content) <= self._limit:
            try:
                self.content += self._stream.decompress(piece, self._limit + 1 - len(self.content))
            except zlib.error:
                raise OutboundError("invalid_json", "coding") from None
            piece = self._stream.unconsumed_tail
        if self._stream.unused_data:
            raise OutboundError("invalid_json", "coding")  # A second member, or anything else after the end.

    def finish(self) -> None:
        if not self._stream.eof:
            raise OutboundError("invalid_json", "coding")


def _decoder(coding: str, limit: int) -> _Identity | _Gzip:
    match coding.strip().lower():
        case "" | "identity":
            return _Identity()
        case "gzip":
            return _Gzip(limit)
        case _:
            raise OutboundError("invalid_json", "coding")
