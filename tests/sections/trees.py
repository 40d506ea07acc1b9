"""Documents as hypothesis makes them, the text that each is written as, and reading done the plain way."""

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from apps.sections import KnowledgeDocument, Section

# Letters of several scripts and widths, line ends, and what could be taken for a marker.
_LETTERS = st.sampled_from([*"aZ0 .:-_/!\n\t", "ع", "é", "字", "🌙", "\u200f", "\u00a0", "#", "`", "<", ">"])
_IDS = st.text("abcXYZ019_.:-", min_size=1, max_size=6)


def _is_clean(text: str) -> bool:
    return bool(text.strip()) and text == text.strip("\n")


clean_texts = st.text(_LETTERS, min_size=1, max_size=30).filter(_is_clean)
any_texts = st.text(_LETTERS, max_size=30)


def _sections(children: st.SearchStrategy[Section], texts: st.SearchStrategy[str]) -> st.SearchStrategy[Section]:
    return st.builds(Section, id=_IDS, parts=_parts(children, texts))


def _parts(
    children: st.SearchStrategy[Section], texts: st.SearchStrategy[str]
) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(st.one_of(texts, children), max_size=4).map(tuple)


def _tops(texts: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[Any, ...]]:
    leaves = st.builds(Section, id=_IDS, parts=st.lists(texts, max_size=2).map(tuple))
    return _parts(st.recursive(leaves, lambda inner: _sections(inner, texts), max_leaves=12), texts)


def _documents(texts: st.SearchStrategy[str]) -> st.SearchStrategy[KnowledgeDocument]:
    made = st.builds(
        KnowledgeDocument,
        id=_IDS,
        revision=_IDS,
        parts=_tops(texts),
        locale=st.one_of(st.none(), st.just("ar")),
    )
    return made.map(with_own_ids)


def with_own_ids(document: KnowledgeDocument) -> KnowledgeDocument:
    """The same tree with a different id for every section."""
    numbers = iter(range(10_000))
    return KnowledgeDocument(document.id, document.revision, _renamed(document.parts, numbers), document.locale)


def _renamed(parts: tuple[Any, ...], numbers: Iterator[int]) -> tuple[Any, ...]:
    return tuple(
        part if isinstance(part, str) else Section(f"{part.id}.{next(numbers)}", _renamed(part.parts, numbers))
        for part in parts
    )


def joined_texts(parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Neighbouring texts as the one text that they are once written down."""
    joined: list[Any] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] = f"{joined[-1]}\n{part}"
        else:
            joined.append(part if isinstance(part, str) else Section(part.id, joined_texts(part.parts)))
    return tuple(joined)


# Any documents, and those that a text can be read back as.
documents = _documents(any_texts)
writable_documents = _documents(clean_texts).map(
    lambda made: KnowledgeDocument(made.id, made.revision, joined_texts(made.parts), made.locale)
)


def written(parts: tuple[Any, ...]) -> str:
    """The text with anchors that a tree is written as."""
    return "".join(f"{part}\n" if isinstance(part, str) else _written_section(part) for part in parts)


def _written_section(section: Section) -> str:
    inside = written(section.parts)
    return f"<!-- agent-section:{section.id} -->\n{inside}<!-- /agent-section:{section.id} -->\n"


# --- reading, the plain way ---------------------------------------------------------------------------------


def sections_of(parts: tuple[Any, ...]) -> Iterator[Section]:
    """All sections, in the order in which they begin."""
    for part in parts:
        if isinstance(part, Section):
            yield part
            yield from sections_of(part.parts)


def _text_of(part: Any) -> str:
    if isinstance(part, Section):
        return _all_of(part.parts)
    return "" if part.isspace() else part.strip("\n")


def _all_of(parts: Any) -> str:
    return "\n\n".join(text for text in map(_text_of, parts) if text)


def plainly_read(document: KnowledgeDocument, mode: str, section_ids: list[str]) -> str:
    """What a selection of a document says, by the words of its definition."""
    if mode == "document":
        return _all_of(document.parts).strip()
    by_id = {section.id: section for section in sections_of(document.parts)}
    chosen = [by_id[section_id] for section_id in section_ids]
    if mode == "self":
        texts = [_all_of([part for part in section.parts if isinstance(part, str)]) for section in chosen]
    else:
        texts = [_all_of(section.parts) for section in chosen]
    return "\n\n".join(filter(None, texts)).strip()
