"""How projects and keys look to callers."""

from typing import Any

from apps.kernel.times import to_iso
from apps.projects import queries
from apps.projects.models import ApiKey, Project


def project(shown: Project) -> dict[str, Any]:
    return {
        "id": shown.id,
        "object": "project",
        "name": shown.name,
        "locale": shown.locale,
        "usage": queries.usage(shown.id),
        "limits": queries.limits(),
        "created_at": to_iso(shown.created_at),
        "updated_at": to_iso(shown.updated_at),
    }


def api_key(shown: ApiKey, *, text: str | None = None) -> dict[str, Any]:
    """`text` is the key in clear, which only the answers of create and rotate hold."""
    answer = {
        "id": shown.id,
        "object": "api_key",
        "name": shown.name,
        "scopes": shown.scopes,
        "source_ids": shown.source_ids,
        "last_four": shown.last_four,
        "expires_at": to_iso(shown.expires_at),
        "last_used_at": to_iso(shown.last_used_at),
        "rotated_from": shown.rotated_from_id,
        "created_at": to_iso(shown.created_at),
    }
    return answer if text is None else {**answer, "key": text}
