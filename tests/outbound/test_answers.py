"""Properties: no answer lasts longer than the deadline, grows past its limits, or passes when not whole."""

import gzip
import itertools
import time
import tracemalloc
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from apps.outbound import Answer, OutboundError, Policy, Request, fetch
from tests.outbound.servers import (
    LocalServer,
    Serve,
    StartServer,
    World,
    answer,
    dripping,
    read_head,
    sending,
    streaming,
    trusting,
)

MIB = 1_048_576
DEADLINE = 0.5
HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
GZIP = ("Content-Encoding: gzip",)


def get(server: LocalServer, policy: Policy, request: dict[str, Any] | None = None, **limits: Any) -> Answer:
    return fetch(Request(url=server.origin, **(request or {})), trusting(policy, server, **limits))


def failure(server: LocalServer, policy: Policy, **limits: Any) -> OutboundError:
    with pytest.raises(OutboundError) as caught:
        get(server, policy, **limits)
    return caught.value


def forever(piece: bytes, *, after: bytes = b"") -> Iterable[bytes]:
    return itertools.chain([after], itertools.repeat(piece))


def bomb(size: int) -> bytes:
    """A gzip body that unfolds to `size` zeros, made without holding them."""
    stream = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(MIB)
    return b"".join(stream.compress(zeros) for _ in range(size // MIB)) + stream.flush()


def silent(connection: Any) -> None:
    read_head(connection)
    connection.recv(1)


SLOW: dict[str, Serve] = {
    "no answer at all": silent,
    "silence after the status line": sending(HEAD, wait_at_end=True),
    "silence after the head": sending(HEAD + b"Content-Length: 5\r\n\r\n", wait_at_end=True),
    "silence inside the body": sending(answer(b"[1, 2, 3]")[:-3], wait_at_end=True),
    "silence before the last chunk": sending(CHUNKED + b"2\r\n[]\r\n", wait_at_end=True),
    "a dripping status line": dripping(HEAD * 10, 0.05),
    "dripping headers": dripping(b"X-Slow: 1\r\n" * 10, 0.05, first=HEAD),
    "a dripping header without an end": dripping(b"x" * 100, 0.05, first=HEAD + b"X: "),
    "a dripping body": dripping(b" " * 100, 0.05, first=HEAD + b"Content-Length: 100\r\n\r\n"),
    "a dripping body without a length": dripping(b" " * 100, 0.05, first=HEAD + b"\r\n"),
    "dripping chunks": dripping(b"1\r\n \r\n" * 20, 0.05, first=CHUNKED),
    "a dripping chunk size": dripping(b"0" * 100, 0.05, first=CHUNKED),
    "a dripping chunk extension": dripping(b"x" * 100, 0.05, first=CHUNKED + b"5;"),
    "dripping trailers": dripping(b"X: 1\r\n" * 20, 0.05, first=CHUNKED + b"0\r\n"),
    "endless interim answers": streaming(lambda: itertools.repeat(b"HTTP/1.1 103 Early Hints\r\n\r\n"), pause=0.05),
    "endless continues": streaming(lambda: itertools.repeat(b"HTTP/1.1 100 Continue\r\n\r\n"), pause=0.05),
}


@pytest.mark.conformance("C-9", "KA-099")
@pytest.mark.parametrize("serve", SLOW.values(), ids=SLOW)
def test_a_slow_answer_ends_at_the_deadline(serve: Serve, start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(serve)
    started = time.monotonic()
    error = failure(server, sync_policy, deadline=DEADLINE)
    assert error.code == "timeout"
    assert time.monotonic() - started < DEADLINE + 0.5


@pytest.mark.conformance("C-9", "W-4")
@pytest.mark.parametrize("case", ["no answer at all", "dripping headers", "a dripping body"])
def test_a_slow_receiver_of_a_webhook_ends_at_the_deadline(
    case: str, start_server: StartServer, webhook_policy: Policy
) -> None:
    server = start_server(SLOW[case])
    assert failure(server, webhook_policy, deadline=DEADLINE).code == "timeout"


@pytest.mark.conformance("C-9")
def test_a_server_that_reads_nothing_ends_at_the_deadline(
    start_server: StartServer, webhook_policy: Policy
) -> None:
    def never_read(_connection: Any) -> None:
        time.sleep(5 * DEADLINE)

    server = start_server(never_read)
    request = Request(url=server.origin, method="POST", body=bytes(16 * MIB))
    with pytest.raises(OutboundError) as caught:
        fetch(request, trusting(webhook_policy, server, deadline=DEADLINE))
    assert caught.value.code == "timeout"


@pytest.mark.conformance("C-9")
def test_an_address_that_does_not_answer_leaves_time_for_the_next(world: World, sync_policy: Policy) -> None:
    waits: list[float] = []

    def hang(address: Any, port: int, timeout: float) -> Any:
        waits.append(timeout)
        raise TimeoutError

    world.name("shop.example.com", ["93.184.216.34", "93.184.216.35"])
    with pytest.raises(OutboundError) as caught:
        fetch(Request(url="https://shop.example.com/"), sync_policy, resolver=world.resolve, connector=hang)
    assert caught.value.code == "timeout"
    assert waits == pytest.approx([2.5, 5.0], abs=0.1)


ENDLESS: dict[str, Serve] = {
    "one endless header": streaming(lambda: forever(b"x" * 8_192, after=HEAD + b"X: ")),
    "endless headers": streaming(lambda: forever(b"X: 1\r\n" * 1_000, after=HEAD)),
    "a head over 128 KiB": sending(HEAD + b"X: 1\r\n" * 40_000 + b"\r\n"),
    "an endless status line": streaming(lambda: forever(b"x" * 8_192, after=HEAD[:-2])),
    "large interim answers": streaming(
        lambda: itertools.repeat(b"HTTP/1.1 103 Early Hints\r\nX: " + b"x" * 8_192 + b"\r\n\r\n")
    ),
    "an endless body": streaming(lambda: forever(b" " * 8_192, after=HEAD + b"\r\n")),
    "endless chunks": streaming(lambda: forever(b"1000\r\n" + b" " * 4_096 + b"\r\n", after=CHUNKED)),
    "an endless chunk extension": streaming(lambda: forever(b"x" * 8_192, after=CHUNKED + b"5;")),
    "endless small chunk extensions": streaming(
        lambda: forever(b"1;" + b"x" * 4_096 + b"\r\n \r\n", after=CHUNKED)
    ),
    "endless trailers": streaming(lambda: forever(b"X: 1\r\n" * 1_000, after=CHUNKED + b"0\r\n")),
    "an endless gzip body": streaming(
        lambda: itertools.chain([HEAD + b"Content-Encoding: gzip\r\n\r\n"], endless_gzip())
    ),
}


def endless_gzip() -> Iterator[bytes]:
    stream = zlib.compressobj(0, zlib.DEFLATED, 31)
    while True:
        yield stream.compress(bytes(65_536))


@pytest.mark.conformance("C-10", "C-13")
@pytest.mark.parametrize("serve", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_answer_is_too_large(serve: Serve, start_server: StartServer, sync_policy: Policy) -> None:
    assert failure(start_server(serve), sync_policy).code == "too_large"


@pytest.mark.conformance("C-10")
@pytest.mark.parametrize("case", ["an endless body", "endless chunks"])
def test_reading_stops_within_one_buffer_of_the_limit(case: str, world: World, sync_policy: Policy) -> None:
    server = world.serve(ENDLESS[case])
    with pytest.raises(OutboundError):
        fetch(Request(url=server.origin), trusting(sync_policy, server), connector=world.connect)
    assert world.sockets[0].received <= MIB + 2 * 65_536


@pytest.mark.conformance("C-13")
def test_reading_of_the_head_stops_at_its_limit(world: World, sync_policy: Policy) -> None:
    server = world.serve(ENDLESS["large interim answers"])
    with pytest.raises(OutboundError):
        fetch(Request(url=server.origin), trusting(sync_policy, server), connector=world.connect)
    assert world.sockets[0].received == 131_072


@pytest.mark.conformance("C-10", "KA-099")
@pytest.mark.parametrize(
    ("head", "frame"),
    [
        (HEAD + b"Content-Length: 1048576\r\n\r\n", b"%b"),
        (CHUNKED, b"100000\r\n%b\r\n0\r\n\r\n"),
        (HEAD + b"\r\n", b"%b"),
    ],
    ids=["with a length", "chunked", "to the end of the connection"],
)
def test_a_body_of_exactly_one_mebibyte_passes(
    head: bytes, frame: bytes, start_server: StartServer, sync_policy: Policy
) -> None:
    received = get(start_server(sending(head + frame % (b"x" * MIB))), sync_policy)
    assert (len(received.body), received.wire_bytes) == (MIB, MIB)


@pytest.mark.conformance("C-10", "KA-099")
@pytest.mark.parametrize(
    ("head", "frame"),
    [
        (HEAD + b"Content-Length: 1048577\r\n\r\n", b"%b"),
        (CHUNKED, b"100001\r\n%b\r\n0\r\n\r\n"),
        (HEAD + b"\r\n", b"%b"),
    ],
    ids=["with a length", "chunked", "to the end of the connection"],
)
def test_one_byte_more_is_too_large(
    head: bytes, frame: bytes, start_server: StartServer, sync_policy: Policy
) -> None:
    error = failure(start_server(sending(head + frame % (b"x" * (MIB + 1)))), sync_policy)
    assert (error.code, error.status) == ("too_large", 200)


@pytest.mark.conformance("C-10")
def test_a_body_in_very_small_chunks_passes(start_server: StartServer, sync_policy: Policy) -> None:
    chunks = b"10\r\n" + b"x" * 16 + b"\r\n"
    server = start_server(sending(CHUNKED + chunks * 10_000 + b"0\r\n\r\n"))
    assert len(get(server, sync_policy).body) == 160_000


@pytest.mark.conformance("C-11")
def test_an_announced_size_over_the_limit_fails_before_the_body_is_read(
    start_server: StartServer, sync_policy: Policy
) -> None:
    server = start_server(sending(HEAD + b"Content-Length: 1048577\r\n\r\n", wait_at_end=True))
    assert failure(server, sync_policy).code == "too_large"


SHORT: dict[str, bytes] = {
    "nothing": b"",
    "part of the head": HEAD,
    "less than announced": HEAD + b"Content-Length: 500\r\n\r\n[]",
    "no last chunk": CHUNKED + b"2\r\n[]\r\n",
    "part of a chunk": CHUNKED + b"5\r\n[]",
    "a broken chunk size": CHUNKED + b"zz\r\n[]\r\n0\r\n\r\n",
    "a negative length": HEAD + b"Content-Length: -2\r\n\r\n[]",
    "a signed length": HEAD + b"Content-Length: +2\r\n\r\n[]",
    "two lengths": HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n[]",
    "an unknown transfer coding": HEAD + b"Transfer-Encoding: gzip\r\n\r\n[]",
    "a header with a space before its colon": HEAD + b"X : 1\r\nContent-Length: 2\r\n\r\n[]",
    "a status that is no number": b"HTTP/1.1 abc OK\r\n\r\n[]",
    "no HTTP": b"[1, 2, 3]\r\n\r\n",
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
}


@pytest.mark.parametrize("reply", SHORT.values(), ids=SHORT)
def test_an_answer_that_is_broken_or_not_whole_is_a_failed_connection(
    reply: bytes, start_server: StartServer, sync_policy: Policy
) -> None:
    assert failure(start_server(sending(reply)), sync_policy).code == "connection_failed"


def test_a_body_that_ends_early_still_tells_its_status(start_server: StartServer, sync_policy: Policy) -> None:
    assert failure(start_server(sending(SHORT["less than announced"])), sync_policy).status == 200


def test_a_closed_port_is_a_failed_connection(start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(silent)
    policy = trusting(sync_policy, server)
    url = server.origin
    server.close()
    with pytest.raises(OutboundError) as caught:
        fetch(Request(url=url), policy)
    assert caught.value.code == "connection_failed"


@pytest.mark.conformance("C-12")
@pytest.mark.parametrize("coding", ["gzip", "GZIP", " gzip "])
def test_gzip_is_decoded(coding: str, start_server: StartServer, sync_policy: Policy) -> None:
    wire = gzip.compress(b"[1]")
    received = get(start_server(sending(answer(wire, headers=[f"Content-Encoding: {coding}"]))), sync_policy)
    assert (received.body, received.wire_bytes) == (b"[1]", len(wire))


@pytest.mark.conformance("C-12")
def test_identity_is_left_as_it_is(start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(sending(answer(b"[1]", headers=["Content-Encoding: identity"])))
    assert get(server, sync_policy).body == b"[1]"


@pytest.mark.conformance("C-10")
def test_a_gzip_body_of_exactly_one_mebibyte_passes(start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(sending(answer(gzip.compress(bytes(MIB)), headers=GZIP)))
    assert len(get(server, sync_policy).body) == MIB


@pytest.mark.conformance("C-10")
@pytest.mark.parametrize("size", [MIB + 1, 256 * MIB], ids=["one byte more", "a bomb"])
def test_a_gzip_body_that_unfolds_past_the_limit_is_too_large(
    size: int, start_server: StartServer, sync_policy: Policy
) -> None:
    wire = gzip.compress(bytes(size)) if size < 2 * MIB else bomb(size)
    assert failure(start_server(sending(answer(wire, headers=GZIP))), sync_policy).code == "too_large"


WHOLE = gzip.compress(b"[1]")
BROKEN_CODINGS: dict[str, tuple[str, bytes]] = {
    "gzip without its trailer": ("gzip", WHOLE[:-8]),
    "gzip with half a trailer": ("gzip", WHOLE[:-4]),
    "gzip with a wrong checksum": ("gzip", WHOLE[:-8] + b"\0\0\0\0" + WHOLE[-4:]),
    "bytes after the gzip": ("gzip", WHOLE + b"x"),
    "a second gzip member": ("gzip", WHOLE + WHOLE),
    "plain text that claims gzip": ("gzip", b"[1]"),
    "nothing that claims gzip": ("gzip", b""),
    "gzip in gzip": ("gzip, gzip", gzip.compress(WHOLE)),
    "deflate": ("deflate", zlib.compress(b"[1]")),
    "zlib that claims gzip": ("gzip", zlib.compress(b"[1]")),
    "brotli": ("br", b"\x0b\x01\x80[1]\x03"),
    "zstandard": ("zstd", b"\x28\xb5\x2f\xfd\x04\x00\x19\x00\x00[1]"),
    "an unknown coding": ("x-secret", b"[1]"),
}


@pytest.mark.conformance("C-12")
@pytest.mark.parametrize(("coding", "wire"), BROKEN_CODINGS.values(), ids=BROKEN_CODINGS)
def test_any_other_coding_and_any_broken_gzip_is_refused(
    coding: str, wire: bytes, start_server: StartServer, sync_policy: Policy
) -> None:
    error = failure(start_server(sending(answer(wire, headers=[f"Content-Encoding: {coding}"]))), sync_policy)
    assert (error.code, error.reason) == ("invalid_json", "coding")


@pytest.mark.conformance("C-12")
def test_bytes_after_the_gzip_are_refused_in_a_later_chunk_too(
    start_server: StartServer, sync_policy: Policy
) -> None:
    head = CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n")
    wire = b"%x\r\n%b\r\n1\r\nx\r\n0\r\n\r\n" % (len(WHOLE), WHOLE)
    assert failure(start_server(sending(head + wire)), sync_policy).code == "invalid_json"


@pytest.mark.conformance("C-23")
@pytest.mark.parametrize(
    "serve",
    [
        sending(answer(bomb(256 * MIB), headers=GZIP)),
        ENDLESS["an endless body"],
        ENDLESS["endless headers"],
        ENDLESS["endless small chunk extensions"],
        sending(answer(b"x" * MIB)),
    ],
    ids=["a bomb", "an endless body", "endless headers", "endless chunk extensions", "the largest body"],
)
def test_a_hostile_answer_takes_less_than_64_mebibytes(
    serve: Serve, start_server: StartServer, sync_policy: Policy
) -> None:
    server = start_server(serve)
    tracemalloc.start()
    answer_or_error(server, sync_policy)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 * MIB


def answer_or_error(server: LocalServer, policy: Policy) -> Answer | OutboundError:
    try:
        return get(server, policy)
    except OutboundError as error:
        return error


FAILED_STATUSES = [300, 304, 305, 306, 400, 401, 403, 404, 410, 418, 429, 500, 502, 503, 599]


@pytest.mark.conformance("KA-100", "C-14")
@pytest.mark.parametrize("status", FAILED_STATUSES)
def test_a_sync_refuses_any_status_but_success(status: int, start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(sending(answer(b'[{"name": "A"}]', status=f"{status} X")))
    error = failure(server, sync_policy)
    assert (error.code, error.status) == ("http_status", status)


@pytest.mark.conformance("KA-100")
def test_a_protocol_switch_is_no_success(start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(sending(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"))
    assert failure(server, sync_policy).code in {"http_status", "connection_failed"}


@pytest.mark.conformance("KA-100")
def test_a_304_is_an_answer_when_a_validator_was_sent(start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(sending(answer(b"", status="304 Not Modified")))
    received = get(server, sync_policy, {"product_headers": {"If-None-Match": '"x"'}})
    assert (received.status, received.body, received.is_success) == (304, b"", False)


@pytest.mark.conformance("KA-100")
def test_a_304_to_a_tenants_own_validator_is_a_failure(start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(sending(answer(b"", status="304 Not Modified")))
    with pytest.raises(OutboundError) as caught:
        get(server, sync_policy, {"headers": {"If-None-Match": '"x"'}})
    assert caught.value.code == "http_status"


@pytest.mark.parametrize("status", [200, 201, 202, 204, 206, 299])
def test_any_success_status_is_an_answer(status: int, start_server: StartServer, sync_policy: Policy) -> None:
    received = get(start_server(sending(answer(b"", status=f"{status} X"))), sync_policy)
    assert (received.status, received.is_success) == (status, True)


def test_interim_answers_are_passed_over(start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(sending(b"HTTP/1.1 103 Early Hints\r\nX: 1\r\n\r\n" + answer(b"[1]")))
    assert get(server, sync_policy).body == b"[1]"


def test_an_early_refusal_is_read_although_the_request_was_not_taken(
    start_server: StartServer, webhook_policy: Policy
) -> None:
    def refuse(connection: Any) -> None:
        read_head(connection)
        connection.sendall(answer(b"no", status="413 Content Too Large", headers=["Connection: close"]))
        read_to_the_end(connection)

    server = start_server(refuse)
    received = get(server, webhook_policy, {"method": "POST", "body": bytes(200_000)})
    assert (received.status, received.body) == (413, b"no")


def read_to_the_end(connection: Any) -> None:
    while connection.recv(65_536):
        pass


@pytest.mark.conformance("W-4")
@pytest.mark.parametrize("status", [200, 204, 302, 404, 410, 429, 500])
def test_a_webhook_gets_any_status_as_its_answer(
    status: int, start_server: StartServer, webhook_policy: Policy
) -> None:
    server = start_server(sending(answer(b"", status=f"{status} X", headers=["Location: /elsewhere"])))
    assert get(server, webhook_policy).status == status


@pytest.mark.parametrize(
    ("wire", "headers", "body"),
    [
        (b"short", (), b"short"),
        (b"x" * 1_024, (), b"x" * 1_024),
        (b"x" * 5_000_000, (), b"x" * 1_024),
        (gzip.compress(b"packed"), GZIP, b"packed"),
        (bomb(256 * MIB), GZIP, bytes(1_024)),
        (b"not gzip", GZIP, b""),
        (b"unknown", ("Content-Encoding: br",), b""),
    ],
    ids=["short", "exactly 1 KiB", "long", "gzip", "a bomb", "broken gzip", "an unknown coding"],
)
def test_a_webhook_keeps_the_first_kibibyte_of_the_answer(
    wire: bytes, headers: tuple[str, ...], body: bytes, start_server: StartServer, webhook_policy: Policy
) -> None:
    server = start_server(sending(answer(wire, status="500 X", headers=headers)))
    assert get(server, webhook_policy).body == body


@pytest.mark.parametrize(
    ("content_type", "charset"),
    [
        ("application/json", None),
        ("application/json; charset=Windows-1256", "windows-1256"),
        ('text/html; boundary=x; Charset="UTF-8"', "utf-8"),
        ("application/json; charset=", None),
    ],
)
def test_an_answer_tells_its_declared_charset(
    content_type: str, charset: str | None, start_server: StartServer, sync_policy: Policy
) -> None:
    server = start_server(sending(answer(headers=[f"Content-Type: {content_type}"])))
    assert get(server, sync_policy).charset == charset


def test_repeated_headers_are_joined(start_server: StartServer, sync_policy: Policy) -> None:
    received = get(start_server(sending(answer(headers=["Vary: a", "VARY: b"]))), sync_policy)
    assert received.headers["vary"] == "a, b"
