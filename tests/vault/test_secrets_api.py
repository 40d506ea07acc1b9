from collections.abc import Iterator
from typing import Any

import pytest
from pytest_django import Settings

from apps.kernel import hooks
from apps.outbound import parse_trusted_origins
from apps.projects.models import AuditEntry
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key
from tests.vault.making import HOST, VALUE

SOURCE = "ks_01k6rz2n5q8t1w4z7c0f3h6k9m"
BODY = {"name": "CATALOG_TOKEN", "value": VALUE, "allowed_hosts": [HOST]}


def created(api: ApiClient, **fields: Any) -> Any:
    response = api.post("/v1/secrets", {**BODY, **fields})
    assert response.status_code == 201, response.content
    return response.json()


def faults(response: Any) -> list[tuple[str, str]]:
    assert response.status_code == 400
    return [(fault["code"], fault["param"]) for fault in response.json()["error"]["errors"]]


def audited(tenant: Tenant) -> list[tuple[str, Any]]:
    with project_scope(tenant.id):
        entries = AuditEntry.objects.for_project(tenant.id).filter(action__startswith="secret.").order_by("id")
        return [(entry.action, entry.details) for entry in entries]


@pytest.fixture
def a_source() -> Iterator[None]:
    """Something answers for a source, as the room of sources would."""

    def known(project_id: str, source_ids: list[str]) -> set[str]:
        return {SOURCE}.intersection(source_ids)

    hooks.known_sources.add(known)
    yield
    hooks.known_sources.remove(known)


@pytest.fixture
def used_by_a_source() -> Iterator[None]:
    def users(project_id: str, name: str) -> list[hooks.User]:
        return [hooks.User("ks_1", "قائمة الأسعار")] if name == "CATALOG_TOKEN" else []

    hooks.secret_users.add(users)
    yield
    hooks.secret_users.remove(users)


@pytest.mark.conformance("KA-113")
def test_a_secret_is_created_and_shown_without_its_value(api: ApiClient) -> None:
    response = api.post("/v1/secrets", BODY)
    secret = response.json()

    assert response.status_code == 201
    assert response["Location"] == f"/v1/secrets/{secret['id']}"
    assert secret["id"].startswith("sec_")
    assert set(secret) == {
        "id",
        "object",
        "name",
        "allowed_hosts",
        "created_at",
        "updated_at",
        "last_used_at",
    }
    assert secret["created_at"] == secret["updated_at"]
    assert (secret["object"], secret["name"], secret["allowed_hosts"]) == ("secret", "CATALOG_TOKEN", [HOST])


def test_a_secret_is_read_and_listed(api: ApiClient) -> None:
    secret = created(api)

    assert api.get(f"/v1/secrets/{secret['id']}").json() == secret
    assert api.get("/v1/secrets").json()["data"] == [secret]


def test_a_name_is_taken_once_a_project(api: ApiClient, other_api: ApiClient) -> None:
    created(api)
    created(other_api)
    again = api.post("/v1/secrets", BODY)

    assert again.status_code == 409
    assert again.json()["error"]["code"] == "secret_name_taken"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"name": "lower"}, [("secret_name_invalid", "name")]),
        ({"name": ""}, [("blank", "name")]),
        ({"allowed_hosts": []}, [("empty_list", "allowed_hosts")]),
        ({"allowed_hosts": "api.example.com"}, [("not_a_list", "allowed_hosts")]),
        ({"allowed_hosts": ["*.example.com"]}, [("url_refused", "allowed_hosts[0]")]),
        ({"value": "pasted\n"}, [("secret_value_has_line_break", "value")]),
        ({"value": 5}, [("not_a_string", "value")]),
        ({"value": "x" * 4_097}, [("secret_value_not_sendable", "value")]),
        (
            {"value": "x ", "allowed_hosts": ["10.0.0.1"]},
            [("secret_value_not_sendable", "value"), ("address_refused", "allowed_hosts[0]")],
        ),
        ({"other": 1}, [("unknown_field", "other")]),
    ],
)
def test_wrong_fields_are_refused_by_name(
    api: ApiClient, fields: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert faults(api.post("/v1/secrets", {**BODY, **fields})) == expected


def test_refusals_speak_arabic(api: ApiClient) -> None:
    response = api.post("/v1/secrets", {**BODY, "allowed_hosts": ["localhost"]}, accept_language="ar")

    assert "المضيف" in response.json()["error"]["message"]


@pytest.mark.conformance("S-5")
def test_a_host_of_a_trusted_origin_is_allowed(api: ApiClient, settings: Settings) -> None:
    settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins("http://127.0.0.1:9000")

    assert created(api, allowed_hosts=["127.0.0.1"])["allowed_hosts"] == ["127.0.0.1"]


def test_changing_only_the_hosts_keeps_the_value(api: ApiClient) -> None:
    secret = created(api)
    response = api.patch(f"/v1/secrets/{secret['id']}", {"allowed_hosts": ["B.example.com"]})

    assert response.status_code == 200
    assert response.json()["allowed_hosts"] == ["b.example.com"]
    assert response.json()["updated_at"] > secret["updated_at"]


def test_the_name_of_a_secret_is_fixed(api: ApiClient) -> None:
    secret = created(api)

    assert faults(api.patch(f"/v1/secrets/{secret['id']}", {"name": "OTHER"})) == [("unknown_field", "name")]


def test_a_change_to_another_state_than_seen_is_refused(api: ApiClient) -> None:
    path = f"/v1/secrets/{created(api)['id']}"
    etag = api.get(path)["ETag"]
    api.patch(path, {"allowed_hosts": ["b.example.com"]})

    assert api.patch(path, {"value": "x"}, if_match=etag).status_code == 412
    assert api.delete(path, if_match=etag).status_code == 412


def test_a_secret_is_deleted(api: ApiClient) -> None:
    path = f"/v1/secrets/{created(api)['id']}"

    assert api.delete(path).status_code == 204
    assert api.get(path).status_code == 404


@pytest.mark.usefixtures("used_by_a_source")
def test_a_secret_in_use_is_not_deleted(api: ApiClient) -> None:
    path = f"/v1/secrets/{created(api)['id']}"
    response = api.delete(path)

    assert response.status_code == 409
    assert response.json()["error"]["code"] == "secret_in_use"
    assert "قائمة الأسعار" in response.json()["error"]["message"]
    assert api.get(path).status_code == 200


@pytest.mark.conformance("I-5")
@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_a_secret_of_another_project_is_like_none(api: ApiClient, other_api: ApiClient, method: str) -> None:
    foreign = other_api.request(method, f"/v1/secrets/{created(api)['id']}", {})
    unknown = other_api.request(method, "/v1/secrets/sec_01k6rz2n5q8t1w4z7c0f3h6k9m", {})

    assert (foreign.status_code, foreign.json()["error"]["code"]) == (404, "secret_not_found")
    assert unknown.json()["error"]["code"] == foreign.json()["error"]["code"]


@pytest.mark.conformance("K-6")
@pytest.mark.parametrize(
    ("scopes", "method", "status"),
    [
        (("read",), "GET", 200),
        (("search",), "GET", 403),
        (("write",), "GET", 403),
        (("read",), "POST", 403),
        (("write",), "POST", 201),
    ],
)
def test_scopes_of_secrets(shop: Tenant, scopes: tuple[str, ...], method: str, status: int) -> None:
    _, key = make_key(shop, scopes=scopes)
    body = {"GET": None, "POST": BODY}[method]

    assert ApiClient(key).request(method, "/v1/secrets", body).status_code == status


@pytest.mark.parametrize(("method", "path"), [("GET", "/v1/secrets"), ("POST", "/v1/secrets")])
@pytest.mark.usefixtures("a_source")
def test_a_key_limited_to_sources_has_no_business_with_secrets(shop: Tenant, method: str, path: str) -> None:
    _, key = make_key(shop, source_ids=[SOURCE])

    assert ApiClient(key).request(method, path, BODY).status_code == 403


@pytest.mark.conformance("S-5")
def test_widening_the_hosts_is_audited(api: ApiClient, shop: Tenant) -> None:
    path = f"/v1/secrets/{created(api)['id']}"
    api.patch(path, {"allowed_hosts": [HOST, "evil.example"]})
    api.patch(path, {"allowed_hosts": ["evil.example"]})
    api.patch(path, {"allowed_hosts": ["evil.example"]})

    assert audited(shop)[1:] == [
        ("secret.hosts_widened", {"added": ["evil.example"], "removed": []}),
        ("secret.hosts_narrowed", {"added": [], "removed": [HOST]}),
    ]


def test_values_and_deletions_are_audited_without_the_value(api: ApiClient, shop: Tenant) -> None:
    path = f"/v1/secrets/{created(api)['id']}"
    api.patch(path, {"value": "another"})
    api.delete(path)

    assert [action for action, _ in audited(shop)] == ["secret.created", "secret.value_changed", "secret.deleted"]
    assert "another" not in str(audited(shop))
