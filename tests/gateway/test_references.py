"""References and cursors: good for one holder and one place, for five minutes, and not to be forged."""

import base64
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.gateway import errors
from apps.gateway.references import (
    TTL_SECONDS,
    Holder,
    Reference,
    check_age,
    check_content,
    check_scope,
    content_revision,
    open_cursor,
    open_reference,
    seal_cursor,
    seal_reference,
)
from apps.kernel.errors import AppError

REPOSITORY: Final = Path(__file__).parents[2]
SECRET: Final = "a key that signs in tests"
NOW: Final = 1_800_000_000
HOLDER: Final = Holder(
    deployment="https://mawrid.example",
    project_id="prj_1",
    client_id="acl_1",
    session_id="ses_1",
    principal='{"id":"u-1"}',
    on_behalf_of="سارة",
    route="order-assistant",
    run_id="7b0d5d6e-6a0f-4a3c-9a54-1f6f3b2a9c11",
)
REFERENCE: Final = Reference(
    expires_at=NOW + TTL_SECONDS,
    place=3,
    part=0,
    scope_revision=b"\x01" * 32,
    content_revision=b"\x02" * 32,
)
REF: Final = seal_reference(SECRET, HOLDER, REFERENCE)
CURSOR: Final = seal_cursor(SECRET, HOLDER, REF, 70_000)
ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

# Everything that a token is bound to, with another value for it.
OTHERS: Final[dict[str, Any]] = {
    "deployment": "https://other.example",
    "project_id": "prj_2",
    "client_id": "acl_2",
    "session_id": "ses_2",
    "principal": '{"id":"u-2"}',
    "on_behalf_of": "نورة",
    "route": "returns-assistant",
    "run_id": None,
}


def code_of(action: Callable[[], Any]) -> str | None:
    """The code of the refusal; None when it was let through."""
    try:
        action()
    except AppError as refusal:
        return refusal.code
    return None


def code_of_reference(text: str) -> str | None:
    return code_of(lambda: open_reference(SECRET, HOLDER, text))


def code_of_cursor(text: str) -> str | None:
    return code_of(lambda: open_cursor(SECRET, HOLDER, REF, text))


@pytest.mark.conformance("BH-081")
def test_a_reference_says_what_was_put_into_it() -> None:
    assert open_reference(SECRET, HOLDER, REF) == REFERENCE


OPEN_IT: Final = """
import sys
from tests.gateway.test_references import HOLDER, REFERENCE, SECRET, open_cursor, open_reference
reference, cursor = sys.argv[1:]
assert open_reference(SECRET, HOLDER, reference) == REFERENCE
assert open_cursor(SECRET, HOLDER, reference, cursor) == 70_000
"""


@pytest.mark.conformance("BH-081")
def test_another_process_with_the_key_opens_it_too() -> None:
    opened = subprocess.run([sys.executable, "-c", OPEN_IT, REF, CURSOR], cwd=REPOSITORY, check=False)

    assert opened.returncode == 0


def test_a_cursor_says_where_the_page_begins() -> None:
    assert open_cursor(SECRET, HOLDER, REF, CURSOR) == 70_000


@pytest.mark.conformance("SDK-021")
def test_references_and_cursors_are_shorter_than_400_bytes() -> None:
    assert len(REF.encode()) < 400
    assert len(CURSOR.encode()) < 400


def test_all_cursors_are_equally_long() -> None:
    assert {len(seal_cursor(SECRET, HOLDER, REF, start)) for start in (0, 1, 255, 131_072)} == {len(CURSOR)}


@pytest.mark.conformance("BH-058", "BH-074", "BH-075", "SDK-027", "SDK-028")
@pytest.mark.parametrize("name", OTHERS)
def test_a_reference_is_invalid_for_any_other_holder(name: str) -> None:
    other = replace(HOLDER, **{name: OTHERS[name]})

    assert code_of(lambda: open_reference(SECRET, other, REF)) == errors.KNOWLEDGE_REFERENCE_INVALID


@pytest.mark.conformance("BH-058", "BH-059")
@pytest.mark.parametrize("name", OTHERS)
def test_a_cursor_is_invalid_for_any_other_holder(name: str) -> None:
    other = replace(HOLDER, **{name: OTHERS[name]})

    assert code_of(lambda: open_cursor(SECRET, other, REF, CURSOR)) == errors.KNOWLEDGE_REFERENCE_INVALID


@pytest.mark.conformance("BH-058")
def test_a_reference_from_outside_of_a_run_is_invalid_in_one() -> None:
    ref = seal_reference(SECRET, replace(HOLDER, run_id=None), REFERENCE)

    assert code_of(lambda: open_reference(SECRET, HOLDER, ref)) == errors.KNOWLEDGE_REFERENCE_INVALID


def test_neighbouring_parts_of_a_holder_cannot_lend_each_other_letters() -> None:
    one = replace(HOLDER, client_id="acl_1", session_id="2")
    other = replace(HOLDER, client_id="acl_", session_id="12")

    assert seal_reference(SECRET, one, REFERENCE) != seal_reference(SECRET, other, REFERENCE)


@pytest.mark.conformance("BH-059")
@pytest.mark.parametrize(
    ("what", "cursor"),
    [
        ("a reference", REF),
        ("a cursor of another reference", seal_cursor(SECRET, HOLDER, REF + "A", 70_000)),
        ("nothing", ""),
        ("half of it", CURSOR[: len(CURSOR) // 2]),
        ("it twice", CURSOR + CURSOR),
    ],
)
def test_only_its_own_cursor_goes_with_a_reference(what: str, cursor: str) -> None:
    assert code_of_cursor(cursor) == errors.KNOWLEDGE_REFERENCE_INVALID


@pytest.mark.conformance("BH-059")
def test_a_cursor_is_no_reference() -> None:
    assert code_of_reference(CURSOR) == errors.KNOWLEDGE_REFERENCE_INVALID


@pytest.mark.conformance("BH-082")
def test_a_new_key_makes_references_and_cursors_invalid() -> None:
    assert code_of(lambda: open_reference("another", HOLDER, REF)) == errors.KNOWLEDGE_REFERENCE_INVALID
    assert code_of(lambda: open_cursor("another", HOLDER, REF, CURSOR)) == errors.KNOWLEDGE_REFERENCE_INVALID


@pytest.mark.conformance("BH-073", "SDK-026")
@pytest.mark.parametrize(("seconds", "code"), [(0, None), (299, None), (300, None), (301, "expired")])
def test_a_reference_is_good_for_300_seconds(seconds: int, code: str | None) -> None:
    found = code_of(lambda: check_age(REFERENCE, now=NOW + seconds))

    assert found == (code and errors.KNOWLEDGE_REFERENCE_EXPIRED)


@pytest.mark.conformance("BH-076")
def test_another_scope_is_told_as_such() -> None:
    assert code_of(lambda: check_scope(REFERENCE, scope_revision="01" * 32)) is None
    assert code_of(lambda: check_scope(REFERENCE, scope_revision="03" * 32)) == errors.KNOWLEDGE_SCOPE_CHANGED


@pytest.mark.conformance("BH-077")
def test_another_content_is_told_as_a_change() -> None:
    assert code_of(lambda: check_content(REFERENCE, content_revision="02" * 32)) is None
    assert code_of(lambda: check_content(REFERENCE, content_revision="03" * 32)) == errors.KNOWLEDGE_CHANGED


@pytest.mark.conformance("BH-046", "BH-077")
def test_the_revision_of_a_content_moves_with_its_title_and_with_its_body() -> None:
    revisions = {content_revision(title, body * 64) for title in ("أسعار", "الأسعار") for body in ("a", "b")}

    assert len(revisions) == 4
    assert {len(revision) for revision in revisions} == {64}


# --- forgery ------------------------------------------------------------------------------------------------

CHANGES: Final = 50_000


def changed_letters(text: str, count: int) -> list[str]:
    """Copies of a token with one letter each replaced, everywhere in turn, and here and there a second one."""
    dice = random.Random(text)
    copies = []
    for number in range(count):
        letters = list(text)
        places = {number % len(text), dice.randrange(len(text))} if number % 3 == 0 else {number % len(text)}
        for place in places:
            letters[place] = dice.choice([letter for letter in ALPHABET if letter != letters[place]])
        copies.append("".join(letters))
    return copies


@pytest.mark.conformance("BH-059", "BH-074")
def test_no_changed_reference_is_taken() -> None:
    codes = set(map(code_of_reference, changed_letters(REF, CHANGES)))

    assert codes == {errors.KNOWLEDGE_REFERENCE_INVALID}


@pytest.mark.conformance("BH-059")
def test_no_changed_cursor_is_taken() -> None:
    codes = set(map(code_of_cursor, changed_letters(CURSOR, CHANGES)))

    assert codes == {errors.KNOWLEDGE_REFERENCE_INVALID}


@pytest.mark.parametrize("bit", range(8 * len(base64.urlsafe_b64decode(REF + "=="))))
def test_no_flipped_bit_is_taken(bit: int) -> None:
    token = bytearray(base64.urlsafe_b64decode(REF + "=="))
    token[bit // 8] ^= 1 << bit % 8
    flipped = base64.urlsafe_b64encode(bytes(token)).rstrip(b"=").decode()

    assert code_of_reference(flipped) == errors.KNOWLEDGE_REFERENCE_INVALID


# Texts that a lenient reader would take for the same token.
OTHER_SPELLINGS: Final[dict[str, Callable[[str], str]]] = {
    "padded": lambda text: text + "=",
    "padded twice": lambda text: text + "==",
    "with a space": lambda text: text + " ",
    "with a line feed": lambda text: text + "\n",
    "in the other alphabet": lambda text: text.replace("-", "+").replace("_", "/") + ("" if "-" in text else "+"),
    "with unused bits set": lambda text: text[:-1] + ALPHABET[ALPHABET.index(text[-1]) ^ 1],
    "in small letters": str.lower,
    "behind a NUL": lambda text: "\0" + text,
    "in Arabic digits": lambda text: text.translate({ord("0") + digit: 0x660 + digit for digit in range(10)}) + "٣",
}


@pytest.mark.conformance("BH-059")
@pytest.mark.parametrize("spelling", OTHER_SPELLINGS)
def test_a_token_has_one_spelling(spelling: str) -> None:
    spell = OTHER_SPELLINGS[spelling]

    assert code_of_reference(spell(REF)) == errors.KNOWLEDGE_REFERENCE_INVALID
    assert code_of_cursor(spell(CURSOR)) == errors.KNOWLEDGE_REFERENCE_INVALID


@pytest.mark.conformance("BH-087")
@pytest.mark.parametrize("length", [4_096, 4_097, 1_000_000])
def test_an_oversized_token_is_invalid(length: int) -> None:
    assert code_of_reference("A" * length) == errors.KNOWLEDGE_REFERENCE_INVALID


@given(st.text(max_size=300))
def test_no_text_at_all_is_taken_or_breaks_anything(text: str) -> None:
    assert code_of_reference(text) == errors.KNOWLEDGE_REFERENCE_INVALID
    assert code_of_cursor(text) == errors.KNOWLEDGE_REFERENCE_INVALID
