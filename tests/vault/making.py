"""What the vault's tests start from: a stored secret, and other encryption keys than the suite's own."""

import base64
from typing import Any

from apps.projects.scoping import project_scope
from apps.vault.models import Secret
from apps.vault.services import create_secret
from tests.factories import Tenant

HOST = "api.example.com"
VALUE = "unmistakable-5f1c9e7a"


def encryption_key(key_id: str, letter: str) -> str:
    return f"{key_id}:{base64.b64encode(letter.encode() * 32).decode()}"


OLD = encryption_key("old", "o")
NEW = encryption_key("new", "n")


def stored_secret(tenant: Tenant, **fields: Any) -> Secret:
    given = {"name": "TOKEN", "value": VALUE, "allowed_hosts": [HOST], "actor": "operator", **fields}
    with project_scope(tenant.id):
        return create_secret(tenant.id, **given)
