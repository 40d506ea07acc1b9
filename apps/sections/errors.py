"""What the library refuses: every refusal is a ValueError that names the thing, the place and the reason."""

from typing import ClassVar


class SectionsError(ValueError):
    """A refusal. `place` is a line of a text (``line 7``) or a path of a structure (``parts[0].id``)."""

    sentence: ClassVar[str]

    def __init__(
        self,
        *,
        document_id: object = None,
        section_id: object = None,
        place: str | None = None,
        line: int | None = None,
        **facts: object,
    ) -> None:
        self.document_id = document_id
        self.section_id = section_id
        self.line = line
        self.place = f"line {line}" if place is None and line is not None else place
        self.facts = facts
        named = {"document_id": document_id, "section_id": section_id, "place": self.place, "line": line, **facts}
        super().__init__(self.sentence.format_map(named))


class DocumentError(SectionsError):
    """A document that cannot be taken as it is."""


# --- markers of a text --------------------------------------------------------------------------------------


class MarkerError(DocumentError):
    """A section marker that is not as it has to be; `line` says where, counted from 1."""

    line: int


class MalformedMarkerError(MarkerError):
    sentence = (
        "Line {line} of {document_id!r} looks like a section marker and is none. Write <!-- agent-section:ID --> "
        "or <!-- /agent-section:ID --> exactly so, on a line of its own, with nothing before or after it."
    )


class MarkerIdError(MarkerError):
    sentence = (
        "Line {line} of {document_id!r} marks a section {section_id!r}. In a text an id has 1 to {limit} "
        "characters, of A-Z a-z 0-9 _ . : and -."
    )


class UnclosedSectionError(MarkerError):
    sentence = "Section {section_id!r} of {document_id!r}, opened on line {line}, is never closed."


class UnopenedSectionError(MarkerError):
    sentence = "Line {line} of {document_id!r} closes section {section_id!r}, which is not open."


class CrossingSectionsError(MarkerError):
    sentence = (
        "Line {line} of {document_id!r} closes section {section_id!r} while section {open_id!r} inside it, opened "
        "on line {open_line}, is still open."
    )


# --- the tree -----------------------------------------------------------------------------------------------


class StructureError(DocumentError):
    """A part of a structure that has the wrong type, is missing, or is not known."""

    sentence = "{place} of document {document_id!r} must be {wanted}."


class UnknownFieldError(DocumentError):
    sentence = "{place} is not known in document {document_id!r}."


class InvalidIdError(DocumentError):
    """An id that is no text, is empty, too long, or has white space around it."""

    sentence = (
        "{place} of document {document_id!r} must be a text of 1 to {limit} characters without white space around."
    )


class InvalidRevisionError(DocumentError):
    sentence = "The revision of document {document_id!r} must be a text of 1 to {limit} characters."

    def __init__(self, *, document_id: object, limit: int) -> None:
        super().__init__(document_id=document_id, place="revision", limit=limit)


class RepeatedSectionError(DocumentError):
    sentence = (
        "Section {section_id!r} stands twice in document {document_id!r}: at {first_place} and at {place}. "
        "An id is unique in the whole document."
    )


class SectionCycleError(DocumentError):
    sentence = "Section {section_id!r} of document {document_id!r} contains itself at {place}."


class TooDeepError(DocumentError):
    sentence = "Section {section_id!r} at {place} of document {document_id!r} is nested deeper than {limit} levels."


class RepeatedDocumentError(DocumentError):
    sentence = "Document {document_id!r} stands twice in the catalog, the second time at {place}."


# --- selections ---------------------------------------------------------------------------------------------


class SelectionError(SectionsError):
    """A selection that cannot be read."""


class InvalidSelectionError(SelectionError):
    sentence = "{place} must be {wanted}."


class UnknownDocumentError(SelectionError):
    sentence = "There is no document {document_id!r}."


class UnknownSectionError(SelectionError):
    sentence = "Document {document_id!r} has no section {section_id!r}, which {place} names."


class SelectionTooLargeError(SelectionError):
    """The text selected is longer than asked for; it is never cut."""

    sentence = "The selection of document {document_id!r} has {actual_chars} characters, more than {max_chars}."

    def __init__(self, *, document_id: str, actual_chars: int, max_chars: int) -> None:
        super().__init__(document_id=document_id, actual_chars=actual_chars, max_chars=max_chars)
        self.actual_chars = actual_chars
        self.max_chars = max_chars
