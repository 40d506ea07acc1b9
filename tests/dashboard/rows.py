"""Every page of the dashboard and who gets what there: the one table that all walks over pages read.

What the walks check by a row: the status for owner, editor, viewer, outsider and anonymous; another project's ids;
no untranslated words; the number of queries; axe-core in both directions. A page without a row fails.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from apps.projects.models import Role

OWNER, EDITOR, VIEWER = Role.OWNER, Role.EDITOR, Role.VIEWER
_RANK: Final = {VIEWER: 0, EDITOR: 1, OWNER: 2}


@dataclass(frozen=True)
class Row:
    """A page of a project by the name of its address, the least role that opens it and that sends its form.

    What stands in the address is made by `tests.dashboard.world` from the names of its parameters; `things` says
    which maker a parameter means where its name alone does not. `form` is what the walk sends, `{name}` in it an id
    of the world, and `answer` the status that this has for who may send it: 200 shows the form again, 302 is done.
    """

    name: str
    opens: Role | None = None
    sends: Role | None = None
    query: str = ""
    things: dict[str, str] = field(default_factory=dict)
    form: dict[str, Any] = field(default_factory=dict)
    answer: int = 200
    queries: int = 14
    # Answers with a file to keep, and not with a page.
    is_file: bool = False

    def opening(self, role: Role) -> int:
        return _status(role, self.opens, 200)

    def sending(self, role: Role) -> int:
        return _status(role, self.sends, self.answer)

    def __str__(self) -> str:
        return self.name


def _status(role: Role, least: Role | None, allowed: int) -> int:
    if least is None:
        return 405
    return allowed if _RANK[role] >= _RANK[least] else 403


ROWS: Final = [
    Row("overview", opens=VIEWER, queries=26),
    Row("members", opens=VIEWER),
    Row("invite", opens=OWNER, sends=OWNER, form={"email": "new@shop.example", "role": "viewer"}, answer=302),
    Row("change_role", sends=OWNER, form={"role": "viewer"}, answer=302),
    Row("remove_member", opens=OWNER, sends=OWNER, answer=302),
    Row("resend_invitation", sends=OWNER, answer=302),
    Row("withdraw_invitation", opens=OWNER, sends=OWNER, answer=302),
    Row("leave", opens=VIEWER, sends=VIEWER, answer=302),
    Row("search", opens=VIEWER, query="?q=صندق بخور", queries=17),
    Row("examples", opens=VIEWER, query="?check=1"),
    Row(
        "keep_example",
        sends=EDITOR,
        form={"question": "عسل", "source_id": "{source_id}", "text": "عسل سدر"},
        answer=302,
    ),
    Row("drop_example", opens=EDITOR, sends=EDITOR, answer=302),
    # Secrets.
    Row("secrets", opens=VIEWER),
    Row(
        "new_secret",
        opens=EDITOR,
        sends=EDITOR,
        form={"name": "NEW_TOKEN", "value": "abc", "allowed_hosts": "api.shop.example"},
        answer=302,
    ),
    Row("secret", opens=VIEWER),
    Row("change_secret_value", sends=OWNER, form={"value": "xyz"}, answer=302),
    Row("change_secret_hosts", sends=OWNER, form={"allowed_hosts": "api.shop.example"}, answer=302),
    Row("remove_secret", opens=OWNER, sends=OWNER, answer=302),
    # API keys.
    Row("keys", opens=EDITOR),
    Row("new_key", opens=OWNER, sends=OWNER, form={"name": "bot", "scopes": "search"}),
    Row("rotate_key", opens=OWNER, sends=OWNER),
    Row("revoke_key", opens=OWNER, sends=OWNER, answer=302),
    # Webhooks.
    Row("webhooks", opens=EDITOR),
    Row(
        "new_webhook",
        opens=OWNER,
        sends=OWNER,
        form={"url": "https://shop.example/hook", "events": ["*"]},
    ),
    Row("webhook", opens=EDITOR),
    Row(
        "edit_webhook",
        opens=OWNER,
        sends=OWNER,
        form={"url": "https://shop.example/hook", "events": ["knowledge_source.sync_failed"]},
        answer=302,
    ),
    Row("test_webhook", sends=EDITOR, answer=302),
    Row("switch_webhook_on", sends=OWNER, answer=302),
    Row("switch_webhook_off", opens=OWNER, sends=OWNER, answer=302),
    Row("rotate_webhook_secret", opens=OWNER, sends=OWNER),
    Row("remove_webhook", opens=OWNER, sends=OWNER, answer=302),
    Row("retry_delivery", sends=EDITOR, answer=302),
    # Agent clients.
    Row("agent_clients", opens=EDITOR),
    Row("new_agent_client", opens=OWNER, sends=OWNER, form={"name": "مساعد", "app_id": "the-assistant"}),
    Row("agent_client", opens=EDITOR),
    Row("edit_agent_client", opens=OWNER, sends=OWNER, form={"name": "مساعد"}, answer=302),
    Row("rotate_client_token", opens=OWNER, sends=OWNER),
    Row("remove_agent_client", opens=OWNER, sends=OWNER, answer=302),
    Row("end_agent_session", opens=OWNER, sends=OWNER, answer=302),
    # The project itself.
    # Each kind of thing that it names is looked up once.
    Row("audit", opens=OWNER, queries=22),
    # Every room counts what it holds.
    Row("settings", opens=VIEWER, sends=OWNER, form={"name": "متجر", "locale": "ar"}, answer=302, queries=20),
    Row("delete_project", opens=OWNER, sends=OWNER, form={"name": "متجر العود"}, answer=302),
    # Agents. What is in use and the draft are judged, and whose contents they rest on is read.
    Row("agents", opens=VIEWER, queries=18),
    Row("new_agent", opens=EDITOR, sends=EDITOR, form={"name": "مساعد"}, answer=302),
    Row("agent", opens=VIEWER, queries=24),
    Row("edit_agent", opens=EDITOR, sends=EDITOR),
    Row("agent_switches", opens=EDITOR, sends=EDITOR, form={"route": "order-assistant"}, answer=302),
    Row(
        "attach_to_agent",
        opens=EDITOR,
        sends=EDITOR,
        form={"source": "{source_id}", "mode": "searchable"},
        answer=302,
        queries=15,
    ),
    Row("arrange_agent", sends=EDITOR, form={"do": "advice"}, answer=302),
    Row("select_sections", opens=EDITOR, sends=EDITOR, form={"mode": "document", "use": "always"}, answer=302),
    Row("agent_prompt", opens=VIEWER),
    Row("try_agent", opens=EDITOR, sends=EDITOR, form={"question": "صندق بخور"}, answer=302),
    Row("agent_versions", opens=VIEWER),
    Row("agent_version", opens=VIEWER, queries=20),
    Row("reuse_version", opens=EDITOR, sends=EDITOR, answer=302, queries=16),
    Row("publish_agent", opens=EDITOR, sends=EDITOR, answer=302, queries=24),
    Row("agent_runs", opens=VIEWER),
    Row("agent_run", opens=VIEWER, queries=18),
    Row("delete_agent", opens=OWNER, sends=OWNER, answer=302),
    # Documents.
    Row("documents", opens=VIEWER),
    Row("new_document", opens=EDITOR, sends=EDITOR),
    Row("look_at_document", sends=EDITOR, form={"text": "نوصل إلى كل المدن."}),
    # Its sections, its revisions, its snapshots, and who uses it.
    Row("document", opens=VIEWER, queries=15),
    Row("edit_document", opens=EDITOR, sends=EDITOR),
    Row("read_document", opens=VIEWER),
    Row("document_revision", opens=VIEWER),
    Row("restore_document", sends=EDITOR, answer=302),
    Row("publish_document", opens=EDITOR, sends=EDITOR, answer=302),
    Row("withdraw_document", opens=EDITOR, sends=EDITOR, answer=302),
    Row("delete_document", opens=EDITOR, sends=EDITOR, answer=302),
    Row("document_snapshots", opens=VIEWER, sends=EDITOR, form={"mode": "document"}, answer=302),
    Row("document_snapshot", opens=VIEWER),
    # Sources.
    Row("sources", opens=VIEWER),
    Row("new_source", opens=EDITOR, sends=EDITOR),
    Row("look_at_content", sends=EDITOR, form={"content": "صندوق بخور"}),
    Row("new_feed", opens=EDITOR, sends=EDITOR),
    Row("try_feed", sends=EDITOR, form={"sample": "[]"}),
    Row("source", opens=VIEWER, things={"source_id": "feed_id"}),
    Row("edit_source", opens=EDITOR, sends=EDITOR),
    Row("delete_source", opens=EDITOR, sends=EDITOR, answer=302),
    Row("download_source", opens=VIEWER, is_file=True),
    Row("export_source", opens=VIEWER, is_file=True),
    Row("sync_source", sends=EDITOR, things={"source_id": "feed_id"}, answer=302),
    Row("source_runs", opens=VIEWER, things={"source_id": "feed_id"}),
    Row("source_history", opens=VIEWER),
    Row("source_revision", opens=VIEWER),
    Row("restore_source", sends=EDITOR, answer=302),
]
TABLE: Final = {row.name: row for row in ROWS}


@dataclass(frozen=True)
class OpenRow:
    """A page outside of projects: what opening it answers a stranger, and somebody who is signed in.

    `sends` is what an empty form answers that person.
    """

    name: str
    stranger: int
    person: int
    sends: int = 405
    arguments: dict[str, str] = field(default_factory=dict)
    queries: int = 14

    def __str__(self) -> str:
        return self.name


OPEN_ROWS: Final = [
    OpenRow("home", stranger=200, person=302),
    OpenRow("account", stranger=302, person=200),
    OpenRow("delete_account", stranger=302, person=200, sends=200),
    OpenRow("end_session", stranger=302, person=405, sends=404, arguments={"session_id": "1"}),
    OpenRow("new_project", stranger=302, person=200, sends=200),
    OpenRow("invitation", stranger=404, person=404, sends=404, arguments={"token": "x"}),
    # Only where mail is kept; see `test_mailbox`.
    OpenRow("mailbox", stranger=404, person=404),
    # What it shows to whom is in `test_consent`.
    OpenRow("consent", stranger=302, person=404, sends=404),
    OpenRow("account_login", stranger=200, person=302, sends=302),
    OpenRow("account_logout", stranger=302, person=200, sends=302),
    OpenRow("account_signup", stranger=200, person=302, sends=302),
    OpenRow("account_inactive", stranger=200, person=200),
    OpenRow("account_reauthenticate", stranger=302, person=200, sends=200),
    OpenRow("account_email", stranger=302, person=200, sends=302),
    OpenRow("account_email_verification_sent", stranger=200, person=200),
    OpenRow("account_confirm_email", stranger=200, person=200, sends=404, arguments={"key": "x"}),
    OpenRow("account_change_password", stranger=302, person=200, sends=200),
    OpenRow("account_set_password", stranger=302, person=302, sends=302),
    OpenRow("account_reset_password", stranger=200, person=200, sends=200),
    OpenRow("account_reset_password_done", stranger=200, person=200),
    OpenRow(
        "account_reset_password_from_key",
        stranger=200,
        person=200,
        sends=200,
        arguments={"uidb36": "1", "key": "x-y"},
    ),
    OpenRow("account_reset_password_from_key_done", stranger=200, person=200),
    OpenRow("mfa_index", stranger=302, person=200),
    OpenRow("mfa_authenticate", stranger=302, person=302, sends=302),
    OpenRow("mfa_reauthenticate", stranger=302, person=302, sends=302),
    OpenRow("mfa_activate_totp", stranger=302, person=302, sends=302),
    OpenRow("mfa_deactivate_totp", stranger=302, person=404, sends=404),
    OpenRow("mfa_view_recovery_codes", stranger=302, person=404),
    OpenRow("mfa_generate_recovery_codes", stranger=302, person=302, sends=302),
    OpenRow("mfa_download_recovery_codes", stranger=302, person=404, sends=404),
    OpenRow("usersessions_list", stranger=302, person=200, sends=302),
]
OPEN_TABLE: Final = {row.name: row for row in OPEN_ROWS}
