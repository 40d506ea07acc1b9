"""Properties: limits are those of the two uses; trusted origins are exact or stop the start with a sentence."""

from dataclasses import FrozenInstanceError

import pytest

from apps.outbound import ConfigurationError, Origin, OutboundError, Policy, Request, fetch, parse_trusted_origins
from apps.outbound.policy import user_agent
from tests.outbound.servers import CONTACT, StartServer, answer, sending, trusting


@pytest.mark.conformance("C-9", "C-10", "KA-099")
def test_a_sync_has_ten_seconds_and_one_mebibyte() -> None:
    policy = Policy.for_syncs(contact=CONTACT)
    assert (policy.deadline, policy.connect_timeout, policy.lookup_timeout) == (10, 5, 3)
    assert (policy.max_body, policy.max_head) == (1_048_576, 131_072)


@pytest.mark.conformance("C-9", "W-4")
def test_a_webhook_has_fifteen_seconds_and_one_kibibyte() -> None:
    policy = Policy.for_webhooks(contact=CONTACT)
    assert (policy.deadline, policy.max_body, policy.max_head) == (15, 1_024, 131_072)


def test_a_policy_cannot_be_changed() -> None:
    policy = Policy.for_syncs(contact=CONTACT)
    with pytest.raises(FrozenInstanceError):
        policy.max_body = 1  # type: ignore[misc]  # the point of the test


@pytest.mark.conformance("C-17")
def test_the_user_agent_names_the_product_and_a_contact() -> None:
    assert user_agent("mailto:ops@shop.example.com") == "Mawrid/1 (+mailto:ops@shop.example.com)"


@pytest.mark.conformance("C-17")
@pytest.mark.parametrize("contact", ["", "a b", "a\nb", "a)b", "عود", "x" * 300])
def test_a_contact_that_would_break_the_header_stops_the_start(contact: str) -> None:
    with pytest.raises(ConfigurationError, match="contact"):
        user_agent(contact)


@pytest.mark.conformance("C-21")
@pytest.mark.parametrize(
    ("text", "origins"),
    [
        ("", set()),
        ("  ", set()),
        ("http://127.0.0.1:9000", {Origin("http", "127.0.0.1", 9000)}),
        ("http://feed", {Origin("http", "feed", 80)}),
        ("HTTPS://NAS.lan:444", {Origin("https", "nas.lan", 444)}),
        ("http://[::1]:9000", {Origin("http", "::1", 9000)}),
        (" http://a:1 , https://b ", {Origin("http", "a", 1), Origin("https", "b", 443)}),
        ("http://a,http://A:80", {Origin("http", "a", 80)}),
    ],
)
def test_trusted_origins_are_read_in_canonical_form(text: str, origins: set[Origin]) -> None:
    assert parse_trusted_origins(text) == origins


@pytest.mark.conformance("C-21")
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("http://a,,http://b", "extra comma"),
        ("http://a,", "extra comma"),
        ("*", "wildcard"),
        ("http://*.lan", "wildcard"),
        ("http://user:word@feed", "user name or password"),
        ("http://feed/", "final slash"),
        ("http://feed/path", "final slash"),
        ("http://feed?x", "final slash"),
        ("http://feed#x", "final slash"),
        ("feed:9000", "not an origin"),
        ("127.0.0.1", "not an origin"),
        ("ftp://feed", "not an origin"),
        ("http://feed:0", "not an origin"),
        ("http://feed:99999", "not an origin"),
        ("http://127.1:9000", "not an origin"),
        ("http://", "not an origin"),
        ("http://a http://b", "not an origin"),
        ("null", "not an origin"),
    ],
)
def test_an_odd_trusted_origin_stops_the_start_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence) as caught:
        parse_trusted_origins(text)
    assert str(caught.value).startswith("OUTBOUND_TRUSTED_ORIGINS: ")


@pytest.mark.conformance("C-21", "C-20")
def test_a_password_in_a_trusted_origin_is_not_repeated() -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_trusted_origins("http://user:hidden@feed")
    assert "hidden" not in str(caught.value)


@pytest.mark.conformance("C-21")
@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (answer(b"x" * 1_048_577), "too_large"),
        (answer(b"", status="302 Found"), "redirect_refused"),
        (answer(b"", status="500 X"), "http_status"),
        (answer(b"", headers=["Content-Encoding: br"]), "invalid_json"),
    ],
)
def test_a_trusted_origin_stays_under_every_other_rule(
    reply: bytes, code: str, start_server: StartServer, sync_policy: Policy
) -> None:
    server = start_server(sending(reply))
    with pytest.raises(OutboundError) as caught:
        fetch(Request(url=server.origin), trusting(sync_policy, server))
    assert caught.value.code == code


@pytest.mark.conformance("C-21")
def test_without_trusted_origins_a_loopback_server_is_out_of_reach(
    start_server: StartServer, sync_policy: Policy
) -> None:
    server = start_server(sending(answer()))
    with pytest.raises(OutboundError):
        fetch(Request(url=server.origin), sync_policy)
    assert server.connections == 0
