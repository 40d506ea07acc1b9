"""The preview of a content that is not saved yet: its pieces, sizes and warnings, by the code that saves it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from apps.dashboard.errors import sentence
from apps.dashboard.sources.forms import ContentForm
from apps.kernel.errors import AppError
from apps.knowledge import intake, warnings
from apps.knowledge.kinds import KINDS
from apps.search.chunks import Chunk

MOST_SHOWN: Final = 30


@dataclass(frozen=True, slots=True)
class ContentLook:
    """What saving would make of a content, or why it would refuse."""

    problem: str = ""
    kind: str = ""
    chunks: Sequence[Chunk] = ()
    chunk_count: int = 0
    char_count: int = 0
    token_estimate: int = 0
    warnings: Sequence[dict[str, str]] = field(default_factory=list)

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns of a table, which its first pieces have in common."""
        return columns_of(self.chunks)

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        return rows_of(self.chunks, self.columns)

    @property
    def more(self) -> int:
        return self.chunk_count - len(self.chunks)


def look_at(form: ContentForm, *, language: str) -> ContentLook | None:
    """A look at what the form holds, whatever else in it is still missing; None while that is nothing."""
    form.is_valid()
    faults = [str(fault) for name in ("content", "file") for fault in form.errors.get(name, [])]
    if faults:
        return ContentLook(problem=faults[0])
    if not form.text.strip():
        return None
    kind = KINDS[form.cleaned_data.get("kind") or "catalog"]
    try:
        config = kind.merge(None, form.config)
        look = intake.look_at(form.text, kind=kind, config=config)
    except AppError as error:
        return ContentLook(problem=sentence(error, language))
    return ContentLook(
        kind=kind.name,
        chunks=list(islice(look.chunks, MOST_SHOWN)),
        chunk_count=look.chunk_count,
        char_count=look.char_count,
        token_estimate=look.token_estimate,
        warnings=warnings.shown(look.warnings, language),
    )


def columns_of(chunks: Sequence[Chunk]) -> list[str]:
    """The columns of some chunks in the order of the table; none for what is no table."""
    return list(dict.fromkeys(name for chunk in chunks for name in chunk.fields or ()))


def rows_of(chunks: Sequence[Chunk], columns: Sequence[str]) -> list[list[str]]:
    return [[_cell(chunk.fields, name) for name in columns] for chunk in chunks]


def _cell(fields: dict[str, Any] | None, name: str) -> str:
    return str((fields or {}).get(name, ""))
