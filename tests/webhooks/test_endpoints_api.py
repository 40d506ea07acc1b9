from typing import Any

import pytest
from django.utils import timezone

from apps.projects.models import AuditEntry
from apps.projects.scoping import project_scope
from apps.webhooks import services
from apps.webhooks.models import Endpoint
from tests.api_client import ApiClient
from tests.factories import Tenant, make_key
from tests.fakes.receiver import Receiver, Reply
from tests.vault.leaks import everything_stored
from tests.webhooks.making import deliveries, dispatch, happens, make_endpoint, only_delivery

URL = "https://hooks.example.com/mawrid"
BODY = {"url": URL, "events": ["knowledge_source.sync_failed"]}
UNKNOWN = "01k6rz2n5q8t1w4z7c0f3h6k9m"


def created(api: ApiClient, **fields: Any) -> Any:
    response = api.post("/v1/webhook_endpoints", {**BODY, **fields})
    assert response.status_code == 201, response.content
    return response.json()


def error(response: Any) -> tuple[int, str, str | None]:
    body = response.json()["error"]
    return response.status_code, body["code"], body["param"]


def audited(tenant: Tenant) -> list[str]:
    with project_scope(tenant.id):
        entries = AuditEntry.objects.for_project(tenant.id).filter(action__startswith="webhook_").order_by("id")
        return [entry.action for entry in entries]


# --- endpoints ----------------------------------------------------------------------------------------------


def test_an_endpoint_is_created_and_its_secret_shown_once(api: ApiClient) -> None:
    response = api.post("/v1/webhook_endpoints", BODY)
    endpoint = response.json()
    secret = endpoint.pop("secret")

    assert response["Location"] == f"/v1/webhook_endpoints/{endpoint['id']}"
    assert secret.startswith("whsec_")
    assert endpoint == {
        "id": endpoint["id"],
        "object": "webhook_endpoint",
        "url": URL,
        "events": ["knowledge_source.sync_failed"],
        "enabled": True,
        "disabled_reason": None,
        "created_at": endpoint["created_at"],
    }
    assert api.get(f"/v1/webhook_endpoints/{endpoint['id']}").json() == endpoint
    assert api.get("/v1/webhook_endpoints").json()["data"] == [endpoint]


def test_the_tag_of_a_new_endpoint_is_that_of_the_endpoint_read(api: ApiClient) -> None:
    response = api.post("/v1/webhook_endpoints", BODY)

    assert api.get(response["Location"])["ETag"] == response["ETag"]


@pytest.mark.conformance("S-1")
def test_the_signing_secret_is_stored_sealed(api: ApiClient, shop: Tenant) -> None:
    secret = api.post("/v1/webhook_endpoints", BODY, idempotency_key="1").json()["secret"].removeprefix("whsec_")

    assert secret not in everything_stored()
    assert secret.encode().hex() not in everything_stored()


@pytest.mark.conformance("W-4", "C-1")
@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://hooks.example.com/", "url_refused"),
        ("https://hooks.example.com:444/", "url_refused"),
        ("https://user:pass@hooks.example.com/", "url_refused"),
        ("https://localhost/", "url_refused"),
        ("https://10.0.0.1/", "address_refused"),
        ("https://[::1]/", "address_refused"),
        ("https://169.254.169.254/", "address_refused"),
        ("https://2130706433/", "url_refused"),
        ("ftp://hooks.example.com/", "url_refused"),
        ("hooks", "url_refused"),
        ("https://hooks.example.com/\u202e", "url_refused"),
    ],
)
def test_the_rules_for_urls_are_those_of_sources(api: ApiClient, url: str, code: str) -> None:
    path = f"/v1/webhook_endpoints/{created(api)['id']}"

    assert error(api.post("/v1/webhook_endpoints", {**BODY, "url": url})) == (400, code, "url")
    assert error(api.patch(path, {"url": url})) == (400, code, "url")


@pytest.mark.parametrize(
    ("fields", "code", "param"),
    [
        ({"url": "https://hooks.example.com/" + "x" * 2_048}, "too_long", "url"),
        ({"url": 5}, "not_a_string", "url"),
        ({"events": []}, "empty_list", "events"),
        ({"events": ["knowledge_source.exploded"]}, "invalid_choice", "events[0]"),
        ({"events": "*"}, "not_a_list", "events"),
        ({"events": ["*", "*"]}, "repeated_item", "events[1]"),
        ({"secret": "whsec_own"}, "unknown_field", "secret"),
        ({"enabled": False}, "unknown_field", "enabled"),
    ],
)
def test_wrong_fields_are_refused_by_name(api: ApiClient, fields: dict[str, Any], code: str, param: str) -> None:
    assert error(api.post("/v1/webhook_endpoints", {**BODY, **fields})) == (400, code, param)


def test_an_endpoint_is_changed(api: ApiClient) -> None:
    path = f"/v1/webhook_endpoints/{created(api)['id']}"
    response = api.patch(path, {"url": URL + "/2", "events": ["*"]})

    assert response.status_code == 200
    assert (response.json()["url"], response.json()["events"]) == (URL + "/2", ["*"])


def test_a_change_to_another_state_than_seen_is_refused(api: ApiClient) -> None:
    path = f"/v1/webhook_endpoints/{created(api)['id']}"
    etag = api.get(path)["ETag"]
    api.patch(path, {"events": ["*"]})

    assert api.patch(path, {"url": URL}, if_match=etag).status_code == 412
    assert api.delete(path, if_match=etag).status_code == 412


def test_disabling_cancels_what_is_pending(api: ApiClient, shop: Tenant) -> None:
    endpoint = created(api)
    happens(shop)
    response = api.patch(f"/v1/webhook_endpoints/{endpoint['id']}", {"enabled": False})

    assert (response.json()["enabled"], response.json()["disabled_reason"]) == (False, "manual")
    assert only_delivery(shop).status == "cancelled"


def test_enabling_starts_anew(api: ApiClient, shop: Tenant) -> None:
    path = f"/v1/webhook_endpoints/{created(api)['id']}"
    with project_scope(shop.id):
        Endpoint.objects.for_project(shop.id).update(
            enabled=False, disabled_reason="no_success", failures=7, failing_since=timezone.now()
        )
    response = api.patch(path, {"enabled": True})

    assert (response.json()["enabled"], response.json()["disabled_reason"]) == (True, None)
    with project_scope(shop.id):
        endpoint = Endpoint.objects.for_project(shop.id).get()
    assert (endpoint.failures, endpoint.failing_since) == (0, None)


def test_an_endpoint_is_deleted_with_its_deliveries(api: ApiClient, shop: Tenant) -> None:
    path = f"/v1/webhook_endpoints/{created(api)['id']}"
    happens(shop)

    assert api.delete(path).status_code == 204
    assert api.get(path).status_code == 404
    assert not deliveries(shop)


def test_there_is_a_most_of_endpoints(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_ENDPOINTS", 1)
    created(api)

    assert error(api.post("/v1/webhook_endpoints", BODY)) == (409, "too_many_webhook_endpoints", None)


def test_deeds_are_audited(api: ApiClient, shop: Tenant) -> None:
    path = f"/v1/webhook_endpoints/{created(api)['id']}"
    api.patch(path, {"enabled": False})
    api.patch(path, {"enabled": True})
    api.post(f"{path}/rotate_secret")
    api.delete(path)

    assert audited(shop) == [
        "webhook_endpoint.created",
        "webhook_endpoint.updated",
        "webhook_endpoint.disabled",
        "webhook_endpoint.updated",
        "webhook_endpoint.enabled",
        "webhook_endpoint.secret_rotated",
        "webhook_endpoint.deleted",
    ]


def test_rotating_shows_the_new_secret_once(api: ApiClient) -> None:
    endpoint = created(api)
    response = api.post(f"/v1/webhook_endpoints/{endpoint['id']}/rotate_secret")

    assert response.status_code == 200
    assert response.json()["secret"].startswith("whsec_")
    assert response.json()["secret"] != endpoint["secret"]
    assert "secret" not in api.get(f"/v1/webhook_endpoints/{endpoint['id']}").json()


# --- tests and deliveries -----------------------------------------------------------------------------------


@pytest.mark.conformance("W-9")
def test_a_test_is_accepted(api: ApiClient) -> None:
    endpoint = created(api)
    response = api.post(f"/v1/webhook_endpoints/{endpoint['id']}/test")

    assert response.status_code == 202
    assert response.json()["event_type"] == "webhook_endpoint.test"
    assert (response.json()["status"], response.json()["attempts"]) == ("pending", [])


@pytest.mark.usefixtures("quick")
def test_deliveries_are_listed_with_their_attempts(api: ApiClient, shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(Reply(500, "خطأ".encode()))
    endpoint = make_endpoint(shop, receiver.url)
    event = happens(shop)
    dispatch()
    (delivery,) = api.get(f"/v1/webhook_endpoints/{endpoint.id}/deliveries").json()["data"]
    (attempt,) = delivery["attempts"]

    assert delivery["object"] == "webhook_delivery"
    assert (delivery["event_id"], delivery["event_type"]) == (event.id, "knowledge_source.sync_failed")
    assert (delivery["status"], delivery["endpoint_id"]) == ("pending", endpoint.id)
    assert delivery["next_attempt_at"].endswith("Z")
    assert set(attempt) == {"at", "http_status", "duration_ms", "error", "response"}
    assert (attempt["http_status"], attempt["error"], attempt["response"]) == (500, "http_status", "خطأ")


def test_deliveries_are_paged_newest_first(api: ApiClient, shop: Tenant) -> None:
    endpoint = created(api, events=["*"])
    recorded = [happens(shop).id for _ in range(3)]
    first = api.get(f"/v1/webhook_endpoints/{endpoint['id']}/deliveries?limit=2").json()
    cursor = first["next_cursor"]
    second = api.get(f"/v1/webhook_endpoints/{endpoint['id']}/deliveries?limit=2&cursor={cursor}").json()

    assert [delivery["event_id"] for delivery in first["data"] + second["data"]] == recorded[::-1]
    assert (first["has_more"], second["has_more"]) == (True, False)


@pytest.mark.usefixtures("quick")
def test_a_delivery_is_sent_again(api: ApiClient, shop: Tenant, receiver: Receiver) -> None:
    make_endpoint(shop, receiver.url)
    event = happens(shop)
    dispatch()
    response = api.post(f"/v1/webhook_deliveries/{only_delivery(shop).id}/retry")
    dispatch()

    assert (response.status_code, response.json()["status"]) == (202, "pending")
    assert receiver.ids == [event.id, event.id]


@pytest.mark.parametrize("action", ["webhook_endpoints/{endpoint}/test", "webhook_deliveries/{delivery}/retry"])
def test_nothing_is_sent_to_a_disabled_endpoint(api: ApiClient, shop: Tenant, action: str) -> None:
    endpoint = created(api)
    happens(shop)
    api.patch(f"/v1/webhook_endpoints/{endpoint['id']}", {"enabled": False})
    path = action.format(endpoint=endpoint["id"], delivery=only_delivery(shop).id)

    assert error(api.post(f"/v1/{path}")) == (409, "webhook_endpoint_disabled", None)


# --- who may ------------------------------------------------------------------------------------------------

DOORS = [
    ("GET", "webhook_endpoints/{endpoint}", "webhook_endpoint_not_found"),
    ("PATCH", "webhook_endpoints/{endpoint}", "webhook_endpoint_not_found"),
    ("DELETE", "webhook_endpoints/{endpoint}", "webhook_endpoint_not_found"),
    ("POST", "webhook_endpoints/{endpoint}/rotate_secret", "webhook_endpoint_not_found"),
    ("POST", "webhook_endpoints/{endpoint}/test", "webhook_endpoint_not_found"),
    ("GET", "webhook_endpoints/{endpoint}/deliveries", "webhook_endpoint_not_found"),
    ("POST", "webhook_deliveries/{delivery}/retry", "webhook_delivery_not_found"),
]


@pytest.mark.conformance("I-5")
@pytest.mark.parametrize(("method", "door", "code"), DOORS)
def test_things_of_another_project_are_like_none(
    api: ApiClient, other_api: ApiClient, shop: Tenant, *, method: str, door: str, code: str
) -> None:
    endpoint = created(api)
    happens(shop)
    foreign = door.format(endpoint=endpoint["id"], delivery=only_delivery(shop).id)
    unknown = door.format(endpoint=f"whe_{UNKNOWN}", delivery=f"whd_{UNKNOWN}")

    assert error(other_api.request(method, f"/v1/{foreign}", {})) == (404, code, None)
    assert error(other_api.request(method, f"/v1/{unknown}", {})) == (404, code, None)


@pytest.mark.conformance("K-7")
@pytest.mark.parametrize(
    ("method", "door", "_code"), [*DOORS, ("GET", "webhook_endpoints", ""), ("POST", "webhook_endpoints", "")]
)
@pytest.mark.usefixtures("a_source")
def test_a_key_limited_to_sources_has_no_business_here(
    api: ApiClient, shop: Tenant, source_id: str, method: str, door: str, _code: str
) -> None:
    endpoint = created(api)
    happens(shop)
    _, key = make_key(shop, source_ids=[source_id])
    path = door.format(endpoint=endpoint["id"], delivery=only_delivery(shop).id)

    assert error(ApiClient(key).request(method, f"/v1/{path}", {})) == (403, "key_limited_to_sources", None)


# --- events -------------------------------------------------------------------------------------------------


def test_events_are_listed_as_they_are_sent(api: ApiClient, shop: Tenant) -> None:
    event = happens(shop, consecutive_failures=1)
    (shown,) = api.get("/v1/events").json()["data"]

    assert shown["object"] == "event"
    assert (shown["id"], shown["type"]) == (event.id, "knowledge_source.sync_failed")
    assert shown["data"]["project_id"] == shop.id
    assert shown["data"]["consecutive_failures"] == 1


def test_events_of_another_project_are_not_listed(other_api: ApiClient, shop: Tenant) -> None:
    happens(shop)

    assert other_api.get("/v1/events").json()["data"] == []


def test_events_of_one_type_are_listed(api: ApiClient, shop: Tenant) -> None:
    happens(shop)
    happens(shop, "knowledge_source.created")

    listed = api.get("/v1/events?type=knowledge_source.created").json()["data"]
    assert [event["type"] for event in listed] == ["knowledge_source.created"]
    assert error(api.get("/v1/events?type=other")) == (400, "invalid_choice", "type")


@pytest.mark.conformance("K-7")
@pytest.mark.usefixtures("a_source")
def test_a_limited_key_sees_only_the_events_of_its_sources(shop: Tenant, source_id: str) -> None:
    _, key = make_key(shop, source_ids=[source_id])
    own = happens(shop, source={"id": source_id, "name": "own"})
    happens(shop, source={"id": f"ks_{UNKNOWN[:-1]}0", "name": "other"})
    happens(shop, "webhook_endpoint.disabled", source=None)

    assert [event["id"] for event in ApiClient(key).get("/v1/events").json()["data"]] == [own.id]


@pytest.mark.conformance("K-6")
@pytest.mark.parametrize(
    ("scopes", "method", "path", "status"),
    [
        (("read",), "GET", "events", 200),
        (("search",), "GET", "events", 403),
        (("write",), "GET", "events", 403),
        (("read",), "GET", "webhook_endpoints", 200),
        (("read",), "POST", "webhook_endpoints", 403),
        (("write",), "POST", "webhook_endpoints", 201),
    ],
)
def test_scopes(shop: Tenant, scopes: tuple[str, ...], method: str, path: str, status: int) -> None:
    _, key = make_key(shop, scopes=scopes)
    body = {"GET": None, "POST": BODY}[method]

    assert ApiClient(key).request(method, f"/v1/{path}", body).status_code == status


def test_endpoints_are_counted_in_the_usage_of_the_project(api: ApiClient) -> None:
    created(api)
    project = api.get("/v1/project").json()

    assert project["usage"]["webhook_endpoints"] == 1
    assert project["limits"]["webhook_endpoints"] == services.MAX_ENDPOINTS
