"""A project as the walks over pages see it: its people, something of every kind in it, and addresses of pages."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from apps.knowledge.examples import keep_example
from apps.projects.membership import invite
from apps.projects.models import Role, User
from apps.projects.queries import members_of
from apps.projects.scoping import project_scope
from apps.projects.services import OPERATOR
from tests.dashboard.rows import Row
from tests.factories import Tenant, make_member
from tests.isolation.world import World, unknown_id

PROJECT: Final = "project_id"
# Rooms whose addresses are no pages of ours.
_NO_PAGES: Final = ("v1/",)


class Shop:
    """A tenant with a person of every role and with things made when an address asks for them."""

    def __init__(self, tenant: Tenant, label: str = "shop") -> None:
        self.tenant = tenant
        self.things = World(tenant)
        self._own: dict[str, str] = {}
        self.people: Mapping[Role, User] = {
            role: make_member(tenant, f"{role.value}@{label}.example", role) for role in Role
        }

    def id_of(self, name: str) -> str:
        """The id that stands for a parameter of this name; the same one each time."""
        if name not in _OWN_MAKERS:
            return self.things.id_of(name)
        if name not in self._own:
            self._own[name] = _OWN_MAKERS[name](self)
        return self._own[name]

    def address(self, row: Row, *, ids: Callable[[str], str] | None = None) -> str:
        """Where the row's page of this project is, with the project's own ids or those that `ids` gives."""
        give = ids or self.id_of
        names = PAGES[row.name].parameters
        arguments = {name: give(row.things.get(name, name)) for name in names if name != PROJECT}
        return reverse(row.name, kwargs={PROJECT: self.tenant.id, **arguments}) + quote(row.query, safe="?=&")

    def form(self, row: Row) -> dict[str, Any]:
        return {name: _filled(value, self) for name, value in row.form.items()}


def _filled(value: Any, shop: Shop) -> Any:
    """An id where the row names a thing in braces."""
    text = str(value)
    return shop.id_of(text[1:-1]) if text.startswith("{") and text.endswith("}") else value


# Makers of what only the dashboard has addresses for; everything else is made by `tests.isolation.world`.
def _member(shop: Shop) -> str:
    with project_scope(shop.tenant.id):
        return str(members_of(shop.tenant.id).get(user=shop.people[Role.VIEWER]).pk)


def _invitation(shop: Shop) -> str:
    with project_scope(shop.tenant.id):
        email = f"invited@{shop.tenant.id}.example"
        return invite(shop.tenant.id, email=email, role=Role.VIEWER, language="en", actor=OPERATOR).id


def _example(shop: Shop) -> str:
    with project_scope(shop.tenant.id):
        source_id = shop.id_of("source_id")
        return keep_example(
            shop.tenant.id, question="صندق", source_id=source_id, text="صندوق بخور", actor=OPERATOR
        ).id


def _version(shop: Shop) -> str:
    """The first one of the agent, which has two."""
    shop.id_of("agent_id")
    return "1"


_OWN_MAKERS: Final[Mapping[str, Callable[[Shop], str]]] = {
    "member_id": _member,
    "invitation_id": _invitation,
    "example_id": _example,
    "version": _version,
}
_OWN_UNKNOWN: Final[Mapping[str, str]] = {
    "member_id": "999999",
    "invitation_id": "inv_" + "0" * 26,
    "example_id": "exm_" + "0" * 26,
    "version": "999999",
}


def unknown(name: str) -> str:
    return _OWN_UNKNOWN[name] if name in _OWN_UNKNOWN else unknown_id(name)


def signed_in(user: User | None, language: str = "en") -> Client:
    client = Client(headers={"accept-language": language, "accept": "text/html"})
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


# --- what the URL configuration holds -----------------------------------------------------------------------


@dataclass(frozen=True)
class Address:
    """A named address: where it is, its parameters, and the function behind it."""

    route: str
    parameters: tuple[str, ...]
    view: Any


def _addresses(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, Address]]:
    for entry in resolver.url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _addresses(entry, route)
        elif entry.name and not route.startswith(_NO_PAGES):
            yield entry.name, Address(route, tuple(_names_in(route)), entry.callback)


def _names_in(route: str) -> Iterator[str]:
    for piece in route.split("<")[1:]:
        yield piece.partition(">")[0].rpartition(":")[2]


ADDRESSES: Final = dict(_addresses(get_resolver()))
# The pages of a project.
PAGES: Final = {name: address for name, address in ADDRESSES.items() if address.route.startswith("p/")}
