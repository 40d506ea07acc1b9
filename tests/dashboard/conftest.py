"""The shop whose pages are walked."""

import pytest

from tests.dashboard.world import Shop
from tests.factories import Tenant


@pytest.fixture
def shown(shop: Tenant) -> Shop:
    return Shop(shop)


@pytest.fixture
def foreign(other_shop: Tenant) -> Shop:
    return Shop(other_shop, "elsewhere")
