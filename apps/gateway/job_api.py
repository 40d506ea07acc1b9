"""Doors of jobs for backends, and the protocol's health check."""

from typing import Final

from django.http import HttpRequest, HttpResponse

from apps.gateway import queries
from apps.gateway.http import ClientView, PublicWireView
from apps.gateway.jobs import presenter, submit
from apps.gateway.serializers import JobRequest
from apps.rest.operations import operation

# An input of the most characters, each of them as two escapes, with room for the rest.
JOB_BODY_LIMIT: Final = 2 * 1024 * 1024


class RunView(ClientView):
    body_limit = JOB_BODY_LIMIT

    @operation("Submit a job", id="submit_job", request=JobRequest, answers={202: None})
    def post(self, request: HttpRequest) -> HttpResponse:
        return self.accepted(presenter.accepted(submit.submit(self.caller, **self.body)))


class JobView(ClientView):
    @operation("Read a job", id="read_job", answers={200: None})
    def get(self, request: HttpRequest, job_id: str) -> HttpResponse:
        return self.answer(presenter.shown(queries.get_job(self.caller.client, job_id)))


class HealthView(PublicWireView):
    """Nothing of the service can be paused, so it never is."""

    @operation("Whether the service takes requests", id="wire_health", answers={200: None})
    def get(self, request: HttpRequest) -> HttpResponse:
        return self.answer({"status": "ok", "paused": False})
