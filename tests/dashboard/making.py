"""What tests of pages share: sources of a shop, and what a member sees of them."""

from typing import Any

from django.test import Client

from apps.agents import queries as queries_of_agents
from apps.agents import services as agents
from apps.agents.models import Agent
from apps.agents.queries import get_agent
from apps.knowledge import queries, services
from apps.knowledge.documents.body import of_text
from apps.knowledge.documents.models import Document
from apps.knowledge.documents.queries import get_document
from apps.knowledge.documents.services import Wish, put_document
from apps.knowledge.models import Source
from apps.projects.models import User
from apps.projects.scoping import project_scope
from apps.sections import Selection
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


def add_agent(tenant: Tenant, *attached: tuple[Source | str, str], **fields: Any) -> Agent:
    """An agent that attaches sources and whole documents, the latter by their ids, each in a mode."""
    knowledge = {"sources": [_attachment(*one) for one in attached], **fields.pop("knowledge", {})}
    with project_scope(tenant.id):
        name = fields.pop("name", "مساعد المتجر")
        return agents.create_agent(tenant.id, name=name, knowledge=knowledge, actor="operator", **fields)


def _attachment(what: Source | str, mode: str) -> dict[str, Any]:
    if isinstance(what, str):
        return {"document_id": what, "selection": Selection(), "mode": mode}
    return {"source_id": what.id, "mode": mode}


def publish_agent(agent: Agent) -> None:
    with project_scope(agent.project_id):
        agents.publish(get_agent(agent.project_id, agent.id, lock=True), actor="operator")


def read_agent(agent: Agent) -> Agent:
    with project_scope(agent.project_id):
        return get_agent(agent.project_id, agent.id)


def draft_of(agent: Agent) -> list[tuple[str, str]]:
    """What the draft attaches, in its order: ids and modes."""
    with project_scope(agent.project_id):
        return [(one.attached_id, one.mode) for one in queries_of_agents.draft_of(agent)]


GUIDE = """مقدمة عامة.
<!-- agent-section:delivery -->
نوصل إلى كل المدن.
<!-- agent-section:delivery.timing -->
خلال يومين.
<!-- /agent-section:delivery.timing -->
<!-- /agent-section:delivery -->
<!-- agent-section:returns -->
الاسترجاع خلال أسبوع.
<!-- /agent-section:returns -->
"""


def add_document(tenant: Tenant, document_id: str = "guide", text: str = GUIDE, **fields: Any) -> Document:
    wish = {"revision": "1", "title": "دليل التوصيل", "status": "published", **fields}
    with project_scope(tenant.id):
        made = Wish(handle=document_id, body=of_text(text, wish.pop("locale", None)), **wish)
        return put_document(tenant.id, made, strict=False, actor="operator").document


def read_document(document: Document) -> Document:
    with project_scope(document.project_id):
        return get_document(document.project_id, document.handle)


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
