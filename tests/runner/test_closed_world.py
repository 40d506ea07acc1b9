"""The suite itself calls nobody outside this machine."""

import socket

import pytest

from tests.closed_world import OutsideCallError, is_this_machine


@pytest.mark.parametrize(
    ("address", "is_ours"),
    [
        ("/tmp/socket", True),
        (("127.0.0.1", 80), True),
        (("127.8.8.8", 80), True),
        (("::1", 80, 0, 0), True),
        (("::ffff:127.0.0.1", 80, 0, 0), True),
        (("localhost", 80), True),
        (("8.8.8.8", 80), False),
        (("10.0.0.1", 80), False),
        (("::ffff:10.0.0.1", 80, 0, 0), False),
        (("mawrid.example", 80), False),
    ],
)
def test_only_this_machine_is_ours(address: object, is_ours: bool) -> None:
    assert is_this_machine(address) is is_ours


def test_a_call_outside_is_stopped_before_it_is_made() -> None:
    with socket.socket() as caller, pytest.raises(OutsideCallError):
        caller.connect(("192.0.2.1", 80))
