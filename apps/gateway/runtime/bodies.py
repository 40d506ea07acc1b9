"""Reads a piece of what a reference leads to, together with what it says now, in one look at the database."""

from dataclasses import dataclass
from typing import Final

from django.db import connection

from apps.gateway.budget import Window
from apps.gateway.references import content_revision

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


def read_source(project_id: str, source_id: str, *, start: int, length: int) -> Body | None:
    """So many bytes of a source's content from `start` on; None without a source or a content."""
    with connection.cursor() as cursor:
        cursor.execute(_READ, {"project": project_id, "source": source_id, "start": start, "end": start + length})
        row = cursor.fetchone()
    if row is None:
        return None
    title, sha256, total, data = row
    return Body(title, content_revision(title, sha256), Window(bytes(data), start, total))
