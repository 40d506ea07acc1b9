"""From what the sections library refuses to the refusal that a caller gets, with the field as its param."""

from typing import Any, Final

from apps.kernel.errors import AppError
from apps.knowledge.documents import errors
from apps.sections import (
    CrossingSectionsError,
    InvalidIdError,
    MalformedMarkerError,
    MarkerIdError,
    RepeatedSectionError,
    SectionCycleError,
    SectionsError,
    SelectionTooLargeError,
    StructureError,
    TooDeepError,
    UnclosedSectionError,
    UnknownFieldError,
    UnknownSectionError,
    UnopenedSectionError,
)

_CODES: Final[dict[type[SectionsError], str]] = {
    MalformedMarkerError: errors.MARKER_MALFORMED,
    MarkerIdError: errors.MARKER_ID_INVALID,
    UnclosedSectionError: errors.SECTION_UNCLOSED,
    UnopenedSectionError: errors.SECTION_UNOPENED,
    CrossingSectionsError: errors.SECTIONS_CROSSING,
    RepeatedSectionError: errors.SECTION_REPEATED,
    SectionCycleError: errors.SECTION_CYCLE,
    TooDeepError: errors.SECTIONS_TOO_DEEP,
    InvalidIdError: errors.SECTION_ID_INVALID,
    StructureError: errors.PART_INVALID,
    UnknownFieldError: "unknown_field",
    UnknownSectionError: errors.SECTION_NOT_FOUND,
    SelectionTooLargeError: errors.SELECTION_TOO_LARGE,
}


def as_refusal(error: SectionsError) -> AppError:
    """The refusal that says the same in both languages."""
    params: dict[str, Any] = {
        **error.facts,
        "section_id": error.section_id,
        "line": error.line,
        "place": error.place,
    }
    if error.line is not None:
        # In words of no language, as compilers write it.
        params["place"] = f"text:{error.line}"
        params["first_place"] = str(params.get("first_place", "")).replace("line ", "text:")
    if isinstance(error, SelectionTooLargeError):
        return AppError(
            errors.SELECTION_TOO_LARGE, param="max_chars", params=params, shown={"actual_chars": error.actual_chars}
        )
    return AppError(_CODES[type(error)], param="text" if error.line is not None else error.place, params=params)
