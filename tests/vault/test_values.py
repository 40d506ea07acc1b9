import pytest

from apps.outbound import parse_trusted_origins
from apps.vault.values import canonical_hosts, value_fault

TRUSTED = parse_trusted_origins("http://127.0.0.1:9000,http://erp.local:8080")


@pytest.mark.parametrize("value", ["x", "a b", "!~", "x" * 4_096, "{{secret.X}}", "abc=="])
def test_values_that_fit_into_a_header(value: str) -> None:
    assert value_fault(value) is None


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("", "secret_value_not_sendable"),
        (" x", "secret_value_not_sendable"),
        ("x ", "secret_value_not_sendable"),
        ("x\t", "secret_value_not_sendable"),
        ("a\x01b", "secret_value_not_sendable"),
        ("a\x7fb", "secret_value_not_sendable"),
        ("كلمة", "secret_value_not_sendable"),
        ("x" * 4_097, "secret_value_not_sendable"),
        ("pasted\n", "secret_value_has_line_break"),
        ("pasted\r\n", "secret_value_has_line_break"),
        ("a\nX-Other: b", "secret_value_has_line_break"),
    ],
)
def test_values_that_do_not_fit_are_refused_when_they_are_saved(value: str, code: str) -> None:
    fault = value_fault(value)

    assert fault is not None
    assert fault.code == code
    assert not fault.params


@pytest.mark.conformance("S-5", "KA-073")
@pytest.mark.parametrize(
    ("host", "canonical"),
    [
        ("api.example.com", "api.example.com"),
        ("API.Example.COM", "api.example.com"),
        ("api.example.com.", "api.example.com"),
        ("متجر.com", "xn--pgbep1f.com"),
        ("93.184.216.34", "93.184.216.34"),
        ("2606:2800:220:1:248:1893:25c8:1946", "2606:2800:220:1:248:1893:25c8:1946"),
        ("127.0.0.1", "127.0.0.1"),
        ("erp.local", "erp.local"),
    ],
)
def test_hosts_are_kept_in_canonical_form(host: str, canonical: str) -> None:
    assert canonical_hosts([host], own_host="mawrid.example", trusted_origins=TRUSTED) == ([canonical], [])


@pytest.mark.conformance("S-5")
@pytest.mark.parametrize(
    ("host", "code"),
    [
        ("*.example.com", "url_refused"),
        ("*", "url_refused"),
        ("example", "url_refused"),
        ("localhost", "url_refused"),
        ("other.local", "url_refused"),
        ("example.com:443", "url_refused"),
        ("https://example.com", "url_refused"),
        ("user@example.com", "url_refused"),
        ("example.com/path", "url_refused"),
        (" example.com", "url_refused"),
        ("", "url_refused"),
        ("2130706433", "url_refused"),
        ("0177.0.0.1", "url_refused"),
        ("10.0.0.1", "address_refused"),
        ("169.254.169.254", "address_refused"),
        ("::1", "address_refused"),
        ("127.0.0.2", "address_refused"),
    ],
)
def test_hosts_that_are_no_exact_public_ones_are_refused(host: str, code: str) -> None:
    _, faults = canonical_hosts(["api.example.com", host], own_host="mawrid.example", trusted_origins=TRUSTED)

    assert [(fault.code, fault.param) for fault in faults] == [(code, "allowed_hosts[1]")]


def test_a_host_that_is_given_twice_is_kept_once() -> None:
    hosts, _ = canonical_hosts(["a.example.com", "A.example.com"], own_host="", trusted_origins=())

    assert hosts == ["a.example.com"]


@pytest.mark.conformance("S-7")
def test_a_secret_is_never_allowed_to_our_own_host() -> None:
    _, faults = canonical_hosts(["mawrid.example"], own_host="mawrid.example", trusted_origins=TRUSTED)

    assert [fault.code for fault in faults] == ["secret_host_own"]


def test_an_operator_may_trust_an_origin_on_our_own_host() -> None:
    assert canonical_hosts(["127.0.0.1"], own_host="127.0.0.1", trusted_origins=TRUSTED) == (["127.0.0.1"], [])
