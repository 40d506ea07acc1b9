"""The shared feed cases, each from a real socket through the real client, decoding and transform."""

import base64
import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from apps.knowledge.transform import Transform, TransformError, apply, decode_body
from apps.outbound import OutboundError, Policy, Request, fetch, parse_trusted_origins
from tests.outbound.servers import CONTACT, Serve, dripping, running, sending

CASES = Path(__file__).parents[2].parent / "shared" / "cases" / "api_payloads.jsonl"
ROWS = [f"KA-{number:03}" for number in range(82, 103)]
# The smallest drip of the cases is half a second a byte: this is past a first byte, and far from a whole answer.
DEADLINE = 1.2

pytestmark = [
    pytest.mark.shared,
    pytest.mark.conformance(*ROWS),
    pytest.mark.skipif(not CASES.is_file(), reason="the shared cases are not beside this checkout"),
]


def cases() -> list[Any]:
    lines = CASES.read_text(encoding="ascii").splitlines() if CASES.is_file() else []
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


def body_of(response: dict[str, Any]) -> bytes:
    match response.get("body_spec"):
        case None:
            raw = str(response["body"]).encode()
        case {"base64": text}:
            raw = base64.b64decode(text)
        case {"text": text}:
            raw = text.encode()
        case {"repeat": {"head": head, "unit": unit, "times": times, "tail": tail}}:
            raw = (head + unit * times + tail).encode()
        case other:
            raise AssertionError(other)
    return gzip.compress(raw) if response.get("body_spec", {}).get("encode") == "gzip" else raw


def wire_of(response: dict[str, Any]) -> bytes:
    body = body_of(response)
    spec = response.get("body_spec", {})
    head = [f"HTTP/1.1 {response['status']} {HTTPStatus(response['status']).phrase}"]
    head += [f"{name}: {value}" for name, value in response["headers"].items()]
    if spec.get("omit_final_chunk"):
        head.append("Transfer-Encoding: chunked")
        body = b"%x\r\n%b\r\n" % (len(body), body)
    else:
        head.append(f"Content-Length: {spec.get('declare_length', len(body))}")
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def server_of(response: dict[str, Any]) -> Serve:
    pause = response.get("body_spec", {}).get("drip_ms", 0) / 1_000
    wire = wire_of(response)
    return dripping(wire, pause) if pause else sending(wire)


@pytest.fixture
def origin(case: dict[str, Any]) -> Iterator[str]:
    with running(server_of(case["response"])) as server:
        yield server.origin


def synced(origin: str, config: dict[str, Any] | None) -> dict[str, Any]:
    policy = replace(
        Policy.for_syncs(contact=CONTACT, trusted_origins=parse_trusted_origins(origin)), deadline=DEADLINE
    )
    try:
        answer = fetch(Request(url=f"{origin}/feed"), policy)
        transform = None if config is None else Transform.parse(config)
        result = apply(decode_body(answer.body, answer.charset), transform)
    except (OutboundError, TransformError) as error:
        return {"ok": False, "error": error.code}
    return {"ok": True, "lines": result.all_lines()}


@pytest.mark.parametrize("case", cases())
def test_a_case_ends_as_expected(case: dict[str, Any], origin: str) -> None:
    assert synced(origin, case["transform"]) == case["expect"]
