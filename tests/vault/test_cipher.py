import base64
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.vault.cipher import BrokenSealError, Key, KeyRing, KeyRingError, Place, open_sealed, parse_key_ring, seal

KEY = Key("k1", bytes(range(32)))
PLACE = Place("prj_a", "sec_a", "value")
BLOB = seal(KEY, PLACE, b"swordfish")


@given(st.binary(max_size=5_000))
def test_what_was_sealed_opens_in_its_place(content: bytes) -> None:
    assert open_sealed(KEY, PLACE, seal(KEY, PLACE, content)) == content


def test_a_blob_says_its_version_and_key_and_hides_the_rest() -> None:
    assert BLOB.startswith(b"\x01\x02k1")
    assert b"swordfish" not in BLOB


def test_the_same_text_is_never_sealed_alike() -> None:
    assert seal(KEY, PLACE, b"swordfish") != BLOB


@pytest.mark.conformance("S-4")
@pytest.mark.parametrize(
    "elsewhere",
    [
        replace(PLACE, project_id="prj_b"),
        replace(PLACE, owner_id="sec_b"),
        replace(PLACE, field="other"),
    ],
)
def test_a_blob_opens_in_no_other_place(elsewhere: Place) -> None:
    with pytest.raises(BrokenSealError):
        open_sealed(KEY, elsewhere, BLOB)


@pytest.mark.conformance("S-4")
@pytest.mark.parametrize("key", [Key("k1", bytes(32)), Key("k2", KEY.secret), Key("k", KEY.secret)])
def test_a_blob_opens_under_no_other_key(key: Key) -> None:
    with pytest.raises(BrokenSealError):
        open_sealed(key, PLACE, BLOB)


@pytest.mark.conformance("S-4")
@pytest.mark.parametrize("length", range(len(BLOB)))
def test_a_truncated_blob_does_not_open(length: int) -> None:
    with pytest.raises(BrokenSealError):
        open_sealed(KEY, PLACE, BLOB[:length])


@pytest.mark.conformance("S-4")
@pytest.mark.parametrize("position", range(len(BLOB)))
def test_an_edited_blob_does_not_open(position: int) -> None:
    edited = bytearray(BLOB)
    edited[position] ^= 1

    with pytest.raises(BrokenSealError):
        open_sealed(KEY, PLACE, bytes(edited))


def test_a_blob_with_something_after_it_does_not_open() -> None:
    with pytest.raises(BrokenSealError):
        open_sealed(KEY, PLACE, BLOB + b"\0")


def test_a_key_is_not_shown_when_it_is_printed() -> None:
    assert repr(KEY) == "Key(id='k1')"


def encoded(secret: bytes) -> str:
    return base64.b64encode(secret).decode()


def test_the_first_key_of_the_ring_seals() -> None:
    ring = parse_key_ring([f"new:{encoded(b'n' * 32)}", f"old:{encoded(b'o' * 32)}"])

    assert ring.first == Key("new", b"n" * 32)
    assert ring["old"] == Key("old", b"o" * 32)


def test_a_key_that_the_ring_lacks_opens_nothing() -> None:
    with pytest.raises(BrokenSealError):
        KeyRing([KEY])["gone"]


@pytest.mark.parametrize(
    ("items", "sentence"),
    [
        ([], "ENCRYPTION_KEYS is empty"),
        (["nocolon"], "Key 1 of ENCRYPTION_KEYS does not start with an id"),
        ([":" + encoded(bytes(32))], "Key 1 of ENCRYPTION_KEYS does not start with an id"),
        ([f"a:{encoded(bytes(32))}", "b c:x"], "Key 2 of ENCRYPTION_KEYS does not start with an id"),
        (["ا:" + encoded(bytes(32))], "does not start with an id"),
        (["k1:"], "The key 'k1' of ENCRYPTION_KEYS is not the base64 of 32 bytes"),
        (["k1:not base64"], "not the base64 of 32 bytes"),
        (["k1:" + encoded(bytes(16))], "not the base64 of 32 bytes"),
        (["k1:" + encoded(bytes(33))], "not the base64 of 32 bytes"),
        (["k1:" + encoded(bytes(32)), "k1:" + encoded(b"x" * 32)], "names two keys alike"),
    ],
)
def test_a_wrong_setting_is_refused_with_a_sentence(items: list[str], sentence: str) -> None:
    with pytest.raises(KeyRingError, match=sentence):
        parse_key_ring(items)


def test_a_refusal_shows_no_part_of_a_key() -> None:
    with pytest.raises(KeyRingError) as refusal:
        parse_key_ring(["k1:c3dvcmRmaXNo"])

    assert "c3dvcmRmaXNo" not in str(refusal.value)
