"""Requests generated from the API description, sound and unsound, get answers that the description knows (A-1)."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck
from hypothesis import settings as generation
from pytest_django import Settings
from schemathesis import GenerationMode, checks
from schemathesis.config import SchemathesisConfig

from tests.factories import Tenant
from tests.isolation.world import World

Case = schemathesis.Case[Any]
SIGNALS: Final = (request_started, request_finished)
CHECKS: Final = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
    checks.ignored_auth,
]


class InOneTransaction:
    """The application on the connection that the test's transaction lives on, which requests otherwise close."""

    def __init__(self) -> None:
        self._application = get_wsgi_application()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        for signal in SIGNALS:
            signal.disconnect(close_old_connections)
        return self._application(environ, start_response)


REFUSALS: Final = [400, 401, 403, 404, 405, 409, 412, 413, 415, 422]
schema = schemathesis.openapi.from_wsgi(
    "/v1/openapi.json",
    InOneTransaction(),
    config=SchemathesisConfig.from_dict(
        {
            # The key is sent with every request, so that requests are refused for what they hold.
            "generation": {"with-security-parameters": False},
            "checks": {"negative_data_rejection": {"expected-statuses": REFUSALS}},
        }
    ),
)


@pytest.fixture
def world(shop: Tenant, settings: Settings) -> Iterator[World]:
    """A project whose rate is never used up."""
    settings.RATE_LIMIT_PER_KEY = settings.RATE_LIMIT_PER_PROJECT = 1_000_000
    yield World(shop)
    for signal in SIGNALS:
        signal.connect(close_old_connections)


def aimed(case: Case, world: World) -> Case:
    """A sound request goes to things that exist, so that it gets past looking them up."""
    if case.meta is not None and case.meta.generation.mode is GenerationMode.POSITIVE:
        case.path_parameters = {name: world.id_of(name) for name in case.path_parameters}
    return case


@pytest.mark.conformance("A-1")
@schema.parametrize()
@generation(
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_an_answer_is_one_of_those_described(case: Case, world: World) -> None:
    aimed(case, world).call_and_validate(headers={"Authorization": f"Bearer {world.tenant.key}"}, checks=CHECKS)
