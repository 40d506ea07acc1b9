"""A real Chromium; the tests are skipped without one, except in CI, which installs it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from playwright.sync_api import Browser, Page, sync_playwright
from pytest_django import DjangoDbBlocker, Settings
from pytest_django.live_server_helper import LiveServer

from apps.kernel.hooks import HookPoint
from apps.knowledge.sync import run, samples, wakeup
from apps.outbound import parse_trusted_origins
from tests.dashboard.world import Shop
from tests.embedded import as_owner
from tests.factories import make_tenant
from tests.fakes.feed import Feed, running_feed

# Kept after the run, for people to look at.
PICTURES = Path(__file__).parent / "pictures"
SIZES = {"laptop": (1366, 800), "phone": (390, 844)}

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
# Its own look-ups of the outside world fail loudly in a closed one.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not os.path.exists(CHROMIUM) and os.environ.get("CI") != "true":  # noqa: PTH110 -- a plain question
        pytest.skip("Chromium is not installed; `apt-get install chromium fonts-noto-core` brings it")
    # Playwright's loop runs in this thread; Django would take it for an asynchronous caller and refuse queries.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        started.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A fresh page of an Arabic reader."""
    context = browser.new_context(locale="ar")
    yield context.new_page()
    context.close()


@dataclass(frozen=True)
class Site:
    """A running service with a shop in it that no test changes, for walks that only look."""

    server: LiveServer
    shop: Shop


@pytest.fixture(scope="module")
def site(django_db_setup: None, django_db_blocker: DjangoDbBlocker, valkey_server: str) -> Iterator[Site]:
    """One shop for all looks of a module: emptying all tables after each would take longer than the looks."""
    with django_db_blocker.unblock():
        server = LiveServer("localhost")
        yield Site(server, Shop(make_tenant()))
        server.stop()
        with as_owner():
            call_command("flush", verbosity=0, interactive=False)


@contextmanager
def open_page(
    browser: Browser,
    live_server: LiveServer,
    client: Client,
    *,
    language: str,
    size: tuple[int, int] = SIZES["laptop"],
    scripts: bool = True,
    zone: str = "UTC",
    scheme: Literal["light", "dark"] = "light",
) -> Iterator[Page]:
    """A page of somebody who is signed in, or not, as the test client is."""
    width, height = size
    context = browser.new_context(
        locale=language,
        viewport={"width": width, "height": height},
        java_script_enabled=scripts,
        timezone_id=zone,
        color_scheme=scheme,
    )
    if cookie := client.cookies.get(settings.SESSION_COOKIE_NAME):
        context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
    try:
        yield context.new_page()
    finally:
        context.close()


@pytest.fixture
def feed(settings: Settings) -> Iterator[Feed]:
    with running_feed() as running:
        settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(running.origin)
        yield running


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that take what they are called for at once."""
    for name, work in (("sync_callers", run.run_sync), ("sample_callers", samples.fetch_sample)):
        callers: HookPoint[Any] = HookPoint(name)
        callers.add(work)
        monkeypatch.setattr(wakeup, name, callers)
