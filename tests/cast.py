"""The cast of the tests: a project with its owner and a member, a second project, and an outsider of both."""

import pytest

from apps.projects.models import Role, User
from tests.api_client import ApiClient
from tests.factories import Tenant, make_member, make_tenant, make_user


@pytest.fixture
def shop(db: None) -> Tenant:
    """The project that a test is about."""
    return make_tenant("متجر العود")


@pytest.fixture
def other_shop(db: None) -> Tenant:
    """A second project, whose things must stay unseen."""
    return make_tenant("متجر العسل")


@pytest.fixture
def owner(shop: Tenant) -> User:
    return make_member(shop, "owner@shop.example", Role.OWNER)


@pytest.fixture
def member(shop: Tenant) -> User:
    return make_member(shop, "member@shop.example", Role.EDITOR)


@pytest.fixture
def outsider(db: None) -> User:
    return make_user("outsider@elsewhere.example")


@pytest.fixture
def api(shop: Tenant) -> ApiClient:
    """A client with the shop's key."""
    return ApiClient(shop.key)


@pytest.fixture
def other_api(other_shop: Tenant) -> ApiClient:
    """A client with the second project's key."""
    return ApiClient(other_shop.key)


@pytest.fixture
def stranger(db: None) -> ApiClient:
    """A client without a key."""
    return ApiClient(None)
