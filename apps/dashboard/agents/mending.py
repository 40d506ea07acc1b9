"""What keeps an agent from answering well, in the reader's words, each with the page on which it is mended."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from apps.agents.models import Agent
from apps.agents.queries import issues_of, versions_in_use
from apps.agents.readiness import Issue
from apps.dashboard.issues import sentence_of
from apps.dashboard.pages import Place

# By the codes of issues: where one goes, and the key of what the link says. The rest is about a source or document.
_OF_AGENT: Final = {
    "no_knowledge": ("attach_to_agent", "mend_attach"),
    "always_knowledge_large": ("agent", "mend_large"),
    "prompt_too_large": ("edit_agent", "mend_words"),
    "source_missing": ("publish_agent", "mend_publish"),
    "document_missing": ("publish_agent", "mend_publish"),
}
_ANCHORS: Final = {"always_knowledge_large": "#knowledge"}


@dataclass(frozen=True, slots=True)
class Concern:
    """One issue; `versions` are those it is found in, None among them for the draft, `action` is a key of texts."""

    code: str
    is_error: bool
    message: str
    versions: Sequence[int | None]
    address: str
    action: str


def issues_by_version(agent: Agent) -> dict[Issue, list[int | None]]:
    """The issues of the published version and the draft, errors first, with where each is found."""
    found: dict[Issue, list[int | None]] = {}
    for version in versions_in_use(agent):
        for issue in issues_of(agent, [version]):
            found.setdefault(issue, []).append(version)
    return dict(sorted(found.items(), key=lambda item: item[0].severity != "error"))


def concerns_of(place: Place, agent: Agent, *, language: str) -> list[Concern]:
    return [
        _concern(place, agent, issue, versions, language) for issue, versions in issues_by_version(agent).items()
    ]


def _concern(place: Place, agent: Agent, issue: Issue, versions: Sequence[int | None], language: str) -> Concern:
    address, action = _way_out(place, agent, issue)
    is_error = issue.severity == "error"
    return Concern(issue.code, is_error, sentence_of(issue, language), versions, address, action)


def is_ready(concerns: Iterable[Concern]) -> bool:
    return not any(concern.is_error for concern in concerns)


def _way_out(place: Place, agent: Agent, issue: Issue) -> tuple[str, str]:
    """The page that mends an issue, and the key of what its link says."""
    project_id = place.project.id
    if issue.code in _OF_AGENT:
        # Switched off, it has no knowledge however much is attached.
        page, action = _OF_AGENT[issue.code]
        if issue.code == "no_knowledge" and not agent.knowledge_enabled:
            page, action = "agent_switches", "mend_switch"
        return reverse(page, args=[project_id, agent.id]) + _ANCHORS.get(issue.code, ""), action
    if issue.code == "section_missing":
        address = reverse("select_sections", args=[project_id, agent.id, issue.document_id])
        return address, "mend_sections"
    if issue.document_id is not None:
        return reverse("document", args=[project_id, issue.document_id]), "mend_document"
    return reverse("source", args=[project_id, issue.source_id]), "mend_source"
