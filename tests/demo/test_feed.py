"""The demo's shop: its feed, its switch, and its ear for webhooks, over real sockets."""

import http.client
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from standardwebhooks import Webhook

from apps.demo.feed import ShopServer

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ShopServer]:
    (tmp_path / "demo.json").write_text(json.dumps({"webhook_secret": SECRET}), encoding="utf-8")
    running = ShopServer(0, tmp_path)
    thread = threading.Thread(target=running.serve_forever, args=(0.01,))
    thread.start()
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


def call(
    server: ShopServer, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
) -> tuple[int, bytes, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=5)
    connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    result = answer.status, answer.read(), answer.headers
    connection.close()
    return result


def change(server: ShopServer, **form: str) -> int:
    return call(server, "POST", "/", urlencode(form).encode())[0]


def price_of(server: ShopServer, name: str) -> int:
    products = json.loads(call(server, "GET", "/products.json")[1])["data"]["products"]
    return int(next(product["price"] for product in products if product["name"] == name))


def signed(body: bytes) -> dict[str, str]:
    now = datetime.now(UTC)
    signature = Webhook(SECRET).sign("evt_1", now, body.decode())
    return {"webhook-id": "evt_1", "webhook-timestamp": str(int(now.timestamp())), "webhook-signature": signature}


def test_a_price_can_be_changed(server: ShopServer) -> None:
    assert change(server, name="صندوق بخور", price="99") == 303

    assert price_of(server, "صندوق بخور") == 99


@pytest.mark.parametrize("price", ["", "-1", "abc", "٩٩", "1e3"])
def test_a_price_that_is_none_changes_nothing(server: ShopServer, price: str) -> None:
    change(server, name="صندوق بخور", price=price)

    assert price_of(server, "صندوق بخور") == 95


def test_an_unchanged_feed_need_not_be_sent_again(server: ShopServer) -> None:
    etag = call(server, "GET", "/products.json")[2]["ETag"]

    assert call(server, "GET", "/products.json", headers={"If-None-Match": etag})[0] == 304


@pytest.mark.parametrize(("mode", "status"), [("error", 500), ("html", 200), ("empty", 200)])
def test_it_can_be_broken_and_mended(server: ShopServer, mode: str, status: int) -> None:
    change(server, mode=mode)
    broken = call(server, "GET", "/products.json")
    change(server, mode="none")

    assert broken[0] == status
    assert "صندوق" not in broken[1].decode()
    assert price_of(server, "صندوق بخور") == 95


def test_a_signed_webhook_is_noted(server: ShopServer) -> None:
    body = json.dumps({"type": "knowledge_source.sync_failed"}).encode()

    assert call(server, "POST", "/webhooks", body, signed(body))[0] == 204
    assert "✓ knowledge_source.sync_failed" in call(server, "GET", "/")[1].decode()


def test_a_forged_webhook_is_refused(server: ShopServer) -> None:
    body = json.dumps({"type": "knowledge_source.sync_failed"}).encode()

    assert call(server, "POST", "/webhooks", body, signed(b"another"))[0] == 401
    assert "sync_failed" not in call(server, "GET", "/")[1].decode()


def test_the_page_escapes_what_it_shows(server: ShopServer) -> None:
    body = json.dumps({"type": "<script>"}).encode()
    call(server, "POST", "/webhooks", body, signed(body))

    assert "<script>" not in call(server, "GET", "/")[1].decode()
