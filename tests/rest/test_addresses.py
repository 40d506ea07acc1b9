"""Callers are told apart by the address that a proxy of ours saw, never by one that they made up."""

from pathlib import Path

import pytest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from apps.rest.addresses import UNKNOWN, address_behind, client_address

PEER = "10.0.0.9"
APPS = Path(__file__).parents[2] / "apps"


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "", PEER),
        (0, "198.51.100.7", PEER),
        (1, "198.51.100.7", "198.51.100.7"),
        (1, "203.0.113.5, 198.51.100.7", "198.51.100.7"),
        (1, "203.0.113.5,198.51.100.7", "198.51.100.7"),
        (2, "203.0.113.5, 198.51.100.7, 10.0.0.1", "198.51.100.7"),
        (1, "\t198.51.100.7 ", "198.51.100.7"),
        (1, "198.51.100.7:51234", "198.51.100.7"),
        (1, "2001:DB8:0:0:0:0:0:1", "2001:db8::1"),
        (1, "[2001:db8::1]", "2001:db8::1"),
        (1, "[2001:db8::1]:51234", "2001:db8::1"),
        (1, "::ffff:198.51.100.7", "198.51.100.7"),
        (1, "fe80::1%eth0", "fe80::1"),
        # Around the proxies, or through one that does not say: only the connection itself is known.
        (1, "", PEER),
        (2, "198.51.100.7", PEER),
        (1, "unknown", PEER),
        (1, "_hidden", PEER),
        (1, "198.51.100.7, ", PEER),
        (1, "198.51.100", PEER),
        (1, "198.51.100.007", PEER),
        (1, "١٩٨.٥١.١٠٠.٧", PEER),
        (1, "for=198.51.100.7", PEER),
    ],
)
def test_the_address_is_the_one_that_the_outermost_proxy_saw(proxies: int, forwarded: str, address: str) -> None:
    assert address_behind(proxies, peer=PEER, forwarded=forwarded) == address


@pytest.mark.parametrize("peer", ["", "unix:", "no address"])
def test_without_any_address_all_count_as_one(peer: str) -> None:
    assert address_behind(0, peer=peer, forwarded="") == UNKNOWN


@given(st.text())
def test_nothing_that_a_caller_puts_before_it_changes_what_the_proxy_saw(invented: str) -> None:
    assert address_behind(1, peer=PEER, forwarded=f"{invented}, 198.51.100.7") == "198.51.100.7"


@given(st.integers(0, 10), st.text(), st.text())
def test_whatever_the_headers_say_there_is_an_address(proxies: int, peer: str, forwarded: str) -> None:
    assert address_behind(proxies, peer=peer, forwarded=forwarded)


def test_no_room_has_an_opinion_of_its_own_about_who_calls() -> None:
    readers = {
        str(path.relative_to(APPS))
        for path in APPS.rglob("*.py")
        if "REMOTE_ADDR" in path.read_text(encoding="utf-8")
    }

    # Mail is shown to whoever sits at this machine, which is asked of the connection too.
    assert readers == {"rest/addresses.py", "dashboard/mailbox.py"}


def test_how_many_proxies_there_are_is_a_setting(settings: Settings) -> None:
    settings.TRUSTED_PROXIES = 1
    request = RequestFactory().get("/", REMOTE_ADDR=PEER, headers={"x-forwarded-for": "198.51.100.7"})

    assert client_address(request) == "198.51.100.7"
