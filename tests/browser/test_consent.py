"""An agent on this machine logs in through a person's browser, as it does in life: callback, code, tokens."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from apps.projects.models import User
from tests.browser.conftest import PICTURES, SIZES, open_page
from tests.dashboard.world import signed_in
from tests.factories import Tenant
from tests.gateway.making import Login, make_client, make_workspace, told

pytestmark = pytest.mark.django_db(transaction=True)

SERIOUS = frozenset({"serious", "critical"})


class Loopback:
    """The agent's end: listens on a free port of one loopback address and remembers what it was called with."""

    def __init__(self, server: HTTPServer, host: str) -> None:
        self.heard: list[str] = []
        self.came = threading.Event()
        self.uri = f"http://{host}:{server.server_address[1]}/callback"


@contextmanager
def listening(address: str) -> Iterator[Loopback]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<h1>done</h1>")
            if self.path.startswith("/callback"):
                agent.heard.append(self.path)
                agent.came.set()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base class's name
            """Tests look at `heard`."""

    class Server(HTTPServer):
        address_family = socket.AF_INET6 if ":" in address else socket.AF_INET

    server = Server((address, 0), Handler)
    agent = Loopback(server, f"[{address}]" if ":" in address else address)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield agent
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def login(shop: Tenant, live_server: LiveServer, settings: Settings) -> Login:
    settings.PUBLIC_URL = live_server.url
    make_workspace(shop)
    return Login(make_client(shop)[0])


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_a_member_signs_in_and_lets_an_agent_in(page: Page, login: Login, member: User, address: str) -> None:
    with listening(address) as agent:
        page.goto(login.ask(redirect_uri=agent.uri).json()["authorization_url"])
        page.fill("input[name=login]", member.email)
        page.fill("input[name=password]", "a long password")
        page.get_by_role("button", name="دخول").click()
        page.get_by_role("button", name="السماح بالدخول").click()

        assert agent.came.wait(10)
        page.get_by_text("done").wait_for()

    sent = told(agent.heard[0])
    assert sent["state"] == login.wanted["state"]
    tokens = login.exchange(sent["code"], redirect_uri=agent.uri)
    assert (tokens.status_code, tokens.json()["token_type"]) == (200, "Bearer")


def test_a_member_keeps_an_agent_out(browser: Browser, live_server: LiveServer, login: Login, member: User) -> None:
    with listening("127.0.0.1") as agent:
        link = login.ask(redirect_uri=agent.uri).json()["authorization_url"]
        with open_page(browser, live_server, signed_in(member), language="en") as page:
            page.goto(link.replace("127.0.0.1", "localhost") if "localhost" in live_server.url else link)
            page.get_by_role("button", name="Keep it out").click()
            assert agent.came.wait(10)

    assert told(agent.heard[0]) == {"error": "access_denied", "state": login.wanted["state"]}


@pytest.mark.parametrize("look", [(size, language) for size in SIZES for language in ("ar", "en")], ids="-".join)
def test_the_page_can_be_used_by_everybody(
    browser: Browser, live_server: LiveServer, login: Login, member: User, look: tuple[str, str]
) -> None:
    size, language = look
    with open_page(browser, live_server, signed_in(member), language=language, size=SIZES[size]) as page:
        page.goto(f"{live_server.url}/authorize?authorization_id={login.asked()}")
        page.screenshot(path=PICTURES / f"consent-{size}-{language}.png", full_page=True)

        found = Axe().run(page)
        grave = [violation for violation in found.response["violations"] if violation["impact"] in SERIOUS]
        assert grave == []
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
