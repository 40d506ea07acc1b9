"""What is read of a document: all of it, or some sections with or without what is below them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from apps.sections import errors

DOCUMENT: Final = "document"
SELF: Final = "self"
SUBTREE: Final = "subtree"
MODES: Final = (DOCUMENT, SELF, SUBTREE)

# The spelling of Python and REST, and that of JavaScript.
_SECTION_IDS: Final = ("section_ids", "sectionIds")


@dataclass(frozen=True)
class Selection:
    """A checked selection; the order of its sections is the order in which they are read."""

    mode: str = DOCUMENT
    section_ids: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: "AnySelection") -> "Selection":
        """Check the form of a selection; whether its sections exist is for the document to say.

        Raises `InvalidSelectionError`.
        """
        if isinstance(given, Selection):
            given = given.as_mapping()
        if not isinstance(given, Mapping):
            raise _invalid("selection", "a mapping with a mode")
        _refuse_unknown(given)
        mode = given.get("mode")
        if not isinstance(mode, str) or mode not in MODES:
            raise _invalid("selection.mode", "one of: " + ", ".join(MODES))
        section_ids = _section_ids_of(given)
        if mode == DOCUMENT:
            if section_ids is not None:
                raise _invalid("selection.section_ids", "left out: the mode document reads everything")
            return cls()
        return cls(mode, _checked(section_ids))

    def as_mapping(self) -> dict[str, Any]:
        """Return the selection as the plain mapping that `of` takes."""
        if self.mode == DOCUMENT and not self.section_ids:
            return {"mode": self.mode}
        return {"mode": self.mode, "section_ids": list(self.section_ids)}


AnySelection: TypeAlias = Selection | Mapping[str, Any]


def _invalid(place: str, wanted: str, section_id: object = None) -> errors.InvalidSelectionError:
    return errors.InvalidSelectionError(place=place, wanted=wanted, section_id=section_id)


def _refuse_unknown(given: Mapping[str, Any]) -> None:
    unknown = next((name for name in given if name not in {"mode", *_SECTION_IDS}), None)
    if unknown is not None:
        raise _invalid(f"selection.{unknown}", "left out: a selection has a mode and section_ids only")


def _section_ids_of(given: Mapping[str, Any]) -> Any:
    spelt = [name for name in _SECTION_IDS if name in given]
    if len(spelt) > 1:
        raise _invalid("selection.sectionIds", "left out: section_ids says the same")
    return given[spelt[0]] if spelt else None


def _checked(section_ids: Any) -> tuple[str, ...]:
    if not isinstance(section_ids, Sequence) or isinstance(section_ids, str) or not section_ids:
        raise _invalid("selection.section_ids", "a list of at least one section id")
    seen: set[str] = set()
    for position, section_id in enumerate(section_ids):
        if not isinstance(section_id, str):
            raise _invalid(f"selection.section_ids[{position}]", "the id of a section")
        if section_id in seen:
            place = f"selection.section_ids[{position}]"
            raise _invalid(place, f"named once; {section_id!r} stands before", section_id)
        seen.add(section_id)
    return tuple(section_ids)
