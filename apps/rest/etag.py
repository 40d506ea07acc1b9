"""Entity tags: which state of an object a caller has seen, made from what the caller sees."""

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from django.utils.http import parse_etags

from apps.rest.renderers import encode_canonically

# What moves without anybody changing the object, so that it must fail nobody's `If-Match`; and what one answer
# alone shows, so that the ETag of a new object is the one that it is read with.
UNTAGGED: Final = frozenset({"sync", "last_used_at", "key", "secret", "client_token", "callback_secret"})


def etag_of(data: Mapping[str, Any]) -> str:
    """A strong tag over everything shown but `UNTAGGED`."""
    shown = {name: value for name, value in data.items() if name not in UNTAGGED}
    return f'"{hashlib.sha256(encode_canonically(shown)).hexdigest()[:32]}"'


def is_unchanged(if_none_match: str | None, etag: str) -> bool:
    """Whether a conditional read can be answered with 304; weak tags count, as RFC 9110 says for reads."""
    if if_none_match is None:
        return False
    tags = parse_etags(if_none_match)
    return tags == ["*"] or etag in {tag.removeprefix("W/") for tag in tags}


def may_change(if_match: str | None, etag: str) -> bool:
    """Whether a conditional change may go on; weak tags never match, as RFC 9110 says for changes."""
    if if_match is None:
        return True
    tags = parse_etags(if_match)
    return tags == ["*"] or etag in tags
