"""A document's tree becomes a text with anchors that says the same, or none when no text does."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.knowledge.documents import body
from apps.knowledge.documents.anchors import text_of
from tests.knowledge.documents.conftest import GUIDE

words = st.text(st.sampled_from("ab عود\n\r-"), max_size=12)
names = st.integers(0, 40).map(lambda number: f"section.{number}")


def _section(name: str, parts: list[Any]) -> dict[str, Any]:
    return {"id": name, "parts": parts}


def _unique(parts: list[Any], seen: set[str]) -> list[Any]:
    """The tree without a section whose id stood before."""
    kept: list[Any] = []
    for part in parts:
        if isinstance(part, str):
            kept.append(part)
        elif part["id"] not in seen:
            seen.add(part["id"])
            kept.append(_section(part["id"], _unique(part["parts"], seen)))
    return kept


trees = st.recursive(
    st.lists(words, max_size=3),
    lambda inner: st.lists(words | st.builds(_section, names, inner), max_size=4),
    max_leaves=12,
).map(lambda parts: _unique(parts, set()))


def _reading(parts: list[Any]) -> tuple[tuple[str, ...], str]:
    compiled = body.of_parts(parts, None).compiled
    return compiled.section_ids, "\n".join(compiled.read({"mode": "document"}).content.splitlines())


def test_a_text_comes_back_as_it_was_written() -> None:
    assert (
        body.of_text(text_of(body.of_text(GUIDE, None).parts) or "", None).parts == body.of_text(GUIDE, None).parts
    )


@given(trees)
def test_a_tree_and_its_text_read_the_same(parts: list[Any]) -> None:
    text = text_of(parts)

    assert text is not None
    assert _reading(body.of_text(text, None).parts) == _reading(parts)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([_section("زمن التوصيل", ["يومان"])], id="an id that no anchor has"),
        pytest.param([_section("a", ["<!-- agent-section:b -->"])], id="a text that opens a section"),
        pytest.param(["<!-- /agent-section:b -->"], id="a text that closes one"),
        pytest.param(["<!-- Agent section: b -->"], id="a text that seems to"),
    ],
)
def test_what_no_text_says_has_none(parts: list[Any]) -> None:
    assert text_of(parts) is None
