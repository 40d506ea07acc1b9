"""Typed hook points: what a lower room asks of upper rooms, which fill them in ``AppConfig.ready``."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class HookPoint(Generic[F]):
    """A named list of functions of one signature."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._functions: list[F] = []

    def add(self, function: F) -> F:
        if function not in self._functions:
            self._functions.append(function)
        return function

    def remove(self, function: F) -> None:
        self._functions.remove(function)

    def __iter__(self) -> Iterator[F]:
        return iter(tuple(self._functions))


@dataclass(frozen=True, slots=True)
class User:
    """Something that uses a thing about to be removed: its id and what people call it."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class SelectionUser:
    """Something that has saved a selection of a document: its id, its name, and the selection as stored."""

    id: str
    name: str
    selection: Mapping[str, Any]


# (project_id, source_id) -> the agents that use the source, for `source_in_use`.
source_users: HookPoint[Callable[[str, str], list[User]]] = HookPoint("source_users")
# (project_id, source_id) -> None: take the source out of everything that uses it.
source_detachers: HookPoint[Callable[[str, str], None]] = HookPoint("source_detachers")
# (project_id, source_id) -> SHA-256 of its contents that something names, so that they stay readable.
revision_users: HookPoint[Callable[[str, str], set[str]]] = HookPoint("revision_users")
# (project_id, document_id) -> every saved selection of the document, for `document_in_use` and broken references.
selection_users: HookPoint[Callable[[str, str], list[SelectionUser]]] = HookPoint("selection_users")
# (project_id, document_id) -> None: take the document out of everything that uses it.
document_detachers: HookPoint[Callable[[str, str], None]] = HookPoint("document_detachers")
# (project_id, document_id) -> the names of its revisions that something names, so that they stay readable.
document_revision_users: HookPoint[Callable[[str, str], set[str]]] = HookPoint("document_revision_users")
# (project_id, secret_name) -> the sources that name the secret in a header.
secret_users: HookPoint[Callable[[str, str], list[User]]] = HookPoint("secret_users")
# (project_id, source_ids) -> those of them that exist in the project.
known_sources: HookPoint[Callable[[str, list[str]], set[str]]] = HookPoint("known_sources")
# (project_id) -> counters shown as `usage` of the project, such as {"knowledge_sources": 3}.
usage_counters: HookPoint[Callable[[str], dict[str, int]]] = HookPoint("usage_counters")
# () -> what `limits` of the project shows, such as {"knowledge_body_bytes": 5242880}.
limit_readers: HookPoint[Callable[[], dict[str, int]]] = HookPoint("limit_readers")
# (project_id, person, actor) -> None: end what a former member let in; both as audit logs name people.
departures: HookPoint[Callable[[str, str, str], None]] = HookPoint("departures")
# (project_id) -> None: remove a deleted project's rows and cached data.
project_erasers: HookPoint[Callable[[str], None]] = HookPoint("project_erasers")
