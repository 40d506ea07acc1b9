from datetime import timedelta

import pytest
from django.utils import timezone

from apps.projects.scoping import project_scope
from apps.vault.models import Secret
from apps.vault.release import SecretRefusedError, fill_headers, reference_faults
from apps.vault.services import update_secret
from tests.factories import Tenant
from tests.vault.making import HOST, VALUE, stored_secret

HEADERS = {"Accept": "application/json", "Authorization": "Bearer {{secret.TOKEN}}"}


def filled(tenant: Tenant, host: str = HOST) -> dict[str, str]:
    with project_scope(tenant.id):
        return fill_headers(tenant.id, HEADERS, host=host)


def refusal(tenant: Tenant, host: str = HOST) -> SecretRefusedError:
    with pytest.raises(SecretRefusedError) as raised:
        filled(tenant, host)
    return raised.value


def faults(tenant: Tenant, headers: dict[str, str], host: str = HOST) -> list[tuple[str, str | None]]:
    with project_scope(tenant.id):
        found = reference_faults(tenant.id, headers, host=host, param="config.headers")
    return [(fault.code, fault.param) for fault in found]


@pytest.mark.conformance("KA-071")
def test_headers_are_filled_for_an_allowed_host(shop: Tenant) -> None:
    stored_secret(shop)

    assert filled(shop) == {"Accept": "application/json", "Authorization": f"Bearer {VALUE}"}


@pytest.mark.conformance("S-2")
def test_the_value_at_the_time_of_sending_counts(shop: Tenant) -> None:
    secret = stored_secret(shop)
    with project_scope(shop.id):
        update_secret(secret, value="changed", actor="operator")

    assert filled(shop)["Authorization"] == "Bearer changed"


@pytest.mark.conformance("KA-071")
def test_an_unknown_secret_is_refused_at_save_and_at_send(shop: Tenant) -> None:
    assert faults(shop, HEADERS) == [("secret_missing", "config.headers.Authorization")]
    assert refusal(shop).code == "secret_missing"


def test_a_secret_of_another_project_is_unknown(shop: Tenant, other_shop: Tenant) -> None:
    stored_secret(other_shop)

    assert refusal(shop).code == "secret_missing"


@pytest.mark.conformance("KA-073", "S-6")
@pytest.mark.parametrize(
    "host",
    ["evil.example", "api.example.com.evil.example", "sub.api.example.com", "example.com", "API.EXAMPLE.COM"],
)
def test_no_other_host_gets_the_secret(shop: Tenant, host: str) -> None:
    stored_secret(shop)

    assert faults(shop, HEADERS, host) == [("secret_host_not_allowed", "config.headers.Authorization")]
    assert refusal(shop, host).code == "secret_host_not_allowed"


@pytest.mark.conformance("KA-073")
def test_hosts_that_were_taken_away_later_count_at_send(shop: Tenant) -> None:
    secret = stored_secret(shop)
    with project_scope(shop.id):
        update_secret(secret, allowed_hosts=["other.example.com"], actor="operator")

    assert refusal(shop).code == "secret_host_not_allowed"


@pytest.mark.conformance("S-4")
@pytest.mark.parametrize("damage", [lambda blob: blob[:-1], lambda blob: blob[:-1] + b"\0", lambda _: b""])
def test_a_damaged_value_counts_as_missing(shop: Tenant, damage: object) -> None:
    secret = stored_secret(shop)
    secret.sealed = damage(bytes(secret.sealed))  # type: ignore[operator]  # a function of bytes
    with project_scope(shop.id):
        secret.save(update_fields=["sealed"])

    assert refusal(shop).code == "secret_missing"


@pytest.mark.conformance("S-4")
def test_two_values_that_were_swapped_do_not_open(shop: Tenant) -> None:
    one, other = stored_secret(shop), stored_secret(shop, name="OTHER", value="something else")
    with project_scope(shop.id):
        Secret.objects.for_project(shop.id).filter(id=one.id).update(sealed=other.sealed)

    assert refusal(shop).code == "secret_missing"


@pytest.mark.conformance("S-1", "S-7")
def test_a_refusal_holds_no_value(shop: Tenant) -> None:
    stored_secret(shop)
    raised = refusal(shop, "evil.example")

    assert VALUE not in f"{raised!r} {raised.params}"


def test_every_fault_is_reported(shop: Tenant) -> None:
    stored_secret(shop)
    headers = {"A": "{{secret.TOKEN}}{{secret.NONE}}", "B": "{{secret.none}}", "C": "{{secret.TOKEN}}"}

    assert faults(shop, headers) == [
        ("secret_reference_malformed", "config.headers.B"),
        ("secret_missing", "config.headers.A"),
    ]


def test_headers_without_references_need_nothing(shop: Tenant) -> None:
    assert faults(shop, {"Accept": "text/plain"}) == []


def test_the_time_of_last_use_is_kept(shop: Tenant) -> None:
    stored_secret(shop)
    filled(shop)

    with project_scope(shop.id):
        assert Secret.objects.for_project(shop.id).get().last_used_at is not None


def test_the_time_of_last_use_is_written_once_a_minute(shop: Tenant) -> None:
    secret = stored_secret(shop)
    recently = timezone.now() - timedelta(seconds=50)
    secret.last_used_at = recently
    with project_scope(shop.id):
        secret.save(update_fields=["last_used_at"])
    filled(shop)

    with project_scope(shop.id):
        assert Secret.objects.for_project(shop.id).get().last_used_at == recently


def test_a_refused_request_is_no_use(shop: Tenant) -> None:
    stored_secret(shop)
    refusal(shop, "evil.example")

    with project_scope(shop.id):
        assert Secret.objects.for_project(shop.id).get().last_used_at is None
