"""Derived keys and marks."""

from apps.kernel.signing import derive_key, mark, mark_matches


def test_two_purposes_have_two_keys() -> None:
    assert derive_key("secret", "cursor") != derive_key("secret", "reference")


def test_purpose_and_info_cannot_be_confused() -> None:
    assert derive_key("secret", "a", info=b"b") != derive_key("secret", "a\0b")


def test_a_mark_matches_its_own_message_only() -> None:
    key = derive_key("secret", "cursor")

    assert mark_matches(key, b"page 2", mark(key, b"page 2"))
    assert not mark_matches(key, b"page 3", mark(key, b"page 2"))


def test_a_mark_that_is_not_ascii_is_simply_wrong() -> None:
    assert not mark_matches(derive_key("secret", "cursor"), b"x", "٣" * 22)
