"""What agents attach, with what is known of its sources now, all of it by one statement.

Every prompt and every search of an agent begins here, and to have Django build the query costs more than to ask it.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import connection

from apps.agents.context import MAX_PROMPT_CHARACTERS
from apps.agents.models import Mode

Rows = Sequence[Mapping[str, Any]]

_READ: Final = """
SELECT a.id, a.agent_id, a.attached_id, a.mode, a.source_id, a.selection, s.name, s.kind, s.complete, s.updated_at,
       (s.config ->> 'refresh_minutes')::integer AS refresh_minutes, r.sha256 AS revision, r.char_count,
       r.chunk_count, r.token_estimate, f.consecutive_failures AS failures, f.last_success_at, {content} AS content
FROM agents_attachment a
LEFT JOIN knowledge_source s ON s.project_id = a.project_id AND s.id = a.source_id
LEFT JOIN knowledge_revision r ON r.project_id = s.project_id AND r.id = s.revision_id
LEFT JOIN knowledge_feed f ON f.project_id = s.project_id AND f.source_id = s.id
WHERE a.project_id = %(project)s AND a.agent_id = ANY(%(agents)s) AND {version}
ORDER BY a.agent_id, a.position
"""
# Texts that together are too large for any prompt stay in the database.
_CONTENT: Final = """
CASE WHEN a.mode = %(always)s AND sum(r.char_count) FILTER (WHERE a.mode = %(always)s) OVER () <= %(most)s
     THEN r.content END
"""
_NO_CONTENT: Final = "NULL::text"

_OF_DRAFT: Final = "a.version IS NULL"
_OF_VERSION: Final = "a.version = %(version)s"
_AS_PUBLISHED: Final = """
a.version = (SELECT g.published_version FROM agents_agent g WHERE g.project_id = a.project_id AND g.id = a.agent_id)
"""


def of_version(project_id: str, agent_id: str, version: int | None, *, with_content: bool) -> Rows:
    """What one version attaches, or the draft (None), in its order; with the texts of what always stands in it."""
    condition = _OF_DRAFT if version is None else _OF_VERSION
    return _read(project_id, [agent_id], condition, _CONTENT if with_content else _NO_CONTENT, version=version)


def of_drafts(project_id: str, agent_ids: Sequence[str]) -> Rows:
    """What the drafts of some agents attach, agent by agent."""
    return _read(project_id, agent_ids, _OF_DRAFT, _NO_CONTENT)


def as_published(project_id: str, agent_ids: Sequence[str]) -> Rows:
    """What the published versions of some agents attach, agent by agent."""
    return _read(project_id, agent_ids, _AS_PUBLISHED, _NO_CONTENT)


def _read(project_id: str, agent_ids: Sequence[str], version_is: str, content: str, **parameters: Any) -> Rows:
    with connection.cursor() as cursor:
        cursor.execute(
            _READ.format(content=content, version=version_is),
            {
                "project": project_id,
                "agents": list(agent_ids),
                "always": Mode.ALWAYS.value,
                "most": MAX_PROMPT_CHARACTERS,
                **parameters,
            },
        )
        names = [column.name for column in cursor.description or ()]
        return [_row(dict(zip(names, values, strict=True))) for values in cursor.fetchall()]


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """A plain cursor hands JSON on as text."""
    selection = row["selection"]
    return {**row, "selection": None if selection is None else json.loads(selection)}
