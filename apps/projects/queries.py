"""Everything that is read of projects, members and keys."""

from django.conf import settings
from django.db.models import QuerySet

from apps.kernel import hooks
from apps.kernel.errors import AppError
from apps.projects import errors
from apps.projects.models import ApiKey, Member, Project, Role
from apps.projects.scoping import across_projects


def get_project(project_id: str, *, lock: bool = False) -> Project:
    projects = Project.objects.select_for_update() if lock else Project.objects.all()
    return projects.get(id=project_id)


def usage(project_id: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for count in hooks.usage_counters:
        counts.update(count(project_id))
    return counts


def limits() -> dict[str, int]:
    shown = {
        "requests_per_minute_per_key": settings.RATE_LIMIT_PER_KEY,
        "requests_per_minute_per_project": settings.RATE_LIMIT_PER_PROJECT,
    }
    for read in hooks.limit_readers:
        shown.update(read())
    return shown


def live_keys(project_id: str) -> QuerySet[ApiKey]:
    """Keys that were not revoked; expired ones stay visible until someone removes them."""
    return ApiKey.objects.for_project(project_id).filter(revoked_at=None)


def get_key(project_id: str, key_id: str, *, lock: bool = False) -> ApiKey:
    keys = live_keys(project_id)
    key = (keys.select_for_update() if lock else keys).filter(id=key_id).first()
    if key is None:
        raise AppError(errors.API_KEY_NOT_FOUND)
    return key


def projects_of(user_id: int) -> list[tuple[Project, str]]:
    """The projects a person is a member of, with the role, by name."""
    with across_projects():
        places = Member.objects.all_projects().filter(user_id=user_id).select_related("project")
        return sorted(((place.project, place.role) for place in places), key=lambda pair: pair[0].name)


def owned_projects(user_id: int) -> int:
    """How many projects a person owns."""
    with across_projects():
        return Member.objects.all_projects().filter(user_id=user_id, role=Role.OWNER).count()
