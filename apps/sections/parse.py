"""Reads a text with section anchors into a document.

The text is no Markdown here: headings and code fences are body, and a marker on a line of its own is a marker
wherever it stands. What looks like a marker and is none is refused, because losing a section silently is worse.
"""

import re
from typing import Final

from apps.sections import errors
from apps.sections.document import (
    MAX_DEPTH,
    MAX_ID_LENGTH,
    KnowledgeDocument,
    Part,
    Section,
    check_identity,
    clean,
)

_NAME: Final = "agent-section"
_ID: Final = rf"[A-Za-z0-9_.:-]{{1,{MAX_ID_LENGTH}}}"
# A sound marker; or a bracket, whatever is no letter, and a word or two that may be meant to be the name.
_MARKER_OR_ALIKE: Final = re.compile(
    rf"<(?:!-- (?P<closing>/?){_NAME}:(?P<id>{_ID}) -->$|"
    r"[^\w\n<>]{0,12}+(?P<word>[^\W\d_]{2,9}(?:[^\w\n<>]|_){0,3}+[^\W\d_]{3,10}))",
    re.MULTILINE,
)
_MARKER_WITH_ODD_ID: Final = re.compile(rf"<!-- /?{_NAME}:(?P<id>.*) -->$", re.MULTILINE)
_NO_LETTERS: Final = re.compile(r"[\W_]+")
_MOST_QUOTED: Final = 80


class _Open:
    """A section, or the document itself, that is being read."""

    __slots__ = ("id", "line", "parts")

    def __init__(self, section_id: str | None, line: int) -> None:
        self.id = section_id
        self.line = line
        self.parts: list[Part] = []

    def add_text(self, text: str) -> None:
        if cleaned := clean(text):
            self.parts.append(cleaned)


def parse_knowledge_document(*, id: str, revision: str, text: str, locale: str | None = None) -> KnowledgeDocument:  # noqa: A002 -- the document's own word
    """Read a text with paired anchors; raises `DocumentError`.

    Whether ids repeat is checked when a catalog is defined of the document.
    """
    check_identity(id, revision, locale)
    if not isinstance(text, str):
        raise errors.StructureError(document_id=id, place="text", wanted="a text")
    return KnowledgeDocument(id, revision, _Parser(id, _plain(text)).parts(), locale)


def _plain(text: str) -> str:
    """Without a byte order mark and with LF for every line end."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


class _Parser:
    """One pass over a text, with the sections that are open at the place reached."""

    def __init__(self, document_id: str, text: str) -> None:
        self._document_id = document_id
        self._text = text
        self._open = [_Open(None, 0)]
        self._at = 0
        self._line = 1

    def parts(self) -> tuple[Part, ...]:
        for found in _MARKER_OR_ALIKE.finditer(self._text):
            if found["word"] is None:
                self._take_marker(found)
            elif _is_meant_as_name(found["word"]):
                raise self._no_marker(found.start())
        innermost = self._open[-1]
        if innermost.id is not None:
            raise errors.UnclosedSectionError(
                document_id=self._document_id, section_id=innermost.id, line=innermost.line
            )
        innermost.add_text(self._text[self._at :])
        return tuple(innermost.parts)

    def _take_marker(self, found: re.Match[str]) -> None:
        start = found.start()
        if start and self._text[start - 1] != "\n":
            raise self._no_marker(start)
        self._line = self._line_of(start)
        self._open[-1].add_text(self._text[self._at : start])
        self._at = start
        if found["closing"]:
            self._close(found["id"])
        else:
            self._begin(found["id"])
        self._at = found.end()

    def _begin(self, section_id: str) -> None:
        if len(self._open) > MAX_DEPTH:
            raise errors.TooDeepError(
                document_id=self._document_id, section_id=section_id, line=self._line, limit=MAX_DEPTH
            )
        self._open.append(_Open(section_id, self._line))

    def _close(self, section_id: str) -> None:
        closed = self._open[-1]
        if closed.id != section_id:
            raise self._wrong_end(section_id)
        self._open.pop()
        self._open[-1].parts.append(Section(section_id, tuple(closed.parts), closed.line))

    def _wrong_end(self, section_id: str) -> errors.MarkerError:
        if all(one.id != section_id for one in self._open):
            return errors.UnopenedSectionError(
                document_id=self._document_id, section_id=section_id, line=self._line
            )
        innermost = self._open[-1]
        return errors.CrossingSectionsError(
            document_id=self._document_id,
            section_id=section_id,
            line=self._line,
            open_id=innermost.id,
            open_line=innermost.line,
        )

    def _no_marker(self, start: int) -> errors.MarkerError:
        line = self._line_of(start)
        odd = _MARKER_WITH_ODD_ID.match(self._text, start)
        if odd is None or (start and self._text[start - 1] != "\n") or "-->" in odd["id"]:
            return errors.MalformedMarkerError(document_id=self._document_id, line=line)
        quoted = odd["id"][:_MOST_QUOTED]
        return errors.MarkerIdError(
            document_id=self._document_id, section_id=quoted, line=line, limit=MAX_ID_LENGTH
        )

    def _line_of(self, start: int) -> int:
        return self._line + self._text.count("\n", self._at, start)


def _is_meant_as_name(word: str) -> bool:
    """Whether a word is the marker's name, in whatever case and joined however, with at most one slip."""
    read = _NO_LETTERS.sub("-", word).casefold()
    if read == _NAME:
        return True
    before = _common(read, _NAME)
    mine, its = read[before:], _NAME[before:]
    after = _common(mine[::-1], its[::-1])
    mine, its = mine[: len(mine) - after], its[: len(its) - after]
    swapped = len(mine) == len(its) == 2 and mine == its[::-1]  # noqa: PLR2004 -- two neighbours
    return swapped or max(len(mine), len(its)) <= 1


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
