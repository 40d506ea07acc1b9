"""Documents with stable sections, read in three ways and frozen as snapshots; a library that needs nothing else."""

from apps.sections.catalog import KnowledgeCatalog, define_knowledge_catalog
from apps.sections.compiled import CompiledDocument, Passage, compile_document
from apps.sections.document import KnowledgeDocument, Section
from apps.sections.errors import (
    CrossingSectionsError,
    DocumentError,
    InvalidIdError,
    InvalidRevisionError,
    InvalidSelectionError,
    MalformedMarkerError,
    MarkerError,
    MarkerIdError,
    RepeatedDocumentError,
    RepeatedSectionError,
    SectionCycleError,
    SectionsError,
    SelectionError,
    SelectionTooLargeError,
    StructureError,
    TooDeepError,
    UnclosedSectionError,
    UnknownDocumentError,
    UnknownFieldError,
    UnknownSectionError,
    UnopenedSectionError,
)
from apps.sections.parse import parse_knowledge_document
from apps.sections.selection import Selection
from apps.sections.snapshot import KnowledgeSnapshot

__all__ = [
    "CompiledDocument",
    "CrossingSectionsError",
    "DocumentError",
    "InvalidIdError",
    "InvalidRevisionError",
    "InvalidSelectionError",
    "KnowledgeCatalog",
    "KnowledgeDocument",
    "KnowledgeSnapshot",
    "MalformedMarkerError",
    "MarkerError",
    "MarkerIdError",
    "Passage",
    "RepeatedDocumentError",
    "RepeatedSectionError",
    "Section",
    "SectionCycleError",
    "SectionsError",
    "Selection",
    "SelectionError",
    "SelectionTooLargeError",
    "StructureError",
    "TooDeepError",
    "UnclosedSectionError",
    "UnknownDocumentError",
    "UnknownFieldError",
    "UnknownSectionError",
    "UnopenedSectionError",
    "compile_document",
    "define_knowledge_catalog",
    "parse_knowledge_document",
]
