"""The shared address and URL cases, each through the real client, with fake answers and a local server."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.outbound import OutboundError, Policy, Request, check_url, fetch
from tests.outbound.servers import PUBLIC_ADDRESS, Certificate, World, answer, sending

CASES = Path(__file__).parents[2].parent / "shared" / "cases" / "ssrf.jsonl"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.conformance("C-2", "C-3", "C-4", "KA-095", "KA-096", "KA-097"),
    pytest.mark.skipif(not CASES.is_file(), reason="the shared cases are not beside this checkout"),
]


def cases(expect: str) -> list[Any]:
    lines = CASES.read_text(encoding="ascii").splitlines() if CASES.is_file() else []
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines) if case["expect"] == expect]


def answering(world: World, case: dict[str, Any]) -> None:
    """Every name has the case's answers; a name that needs no lookup would resolve to a public address."""
    first = [PUBLIC_ADDRESS] if case["resolves_to"] is None else case["resolves_to"]
    lookups = [first, case.get("resolves_to_next", first)]

    def resolve(name: str, timeout: float) -> list[str]:
        world.lookups.append(name)
        return list(lookups[len(world.lookups) - 1])

    world.resolve = resolve  # type: ignore[method-assign]  # the case answers for every name


@pytest.mark.parametrize("case", cases("block"))
def test_a_case_to_block_gets_no_connection(case: dict[str, Any], world: World, sync_policy: Policy) -> None:
    answering(world, case)
    with pytest.raises(OutboundError) as caught:
        fetch(Request(url=case["url"]), sync_policy, resolver=world.resolve, connector=world.connect)
    assert world.attempts == []
    assert caught.value.code in expected_codes(case)
    assert len(world.lookups) == (case["resolves_to"] is not None)


def expected_codes(case: dict[str, Any]) -> set[str]:
    match case["resolves_to"]:
        case None:
            return {"url_refused", "address_refused"}
        case []:
            return {"dns_failure"}
        case _:
            return {"address_refused"}


@pytest.mark.parametrize("case", cases("allow"))
def test_a_case_to_allow_reaches_a_vetted_address_under_its_own_name(
    case: dict[str, Any], world: World, certificate: Certificate, sync_policy: Policy
) -> None:
    answering(world, case)
    url = check_url(case["url"])
    server = world.serve(sending(answer()), certificate(url.host))
    received = fetch(Request(url=case["url"]), sync_policy, resolver=world.resolve, connector=world.connect)
    [(address, port)] = world.attempts
    assert received.status == 200
    assert address in (case["resolves_to"] or [url.host])
    assert port in {443, 8443}
    assert server.server_names == [None if url.address else url.host]
    assert f"\r\nHost: {url.authority}\r\n".encode() in server.requests[0]


@pytest.mark.parametrize("case", [case for case in cases("block") if case.values[0]["resolves_to"] is None])
def test_a_case_that_needs_no_lookup_is_refused_when_it_is_saved(case: dict[str, Any]) -> None:
    with pytest.raises(OutboundError):
        check_url(case["url"])
