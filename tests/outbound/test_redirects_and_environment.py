"""Properties: a redirect is never followed; nothing in the process's environment changes a request."""

import ssl
from pathlib import Path

import pytest
import trustme

from apps.outbound import ConfigurationError, OutboundError, Policy, Request, fetch
from apps.outbound.tls import tls_context
from tests.outbound.servers import Certificate, StartServer, World, answer, sending, trusting

REDIRECTS = [301, 302, 303, 307, 308]


@pytest.mark.conformance("C-14", "KA-098")
@pytest.mark.parametrize("status", REDIRECTS)
def test_a_redirect_is_refused_and_its_target_unvisited(
    status: int, start_server: StartServer, sync_policy: Policy
) -> None:
    target = start_server(sending(answer()))
    server = start_server(sending(answer(b"[1]", status=f"{status} X", headers=[f"Location: {target.origin}/x"])))
    with pytest.raises(OutboundError) as caught:
        fetch(Request(url=server.origin), trusting(sync_policy, server))
    assert (caught.value.code, caught.value.status) == ("redirect_refused", status)
    assert (server.connections, target.connections) == (1, 0)


@pytest.mark.conformance("C-14", "W-4")
@pytest.mark.parametrize("status", REDIRECTS)
def test_a_webhook_does_not_follow_a_redirect_either(
    status: int, start_server: StartServer, webhook_policy: Policy
) -> None:
    target = start_server(sending(answer()))
    server = start_server(sending(answer(b"", status=f"{status} X", headers=[f"Location: {target.origin}/x"])))
    request = Request(url=server.origin, method="POST", body=b"{}")
    assert fetch(request, trusting(webhook_policy, server)).status == status
    assert target.connections == 0


@pytest.mark.conformance("C-14")
@pytest.mark.parametrize(
    "location", ["https://other.example.com/", "//other.example.com/", "/elsewhere", "http://169.254.169.254/"]
)
def test_the_target_of_a_redirect_is_not_even_looked_up(
    location: str, world: World, certificate: Certificate, sync_policy: Policy
) -> None:
    world.serve(
        sending(answer(b"", status="302 Found", headers=[f"Location: {location}"])), certificate("shop.example.com")
    )
    with pytest.raises(OutboundError):
        fetch(
            Request(url="https://shop.example.com/"),
            sync_policy,
            resolver=world.resolve,
            connector=world.connect,
        )
    assert (world.lookups, len(world.attempts)) == (["shop.example.com."], 1)


@pytest.mark.conformance("C-14")
def test_a_refresh_header_is_not_followed(start_server: StartServer, sync_policy: Policy) -> None:
    target = start_server(sending(answer()))
    server = start_server(sending(answer(b"[1]", headers=[f"Refresh: 0; url={target.origin}"])))
    assert fetch(Request(url=server.origin), trusting(sync_policy, server)).body == b"[1]"
    assert target.connections == 0


@pytest.mark.conformance("C-18")
@pytest.mark.parametrize("variable", ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"])
def test_a_proxy_variable_changes_nothing(
    variable: str, monkeypatch: pytest.MonkeyPatch, start_server: StartServer, sync_policy: Policy
) -> None:
    proxy = start_server(sending(answer(b"from the proxy")))
    server = start_server(sending(answer(b"direct")))
    monkeypatch.setenv(variable, proxy.origin)
    assert fetch(Request(url=server.origin), trusting(sync_policy, server)).body == b"direct"
    assert proxy.connections == 0


@pytest.mark.conformance("C-18")
def test_a_proxy_variable_changes_nothing_for_https(
    monkeypatch: pytest.MonkeyPatch,
    start_server: StartServer,
    world: World,
    certificate: Certificate,
    sync_policy: Policy,
) -> None:
    proxy = start_server(sending(answer(b"from the proxy")))
    monkeypatch.setenv("HTTPS_PROXY", proxy.origin)
    world.serve(sending(answer(b"direct")), certificate("shop.example.com"))
    request = Request(url="https://shop.example.com/")
    received = fetch(request, sync_policy, resolver=world.resolve, connector=world.connect)
    assert (received.body, proxy.connections) == (b"direct", 0)


@pytest.mark.conformance("C-18")
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer ours"}], ids=["without", "with a header"])
def test_a_netrc_file_changes_nothing(
    headers: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    start_server: StartServer,
    sync_policy: Policy,
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login other password other\n")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    server = start_server(sending(answer()))
    fetch(Request(url=server.origin, headers=headers), trusting(sync_policy, server))
    assert b"Basic" not in server.requests[0]
    assert (b"Bearer ours" in server.requests[0]) is bool(headers)


@pytest.mark.conformance("C-18")
@pytest.mark.usefixtures("fresh_tls_context")
@pytest.mark.parametrize("variable", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_an_authority_named_by_the_environment_is_not_trusted(
    variable: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    world: World,
    sync_policy: Policy,
) -> None:
    stranger = trustme.CA()
    stranger.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv(variable, str(tmp_path / "ca.pem" if variable == "SSL_CERT_FILE" else tmp_path))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    stranger.issue_cert("shop.example.com").configure_cert(context)
    world.serve(sending(answer()), context)
    with pytest.raises(OutboundError) as caught:
        fetch(
            Request(url="https://shop.example.com/"),
            sync_policy,
            resolver=world.resolve,
            connector=world.connect,
        )
    assert (caught.value.code, caught.value.reason) == ("tls_error", "untrusted")


@pytest.mark.conformance("C-18")
@pytest.mark.usefixtures("fresh_tls_context")
def test_the_systems_authorities_are_loaded_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ordinary = len(tls_context().get_ca_certs())
    (tmp_path / "empty.pem").touch()
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "empty.pem"))
    tls_context.cache_clear()
    assert len(tls_context().get_ca_certs()) == ordinary


@pytest.mark.conformance("C-18")
@pytest.mark.usefixtures("fresh_tls_context")
def test_a_key_log_in_the_environment_stops_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "keys"))
    with pytest.raises(ConfigurationError, match="unset it"):
        tls_context()


@pytest.mark.conformance("C-18")
def test_a_key_log_set_later_gets_no_keys(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    world: World,
    certificate: Certificate,
    sync_policy: Policy,
) -> None:
    world.serve(sending(answer()), certificate("shop.example.com"))
    tls_context(sync_policy.extra_ca_file)
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "keys"))
    request = Request(url="https://shop.example.com/")
    fetch(request, sync_policy, resolver=world.resolve, connector=world.connect)
    assert list(tmp_path.iterdir()) == []
