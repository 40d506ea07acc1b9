"""The demo project: a small perfume shop with a price list and its policies, ready to be searched."""

import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from django.conf import settings

from apps.knowledge import services as knowledge
from apps.projects import services as projects
from apps.projects.models import Project, Role, User
from apps.projects.scoping import project_scope

EMAIL: Final = "demo@mawrid.example"
_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Demo:
    """How to get into the demo; kept in a file of `DATA_DIR`, since the database only has hashes."""

    project: str
    email: str
    password: str
    api_key: str


def prepare() -> Demo:
    """The demo of this data folder, made on the first call."""
    kept = _read()
    if kept is not None and _exists(kept):
        return kept
    demo = _make()
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
        for name, kind, file in (
            ("قائمة الأسعار", "catalog", "price_list.txt"),
            ("سياسات المتجر", "text", "policy.txt"),
        ):
            content = (_DATA / file).read_text(encoding="utf-8")
            knowledge.create_source(project.id, name=name, kind=kind, content=content, actor=projects.OPERATOR)
    return Demo(project.id, EMAIL, password, key)


def _person(password: str) -> User:
    """The demo's owner; one who is left of an earlier demo gets the new password."""
    user = User.objects.filter(email=EMAIL).first()
    if user is None:
        return User.objects.create_user(EMAIL, password)
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
