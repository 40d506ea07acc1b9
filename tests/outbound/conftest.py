import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest
import trustme

from apps.outbound.policy import Policy
from apps.outbound.tls import tls_context
from tests.outbound.servers import CONTACT, Certificate, LocalServer, Serve, StartServer, World, running


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="session")
def authority_file(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("authority") / "ca.pem"
    authority.cert_pem.write_to_path(str(path))
    return str(path)


@pytest.fixture
def certificate(authority: trustme.CA) -> Certificate:
    """A server's TLS context with a certificate of the tests' authority for the given names."""

    def make(*names: str, issuer: trustme.CA = authority, **options: object) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        issuer.issue_cert(*names, **options).configure_cert(context)  # type: ignore[arg-type]  # not typed
        return context

    return make


@pytest.fixture
def sync_policy(authority_file: str) -> Policy:
    return Policy.for_syncs(contact=CONTACT, extra_ca_file=authority_file)


@pytest.fixture
def webhook_policy(authority_file: str) -> Policy:
    return Policy.for_webhooks(contact=CONTACT, extra_ca_file=authority_file)


@pytest.fixture
def start_server() -> Iterator[StartServer]:
    with ExitStack() as stack:

        def start(serve: Serve, tls: ssl.SSLContext | None = None) -> LocalServer:
            return stack.enter_context(running(serve, tls))

        yield start


@pytest.fixture
def world() -> Iterator[World]:
    with closing(World()) as world:
        yield world


@pytest.fixture
def fresh_tls_context() -> Iterator[None]:
    tls_context.cache_clear()
    yield
    tls_context.cache_clear()
