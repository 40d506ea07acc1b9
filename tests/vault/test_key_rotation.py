from io import StringIO

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from pytest_django import Settings

from apps.projects.scoping import project_scope
from apps.vault import envelope
from apps.vault.models import DataKey
from apps.vault.release import fill_headers
from tests.factories import Tenant
from tests.vault.making import HOST, NEW, OLD, VALUE, stored_secret

HEADERS = {"Authorization": "Bearer {{secret.TOKEN}}"}


@pytest.fixture
def sealed_under_old(settings: Settings, shop: Tenant, other_shop: Tenant) -> None:
    settings.ENCRYPTION_KEYS = [OLD]
    stored_secret(shop)
    stored_secret(other_shop)


def rotate() -> str:
    output = StringIO()
    call_command("rotate_encryption_keys", stdout=output)
    return output.getvalue()


def sent(tenant: Tenant) -> str:
    with project_scope(tenant.id):
        return fill_headers(tenant.id, HEADERS, host=HOST)["Authorization"]


@pytest.mark.conformance("S-3")
@pytest.mark.usefixtures("sealed_under_old")
@pytest.mark.parametrize(
    "keys", [[OLD], [OLD, NEW], [NEW, OLD]], ids=["before", "the new one added", "the new one first"]
)
def test_every_step_before_rewrapping_opens_secrets(keys: list[str], settings: Settings, shop: Tenant) -> None:
    settings.ENCRYPTION_KEYS = keys

    assert sent(shop) == f"Bearer {VALUE}"


@pytest.mark.conformance("S-3")
@pytest.mark.usefixtures("sealed_under_old")
def test_after_rewrapping_the_old_key_is_not_needed(settings: Settings, shop: Tenant, other_shop: Tenant) -> None:
    settings.ENCRYPTION_KEYS = [NEW, OLD]
    rotate()
    settings.ENCRYPTION_KEYS = [NEW]

    assert [sent(shop), sent(other_shop)] == [f"Bearer {VALUE}"] * 2
    call_command("check", databases=["default"])


@pytest.mark.conformance("S-3")
@pytest.mark.usefixtures("sealed_under_old")
def test_rewrapping_twice_changes_nothing_more(settings: Settings) -> None:
    settings.ENCRYPTION_KEYS = [NEW, OLD]

    assert "Sealed 2 data key(s) under 'new'" in rotate()
    assert "Sealed 0 data key(s) under 'new'" in rotate()


@pytest.mark.conformance("S-3")
@pytest.mark.usefixtures("sealed_under_old")
def test_a_stopped_rewrapping_goes_on_where_it_was(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, shop: Tenant, other_shop: Tenant
) -> None:
    settings.ENCRYPTION_KEYS = [NEW, OLD]
    rewrap = envelope._rewrap
    calls: list[str] = []

    def stop_after_one(data_key_id: str) -> bool:
        calls.append(data_key_id)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return rewrap(data_key_id)

    with monkeypatch.context() as patch:
        patch.setattr(envelope, "_rewrap", stop_after_one)
        with pytest.raises(KeyboardInterrupt):
            rotate()

    assert [sent(shop), sent(other_shop)] == [f"Bearer {VALUE}"] * 2
    assert "Sealed 1 data key(s)" in rotate()


@pytest.mark.usefixtures("sealed_under_old")
def test_the_command_says_which_keys_are_in_use(settings: Settings) -> None:
    settings.ENCRYPTION_KEYS = [NEW, OLD]

    assert "In use: new." in rotate()


@pytest.mark.conformance("S-3")
@pytest.mark.usefixtures("sealed_under_old")
def test_removing_a_key_in_use_stops_the_start(settings: Settings) -> None:
    settings.ENCRYPTION_KEYS = [NEW]

    with pytest.raises(SystemCheckError, match="lacks the key 'old', under which 2 data key"):
        call_command("check", databases=["default"])


def test_keys_that_cannot_be_used_stop_the_start(settings: Settings) -> None:
    settings.ENCRYPTION_KEYS = ["k1:too short"]

    with pytest.raises(ImproperlyConfigured, match="not the base64 of 32 bytes"):
        apps.get_app_config("vault").ready()


@pytest.mark.usefixtures("sealed_under_old")
def test_the_command_fails_when_a_data_key_does_not_open(settings: Settings, shop: Tenant) -> None:
    settings.ENCRYPTION_KEYS = [NEW]

    with pytest.raises(CommandError, match=r"2 data key\(s\) did not open"):
        rotate()
    with project_scope(shop.id):
        assert DataKey.objects.for_project(shop.id).get().wrapped_by == "old"
