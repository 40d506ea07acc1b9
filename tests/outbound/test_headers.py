"""Properties: a tenant's headers stay within the rules at save and at send time; the service's own headers win."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.outbound import OutboundError, Policy, Request, fetch, header_faults
from apps.outbound.headers import is_sendable_value
from tests.outbound.servers import Connection, StartServer, answer, sending, trusting

pytestmark = pytest.mark.conformance("C-15")

ACCEPTED = [
    ("Authorization", "Bearer {{secret.CATALOG_TOKEN}}"),
    ("X-Api-Key", "k"),
    ("x-api-key", "a b  c"),
    ("Accept", "application/json"),
    ("Accept-Language", "ar"),
    ("If-None-Match", '"x"'),
    ("X-Forwarded", "the family needs its hyphen"),
    ("Proxy", "likewise"),
    ("A!#$%&'*+-.^_`|~9", "every token character"),
    ("X-Long", "v" * 4_096),
]

REFUSED = [
    *(
        (name, "v", "reserved")
        for name in (
            *(
                "Host",
                "HOST",
                "Connection",
                "Keep-Alive",
                "TE",
                "Trailer",
                "Transfer-Encoding",
                "Upgrade",
                "Expect",
            ),
            *("Content-Length", "Content-Type", "Accept-Encoding", "Cookie", "Forwarded", "User-Agent"),
            *("Proxy-Authorization", "Proxy-Connection", "proxy-x", "X-Forwarded-For", "X-Forwarded-Host"),
            *("Webhook-Id", "webhook-timestamp", "Webhook-Signature"),
        )
    ),
    ("", "v", "name"),
    ("X Y", "v", "name"),
    ("X-Y ", "v", "name"),
    ("X:Y", "v", "name"),
    ("X-Y\r\nHost", "v", "name"),
    ("X-É", "v", "name"),
    ("X-عود", "v", "name"),
    ("X\x00", "v", "name"),
    ("X" * 257, "v", "name"),
    ("X-Y", "", "value"),
    ("X-Y", " ", "value"),
    ("X-Y", " v", "value"),
    ("X-Y", "v ", "value"),
    ("X-Y", "v\n", "value"),
    ("X-Y", "v\r\nHost: evil", "value"),
    ("X-Y", "a\tb", "value"),
    ("X-Y", "a\x00b", "value"),
    ("X-Y", "a\x01b", "value"),
    ("X-Y", "a\x7fb", "value"),
    ("X-Y", "é", "value"),
    ("X-Y", "عود", "value"),
    ("X-Y", "a\u2028b", "value"),
    ("X-Y", "v" * 4_097, "value_too_long"),
]


@pytest.mark.parametrize(("name", "value"), ACCEPTED)
def test_it_accepts_a_harmless_header(name: str, value: str) -> None:
    assert header_faults({name: value}) == []


@pytest.mark.parametrize(("name", "value", "reason"), REFUSED)
def test_it_refuses_a_header_that_frames_impersonates_or_injects(name: str, value: str, reason: str) -> None:
    assert [(fault.name, fault.reason) for fault in header_faults({name: value})] == [(name, reason)]


def test_twenty_headers_are_accepted() -> None:
    assert header_faults({f"X-{number}": "v" for number in range(20)}) == []


def test_twenty_one_headers_are_refused() -> None:
    assert [fault.reason for fault in header_faults({f"X-{number}": "v" for number in range(21)})] == ["too_many"]


def test_a_name_in_two_spellings_is_refused() -> None:
    faults = header_faults({"Authorization": "a", "AUTHORIZATION": "b"})
    assert [(fault.name, fault.reason) for fault in faults] == [("AUTHORIZATION", "repeated")]


def test_every_fault_is_reported_at_once() -> None:
    assert [fault.name for fault in header_faults({"Host": "a", "X": "ok", "Y": " "})] == ["Host", "Y"]


@pytest.mark.parametrize("locale", ["en", "ar"])
def test_a_fault_has_a_sentence_that_does_not_repeat_the_value(locale: str) -> None:
    [fault] = header_faults({"X-Token": "hidden\n"})
    assert fault.message(locale)
    assert "hidden" not in fault.message(locale)


@given(st.text(max_size=30), st.text(max_size=30))
def test_whatever_is_accepted_is_one_line_of_visible_ascii(name: str, value: str) -> None:
    line = f"{name}: {value}"
    assert header_faults({name: value}) or (line.isascii() and line.isprintable())


@pytest.mark.parametrize("value", ['W/"abc"', "Mon, 30 Nov 2026 10:00:00 GMT"])
def test_a_validator_of_visible_ascii_can_be_sent_back(value: str) -> None:
    assert is_sendable_value(value)


@pytest.mark.parametrize("value", ["", '"é"', '"a\x01"', "x" * 5_000])
def test_an_odd_validator_is_not_sent_back(value: str) -> None:
    assert not is_sendable_value(value)


@pytest.mark.parametrize(("name", "value"), [("Host", "evil"), ("X-Y", "v\n"), ("X-Y", "a\r\nHost: evil")])
def test_a_refused_header_stops_the_request_before_it_connects(
    name: str, value: str, start_server: StartServer, sync_policy: Policy
) -> None:
    server = start_server(sending(answer()))
    with pytest.raises(OutboundError) as caught:
        fetch(Request(url=server.origin, headers={name: value}), trusting(sync_policy, server))
    assert (caught.value.code, server.connections) == ("header_refused", 0)


def test_a_broken_product_header_stops_the_request_too(start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(sending(answer()))
    with pytest.raises(OutboundError) as caught:
        fetch(Request(url=server.origin, product_headers={"If-None-Match": '"\n"'}), trusting(sync_policy, server))
    assert caught.value.code == "header_refused"


@pytest.mark.conformance("C-12", "C-17")
def test_the_service_names_itself_and_asks_for_the_plain_coding(
    start_server: StartServer, sync_policy: Policy
) -> None:
    server = start_server(sending(answer()))
    fetch(Request(url=f"{server.origin}/feed?a=1", headers={"X-Key": "k"}), trusting(sync_policy, server))
    host = server.origin.removeprefix("http://")
    assert server.requests == [
        f"GET /feed?a=1 HTTP/1.1\r\nHost: {host}\r\nUser-Agent: Mawrid/1 (+https://mawrid.example)\r\n"
        "Accept-Encoding: identity\r\nConnection: close\r\nX-Key: k\r\n\r\n".encode()
    ]


def test_a_product_header_replaces_the_tenants(start_server: StartServer, sync_policy: Policy) -> None:
    server = start_server(sending(answer()))
    request = Request(
        url=server.origin, headers={"if-none-match": '"theirs"'}, product_headers={"If-None-Match": '"ours"'}
    )
    fetch(request, trusting(sync_policy, server))
    assert b"ours" in server.requests[0]
    assert b"theirs" not in server.requests[0]


@pytest.mark.conformance("W-4")
def test_a_post_sends_its_body_with_length_and_product_headers(
    start_server: StartServer, webhook_policy: Policy
) -> None:
    def take_all(connection: Connection) -> None:
        while not b"".join(server.requests).endswith(b"}"):
            connection.recv(65_536)
        connection.sendall(answer(b"", status="204 No Content"))

    server = start_server(take_all)
    request = Request(
        url=server.origin,
        method="POST",
        product_headers={"Content-Type": "application/json", "Webhook-Id": "evt_1"},
        body='{"name": "عود"}'.encode(),
    )
    fetch(request, trusting(webhook_policy, server))
    sent = b"".join(server.requests)
    assert b"\r\nContent-Length: 18\r\nContent-Type: application/json\r\nWebhook-Id: evt_1\r\n" in sent
    assert sent.endswith('\r\n\r\n{"name": "عود"}'.encode())
