"""Every test here talks to the toy API, with a real Valkey and a memory in place of the database."""

from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from apps.rest.throttles import breaker
from tests.api_client import ApiClient
from tests.rest import toys


@pytest.fixture(autouse=True)
def toy_world(settings: Settings, valkey: Any) -> Iterator[None]:
    settings.ROOT_URLCONF = "tests.rest.toys"
    settings.REST_SCOPE = "tests.rest.toys.toy_scope"
    settings.REST_IDEMPOTENCY_STORE = "tests.rest.toys.ToyStore"
    breaker.reset()
    yield
    toys.scopes_ended.clear()
    toys.things_made.clear()
    toys.ToyStore.records.clear()
    breaker.reset()


@pytest.fixture
def api() -> ApiClient:
    """A caller with every scope."""
    return ApiClient("read+write+search")


@pytest.fixture
def anyone() -> ApiClient:
    """A caller without a credential."""
    return ApiClient(None)
