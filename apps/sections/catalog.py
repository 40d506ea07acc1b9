"""A set of documents that is checked as a whole and never changes; to change something, define another one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from apps.sections import errors
from apps.sections.compiled import CompiledDocument, compile_document
from apps.sections.document import AnyDocument
from apps.sections.selection import AnySelection
from apps.sections.snapshot import KnowledgeSnapshot


@dataclass(frozen=True)
class KnowledgeCatalog:
    """Documents by their ids, in the order in which they were given."""

    _documents: Mapping[str, CompiledDocument]

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(self._documents)

    def section_ids(self, document_id: str) -> tuple[str, ...]:
        """Return the sections of a document in the order in which they begin; raises `UnknownDocumentError`."""
        return self._document(document_id).section_ids

    def assert_selection(self, *, document_id: str, selection: AnySelection) -> None:
        """Raise `SelectionError` for what could not be read."""
        self._document(document_id).assert_selection(selection)

    def read(self, *, document_id: str, selection: AnySelection, max_chars: int | None = None) -> KnowledgeSnapshot:
        """Return what a selection says.

        Raises `SelectionError`, also when the text has more than `max_chars` characters: it is never cut.
        """
        return self._document(document_id).read(selection, max_chars)

    def _document(self, document_id: object) -> CompiledDocument:
        document = self._documents.get(document_id) if isinstance(document_id, str) else None
        if document is None:
            raise errors.UnknownDocumentError(document_id=document_id)
        return document


def define_knowledge_catalog(documents: Iterable[AnyDocument]) -> KnowledgeCatalog:
    """Check documents, parsed or as mappings, and make them ready for reading; raises `DocumentError`."""
    compiled: dict[str, CompiledDocument] = {}
    for position, document in enumerate(documents):
        ready = compile_document(document)
        if ready.id in compiled:
            raise errors.RepeatedDocumentError(document_id=ready.id, place=f"documents[{position}]")
        compiled[ready.id] = ready
    return KnowledgeCatalog(MappingProxyType(compiled))
