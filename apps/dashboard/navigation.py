"""The entries of the navigation, and which of them a page belongs to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.http import HttpRequest
from django.urls import reverse

from apps.dashboard.access import PAGES, reaches
from apps.dashboard.language import words_of
from apps.projects import queries
from apps.projects.models import Project


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its page, its words in the shell's texts, its icon, and further pages that belong to it."""

    page: str
    text: str
    icon: str
    pages: Sequence[str] = ()
    # Stands in the bar at the bottom of a phone's screen as well.
    is_quick: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Entries under a heading; the first group has none."""

    text: str
    entries: Sequence[Entry]


NAVIGATION: Final = (
    Group("", (Entry("overview", "nav_overview", "overview", is_quick=True),)),
    Group(
        "group_knowledge",
        (
            Entry(
                "sources",
                "nav_sources",
                "sources",
                pages=(
                    *("new_source", "new_feed", "source", "edit_source", "delete_source", "source_runs"),
                    *("source_history", "source_revision"),
                ),
                is_quick=True,
            ),
            Entry(
                "documents",
                "nav_documents",
                "documents",
                pages=(
                    *("new_document", "document", "edit_document", "read_document", "document_revision"),
                    *(
                        "publish_document",
                        "withdraw_document",
                        "delete_document",
                        "document_snapshots",
                        "document_snapshot",
                    ),
                ),
            ),
            Entry("search", "nav_search", "search", pages=("examples", "drop_example"), is_quick=True),
        ),
    ),
    Group(
        "group_agents",
        (
            Entry(
                "agents",
                "nav_agents",
                "agents",
                pages=(
                    *("new_agent", "agent", "edit_agent", "agent_switches", "attach_to_agent", "select_sections"),
                    *("agent_prompt", "try_agent", "agent_versions", "agent_version", "reuse_version"),
                    *("publish_agent", "agent_runs", "agent_run", "delete_agent"),
                ),
                is_quick=True,
            ),
            Entry(
                "agent_clients",
                "nav_agent_clients",
                "clients",
                pages=(
                    *("new_agent_client", "agent_client", "edit_agent_client", "rotate_client_token"),
                    *("remove_agent_client", "end_agent_session"),
                ),
            ),
        ),
    ),
    Group(
        "group_project",
        (
            Entry("secrets", "nav_secrets", "secrets", pages=("new_secret", "secret", "remove_secret")),
            Entry(
                "webhooks",
                "nav_webhooks",
                "webhooks",
                pages=(
                    *("new_webhook", "webhook", "edit_webhook", "switch_webhook_off"),
                    *("rotate_webhook_secret", "remove_webhook"),
                ),
            ),
            Entry("keys", "nav_api_keys", "keys", pages=("new_key", "rotate_key", "revoke_key")),
            Entry(
                "members",
                "nav_members",
                "members",
                pages=("invite", "remove_member", "withdraw_invitation", "leave"),
            ),
            Entry("audit", "nav_audit", "audit"),
            Entry("settings", "nav_settings", "settings", pages=("delete_project",)),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class ShownEntry:
    title: str
    icon: str
    address: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class ShownGroup:
    title: str
    entries: Sequence[ShownEntry]


class Frame:
    """The frame of one request's page; what it needs of the database is asked for when a template shows it."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @cached_property
    def projects(self) -> Sequence[tuple[Project, str]]:
        """All projects of the person, with the role in each."""
        place = getattr(self._request, "place", None)
        if place is not None:
            return place.projects  # type: ignore[no-any-return] # put there by `page`
        if not self._request.user.is_authenticated:
            return []
        return queries.projects_of(self._request.user.pk)

    @cached_property
    def groups(self) -> list[ShownGroup]:
        """What the person may open in this project."""
        shown = (ShownGroup(self._words(group.text), list(self._entries(group.entries))) for group in NAVIGATION)
        return [group for group in shown if group.entries]

    @cached_property
    def quick(self) -> list[ShownEntry]:
        return list(self._entries([entry for group in NAVIGATION for entry in group.entries if entry.is_quick]))

    def _entries(self, entries: Sequence[Entry]) -> Iterator[ShownEntry]:
        place = getattr(self._request, "place", None)
        if place is None:
            return
        match = self._request.resolver_match
        current = match.url_name if match else None
        for entry in entries:
            least = PAGES[entry.page].read
            if least is not None and reaches(place.role, least):
                address = reverse(entry.page, args=[place.project.id])
                is_current = current in {entry.page, *entry.pages}
                yield ShownEntry(self._words(entry.text), entry.icon, address, is_current)

    def _words(self, key: str) -> str:
        return words_of(self._request)(f"shell.{key}") if key else ""
