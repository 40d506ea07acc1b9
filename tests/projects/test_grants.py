"""No key gives more than it has: scopes, sources and expiry of a new key against those of the asking one."""

from datetime import UTC, datetime

import pytest

from apps.projects.services import Grant

EARLY = datetime(2027, 1, 1, tzinfo=UTC)
LATE = datetime(2028, 1, 1, tzinfo=UTC)
READ_WRITE = frozenset({"read", "write"})


@pytest.mark.conformance("K-9")
@pytest.mark.parametrize(
    ("own", "other", "covered"),
    [
        (Grant(READ_WRITE, None, None), Grant(READ_WRITE, None, None), True),
        (Grant(READ_WRITE, None, None), Grant(frozenset({"read"}), None, None), True),
        (Grant(READ_WRITE, None, None), Grant(frozenset({"search"}), None, None), False),
        (Grant(READ_WRITE, None, None), Grant(READ_WRITE, ("a",), LATE), True),
        (Grant(READ_WRITE, ("a",), None), Grant(READ_WRITE, None, None), False),
        (Grant(READ_WRITE, ("a",), None), Grant(READ_WRITE, ("a",), None), True),
        (Grant(READ_WRITE, ("a",), None), Grant(READ_WRITE, ("b", "a"), None), False),
        (Grant(READ_WRITE, None, EARLY), Grant(READ_WRITE, None, None), False),
        (Grant(READ_WRITE, None, EARLY), Grant(READ_WRITE, None, LATE), False),
        (Grant(READ_WRITE, None, LATE), Grant(READ_WRITE, None, EARLY), True),
        (Grant(READ_WRITE, None, EARLY), Grant(READ_WRITE, None, EARLY), True),
    ],
)
def test_a_grant_covers_what_is_no_stronger(own: Grant, other: Grant, covered: bool) -> None:
    assert own.covers(other) is covered
