"""REST doors of projects and keys."""

from typing import cast

from django.http import HttpRequest, HttpResponse

from apps.projects import presenters, queries, services
from apps.projects.auth import ApiCaller
from apps.projects.serializers import ApiKeyShape, NewApiKey, ProjectChange, ProjectShape, ShownApiKey
from apps.projects.services import Grant
from apps.rest.fields import ListQuery
from apps.rest.operations import operation
from apps.rest.pagination import newest_first
from apps.rest.views import ApiView


class ProjectView(ApiView):
    @operation("Read the project of the key", id="get_project", answers={200: ProjectShape})
    def get(self, request: HttpRequest) -> HttpResponse:
        return self.single(presenters.project(queries.get_project(self.caller.project_id)))

    @operation(
        "Change the project",
        id="update_project",
        request=ProjectChange,
        partial=True,
        answers={200: ProjectShape},
    )
    def patch(self, request: HttpRequest) -> HttpResponse:
        project = queries.get_project(self.caller.project_id, lock=True)
        self.check_if_match(presenters.project(project))
        changed = services.update_project(project, **self.body, actor=self.caller.key_id)
        return self.single(presenters.project(changed))


class ApiKeyView(ApiView):
    """What all doors of keys share."""

    @property
    def own(self) -> Grant:
        return cast("ApiCaller", self.caller).grant


class ApiKeysView(ApiKeyView):
    @operation("List API keys", id="list_api_keys", query=ListQuery, answers={200: ApiKeyShape})
    def get(self, request: HttpRequest) -> HttpResponse:
        keys = queries.live_keys(self.caller.project_id)
        return self.listing(newest_first(keys, presenters.api_key, **self.paging))

    @operation(
        "Create an API key",
        id="create_api_key",
        request=NewApiKey,
        answers={201: ShownApiKey},
        errors={404: "A source of `source_ids` is not in the project."},
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        key, text = services.create_key(
            self.caller.project_id,
            name=self.body["name"],
            grant=_grant(self.body),
            own=self.own,
            actor=self.caller.key_id,
        )
        shown = presenters.api_key(key, text=text)
        return self.created(shown, location=f"/v1/api_keys/{key.id}")


class OneApiKeyView(ApiKeyView):
    @operation("Read an API key", id="get_api_key", answers={200: ApiKeyShape})
    def get(self, request: HttpRequest, key_id: str) -> HttpResponse:
        return self.single(presenters.api_key(queries.get_key(self.caller.project_id, key_id)))

    @operation("Revoke an API key", id="delete_api_key", answers={204: None})
    def delete(self, request: HttpRequest, key_id: str) -> HttpResponse:
        key = queries.get_key(self.caller.project_id, key_id, lock=True)
        self.check_if_match(presenters.api_key(key))
        services.revoke_key(key, actor=self.caller.key_id)
        return self.no_content()


class RotateApiKeyView(ApiKeyView):
    @operation(
        "Replace an API key; the old one stays valid for 24 hours more",
        id="rotate_api_key",
        answers={200: ShownApiKey},
    )
    def post(self, request: HttpRequest, key_id: str) -> HttpResponse:
        key = queries.get_key(self.caller.project_id, key_id, lock=True)
        successor, text = services.rotate_key(key, own=self.own, actor=self.caller.key_id)
        return self.single(presenters.api_key(successor, text=text))


def _grant(body: dict[str, object]) -> Grant:
    source_ids = cast("list[str] | None", body.get("source_ids"))
    return Grant(
        scopes=frozenset(cast("list[str]", body["scopes"])),
        source_ids=None if source_ids is None else tuple(source_ids),
        expires_at=body.get("expires_at"),  # type: ignore[arg-type] # an InstantField gives a datetime
    )
