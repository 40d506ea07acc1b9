"""The API description for programs, and its pages for people, all from our own origin."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from apps.rest.operations import operation
from apps.rest.schema import description
from apps.rest.views import ApiView


class DescriptionView(ApiView):
    public = True

    @operation("The OpenAPI description", id="openapi", answers={200: None})
    def get(self, _: HttpRequest) -> HttpResponse:
        return self.single(description(settings.ROOT_URLCONF))


class ReferenceView(ApiView):
    """Swagger UI, set up by a script of ours because the policy admits no inline one."""

    public = True

    @operation("The reference", id="docs", answers={200: None})
    def get(self, _: HttpRequest) -> HttpResponse:
        return HttpResponse(render_to_string("rest/reference.html"))
