"""Properties: the certificate must be valid for the URL's name, whatever was connected to; no switch."""

import datetime as dt
import ssl
from dataclasses import fields, replace
from pathlib import Path

import pytest
import trustme

from apps.outbound import Answer, ConfigurationError, OutboundError, Policy, Request, fetch
from apps.outbound.tls import tls_context
from tests.outbound.servers import (
    Certificate,
    Connection,
    LocalServer,
    World,
    answer,
    dripping,
    read_head,
    sending,
)

pytestmark = pytest.mark.conformance("C-7")

URL = "https://shop.example.com/feed"
NOW = dt.datetime.now(dt.UTC)


def get(world: World, server: LocalServer, policy: Policy, url: str = URL) -> Answer:
    world.server = server
    return fetch(Request(url=url), policy, resolver=world.resolve, connector=world.connect)


def failure(world: World, server: LocalServer, policy: Policy, url: str = URL) -> OutboundError:
    with pytest.raises(OutboundError) as caught:
        get(world, server, policy, url)
    return caught.value


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (URL, "shop.example.com"),
        ("https://SHOP.example.com./", "shop.example.com"),
        ("https://shop.example.com:8443/", "shop.example.com"),
        ("https://متجر.example.com/", "xn--pgbep1f.example.com"),
    ],
)
def test_the_server_is_asked_for_and_verified_by_the_canonical_name(
    url: str, name: str, world: World, certificate: Certificate, sync_policy: Policy
) -> None:
    server = world.serve(sending(answer()), certificate(name))
    assert get(world, server, sync_policy, url).status == 200
    assert server.server_names == [name]
    assert f"\r\nHost: {name}".encode() in server.requests[0]


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://93.184.216.34/", "93.184.216.34"),
        ("https://[2606:2800:220:1::1]/", "2606:2800:220:1::1"),
        (URL, "*.example.com"),
    ],
)
def test_a_certificate_for_the_address_or_a_wildcard_is_accepted(
    url: str, name: str, world: World, certificate: Certificate, sync_policy: Policy
) -> None:
    server = world.serve(sending(answer()), certificate(name))
    assert get(world, server, sync_policy, url).status == 200


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (URL, "other.example.com"),
        (URL, "*.shop.example.com"),
        (URL, "93.184.216.34"),
        ("https://93.184.216.34/", "shop.example.com"),
        ("https://a.b.example.com/", "*.example.com"),
    ],
)
def test_a_certificate_for_another_name_is_refused(
    url: str, name: str, world: World, certificate: Certificate, sync_policy: Policy
) -> None:
    server = world.serve(sending(answer()), certificate(name))
    error = failure(world, server, sync_policy, url)
    assert (error.code, error.reason, server.requests) == ("tls_error", "wrong_name", [])


@pytest.mark.parametrize(
    ("start", "end"), [(-20, -10), (10, 20)], ids=["already expired", "not valid before some days from now"]
)
def test_a_certificate_outside_its_days_is_refused(
    start: int,
    end: int,
    world: World,
    certificate: Certificate,
    sync_policy: Policy,
) -> None:
    days = {"not_before": NOW + dt.timedelta(days=start), "not_after": NOW + dt.timedelta(days=end)}
    server = world.serve(sending(answer()), certificate("shop.example.com", **days))
    error = failure(world, server, sync_policy)
    assert (error.code, error.reason, server.requests) == ("tls_error", "expired", [])


def test_a_certificate_of_an_unknown_authority_is_refused(
    world: World, certificate: Certificate, sync_policy: Policy
) -> None:
    server = world.serve(sending(answer()), certificate("shop.example.com", issuer=trustme.CA()))
    error = failure(world, server, sync_policy)
    assert (error.code, error.reason, server.requests) == ("tls_error", "untrusted", [])


def test_a_self_signed_certificate_is_refused(world: World, sync_policy: Policy, tmp_path: Path) -> None:
    alone = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    alone.cert_pem.write_to_path(str(tmp_path / "cert.pem"))
    alone.private_key_pem.write_to_path(str(tmp_path / "key.pem"))
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    error = failure(world, world.serve(sending(answer()), context), sync_policy)
    assert (error.code, error.reason) == ("tls_error", "untrusted")


def test_a_chain_without_its_intermediate_is_refused(
    authority: trustme.CA, world: World, sync_policy: Policy, tmp_path: Path
) -> None:
    leaf = authority.create_child_ca().issue_cert("shop.example.com")
    leaf.cert_chain_pems[0].write_to_path(str(tmp_path / "leaf.pem"))
    leaf.private_key_pem.write_to_path(str(tmp_path / "key.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "leaf.pem", tmp_path / "key.pem")
    error = failure(world, world.serve(sending(answer()), context), sync_policy)
    assert (error.code, error.reason) == ("tls_error", "untrusted")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1])
def test_a_server_with_an_old_protocol_only_is_refused(
    version: ssl.TLSVersion,
    world: World,
    certificate: Certificate,
    sync_policy: Policy,
) -> None:
    context = certificate("shop.example.com")
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    assert failure(world, world.serve(sending(answer()), context), sync_policy).code == "tls_error"


def test_tls_1_2_is_accepted(world: World, certificate: Certificate, sync_policy: Policy) -> None:
    context = certificate("shop.example.com")
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    assert get(world, world.serve(sending(answer()), context), sync_policy).status == 200


@pytest.mark.parametrize(
    "reply",
    [b"", b"HTTP/1.1 200 OK\r\n\r\n", b"\x16\x03\x03\x00\x05", b"\x15\x03\x03\x00\x02\x02\x28"],
    ids=["nothing", "plain HTTP", "a handshake cut short", "an alert"],
)
def test_a_cut_or_false_handshake_is_a_tls_error(reply: bytes, world: World, sync_policy: Policy) -> None:
    def cut(connection: Connection) -> None:
        connection.recv(10_000)
        connection.sendall(reply)

    assert failure(world, world.serve(cut), sync_policy).code == "tls_error"


@pytest.mark.conformance("C-9")
def test_a_handshake_that_stalls_ends_at_the_deadline(world: World, sync_policy: Policy) -> None:
    server = world.serve(read_head)
    assert failure(world, server, replace(sync_policy, deadline=0.3)).code == "timeout"


@pytest.mark.conformance("C-9")
def test_a_handshake_that_drips_ends_at_the_deadline(world: World, sync_policy: Policy) -> None:
    def drip(connection: Connection) -> None:
        connection.recv(10_000)
        dripping(b"\x16\x03\x03\x40\x00" + bytes(100), 0.05)(connection)

    server = world.serve(drip)
    assert failure(world, server, replace(sync_policy, deadline=0.4)).code == "timeout"


@pytest.mark.conformance("C-8")
def test_a_second_name_on_the_same_address_gets_a_connection_and_a_check_of_its_own(
    world: World, certificate: Certificate, sync_policy: Policy
) -> None:
    server = world.serve(sending(answer()), certificate("shop.example.com"))
    get(world, server, sync_policy)
    assert failure(world, server, sync_policy, "https://other.example.com/").code == "tls_error"
    assert server.connections == 2


@pytest.mark.conformance("C-8")
def test_two_requests_to_one_name_use_two_connections(
    world: World, certificate: Certificate, sync_policy: Policy
) -> None:
    server = world.serve(sending(answer()), certificate("shop.example.com"))
    get(world, server, sync_policy)
    get(world, server, sync_policy)
    assert server.connections == 2


def test_the_context_verifies_chain_and_name_and_starts_at_tls_1_2(authority_file: str) -> None:
    context = tls_context(authority_file)
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2


def test_the_context_is_built_once(authority_file: str) -> None:
    assert tls_context(authority_file) is tls_context(authority_file)


def test_no_field_of_a_policy_turns_verification_off() -> None:
    assert not [field.name for field in fields(Policy) if "verif" in field.name or "insecure" in field.name]


@pytest.mark.usefixtures("fresh_tls_context")
def test_an_extra_authority_that_is_no_certificate_stops_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("no certificate")
    with pytest.raises(ConfigurationError, match="holds no certificates"):
        tls_context(str(tmp_path / "ca.pem"))
