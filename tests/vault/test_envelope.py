import pytest
from prometheus_client import REGISTRY

from apps.projects.scoping import project_scope
from apps.vault.cipher import BrokenSealError
from apps.vault.envelope import open_sealed, seal
from apps.vault.models import DataKey
from tests.factories import Tenant


def broken_seals() -> float:
    return REGISTRY.get_sample_value("mawrid_vault_broken_seals_total") or 0.0


def test_another_room_can_seal_a_field_of_a_row(shop: Tenant) -> None:
    with project_scope(shop.id):
        blob = seal(shop.id, "whe_x", "signing_secret", "whsec_abc")

        assert open_sealed(shop.id, "whe_x", "signing_secret", blob) == "whsec_abc"


def test_a_project_has_one_data_key(shop: Tenant) -> None:
    with project_scope(shop.id):
        blobs = [seal(shop.id, "x", "a", "1"), seal(shop.id, "y", "b", "2")]

        assert DataKey.objects.for_project(shop.id).count() == 1
        assert open_sealed(shop.id, "x", "a", blobs[0]) == "1"


@pytest.mark.conformance("S-4")
def test_a_blob_of_another_project_does_not_open(shop: Tenant, other_shop: Tenant) -> None:
    with project_scope(other_shop.id):
        foreign = seal(other_shop.id, "x", "a", "1")
        seal(other_shop.id, "x", "a", "2")
    with project_scope(shop.id):
        seal(shop.id, "x", "a", "own")
        with pytest.raises(BrokenSealError):
            open_sealed(shop.id, "x", "a", foreign)


@pytest.mark.conformance("S-4")
def test_a_data_key_moved_to_another_project_does_not_open(shop: Tenant, other_shop: Tenant) -> None:
    with project_scope(shop.id):
        blob = seal(shop.id, "x", "a", "1")
        wrapped = DataKey.objects.for_project(shop.id).get().wrapped
    with project_scope(other_shop.id):
        seal(other_shop.id, "x", "a", "2")
        DataKey.objects.for_project(other_shop.id).update(wrapped=wrapped)
        with pytest.raises(BrokenSealError):
            open_sealed(other_shop.id, "x", "a", blob)


@pytest.mark.conformance("S-4")
def test_a_blob_that_does_not_open_is_counted_and_logged(
    shop: Tenant, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    before = broken_seals()
    with project_scope(shop.id), pytest.raises(BrokenSealError):
        open_sealed(shop.id, "x", "a", b"garbage")

    assert broken_seals() == before + 1
    assert "seal_broken" in capsys.readouterr().out + caplog.text


def test_an_empty_project_opens_nothing(shop: Tenant) -> None:
    with project_scope(shop.id), pytest.raises(BrokenSealError):
        open_sealed(shop.id, "x", "a", b"")
