"""A document made ready for reading: one text, and for each section where in it its own words and its subtree are.

Everything in a document is joined by an empty line, so a subtree is one stretch of that text, and reading it costs
no more than copying it, however large the document is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from apps.sections import errors
from apps.sections.document import (
    MAX_DEPTH,
    MAX_ID_LENGTH,
    AnyDocument,
    KnowledgeDocument,
    Section,
    check_identity,
    clean,
    is_id,
)
from apps.sections.selection import DOCUMENT, SELF, AnySelection, Selection
from apps.sections.snapshot import KnowledgeSnapshot

SEPARATOR: Final = "\n\n"
_FIELDS: Final = ("id", "revision", "locale", "parts")
_NEEDED_FIELDS: Final = ("id", "revision", "parts")
_SECTION_FIELDS: Final = ("id", "parts")


class Passage(NamedTuple):
    """One text of a document, and the ids of the sections around it, the outermost first."""

    section_path: tuple[str, ...]
    text: str


class _Extent(NamedTuple):
    """The pieces of a section: a half-open range with everything below it, and those of its own."""

    parent: str | None
    first: int
    end: int
    own: tuple[int, ...]


@dataclass(frozen=True)
class CompiledDocument:
    """A checked document; everything in it is immutable and shared by threads."""

    id: str
    revision: str
    locale: str | None
    _text: str
    # Where each piece begins in the text and where it ends.
    _edges: tuple[tuple[int, int], ...]
    _extents: Mapping[str, _Extent]
    _own: tuple[int, ...]

    @property
    def section_ids(self) -> tuple[str, ...]:
        """All sections, in the order in which they begin."""
        return tuple(self._extents)

    @property
    def char_count(self) -> int:
        """How many characters reading all of it gives."""
        return len(self._text.strip())

    def section_path(self, section_id: str) -> tuple[str, ...]:
        """Return the ids from the outermost section around it to the section itself."""
        path = []
        at: str | None = section_id
        while at is not None:
            path.append(at)
            at = self._extents[at].parent
        return tuple(reversed(path))

    def assert_selection(self, selection: AnySelection) -> Selection:
        """Return the checked selection; raises `SelectionError`."""
        checked = Selection.of(selection)
        for position, section_id in enumerate(checked.section_ids):
            if section_id not in self._extents:
                place = f"selection.section_ids[{position}]"
                raise errors.UnknownSectionError(document_id=self.id, section_id=section_id, place=place)
        return checked

    def missing(self, selection: Selection) -> tuple[str, ...]:
        """Return the sections of a selection that the document does not have."""
        return tuple(section_id for section_id in selection.section_ids if section_id not in self._extents)

    def read(self, selection: AnySelection, max_chars: int | None = None) -> KnowledgeSnapshot:
        """Return what a selection says; raises `SelectionError` and never cuts."""
        checked = self.assert_selection(selection)
        _check_limit(max_chars)
        content = self._joined(checked).strip()
        if max_chars is not None and len(content) > max_chars:
            raise errors.SelectionTooLargeError(document_id=self.id, actual_chars=len(content), max_chars=max_chars)
        return KnowledgeSnapshot(self.id, checked, self.revision, self.locale, content)

    def read_within(self, allowed: Selection, wanted: Selection) -> str:
        """Return what one selection says, without anything that another one does not hold."""
        held = set(self._pieces(allowed))
        return SEPARATOR.join(self._piece(at) for at in self._pieces(wanted) if at in held).strip()

    def passages(self, selection: Selection | None = None) -> Iterator[Passage]:
        """Yield the texts of the document, or those of a selection, each once and in the order of the document."""
        wanted = None if selection is None else set(self._pieces(selection))
        for at, path in self._paths():
            if wanted is None or at in wanted:
                yield Passage(path, self._piece(at))

    def _joined(self, selection: Selection) -> str:
        if selection.mode == DOCUMENT:
            return self._text
        if selection.mode == SELF:
            return SEPARATOR.join(map(self._piece, self._pieces(selection)))
        stretches = (self._stretch(self._extents[section_id]) for section_id in selection.section_ids)
        return SEPARATOR.join(filter(None, stretches))

    def _stretch(self, extent: _Extent) -> str:
        if extent.first == extent.end:
            return ""
        return self._text[self._edges[extent.first][0] : self._edges[extent.end - 1][1]]

    def _pieces(self, selection: Selection) -> Iterable[int]:
        """The numbers of the pieces of a selection, in its order; what overlaps stands in it twice."""
        if selection.mode == DOCUMENT:
            return range(len(self._edges))
        extents = [self._extents[section_id] for section_id in selection.section_ids if section_id in self._extents]
        if selection.mode == SELF:
            return [at for extent in extents for at in extent.own]
        return [at for extent in extents for at in range(extent.first, extent.end)]

    def _piece(self, at: int) -> str:
        start, end = self._edges[at]
        return self._text[start:end]

    def _paths(self) -> list[tuple[int, tuple[str, ...]]]:
        """Every piece with the sections around it, in the order of the document."""
        paths: dict[str, tuple[str, ...]] = {}
        found: list[tuple[int, tuple[str, ...]]] = [(at, ()) for at in self._own]
        for section_id, extent in self._extents.items():  # A parent stands before its children.
            around = () if extent.parent is None else paths[extent.parent]
            paths[section_id] = (*around, section_id)
            found += [(at, paths[section_id]) for at in extent.own]
        return sorted(found)


def _check_limit(max_chars: object) -> None:
    is_limit = isinstance(max_chars, int) and not isinstance(max_chars, bool) and max_chars > 0
    if max_chars is not None and not is_limit:
        raise errors.InvalidSelectionError(place="max_chars", wanted="a whole number of 1 or more, or left out")


# --- compiling ----------------------------------------------------------------------------------------------


def compile_document(document: AnyDocument) -> CompiledDocument:
    """Check a document and make it ready for reading; raises `DocumentError`."""
    document_id, revision, locale, parts = _read_fields(document)
    check_identity(document_id, revision, locale)
    compiler = _Compiler(document_id)
    compiler.walk(_list_of_parts(parts, "parts", document_id))
    return CompiledDocument(
        id=document_id,
        revision=revision,
        locale=locale,
        _text=SEPARATOR.join(compiler.pieces),
        _edges=tuple(_edges(compiler.pieces)),
        _extents=MappingProxyType(compiler.extents),
        _own=compiler.own,
    )


def _read_fields(document: Any) -> tuple[Any, Any, Any, Any]:
    if isinstance(document, KnowledgeDocument):
        return document.id, document.revision, document.locale, document.parts
    if not isinstance(document, Mapping):
        raise errors.StructureError(place="The whole", wanted="a parsed document or a mapping")
    _check_fields(document, _FIELDS, _NEEDED_FIELDS, "", document.get("id"))
    return document["id"], document["revision"], document.get("locale"), document["parts"]


def _check_fields(
    given: Mapping[str, Any], known: Sequence[str], needed: Sequence[str], inside: str, document_id: object
) -> None:
    for name in given:
        if name not in known:
            raise errors.UnknownFieldError(document_id=document_id, place=f"{inside}{name}")
    for name in needed:
        if name not in given:
            raise errors.StructureError(document_id=document_id, place=f"{inside}{name}", wanted="given")


def _list_of_parts(parts: Any, place: str, document_id: object) -> Sequence[Any]:
    if not isinstance(parts, list | tuple):
        raise errors.StructureError(document_id=document_id, place=place, wanted="a list of texts and sections")
    return parts


def _edges(pieces: Iterable[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for piece in pieces:
        yield start, start + len(piece)
        start += len(piece) + len(SEPARATOR)


class _Frame:
    """A section, or the document itself, whose parts are being walked."""

    __slots__ = ("first", "id", "own", "parts", "position")

    def __init__(self, section_id: str | None, parts: Sequence[Any], first: int) -> None:
        self.id = section_id
        self.parts = parts
        self.first = first
        self.position = 0
        self.own: list[int] = []


class _Compiler:
    """Walks a tree in a loop: it may be nested deeper than recursion could follow, or contain itself."""

    def __init__(self, document_id: str) -> None:
        self._document_id = document_id
        self._frames: list[_Frame] = []
        self._places: dict[str, str | int] = {}
        self.pieces: list[str] = []
        self.extents: dict[str, _Extent] = {}
        self.own: tuple[int, ...] = ()

    def walk(self, parts: Sequence[Any]) -> None:
        self._frames.append(_Frame(None, parts, 0))
        while self._frames:
            frame = self._frames[-1]
            if frame.position == len(frame.parts):
                self._leave()
                continue
            part = frame.parts[frame.position]
            if isinstance(part, str):
                self._add_text(frame, part)
                frame.position += 1
            else:
                self._enter(part)

    def _add_text(self, frame: _Frame, text: str) -> None:
        if cleaned := clean(text):
            frame.own.append(len(self.pieces))
            self.pieces.append(cleaned)

    def _enter(self, part: Any) -> None:
        section_id, parts, line = self._read_section(part)
        if len(self._frames) > MAX_DEPTH:
            raise errors.TooDeepError(**self._about(section_id, line), limit=MAX_DEPTH)
        if section_id in self.extents:
            raise self._repeated(section_id, line)
        self._places[section_id] = line if line is not None else self._path()
        # Entered here already, so that sections stand in the order in which they begin.
        self.extents[section_id] = _Extent(self._frames[-1].id, 0, 0, ())
        self._frames.append(_Frame(section_id, parts, len(self.pieces)))

    def _leave(self) -> None:
        frame = self._frames.pop()
        if frame.id is None:
            self.own = tuple(frame.own)
            return
        outer = self._frames[-1]
        self.extents[frame.id] = _Extent(outer.id, frame.first, len(self.pieces), tuple(frame.own))
        outer.position += 1

    def _read_section(self, part: Any) -> tuple[str, Sequence[Any], int | None]:
        if isinstance(part, Section):
            section_id, parts, line = part.id, part.parts, part.line
        elif isinstance(part, Mapping):
            _check_fields(part, _SECTION_FIELDS, _SECTION_FIELDS, f"{self._path()}.", self._document_id)
            section_id, parts, line = part["id"], part["parts"], None
        else:
            raise errors.StructureError(
                document_id=self._document_id, place=self._path(), wanted="a text or a section with id and parts"
            )
        if not is_id(section_id):
            raise errors.InvalidIdError(
                document_id=self._document_id,
                section_id=section_id,
                place=f"{self._path()}.id",
                limit=MAX_ID_LENGTH,
            )
        return section_id, _list_of_parts(parts, f"{self._path()}.parts", self._document_id), line

    def _repeated(self, section_id: str, line: int | None) -> errors.DocumentError:
        if any(frame.id == section_id for frame in self._frames):
            return errors.SectionCycleError(**self._about(section_id, line))
        first = self._places[section_id]
        first_place = first if isinstance(first, str) else f"line {first}"
        return errors.RepeatedSectionError(**self._about(section_id, line), first_place=first_place)

    def _about(self, section_id: str, line: int | None) -> dict[str, Any]:
        place = self._path() if line is None else None
        return {"document_id": self._document_id, "section_id": section_id, "place": place, "line": line}

    def _path(self) -> str:
        """Where the walk stands, as ``parts[0].parts[2]``."""
        return ".".join(f"parts[{frame.position}]" for frame in self._frames)
