"""What the ids of the audit log stand for: things that are still there, by name, with the page that they have."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from django.urls import reverse

from apps.agents.queries import agents_of
from apps.dashboard.pages import Place
from apps.dashboard.texts import Words
from apps.gateway.queries import clients_of, sessions_of
from apps.knowledge.documents import queries as documents
from apps.knowledge.examples import list_examples
from apps.knowledge.queries import visible_sources
from apps.projects import queries as projects
from apps.vault.queries import secrets_of
from apps.webhooks.queries import endpoints_of


@dataclass(frozen=True, slots=True)
class Thing:
    """`address` is empty for what has no page of its own."""

    name: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """A name by the id of the log, and what the address of its page holds besides the project."""

    id: str
    name: str
    at: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Kind:
    """How ids of one prefix are looked up, and the page of what is found."""

    find: Callable[[str, Collection[str]], Iterable[_Found]]
    page: str = ""


def things_named(place: Place, names: Collection[str], t: Words) -> dict[str, Thing]:
    """By id; what is gone has no entry. One question to the database for each kind that is named."""
    by_kind: dict[str, set[str]] = {}
    for name in names:
        by_kind.setdefault(_prefix(name), set()).add(name)
    known = {
        found.id: Thing(found.name, _address(kind.page, place, found))
        for prefix, kind in _KINDS.items()
        if prefix in by_kind
        for found in kind.find(place.project.id, by_kind[prefix])
    }
    others = {actor: Thing(t(f"audit.{actor}")) for actor in ("operator", "dispatcher")}
    project = Thing(place.project.name, reverse("settings", args=[place.project.id]))
    return {**known, **others, place.project.id: project}


def _prefix(name: str) -> str:
    return name.partition(":" if ":" in name else "_")[0]


def _address(page: str, place: Place, found: _Found) -> str:
    return reverse(page, args=[place.project.id, *found.at]) if page else ""


# --- how each kind is found ---------------------------------------------------------------------------------


def _sources(project_id: str, ids: Collection[str]) -> Iterator[_Found]:
    for id_, name in visible_sources(project_id, None).filter(id__in=ids).values_list("id", "name"):
        yield _Found(id_, name, (id_,))


def _agents(project_id: str, ids: Collection[str]) -> Iterator[_Found]:
    for id_, name in agents_of(project_id).filter(id__in=ids).values_list("id", "name"):
        yield _Found(id_, name, (id_,))


def _secrets(project_id: str, ids: Collection[str]) -> Iterator[_Found]:
    for id_, name in secrets_of(project_id).filter(id__in=ids).values_list("id", "name"):
        yield _Found(id_, name, (id_,))


def _endpoints(project_id: str, ids: Collection[str]) -> Iterator[_Found]:
    """By the host alone: the rest of an address may hold a credential."""
    for id_, url in endpoints_of(project_id).filter(id__in=ids).values_list("id", "url"):
        yield _Found(id_, urlsplit(url).hostname or "", (id_,))


def _clients(project_id: str, ids: Collection[str]) -> Iterator[_Found]:
    for id_, name in clients_of(project_id).filter(id__in=ids).values_list("id", "name"):
        yield _Found(id_, name, (id_,))


def _sessions(project_id: str, ids: Collection[str]) -> Iterator[_Found]:
    """By whom they are for; they stand on the page of their client."""
    found = sessions_of(project_id).filter(id__in=ids).values_list("id", "on_behalf_of", "client_id")
    for id_, person, client_id in found:
        yield _Found(id_, person, (client_id,))


def _examples(project_id: str, ids: Collection[str]) -> Iterator[_Found]:
    for id_, question in list_examples(project_id).filter(id__in=ids).values_list("id", "question"):
        yield _Found(id_, question)


def _invitations(project_id: str, ids: Collection[str]) -> Iterator[_Found]:
    for id_, email in projects.invitations_of(project_id).filter(id__in=ids).values_list("id", "email"):
        yield _Found(id_, email)


def _actors(project_id: str, ids: Collection[str]) -> Iterator[_Found]:
    for id_, name in projects.names_of_actors(project_id, ids).items():
        yield _Found(id_, name)


def _documents(project_id: str, ids: Collection[str]) -> Iterator[_Found]:
    rows = documents.list_documents(project_id).filter(pk__in=list(_numbers(ids)))
    for pk, handle, title in rows.values_list("pk", "handle", "title"):
        yield _Found(f"document:{pk}", title, (handle,))


def _snapshots(project_id: str, ids: Collection[str]) -> Iterator[_Found]:
    rows = documents.stored_snapshots(project_id, list(_numbers(ids)))
    for pk, reference, handle in rows.values_list("pk", "reference", "handle"):
        yield _Found(f"snapshot:{pk}", handle, (reference,))


def _numbers(ids: Collection[str]) -> Iterator[int]:
    """Of ids such as ``document:7``."""
    numbers = (name.partition(":")[2] for name in ids)
    return (int(number) for number in numbers if number.isascii() and number.isdigit() and len(number) < 19)  # noqa: PLR2004 -- a bigint


_KINDS: Final[Mapping[str, _Kind]] = {
    "ks": _Kind(_sources, "source"),
    "document": _Kind(_documents, "document"),
    "snapshot": _Kind(_snapshots, "document_snapshot"),
    "exm": _Kind(_examples),
    "agt": _Kind(_agents, "agent"),
    "sec": _Kind(_secrets, "secret"),
    "whe": _Kind(_endpoints, "webhook"),
    "acl": _Kind(_clients, "agent_client"),
    "ses": _Kind(_sessions, "agent_client"),
    "inv": _Kind(_invitations),
    "user": _Kind(_actors),
    "key": _Kind(_actors),
}
