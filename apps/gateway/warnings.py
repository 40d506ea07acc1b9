"""Why an agent client can do less than its owner may think: it may be set up before its agents, in any order."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from apps.agents.wording import Sentence

NO_ROUTES: Final = "no_routes"
ROUTES_WITHOUT_AGENT: Final = "routes_without_agent"

SENTENCES: Final[Mapping[str, Sentence]] = {
    NO_ROUTES: Sentence(
        "This client can do nothing yet, for it is allowed no routes. Allow it the routes of the agents that it is "
        "to reach.",
        "لا يفعل هذا البرنامج شيئًا بعد، إذ لا مسارات مسموحة له. اسمح له بمسارات الوكلاء الذين يصل إليهم.",
    ),
    ROUTES_WITHOUT_AGENT: Sentence(
        "No published agent has these of its routes, so the client can do nothing there yet. Give an agent the "
        "route and publish it.",
        "لا وكيل منشورًا على هذه من مساراته، فلا يفعل البرنامج فيها شيئًا بعد. أعط وكيلًا المسار وانشره.",
    ),
}


@dataclass(frozen=True, slots=True)
class ClientWarning:
    """What to mind about a client, and the routes that it is about."""

    code: str
    routes: Sequence[str] = ()

    def message(self, language: str) -> str:
        return SENTENCES[self.code].put(language)


def warnings_of(allowed: Sequence[str], workspaces: Collection[str]) -> list[ClientWarning]:
    """For a client that is allowed these routes, while published agents have those."""
    if not allowed:
        return [ClientWarning(NO_ROUTES)]
    leading_nowhere = [route for route in allowed if route not in workspaces]
    return [ClientWarning(ROUTES_WITHOUT_AGENT, leading_nowhere)] if leading_nowhere else []
