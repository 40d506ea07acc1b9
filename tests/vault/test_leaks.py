"""S-1: a value that is unmistakable goes in, and is then looked for in everything that comes out."""

import base64
from typing import Any

import pytest
import redis

from apps.projects import audit
from apps.projects.scoping import project_scope
from apps.vault.release import SecretRefusedError, fill_headers
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.vault.leaks import everything_stored
from tests.vault.making import HOST, VALUE

BODY = {"name": "TOKEN", "value": VALUE, "allowed_hosts": [HOST]}
TRACES = {VALUE, VALUE.encode().hex(), base64.b64encode(VALUE.encode()).decode().rstrip("=")}

pytestmark = [pytest.mark.conformance("S-1", "KA-074")]


def holds_a_trace(text: str) -> bool:
    return any(trace in text for trace in TRACES)


def everything_answered(response: Any) -> str:
    return f"{response.content.decode()} {dict(response.items())}"


def test_the_search_itself_finds_what_is_stored(api: ApiClient) -> None:
    api.post("/v1/secrets", {**BODY, "allowed_hosts": ["unmistakable-host.example"]})

    assert "unmistakable-host.example" in everything_stored()


def test_the_database_holds_no_value(api: ApiClient) -> None:
    secret = api.post("/v1/secrets", BODY, idempotency_key="1").json()
    api.patch(f"/v1/secrets/{secret['id']}", {"value": VALUE})

    assert not holds_a_trace(everything_stored())


def test_redis_holds_no_value(api: ApiClient, valkey: "redis.Redis") -> None:
    api.post("/v1/secrets", BODY, idempotency_key="1")
    kept = [valkey.dump(key) for key in valkey.scan_iter()]

    assert kept
    assert not holds_a_trace(repr(kept))


def answers(api: ApiClient) -> list[Any]:
    secret = api.post("/v1/secrets", BODY, idempotency_key="1")
    path = f"/v1/secrets/{secret.json()['id']}"
    return [
        secret,
        api.post("/v1/secrets", BODY, idempotency_key="1"),
        api.post("/v1/secrets", BODY),
        api.post("/v1/secrets", {**BODY, "value": VALUE + "\n"}),
        api.post("/v1/secrets", {**BODY, "value": [VALUE]}),
        api.post("/v1/secrets", {"name": VALUE[:9].upper(), "value": VALUE}),
        api.patch(path, {"value": VALUE + " "}),
        api.patch(path, {"value": VALUE}),
        api.get(path),
        api.get("/v1/secrets"),
        api.delete(path),
    ]


def test_no_answer_holds_the_value(api: ApiClient) -> None:
    assert not [answer for answer in answers(api) if holds_a_trace(everything_answered(answer))]


def test_no_log_holds_the_value(
    api: ApiClient, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level("DEBUG"):
        answers(api)
    printed = capfd.readouterr()

    assert not holds_a_trace(caplog.text + printed.out + printed.err)


def test_a_traceback_of_a_failed_request_holds_no_value(
    api: ApiClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("no room left")

    monkeypatch.setattr(audit, "record", fail)
    response = api.post("/v1/secrets", BODY)
    logged = caplog.text + "".join(capfd.readouterr())

    assert response.status_code == 500
    assert "no room left" in logged
    assert not holds_a_trace(logged + everything_answered(response))


def test_sending_leaves_no_trace(
    api: ApiClient, shop: Tenant, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    api.post("/v1/secrets", BODY)
    with caplog.at_level("DEBUG"), project_scope(shop.id):
        fill_headers(shop.id, {"X-Token": "{{secret.TOKEN}}"}, host=HOST)
        with pytest.raises(SecretRefusedError):
            fill_headers(shop.id, {"X-Token": "{{secret.TOKEN}}"}, host="evil.example")

    assert not holds_a_trace(caplog.text + "".join(capfd.readouterr()) + everything_stored())
