"""A shop to try synchronisation on: a feed with prices to change, a switch to break it, and a webhook receiver.

    python -m apps.demo.feed --port 8001 --data-dir .data

It stands outside of Mawrid, as a customer's own system would: it knows nothing of it but a URL and a secret.
"""

import argparse
import hashlib
import html
import json
import threading
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

from standardwebhooks import Webhook, WebhookVerificationError

MAX_BODY: Final = 64 * 1024
KEPT_WEBHOOKS: Final = 20
BROKEN_MODES: Final = {
    "none": "يعمل",
    "error": "يرد بالخطأ 500",
    "html": "يرد بصفحة بدل JSON",
    "empty": "قائمة فارغة",
}
PRODUCTS: Final = (
    ("صندوق بخور", "بخور", 95),
    ("بخور معمول بالعنبر 40 جرام", "بخور", 60),
    ("بخور عود كمبودي 30 جرام", "بخور", 145),
    ("دهن عود هندي 6 مل", "عطور", 310),
    ("عطر المسك الأبيض 100 مل", "عطور", 220),
    ("مبخرة كهربائية للسيارة", "مباخر", 75),
    ("مبخرة سيراميك نفدت", "مباخر", 0),
)


@dataclass
class Shop:
    """The state of the shop; one lock guards it, since every request has its own thread."""

    data_dir: Path
    prices: dict[str, int] = field(default_factory=lambda: {name: price for name, _, price in PRODUCTS})
    broken: str = "none"
    received: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_WEBHOOKS))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def feed(self) -> tuple[int, str, bytes]:
        """Status, media type and body of what the feed answers now."""
        with self.lock:
            if self.broken == "error":
                return 500, "text/plain; charset=utf-8", "تعطل المتجر".encode()
            if self.broken == "html":
                return 200, "text/html; charset=utf-8", "<h1>صيانة</h1>".encode()
            products = [
                {"name": name, "category": group, "price": self.prices[name]} for name, group, _ in PRODUCTS
            ]
        listed = [] if self.broken == "empty" else products
        return 200, "application/json", json.dumps({"data": {"products": listed}}, ensure_ascii=False).encode()

    def change(self, form: dict[str, list[str]]) -> None:
        """Take what the page's forms send; anything else changes nothing."""
        name, price, mode = (form.get(key, [""])[0] for key in ("name", "price", "mode"))
        with self.lock:
            if name in self.prices and price.isascii() and price.isdigit():
                self.prices[name] = int(price)
            if mode in BROKEN_MODES:
                self.broken = mode

    def receive(self, body: bytes, headers: dict[str, str]) -> int:
        """Note a webhook and whether its signature is right; the status to answer."""
        is_signed = self._is_signed(body, headers)
        kind = str(json.loads(body).get("type")) if is_signed else "?"
        mark = "✓" if is_signed else "✗"
        with self.lock:
            self.received.appendleft(f"{datetime.now(UTC):%H:%M:%S} {mark} {kind}")
        return 204 if is_signed else 401

    def _is_signed(self, body: bytes, headers: dict[str, str]) -> bool:
        try:
            secret = json.loads((self.data_dir / "demo.json").read_text(encoding="utf-8"))["webhook_secret"]
            Webhook(secret).verify(body, headers)
        except (OSError, ValueError, KeyError, WebhookVerificationError):
            return False
        return True

    def page(self) -> bytes:
        """What a visitor sees: prices and the switch, and below what Mawrid has told the shop."""
        with self.lock:
            rows = "".join(_row(name, group, self.prices[name]) for name, group, _ in PRODUCTS)
            modes = "".join(_mode(mode, text, chosen=mode == self.broken) for mode, text in BROKEN_MODES.items())
            webhooks = "".join(f"<li dir=ltr>{html.escape(line)}</li>" for line in self.received)
        return _PAGE.format(rows=rows, modes=modes, webhooks=webhooks or "<li>لا شيء بعد</li>").encode()


_PAGE: Final = """<!doctype html><html lang="ar" dir="rtl"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>متجر تجريبي</title>
<body><h1>متجر تجريبي</h1>
<p>قائمة المنتجات التي يقرؤها مورد: <a href="/products.json">/products.json</a></p>
<table>{rows}</table>
<h2>حال القائمة</h2><form method="post" action="/">{modes}</form>
<h2>ما أخبرنا به مورد</h2><ul>{webhooks}</ul></body></html>"""


def _row(name: str, group: str, price: int) -> str:
    return (
        f'<tr><td>{html.escape(name)}<td>{html.escape(group)}<td><form method="post" action="/">'
        f'<input type="hidden" name="name" value="{html.escape(name)}">'
        f'<input name="price" size="5" value="{price}"> <button>غيّر السعر</button></form>'
    )


def _mode(mode: str, text: str, *, chosen: bool) -> str:
    return f'<button name="mode" value="{mode}"{" disabled" if chosen else ""}>{text}</button> '


class Handler(BaseHTTPRequestHandler):
    """The shop's doors."""

    server: "ShopServer"

    def do_GET(self) -> None:
        if self.path.partition("?")[0] == "/products.json":
            self._feed()
        elif self.path == "/":
            self._send(200, "text/html; charset=utf-8", self.server.shop.page())
        else:
            self._send(404, "text/plain", b"")

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        body = self.rfile.read(min(int(length), MAX_BODY)) if length.isascii() and length.isdigit() else b""
        if self.path == "/webhooks":
            headers = {name.lower(): value for name, value in self.headers.items()}
            self._send(self.server.shop.receive(body, headers), "text/plain", b"")
            return
        self.server.shop.change(parse_qs(body.decode("utf-8", "replace")))
        self.send_response(303)
        self.send_header("Location", "/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _feed(self) -> None:
        status, media_type, body = self.server.shop.feed()
        etag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if status == 200 and self.headers.get("If-None-Match") == etag:  # noqa: PLR2004 -- HTTP
            self._send(304, media_type, b"", etag)
            return
        self._send(status, media_type, body, etag)

    def _send(self, status: int, media_type: str, body: bytes, etag: str | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        if etag is not None:
            self.send_header("ETag", etag)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the library's name
        """Say nothing: the page shows what matters."""


class ShopServer(ThreadingHTTPServer):
    """The shop on one loopback port."""

    daemon_threads = True

    def __init__(self, port: int, data_dir: Path) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.shop = Shop(data_dir)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data-dir", type=Path, required=True)
    options = parser.parse_args()
    ShopServer(options.port, options.data_dir).serve_forever()


if __name__ == "__main__":
    main()
