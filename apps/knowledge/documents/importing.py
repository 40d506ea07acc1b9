"""From a folder of Markdown and text files to documents: one file is one document, and its path is its id."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from apps.kernel.errors import CATALOGUE, AppError
from apps.knowledge.documents import body, queries, services
from apps.knowledge.documents.body import Body
from apps.knowledge.documents.models import HANDLE_PATTERN, Document, DocumentStatus
from apps.knowledge.documents.queries import BrokenReference
from apps.knowledge.documents.serializers import RESERVED_IDS
from apps.knowledge.documents.services import Change, Wish
from apps.knowledge.kinds import MAX_TEXT_LENGTH

SUFFIXES: Final = frozenset({".md", ".markdown", ".txt"})
# Between the folders of a path in an id.
_FOLDER: Final = ":"
_MOST_BYTES: Final = 4 * MAX_TEXT_LENGTH + 16
_UNSTORABLE: Final = re.compile("\0")


class UnreadableFilesError(ValueError):
    """Files that cannot be taken; a sentence each, beginning with the file."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = tuple(sentences)


class _RefusedFileError(ValueError):
    """Why one file cannot be taken."""


@dataclass(frozen=True)
class FoundFile:
    """A file as a document; its revision is the hash of what it says."""

    document_id: str
    body: Body

    @property
    def revision(self) -> str:
        return self.body.sha256


@dataclass(frozen=True)
class Imported:
    """What an import made of one document, and which of its sections came and went."""

    document_id: str
    change: Change
    added: tuple[str, ...]
    removed: tuple[str, ...]


@dataclass(frozen=True)
class Import:
    """What an import did, or would do."""

    documents: tuple[Imported, ...]
    broken: tuple[BrokenReference, ...]

    def count(self, *changes: Change) -> int:
        return sum(document.change in changes for document in self.documents)


# --- files --------------------------------------------------------------------------------------------------


def read_folder(folder: Path, *, locale: str | None = None) -> list[FoundFile]:
    """Every document of a folder and the folders in it, by id; hidden files and links are left out.

    Raises `UnreadableFilesError`, which names all faulty files at once.
    """
    found: dict[str, FoundFile] = {}
    sentences: list[str] = []
    for path in _files_in(folder):
        name = path.relative_to(folder).as_posix()
        try:
            file = _read_file(path, name, locale)
        except _RefusedFileError as refusal:
            sentences.append(f"{name}: {refusal}")
            continue
        if file.document_id in found:
            sentences.append(f"{name}: another file gives the id {file.document_id} too. Rename one of them.")
        found[file.document_id] = file
    if sentences:
        raise UnreadableFilesError(sentences)
    return [found[document_id] for document_id in sorted(found)]


def _files_in(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files_in(path)
        elif path.suffix.lower() in SUFFIXES:
            yield path


def _read_file(path: Path, name: str, locale: str | None) -> FoundFile:
    document_id = _id_of(name)
    try:
        return FoundFile(document_id, body.of_text(_text_of(path), locale))
    except AppError as refusal:
        raise _RefusedFileError(CATALOGUE[refusal.code].message("en", refusal.params)) from refusal


def _id_of(name: str) -> str:
    document_id = name.rpartition(".")[0].replace("/", _FOLDER)
    if document_id in RESERVED_IDS or not re.fullmatch(HANDLE_PATTERN, document_id):
        raise _RefusedFileError(
            "the path is the document's id, so it can have letters A-Z and a-z, digits, and . _ - only. Rename it."
        )
    return document_id


def _text_of(path: Path) -> str:
    if path.stat().st_size > _MOST_BYTES:
        raise _RefusedFileError(f"it holds more than {MAX_TEXT_LENGTH:,} characters. Split it.")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _RefusedFileError("it is not UTF-8. Save it as UTF-8.") from error
    if _UNSTORABLE.search(text):
        raise _RefusedFileError("it holds a NUL character. Remove it.")
    return text


# --- documents ----------------------------------------------------------------------------------------------


def publish(project_id: str, files: Sequence[FoundFile], *, strict: bool, actor: str) -> Import:
    """Publish files as documents, all or none, in the transaction of the caller, who may also undo it.

    A document that is there already keeps its title. Raises `broken_references` when strict.
    """
    before = _present(project_id, files)
    wishes = [_wish(file, before.get(file.document_id)) for file in files]
    outcomes = services.publish(project_id, wishes, strict=strict, actor=actor)
    imported = [
        _imported(outcome.document, outcome.change, before.get(outcome.document.handle)) for outcome in outcomes
    ]
    broken = [reference for outcome in outcomes for reference in queries.broken_references(outcome.document)]
    return Import(tuple(imported), tuple(broken))


def _present(project_id: str, files: Sequence[FoundFile]) -> dict[str, Document]:
    rows = queries.list_documents(project_id).filter(handle__in=[file.document_id for file in files])
    return {document.handle: document for document in rows}


def _wish(file: FoundFile, before: Document | None) -> Wish:
    title = file.document_id if before is None else before.title
    return Wish(file.document_id, file.revision, title, DocumentStatus.PUBLISHED, file.body)


def _imported(document: Document, change: Change, before: Document | None) -> Imported:
    new, old = _sections(document), _sections(before)
    return Imported(
        document_id=document.handle,
        change=change,
        added=tuple(name for name in new if name not in set(old)),
        removed=tuple(name for name in old if name not in set(new)),
    )


def _sections(document: Document | None) -> list[str]:
    revision = None if document is None else document.revision
    return [] if revision is None else list(revision.section_ids)
