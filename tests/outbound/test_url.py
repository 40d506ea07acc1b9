"""Properties: one strict reading of a URL; what is refused says why; what is accepted is canonical and stays so."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.outbound.errors import OutboundError
from apps.outbound.url import CanonicalUrl, Origin, check_host, check_url, parse_url

pytestmark = pytest.mark.conformance("C-1", "C-2", "KA-095", "KA-096", "KA-097")

ACCEPTED = {
    "a name and a path": ("https://shop.example.com/feed", "shop.example.com", 443, "/feed"),
    "no path": ("https://shop.example.com", "shop.example.com", 443, "/"),
    "a query without a path": ("https://shop.example.com?a=1", "shop.example.com", 443, "/?a=1"),
    "an empty query": ("https://shop.example.com/?", "shop.example.com", 443, "/?"),
    "the default port": ("https://shop.example.com:443/", "shop.example.com", 443, "/"),
    "the second port": ("https://shop.example.com:8443/", "shop.example.com", 8443, "/"),
    "upper case": ("HTTPS://SHOP.Example.COM/Feed", "shop.example.com", 443, "/Feed"),
    "one trailing dot": ("https://shop.example.com./", "shop.example.com", 443, "/"),
    "an Arabic name": ("https://متجر.example.com/", "xn--pgbep1f.example.com", 443, "/"),
    "an A-label": ("https://xn--pgbep1f.example.com/", "xn--pgbep1f.example.com", 443, "/"),
    "an upper-case A-label": ("https://XN--PGBEP1F.example.com/", "xn--pgbep1f.example.com", 443, "/"),
    "an Arabic top label": ("https://shop.موقع/", "shop.xn--4gbrim", 443, "/"),
    "hyphens inside a label": ("https://r3---sn-a5m.example.com/", "r3---sn-a5m.example.com", 443, "/"),
    "a label of digits": ("https://365.example.com/", "365.example.com", 443, "/"),
    "a hexadecimal first label": ("https://0x7f.example.com/", "0x7f.example.com", 443, "/"),
    "a label of 63": (f"https://{'a' * 63}.example.com/", f"{'a' * 63}.example.com", 443, "/"),
    "IPv4": ("https://93.184.216.34/", "93.184.216.34", 443, "/"),
    "IPv6": ("https://[2606:2800:220:1::1]/", "2606:2800:220:1::1", 443, "/"),
    "IPv6 with a port": ("https://[2606:2800:220:1::1]:8443/", "2606:2800:220:1::1", 8443, "/"),
    "IPv6 written long": ("https://[2606:2800:0220:0001:0:0:0:00AB]/", "2606:2800:220:1::ab", 443, "/"),
    "a fragment is dropped": ("https://shop.example.com/a#b", "shop.example.com", 443, "/a"),
    "a fragment right after the host": ("https://shop.example.com#b", "shop.example.com", 443, "/"),
    "an Arabic path": ("https://shop.example.com/عود", "shop.example.com", 443, "/%D8%B9%D9%88%D8%AF"),
    "an Arabic query": ("https://shop.example.com/?q=عود", "shop.example.com", 443, "/?q=%D8%B9%D9%88%D8%AF"),
    "a percent escape": ("https://shop.example.com/a%20b", "shop.example.com", 443, "/a%20b"),
    "brackets in a query": ("https://shop.example.com/?f[a]=1", "shop.example.com", 443, "/?f[a]=1"),
    "a colon and an at sign in a path": ("https://shop.example.com/a:b@c", "shop.example.com", 443, "/a:b@c"),
    "an at sign in a query": ("https://shop.example.com?x=@evil", "shop.example.com", 443, "/?x=@evil"),
    "dots in a path": ("https://shop.example.com/a/../b", "shop.example.com", 443, "/a/../b"),
    "a second question mark": ("https://shop.example.com/?a?b", "shop.example.com", 443, "/?a?b"),
}

REFUSED = {
    "": "form",
    "shop.example.com": "form",
    "//shop.example.com/": "form",
    "https:shop.example.com": "form",
    "https:/shop.example.com": "form",
    "https//shop.example.com": "form",
    "://shop.example.com": "scheme",
    "http://shop.example.com/": "scheme",
    "ftp://shop.example.com/": "scheme",
    "ws://shop.example.com/": "scheme",
    "wss://shop.example.com/": "scheme",
    "file:///etc/passwd": "scheme",
    "gopher://shop.example.com:443/": "scheme",
    "javascript://shop.example.com/": "scheme",
    "data://shop.example.com/": "scheme",
    "httpſ://shop.example.com/": "scheme",  # U+017F is an s to a careless comparison
    "hhttps://shop.example.com/": "scheme",
    "https+x://shop.example.com/": "scheme",
    "https://": "host",
    "https:///x": "host",
    "https://?x": "host",
    "https://:443/": "host",
    "https://./": "host",
    "https://../": "host",
    "https://.example.com/": "host",
    "https://shop..example.com/": "host",
    "https://shop.example.com../": "host",
    "https://-shop.example.com/": "host",
    "https://shop-.example.com/": "host",
    "https://shop_1.example.com/": "host",
    "https://shop!.example.com/": "host",
    "https://shop,example.com/": "host",
    "https://shop.example.com;x/": "host",
    "https://*.example.com/": "host",
    "https://%73hop.example.com/": "host",
    "https://127%2e0%2e0%2e1/": "host",
    "https://shop.example.com%00.x.com/": "host",
    f"https://{'a' * 64}.example.com/": "host",
    f"https://{'.'.join(['a' * 60] * 5)}.com/": "host",
    "https://xn--.example.com/": "host",
    "https://xn--a.example.com/": "host",
    "https://xn--pgbwx6d.example.com/": "host",
    "https://xn--pgbep1f-.example.com/": "host",
    "https://xn--shop-.example.com/": "host",
    "https://１２７.0.0.1/": "host",
    "https://①②⑦.⓪.⓪.①/": "host",
    "https://127。0。0。1/": "host",
    "https://shop．example.com/": "host",
    "https://shopﾡ.example.com/": "host",
    "https://ﬁ.example.com/": "host",
    "https://shoß∕.example.com/": "host",
    "https://shop.example.com／x": "host",
    "https://MÜNCHEN.example.com/": "host",
    "https://٣.٠.٠.١/": "host",
    "https://🛍.example.com/": "host",
    "https://[::1/": "host",
    "https://[::1]x/": "port",
    "https://[::1].example.com/": "port",
    "https://[127.0.0.1]/": "host",
    "https://[shop.example.com]/": "host",
    "https://[]/": "host",
    "https://[/": "host",
    "https://[:::]/": "host",
    "https://[2606:2800:220:1::1%25eth0]/": "host",
    "https://[2606:2800:220:1::1%eth0]/": "host",
    "https://[v1.fe80::a]/": "host",
    "https://2606:2800:220:1::1/": "address_form",
    "https://::1/": "host",
    "https://127.1/": "address_form",
    "https://127.0.1/": "address_form",
    "https://2130706433/": "address_form",
    "https://0x7f000001/": "address_form",
    "https://0X7F.0.0.1/": "address_form",
    "https://0x/": "address_form",
    "https://017700000001/": "address_form",
    "https://0177.0.0.1/": "address_form",
    "https://127.0.0.01/": "address_form",
    "https://127.0.0.0x1/": "address_form",
    "https://127.0.0.1./": "address_form",
    "https://93.184.216.34./": "address_form",
    "https://256.1.1.1/": "address_form",
    "https://1.1.1.1.1/": "address_form",
    "https://4294967296/": "address_form",
    "https://0/": "address_form",
    "https://example.0/": "address_form",
    "https://shop.example.com:/": "port",
    "https://shop.example.com:0/": "port",
    "https://shop.example.com:22/": "port",
    "https://shop.example.com:80/": "port",
    "https://shop.example.com:444/": "port",
    "https://shop.example.com:0443/": "port",
    "https://shop.example.com:65536/": "port",
    "https://shop.example.com:65979/": "port",
    "https://shop.example.com:99999999999999999999/": "port",
    "https://shop.example.com:-443/": "port",
    "https://shop.example.com:+443/": "port",
    "https://shop.example.com:4_43/": "port",
    "https://shop.example.com:0x1bb/": "port",
    "https://shop.example.com:443.0/": "port",
    "https://shop.example.com:٤٤٣/": "port",
    "https://shop.example.com:４４３/": "port",
    "https://shop.example.com:443:443/": "port",
    "https://shop.example.com:https/": "port",
    "https://user@shop.example.com/": "userinfo",
    "https://user:word@shop.example.com/": "userinfo",
    "https://@shop.example.com/": "userinfo",
    "https://shop.example.com@127.0.0.1/": "userinfo",
    "https://a@b@shop.example.com/": "userinfo",
    "https://shop.example.com\\@127.0.0.1/": "characters",
    "https:\\\\shop.example.com/": "characters",
    "https://shop.example.com/a\\b": "characters",
    " https://shop.example.com/": "characters",
    "https://shop.example.com/ ": "characters",
    "https://shop.example.com/a b": "characters",
    "https://shop. example.com/": "characters",
    "https://shop.exam\tple.com/": "characters",
    "https://shop.example.com/\r\nX: 1": "characters",
    "https://shop.example.com/\n": "characters",
    "https://shop.example.com\x00.evil.com/": "characters",
    "https://shop.example.com/\x7f": "characters",
    "https://shop.example.com/\x85": "characters",
    "https://shop.example.com/\u00a0": "characters",
    "https://shop.example.com/\u202egpj.exe": "characters",
    "https://sh\u200bop.example.com/": "characters",
    "https://sh\u00adop.example.com/": "characters",
    "https://shop.example.com/\ufeff": "characters",
    "https://shop.example.com/\u2028": "characters",
    "https://shop.example.com/\ud800": "characters",
    "https://shop.example.com/\ue000": "characters",
    "https://shop.example.com/%": "characters",
    "https://shop.example.com/%2": "characters",
    "https://shop.example.com/%zz": "characters",
    "https://shop.example.com/{{secret.TOKEN}}": "characters",
    'https://shop.example.com/"': "characters",
    "https://shop.example.com/<a>": "characters",
    "https://shop.example.com/`": "characters",
    "https://shop.example.com/^": "characters",
    f"https://shop.example.com/{'a' * 2_024}": "too_long",
    f"https://shop.example.com/{'ع' * 400}": "too_long",
    "https://shop/": "host_not_public",
    "https://localhost/": "host_not_public",
    "https://LOCALHOST./": "host_not_public",
    "https://shop.localhost/": "host_not_public",
    "https://printer.local/": "host_not_public",
    "https://metadata.google.internal/": "host_not_public",
    "https://db.localdomain/": "host_not_public",
    "https://nas.lan/": "host_not_public",
    "https://nas.home/": "host_not_public",
    "https://wiki.corp/": "host_not_public",
    "https://wiki.intranet/": "host_not_public",
    "https://wiki.private/": "host_not_public",
    "https://wiki.priv/": "host_not_public",
    "https://shop.test/": "host_not_public",
    "https://shop.invalid/": "host_not_public",
    "https://shop.onion/": "host_not_public",
    "https://shop.alt/": "host_not_public",
    "https://router.home.arpa/": "host_not_public",
    "https://db.service.consul/": "host_not_public",
}

REFUSED_LITERALS = [
    "https://127.0.0.1/",
    "https://127.0.0.1#@shop.example.com/",
    "https://127.0.0.1?@shop.example.com/",
    "https://0.0.0.0/",
    "https://10.0.0.1/",
    "https://169.254.169.254/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:5db8:d822]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[2002:7f00:1::]/",
    "https://[fe80::1]/",
    "https://[fd00:ec2::254]/",
]


def refusal(url: str) -> OutboundError:
    with pytest.raises(OutboundError) as caught:
        check_url(url)
    return caught.value


@pytest.mark.parametrize(("url", "host", "port", "target"), ACCEPTED.values(), ids=ACCEPTED)
def test_it_reads_a_good_url_into_its_canonical_parts(url: str, host: str, port: int, target: str) -> None:
    assert check_url(url) == CanonicalUrl("https", host, port, target)


@pytest.mark.parametrize(("url", "reason"), REFUSED.items(), ids=map(ascii, REFUSED))
def test_it_refuses_a_bad_url_and_says_why(url: str, reason: str) -> None:
    assert (refusal(url).code, refusal(url).reason) == ("url_refused", reason)


@pytest.mark.parametrize("url", REFUSED_LITERALS)
def test_it_refuses_a_literal_address_that_is_not_public(url: str) -> None:
    assert refusal(url).code == "address_refused"


def test_the_longest_url_is_accepted() -> None:
    url = "https://shop.example.com/".ljust(2_048, "a")
    assert len(check_url(url).target) == 2_048 - len("https://shop.example.com")


def test_the_host_header_brackets_ipv6_and_names_an_unusual_port() -> None:
    assert check_url("https://[2606:2800:220:1::1]:8443/").authority == "[2606:2800:220:1::1]:8443"


@pytest.mark.conformance("C-20")
def test_the_log_form_and_the_text_of_a_url_have_no_query() -> None:
    url = check_url("https://shop.example.com:8443/feed?token=hidden")
    assert url.log_form == str(url) == "https://shop.example.com:8443/feed"
    assert "hidden" not in repr(url)


TRUSTED = frozenset(
    {Origin("http", "127.0.0.1", 9000), Origin("http", "feed", 80), Origin("https", "nas.lan", 444)}
)


@pytest.mark.conformance("C-21")
@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9000/x", "http://feed/", "http://FEED:80/x", "https://nas.lan:444/", "http://feed./"]
)
def test_a_trusted_origin_is_exempt_from_scheme_port_and_address_rules(url: str) -> None:
    assert check_url(url, TRUSTED).origin in TRUSTED


@pytest.mark.conformance("C-21")
@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://127.0.0.1:9001/", "url_refused"),
        ("https://127.0.0.1:9000/", "url_refused"),
        ("http://127.0.0.2:9000/", "url_refused"),
        ("http://feed:81/", "url_refused"),
        ("https://feed/", "url_refused"),
        ("http://a.feed/", "url_refused"),
        ("https://nas.lan/", "url_refused"),
        ("http://user@feed/", "url_refused"),
        ("http://feed/a b", "url_refused"),
    ],
)
def test_a_trusted_origin_is_matched_exactly_and_stays_under_the_rules_of_form(url: str, code: str) -> None:
    with pytest.raises(OutboundError) as caught:
        check_url(url, TRUSTED)
    assert caught.value.code == code


@pytest.mark.conformance("C-16", "KA-073")
@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("API.Example.com", "api.example.com"),
        ("api.example.com.", "api.example.com"),
        ("متجر.example.com", "xn--pgbep1f.example.com"),
        ("93.184.216.34", "93.184.216.34"),
        ("2606:2800:220:1:0::1", "2606:2800:220:1::1"),
        ("[2606:2800:220:1::1]", "2606:2800:220:1::1"),
        ("feed", "feed"),
        ("127.0.0.1", "127.0.0.1"),
    ],
)
def test_an_allowed_host_is_kept_in_canonical_form(text: str, host: str) -> None:
    assert check_host(text, TRUSTED) == host


@pytest.mark.conformance("C-16", "KA-073")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "*",
        "*.example.com",
        "api.example.com:443",
        "https://api.example.com",
        "api.example.com/x",
        "user@api.example.com",
        "api example.com",
        "localhost",
        "127.0.0.2",
        "127.1",
        "fe80::1%eth0",
        "a" * 3_000,
    ],
)
def test_an_allowed_host_is_one_exact_public_name_or_literal(text: str) -> None:
    with pytest.raises(OutboundError):
        check_host(text, TRUSTED)


# The parts from which odd URLs are made, whole and broken.
PIECES = st.sampled_from(
    [
        *(
            "https",
            "http",
            "://",
            ":",
            "/",
            "//",
            "\\",
            "@",
            "#",
            "?",
            "%",
            "%2e",
            "[",
            "]",
            ".",
            "..",
            "-",
            "_",
            "*",
        ),
        *(
            "443",
            "8443",
            "80",
            "127.0.0.1",
            "::1",
            "0x7f",
            "0177",
            "localhost",
            "shop.example.com",
            "example",
            "xn--",
        ),
        *("\t", "\n", "\x00", " ", "。", "①", "متجر", "ﬁ", "\u202e", "\u200d", "\ud800"),
    ]
)
ODD_URLS = st.lists(PIECES, max_size=14).map("".join) | st.lists(PIECES, max_size=10).map(
    lambda pieces: "https://" + "".join(pieces)
)


def reading(text: str) -> CanonicalUrl | None:
    try:
        return check_url(text)
    except OutboundError:
        return None


@given(ODD_URLS | st.text(max_size=60))
def test_any_text_is_either_refused_or_read_into_a_url_that_reads_the_same_again(text: str) -> None:
    url = reading(text)
    assert url is None or parse_url(f"https://{url.authority}{url.target}") == url


@given(ODD_URLS)
def test_an_accepted_url_is_plain_ascii_on_a_public_port_without_user_or_space(text: str) -> None:
    url = reading(text) or check_url("https://shop.example.com/")
    line = f"{url.authority}{url.target}"
    assert url.port in {443, 8443}
    assert line.isascii()
    assert line.isprintable()
    assert not set(" \\#") & set(line)
    assert "@" not in url.authority
