"""Pages of secrets: a value goes in and never comes out, and only an owner decides where it may be sent."""

import pytest
from django.http import HttpResponse

from apps.knowledge import services as knowledge
from apps.projects.models import AuditEntry, Role
from apps.projects.scoping import project_scope
from apps.vault import services
from apps.vault.models import Secret
from tests.dashboard.world import Shop, signed_in

VALUE = "a-value-that-nobody-sees-again"
NEW = {"name": "SHOP_TOKEN", "value": VALUE, "allowed_hosts": "API.shop.example\n\n feeds.shop.example "}


def post(shown: Shop, path: str, form: dict[str, str], role: Role = Role.OWNER) -> HttpResponse:
    return signed_in(shown.people[role]).post(f"/p/{shown.tenant.id}/{path}", form)  # type: ignore[return-value]


@pytest.fixture
def secret(shown: Shop) -> Secret:
    with project_scope(shown.tenant.id):
        return services.create_secret(
            shown.tenant.id, name="SHOP_TOKEN", value=VALUE, allowed_hosts=["feeds.shop.example"], actor="operator"
        )


def kept(shown: Shop) -> Secret:
    with project_scope(shown.tenant.id):
        return Secret.objects.for_project(shown.tenant.id).get(name="SHOP_TOKEN")


def test_a_secret_is_kept_with_its_hosts_one_a_line(shown: Shop) -> None:
    answer = post(shown, "secrets/new", NEW, Role.EDITOR)

    assert answer.status_code == 302
    assert kept(shown).allowed_hosts == ["api.shop.example", "feeds.shop.example"]


@pytest.mark.conformance("KA-074")
@pytest.mark.parametrize("path", ["secrets", "secrets/{id}", "secrets/{id}/remove"])
def test_no_page_shows_a_value(shown: Shop, secret: Secret, path: str) -> None:
    address = f"/p/{shown.tenant.id}/{path.format(id=secret.id)}"

    answer = signed_in(shown.people[Role.OWNER]).get(address)

    assert answer.status_code == 200
    assert VALUE not in answer.content.decode()


def test_a_refused_form_does_not_hand_the_value_back(shown: Shop) -> None:
    answer = post(shown, "secrets/new", {**NEW, "name": "lower case"})

    assert answer.status_code == 200
    assert VALUE not in answer.content.decode()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "lower", "starts with a capital letter"),
        ("value", "two\nlines", "line break"),
        ("value", "عربي", "visible ASCII"),
        ("allowed_hosts", "*.shop.example", ""),
        ("allowed_hosts", "10.0.0.1", ""),
        ("allowed_hosts", "", "required"),
    ],
)
def test_what_the_vault_refuses_is_said_at_its_field(shown: Shop, field: str, value: str, said: str) -> None:
    page = post(shown, "secrets/new", {**NEW, field: value}).content.decode()

    assert f'id="id_{field}_error"' in page
    assert said in page


def test_a_name_that_is_taken_is_said(shown: Shop, secret: Secret) -> None:
    assert "a secret of this name already" in post(shown, "secrets/new", NEW).content.decode()


def test_an_owner_widens_the_hosts_and_the_log_tells(shown: Shop, secret: Secret) -> None:
    post(shown, f"secrets/{secret.id}/hosts", {"allowed_hosts": "feeds.shop.example\napi.shop.example"})

    with project_scope(shown.tenant.id):
        entry = AuditEntry.objects.for_project(shown.tenant.id).get(action="secret.hosts_widened")
    assert entry.details["added"] == ["api.shop.example"]
    assert entry.actor == f"user:{shown.people[Role.OWNER].pk}"


@pytest.mark.conformance("S-5")
def test_an_editor_cannot_have_a_value_sent_elsewhere(shown: Shop, secret: Secret) -> None:
    form = {"allowed_hosts": "thief.example"}

    assert post(shown, f"secrets/{secret.id}/hosts", form, Role.EDITOR).status_code == 403
    assert kept(shown).allowed_hosts == ["feeds.shop.example"]


def test_a_secret_in_use_stays_and_the_page_names_its_users(shown: Shop, secret: Secret) -> None:
    config = {
        "url": "https://feeds.shop.example/a.json",
        "headers": {"Authorization": "Bearer {{secret.SHOP_TOKEN}}"},
    }
    with project_scope(shown.tenant.id):
        knowledge.create_source(shown.tenant.id, name="أسعار اليوم", kind="api", config=config, actor="operator")

    answer = post(shown, f"secrets/{secret.id}/remove", {})

    assert answer.status_code == 409
    assert "أسعار اليوم" in answer.content.decode()
    assert kept(shown).id == secret.id
