"""What tests of pages share: sources of a shop, and what a member sees of them."""

from typing import Any

from django.test import Client

from apps.knowledge import queries, services
from apps.knowledge.models import Source
from apps.projects.models import User
from apps.projects.scoping import project_scope
from tests.dashboard.world import signed_in
from tests.factories import Tenant

PRICES = "صندوق بخور — 95 ريال\nدهن عود كمبودي 12 مل — 520 ريال\nعسل سدر 500 جرام — 230 ريال"


def add_source(tenant: Tenant, content: str | None = PRICES, **fields: Any) -> Source:
    with project_scope(tenant.id):
        kind = fields.pop("kind", "catalog")
        name = fields.pop("name", "الأسعار")
        return services.create_source(tenant.id, name=name, kind=kind, content=content, actor="operator", **fields)


def change_source(source: Source, **fields: Any) -> Source:
    with project_scope(source.project_id):
        locked = queries.get_source(source.project_id, source.id, lock=True)
        return services.update_source(locked, actor="operator", **fields)


def read_source(source: Source) -> Source:
    with project_scope(source.project_id):
        return queries.get_source(source.project_id, source.id)


def content_of(source: Source) -> str | None:
    revision = read_source(source).revision
    return None if revision is None else revision.content


def only_source(tenant: Tenant) -> Source:
    """The project's only source, with its content."""
    with project_scope(tenant.id):
        return queries.get_source(tenant.id, queries.list_sources(tenant.id).get().id)


class Visitor:
    """Somebody at the pages of one project."""

    def __init__(self, tenant: Tenant, person: User, language: str = "en") -> None:
        self.client: Client = signed_in(person, language)
        self._root = f"/p/{tenant.id}"

    def see(self, page: str, **query: str) -> str:
        answer = self.client.get(f"{self._root}/{page}", query)
        assert answer.status_code == 200
        return answer.content.decode()

    def ask(self, page: str, **query: str) -> Any:
        return self.client.get(f"{self._root}/{page}", query)

    def send(self, page: str, **form: Any) -> Any:
        return self.client.post(f"{self._root}/{page}", form)

    def sent(self, page: str, **form: Any) -> str:
        """Send a form that is shown again, or whose answer is a page."""
        answer = self.send(page, **form)
        assert answer.status_code == 200
        return str(answer.content.decode())
