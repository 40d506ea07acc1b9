"""How secrets look to callers: everything but the value."""

from typing import Any

from apps.kernel.times import to_iso
from apps.vault.models import Secret


def secret(shown: Secret) -> dict[str, Any]:
    return {
        "id": shown.id,
        "object": "secret",
        "name": shown.name,
        "allowed_hosts": shown.allowed_hosts,
        "created_at": to_iso(shown.created_at),
        "updated_at": to_iso(shown.updated_at),
        "last_used_at": to_iso(shown.last_used_at),
    }
