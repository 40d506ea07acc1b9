"""Reads a piece of what a reference leads to, together with what it says now, in one look at the database."""

from dataclasses import dataclass
from typing import Final

from django.db import connection

from apps.agents.editions import Attached, AttachedDocument
from apps.gateway.budget import Window
from apps.gateway.references import content_revision
from apps.knowledge.documents.attached import part as part_of_document
from apps.knowledge.documents.sought import Wanted

# The first characters of a text have at least as many bytes, so that the rest of a large one stays where it is.
_READ: Final = """
SELECT s.name, r.sha256, octet_length(r.content),
       substring(convert_to(left(r.content, %(end)s), 'UTF8') FROM %(start)s + 1 FOR %(end)s - %(start)s)
FROM knowledge_source s JOIN knowledge_revision r ON r.project_id = s.project_id AND r.id = s.revision_id
WHERE s.project_id = %(project)s AND s.id = %(source)s
"""


@dataclass(frozen=True, slots=True)
class Body:
    """What stands behind a reference now: its title, its revision, and a window of its text."""

    title: str
    revision: str
    window: Window


def read_body(project_id: str, attached: Attached, part: int, *, start: int, length: int) -> Body | None:
    """So many bytes from `start` on of a source, or of a part of a document; None when there is no such text."""
    if isinstance(attached, AttachedDocument):
        return _read_section(project_id, attached, part, start=start, length=length)
    return _read_source(project_id, attached.source_id, start=start, length=length)


def _read_section(
    project_id: str, attached: AttachedDocument, number: int, *, start: int, length: int
) -> Body | None:
    section = part_of_document(project_id, Wanted(attached.document_id, attached.selection), number)
    if section is None:
        return None
    data = section.text.encode()
    window = Window(data[start : start + length], start, len(data))
    return Body(section.title, content_revision(section.title, section.sha256), window)


def _read_source(project_id: str, source_id: str, *, start: int, length: int) -> Body | None:
    with connection.cursor() as cursor:
        cursor.execute(_READ, {"project": project_id, "source": source_id, "start": start, "end": start + length})
        row = cursor.fetchone()
    if row is None:
        return None
    title, sha256, total, data = row
    return Body(title, content_revision(title, sha256), Window(bytes(data), start, total))
