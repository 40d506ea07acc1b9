"""The demo project: a small perfume shop with prices, policies, a guide, a feed, and an agent that knows them."""

import json
import secrets
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from apps.agents import services as agents
from apps.kernel.errors import AppError
from apps.knowledge import queries as knowledge_queries
from apps.knowledge import services as knowledge
from apps.knowledge.documents import services as documents
from apps.knowledge.documents.body import of_text
from apps.knowledge.documents.models import DocumentStatus
from apps.knowledge.models import Source
from apps.projects import services as projects
from apps.projects.accounts import create_person
from apps.projects.models import Project, Role, User
from apps.projects.scoping import project_scope
from apps.sections import Selection
from apps.webhooks import queries as webhook_queries
from apps.webhooks import services as webhooks

EMAIL: Final = "demo@mawrid.example"
# An id of the demo alone: whoever pastes the lines of docs/documents.md puts a `service-guide` beside it.
GUIDE: Final = "demo-guide"
INSTRUCTIONS: Final = (
    "أنت مساعد متجر عطور. أجب بلهجة ودودة وجمل قصيرة، ولا تذكر سعرًا لم تجده في المعرفة."
    " إذا لم تعرف فحوّل السؤال إلى الفريق."
)
_DATA = Path(__file__).parent / "data"
_TRANSFORM: Final = {
    "items_path": "data.products",
    "line": "{name} — {price} ريال",
    "group_by": "category",
    "sort_by": "price",
    "skip_when_zero": "price",
    "header": "أسعار المتجر الآن",
}


@dataclass(frozen=True, slots=True)
class Demo:
    """How to get into the demo; kept in a file of `DATA_DIR`, since the database only has hashes."""

    project: str
    email: str
    password: str
    api_key: str
    shop_url: str = ""
    source: str = ""
    endpoint: str = ""
    webhook_secret: str = ""


def prepare(shop_url: str = "") -> Demo:
    """The demo of this data folder, made on the first call; with a shop it reads the shop's feed and tells it."""
    kept = _read()
    demo = kept if kept is not None and _exists(kept) else _make()
    if shop_url and demo.shop_url != shop_url:
        with project_scope(demo.project):
            demo = _moved(demo, shop_url) if demo.source else _connected(demo, shop_url)
    _write(demo)
    return demo


def _exists(demo: Demo) -> bool:
    with project_scope(demo.project):
        return Project.objects.filter(id=demo.project).exists()


def _make() -> Demo:
    password = secrets.token_urlsafe(12)
    project, key = projects.create_project(name="متجر مورد التجريبي")
    user = _person(password)
    projects.add_member(project.id, user=user, role=Role.OWNER, actor=projects.OPERATOR)
    with project_scope(project.id):
        prices = _source(project.id, "قائمة الأسعار", "catalog", "price_list.txt")
        policies = _source(project.id, "سياسات المتجر", "text", "policy.txt")
        _add_guide(project.id)
        _add_agent(
            project.id,
            [
                {"source_id": policies.id, "mode": "always"},
                {"source_id": prices.id, "mode": "searchable"},
                {"document_id": GUIDE, "selection": Selection.of({"mode": "document"}), "mode": "searchable"},
            ],
        )
    return Demo(project.id, EMAIL, password, key)


def _source(project_id: str, name: str, kind: str, file: str) -> Source:
    content = (_DATA / file).read_text(encoding="utf-8")
    return knowledge.create_source(project_id, name=name, kind=kind, content=content, actor=projects.OPERATOR)


def _add_guide(project_id: str) -> None:
    body = of_text((_DATA / "service_guide.txt").read_text(encoding="utf-8"), "ar")
    wish = documents.Wish(GUIDE, "1", "دليل الخدمة", DocumentStatus.PUBLISHED, body)
    documents.put_document(project_id, wish, strict=False, actor=projects.OPERATOR)


def _add_agent(project_id: str, attached: list[dict[str, Any]]) -> None:
    agent = agents.create_agent(
        project_id,
        name="مساعد المتجر",
        instructions=INSTRUCTIONS,
        knowledge={"sources": attached},
        route="shop-assistant",
        actor=projects.OPERATOR,
    )
    agents.publish(agent, actor=projects.OPERATOR)


def _connected(demo: Demo, shop_url: str) -> Demo:
    """A source on the shop's feed, and a webhook endpoint at the shop."""
    source = knowledge.create_source(
        demo.project,
        name="أسعار المتجر الحية",
        kind="api",
        config={"url": f"{shop_url}/products.json", "refresh_minutes": 15, "transform": _TRANSFORM},
        actor=projects.OPERATOR,
    )
    endpoint, secret = webhooks.create_endpoint(
        demo.project, url=f"{shop_url}/webhooks", events=["*"], actor=projects.OPERATOR
    )
    return replace(demo, shop_url=shop_url, source=source.id, endpoint=endpoint.id, webhook_secret=secret)


def _moved(demo: Demo, shop_url: str) -> Demo:
    """The same, after the shop got another port; what its visitor has deleted stays deleted."""
    with suppress(AppError):
        source = knowledge_queries.get_source(demo.project, demo.source, lock=True)
        knowledge.update_source(source, config={"url": f"{shop_url}/products.json"}, actor=projects.OPERATOR)
    with suppress(AppError):
        endpoint = webhook_queries.get_endpoint(demo.project, demo.endpoint, lock=True)
        webhooks.update_endpoint(endpoint, url=f"{shop_url}/webhooks", actor=projects.OPERATOR)
    return replace(demo, shop_url=shop_url)


def _person(password: str) -> User:
    """The demo's owner; one who is left of an earlier demo gets the new password."""
    user = User.objects.filter(email=EMAIL).first()
    if user is None:
        return create_person(EMAIL, password)
    user.set_password(password)
    user.save(update_fields=["password"])
    return user


def _path() -> Path:
    return Path(settings.DATA_DIR) / "demo.json"


def _read() -> Demo | None:
    try:
        return Demo(**json.loads(_path().read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _write(demo: Demo) -> None:
    path = _path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(json.dumps(asdict(demo)), encoding="utf-8")
