"""Who may open what: one table of page → least role, which every page and every form of a project is held to.

A page is named as its address is in ``urls.py``. Pages without a row do not open at all, and a test finds them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from apps.projects.models import Role

_RANK: Final = {Role.VIEWER: 0, Role.EDITOR: 1, Role.OWNER: 2}


@dataclass(frozen=True, slots=True)
class Least:
    """The least role that may open a page, and the least that may send its form; None where there is none."""

    read: Role | None = None
    write: Role | None = None

    def of(self, method: str) -> Role | None:
        return self.read if method in {"GET", "HEAD"} else self.write if method == "POST" else None


PAGES: Final[Mapping[str, Least]] = {
    "overview": Least(read=Role.VIEWER),
    "search": Least(read=Role.VIEWER),
    "examples": Least(read=Role.VIEWER),
    "keep_example": Least(write=Role.EDITOR),
    "drop_example": Least(read=Role.EDITOR, write=Role.EDITOR),
    # Sources.
    "sources": Least(read=Role.VIEWER),
    "new_source": Least(read=Role.EDITOR, write=Role.EDITOR),
    "look_at_content": Least(write=Role.EDITOR),
    "new_feed": Least(read=Role.EDITOR, write=Role.EDITOR),
    "try_feed": Least(write=Role.EDITOR),
    "source": Least(read=Role.VIEWER),
    "edit_source": Least(read=Role.EDITOR, write=Role.EDITOR),
    "delete_source": Least(read=Role.EDITOR, write=Role.EDITOR),
    "download_source": Least(read=Role.VIEWER),
    "export_source": Least(read=Role.VIEWER),
    "sync_source": Least(write=Role.EDITOR),
    "source_runs": Least(read=Role.VIEWER),
    "source_history": Least(read=Role.VIEWER),
    "source_revision": Least(read=Role.VIEWER),
    "restore_source": Least(write=Role.EDITOR),
    # Documents.
    "documents": Least(read=Role.VIEWER),
    "new_document": Least(read=Role.EDITOR, write=Role.EDITOR),
    "look_at_document": Least(write=Role.EDITOR),
    "document": Least(read=Role.VIEWER),
    "edit_document": Least(read=Role.EDITOR, write=Role.EDITOR),
    "read_document": Least(read=Role.VIEWER),
    "document_revision": Least(read=Role.VIEWER),
    "restore_document": Least(write=Role.EDITOR),
    "publish_document": Least(read=Role.EDITOR, write=Role.EDITOR),
    "withdraw_document": Least(read=Role.EDITOR, write=Role.EDITOR),
    "delete_document": Least(read=Role.EDITOR, write=Role.EDITOR),
    "document_snapshots": Least(read=Role.VIEWER, write=Role.EDITOR),
    "document_snapshot": Least(read=Role.VIEWER),
    # Agents. Deleting one takes the proof of what was told in its runs along, so that is the owner's.
    "agents": Least(read=Role.VIEWER),
    "new_agent": Least(read=Role.EDITOR, write=Role.EDITOR),
    "agent": Least(read=Role.VIEWER),
    "edit_agent": Least(read=Role.EDITOR, write=Role.EDITOR),
    "agent_switches": Least(read=Role.EDITOR, write=Role.EDITOR),
    "attach_to_agent": Least(read=Role.EDITOR, write=Role.EDITOR),
    "arrange_agent": Least(write=Role.EDITOR),
    "select_sections": Least(read=Role.EDITOR, write=Role.EDITOR),
    "agent_prompt": Least(read=Role.VIEWER),
    "try_agent": Least(read=Role.EDITOR, write=Role.EDITOR),
    "agent_versions": Least(read=Role.VIEWER),
    "agent_version": Least(read=Role.VIEWER),
    "reuse_version": Least(read=Role.EDITOR, write=Role.EDITOR),
    "publish_agent": Least(read=Role.EDITOR, write=Role.EDITOR),
    "agent_runs": Least(read=Role.VIEWER),
    "agent_run": Least(read=Role.VIEWER),
    "delete_agent": Least(read=Role.OWNER, write=Role.OWNER),
    # Secrets. Whoever widens the hosts of one could have its value sent to themselves, so that is the owner's.
    "secrets": Least(read=Role.VIEWER),
    "new_secret": Least(read=Role.EDITOR, write=Role.EDITOR),
    "secret": Least(read=Role.VIEWER),
    "change_secret_value": Least(write=Role.OWNER),
    "change_secret_hosts": Least(write=Role.OWNER),
    "remove_secret": Least(read=Role.OWNER, write=Role.OWNER),
    # API keys.
    "keys": Least(read=Role.EDITOR),
    "new_key": Least(read=Role.OWNER, write=Role.OWNER),
    "rotate_key": Least(read=Role.OWNER, write=Role.OWNER),
    "revoke_key": Least(read=Role.OWNER, write=Role.OWNER),
    # Webhooks. An address may hold a credential of the customer's system.
    "webhooks": Least(read=Role.EDITOR),
    "new_webhook": Least(read=Role.OWNER, write=Role.OWNER),
    "webhook": Least(read=Role.EDITOR),
    "edit_webhook": Least(read=Role.OWNER, write=Role.OWNER),
    "test_webhook": Least(write=Role.EDITOR),
    "switch_webhook_on": Least(write=Role.OWNER),
    "switch_webhook_off": Least(read=Role.OWNER, write=Role.OWNER),
    "rotate_webhook_secret": Least(read=Role.OWNER, write=Role.OWNER),
    "remove_webhook": Least(read=Role.OWNER, write=Role.OWNER),
    "retry_delivery": Least(write=Role.EDITOR),
    # Agent clients. Letting a program in, and taking a person's session away, is the owner's.
    "agent_clients": Least(read=Role.EDITOR),
    "new_agent_client": Least(read=Role.OWNER, write=Role.OWNER),
    "agent_client": Least(read=Role.EDITOR),
    "edit_agent_client": Least(read=Role.OWNER, write=Role.OWNER),
    "rotate_client_token": Least(read=Role.OWNER, write=Role.OWNER),
    "remove_agent_client": Least(read=Role.OWNER, write=Role.OWNER),
    "end_agent_session": Least(read=Role.OWNER, write=Role.OWNER),
    # The project itself.
    "audit": Least(read=Role.OWNER),
    "settings": Least(read=Role.VIEWER, write=Role.OWNER),
    "delete_project": Least(read=Role.OWNER, write=Role.OWNER),
    # Members.
    "members": Least(read=Role.VIEWER),
    "invite": Least(read=Role.OWNER, write=Role.OWNER),
    "change_role": Least(write=Role.OWNER),
    "remove_member": Least(read=Role.OWNER, write=Role.OWNER),
    "resend_invitation": Least(write=Role.OWNER),
    "withdraw_invitation": Least(read=Role.OWNER, write=Role.OWNER),
    "leave": Least(read=Role.VIEWER, write=Role.VIEWER),
}


def reaches(role: Role, least: Role) -> bool:
    return _RANK[role] >= _RANK[least]


class May:
    """What a role may do, as templates ask before they show a button: `place.may.remove_member`."""

    def __init__(self, role: Role) -> None:
        self._role = role

    def __getitem__(self, page: str) -> bool:
        """Whether the role may do all that the page is for: send its form, or open it when it has none."""
        row = PAGES[page]
        least = row.write or row.read
        return least is not None and reaches(self._role, least)
