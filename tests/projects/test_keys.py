"""The form of keys: well-formed ones give their look-up part, everything else gives nothing."""

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.projects.keys import MAX_LENGTH, digest_of, lookup_of, new_key

REPOSITORY = Path(__file__).parents[2]


def test_a_new_key_has_prefix_look_up_part_randomness_and_checksum() -> None:
    assert re.fullmatch(r"mwd_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}", new_key().text)


def test_a_new_key_is_found_by_its_look_up_part() -> None:
    key = new_key()

    assert lookup_of(key.text) == key.lookup
    assert digest_of(key.text) == key.digest
    assert key.text.endswith(key.last_four)


def test_keys_differ() -> None:
    assert len({new_key().text for _ in range(50)}) == 50


@pytest.mark.conformance("K-2")
@pytest.mark.parametrize("position", range(len("mwd_live_"), MAX_LENGTH))
def test_one_changed_character_makes_it_malformed(position: int) -> None:
    text = new_key().text
    changed = "A" if text[position] != "A" else "B"

    assert lookup_of(text[:position] + changed + text[position + 1 :]) is None


@pytest.mark.conformance("K-2")
@given(st.text(max_size=120))
def test_no_text_raises(text: str) -> None:
    assert lookup_of(text) is None


@pytest.mark.conformance("K-3")
def test_secrets_are_never_compared_with_an_operator() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (REPOSITORY / "apps").rglob("*.py")]
    compared = [
        ast.unparse(node)
        for source in sources
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Compare) and any(isinstance(kind, ast.Eq | ast.NotEq) for kind in node.ops)
    ]

    assert [text for text in compared if re.search(r"\bdigest|signature|\bmark\b(?!\.)", text)] == []
    assert any("hmac.compare_digest(key.digest" in source for source in sources)
