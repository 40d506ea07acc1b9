"""Every route has a row: which scopes open it, and what each kind of credential gets there (K-6)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import pytest
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from apps.projects.keys import new_key
from apps.rest.operations import operation_of
from apps.rest.views import ApiView
from tests.api_client import ApiClient
from tests.description import described
from tests.factories import Tenant, make_key
from tests.isolation.world import World, unknown_id

ALL: Final = ("search", "read", "write")


@dataclass(frozen=True)
class Row:
    """Any one of the scopes is enough; `limited_keys` says whether a key limited to sources may come in."""

    method: str
    path: str
    scopes: tuple[str, ...]
    limited_keys: bool = False

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


ROWS: Final = [
    Row("GET", "/v1/project", ("read",)),
    Row("PATCH", "/v1/project", ("write",)),
    Row("GET", "/v1/api_keys", ("read",)),
    Row("POST", "/v1/api_keys", ("write",)),
    Row("GET", "/v1/api_keys/{key_id}", ("read",)),
    Row("DELETE", "/v1/api_keys/{key_id}", ("write",)),
    Row("POST", "/v1/api_keys/{key_id}/rotate", ("write",)),
    Row("GET", "/v1/secrets", ("read",)),
    Row("POST", "/v1/secrets", ("write",)),
    Row("GET", "/v1/secrets/{secret_id}", ("read",)),
    Row("PATCH", "/v1/secrets/{secret_id}", ("write",)),
    Row("DELETE", "/v1/secrets/{secret_id}", ("write",)),
    Row("GET", "/v1/webhook_endpoints", ("read",)),
    Row("POST", "/v1/webhook_endpoints", ("write",)),
    Row("GET", "/v1/webhook_endpoints/{endpoint_id}", ("read",)),
    Row("PATCH", "/v1/webhook_endpoints/{endpoint_id}", ("write",)),
    Row("DELETE", "/v1/webhook_endpoints/{endpoint_id}", ("write",)),
    Row("POST", "/v1/webhook_endpoints/{endpoint_id}/rotate_secret", ("write",)),
    Row("POST", "/v1/webhook_endpoints/{endpoint_id}/test", ("write",)),
    Row("GET", "/v1/webhook_endpoints/{endpoint_id}/deliveries", ("read",)),
    Row("POST", "/v1/webhook_deliveries/{delivery_id}/retry", ("write",)),
    Row("GET", "/v1/events", ("read",), limited_keys=True),
    Row("GET", "/v1/agent_clients", ("read",)),
    Row("POST", "/v1/agent_clients", ("write",)),
    Row("GET", "/v1/agent_clients/{agent_client_id}", ("read",)),
    Row("PATCH", "/v1/agent_clients/{agent_client_id}", ("write",)),
    Row("DELETE", "/v1/agent_clients/{agent_client_id}", ("write",)),
    Row("POST", "/v1/agent_clients/{agent_client_id}/rotate_token", ("write",)),
    Row("GET", "/v1/agent_sessions", ("read",)),
    Row("POST", "/v1/agent_sessions", ("write",)),
    Row("GET", "/v1/agent_sessions/{session_id}", ("read",)),
    Row("POST", "/v1/agent_sessions/{session_id}/revoke", ("write",)),
    Row("GET", "/v1/knowledge_sources", ("read",), limited_keys=True),
    Row("POST", "/v1/knowledge_sources", ("write",)),
    Row("GET", "/v1/knowledge_sources/{source_id}", ("read",), limited_keys=True),
    Row("PATCH", "/v1/knowledge_sources/{source_id}", ("write",), limited_keys=True),
    Row("DELETE", "/v1/knowledge_sources/{source_id}", ("write",), limited_keys=True),
    Row("PUT", "/v1/knowledge_sources/{source_id}/content", ("write",), limited_keys=True),
    Row("GET", "/v1/knowledge_sources/{source_id}/chunks", ("read",), limited_keys=True),
    Row("GET", "/v1/knowledge_sources/{source_id}/revisions", ("read",), limited_keys=True),
    Row("GET", "/v1/knowledge_sources/{source_id}/revisions/{revision}", ("read",), limited_keys=True),
    Row("POST", "/v1/knowledge_sources/{source_id}/restore", ("write",), limited_keys=True),
    Row("POST", "/v1/knowledge_sources/{source_id}/sync", ("write",), limited_keys=True),
    Row("GET", "/v1/knowledge_sources/{source_id}/sync_runs", ("read",), limited_keys=True),
    Row("POST", "/v1/knowledge_sources/preview_transform", ("read",)),
    Row("POST", "/v1/knowledge/search", ("search", "read"), limited_keys=True),
    Row("GET", "/v1/knowledge/stop_words", ("search", "read"), limited_keys=True),
    Row("GET", "/v1/agents", ("read",)),
    Row("POST", "/v1/agents", ("write",)),
    Row("GET", "/v1/agents/{agent_id}", ("read",)),
    Row("PATCH", "/v1/agents/{agent_id}", ("write",)),
    Row("DELETE", "/v1/agents/{agent_id}", ("write",)),
    Row("POST", "/v1/agents/{agent_id}/publish", ("write",)),
    Row("GET", "/v1/agents/{agent_id}/versions", ("read",)),
    Row("GET", "/v1/agents/{agent_id}/prompt", ("read",)),
    Row("GET", "/v1/agents/{agent_id}/readiness", ("read",)),
    Row("GET", "/v1/agents/{agent_id}/runs", ("read",)),
    Row("POST", "/v1/agents/{agent_id}/runs", ("write",)),
    Row("GET", "/v1/agents/{agent_id}/runs/{run_id}", ("read",)),
    Row("POST", "/v1/agents/{agent_id}/runs/{run_id}/search_knowledge", ("search", "read")),
    Row("GET", "/v1/documents", ("read",)),
    Row("POST", "/v1/documents/publish", ("write",)),
    Row("GET", "/v1/documents/{document_id}", ("read",)),
    Row("PUT", "/v1/documents/{document_id}", ("write",)),
    Row("DELETE", "/v1/documents/{document_id}", ("write",)),
    Row("POST", "/v1/documents/{document_id}/read", ("read",)),
    Row("POST", "/v1/documents/{document_id}/validate_selection", ("read",)),
    Row("POST", "/v1/documents/{document_id}/snapshots", ("write",)),
    Row("GET", "/v1/snapshots/{snapshot_id}", ("read",)),
    Row("GET", "/v1/agents", ("read",)),
    Row("POST", "/v1/agents", ("write",)),
    Row("GET", "/v1/agents/{agent_id}", ("read",)),
    Row("PATCH", "/v1/agents/{agent_id}", ("write",)),
    Row("DELETE", "/v1/agents/{agent_id}", ("write",)),
    Row("POST", "/v1/agents/{agent_id}/publish", ("write",)),
    Row("GET", "/v1/agents/{agent_id}/versions", ("read",)),
    Row("GET", "/v1/agents/{agent_id}/prompt", ("read",)),
    Row("GET", "/v1/agents/{agent_id}/readiness", ("read",)),
    Row("GET", "/v1/agents/{agent_id}/runs", ("read",)),
    Row("POST", "/v1/agents/{agent_id}/runs", ("write",)),
    Row("GET", "/v1/agents/{agent_id}/runs/{run_id}", ("read",)),
    Row("POST", "/v1/agents/{agent_id}/runs/{run_id}/search_knowledge", ("search", "read")),
]
TABLE: Final = {(row.method, row.path): row for row in ROWS}
# Open to whoever reaches the service, so without rows; everything else under /v1 needs one.
PUBLIC: Final = {"/v1/openapi.json"}

WHAT_TO_DO: Final = (
    "Give each new route a row in ROWS of tests/contracts/test_routes.py, with the scopes that open it, and state "
    "the same with @operation on its handler."
)


def routes_of_urls(patterns: Any = None, prefix: str = "/") -> Iterator[tuple[str, str, Any]]:
    """Method, path and view of everything under /v1 in the URL configuration."""
    for pattern in get_resolver(settings.ROOT_URLCONF).url_patterns if patterns is None else patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes_of_urls(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern) and path.startswith("/v1/"):
            view: Any = getattr(pattern.callback, "cls", None)
            template = path.replace("<str:", "{").replace(">", "}")
            yield from ((method, template, view) for method in _methods_of(view))


def _methods_of(view: Any) -> list[str]:
    assert view is not None, "Everything under /v1 is an ApiView, which refuses in the envelope."
    assert issubclass(view, ApiView), f"{view.__name__} is under /v1 and is no ApiView."
    return [name.upper() for name in view.http_method_names if hasattr(view, name) and name != "options"]


def test_every_route_of_the_urls_has_a_row_and_every_row_a_route() -> None:
    served = {(method, path) for method, path, _ in routes_of_urls() if path not in PUBLIC}

    assert served == set(TABLE), WHAT_TO_DO


def test_every_described_operation_has_a_row_and_every_row_a_description() -> None:
    assert set(described().operations) == set(TABLE), WHAT_TO_DO


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_row_says_what_the_handler_and_the_description_say(row: Row) -> None:
    views = {(method, path): view for method, path, view in routes_of_urls()}
    stated = operation_of(getattr(views[row.method, row.path], row.method.lower()))
    security = described().operations[row.method, row.path].stated["security"]

    assert stated.scopes_for(row.method) == set(row.scopes), WHAT_TO_DO
    assert stated.limited_keys == row.limited_keys, WHAT_TO_DO
    assert [scopes for way in security for scopes in way.values()] == [[scope] for scope in sorted(row.scopes)]


# --- route × credential -------------------------------------------------------------------------------------

# Each credential by name: what it may do at most, or None when it is no valid one.
CREDENTIALS: Final[dict[str, tuple[str, ...] | None]] = {
    "no key": None,
    "a malformed key": None,
    "a key nobody made": None,
    "an expired key": None,
    "a key to search": ("search",),
    "a key to read": ("read",),
    "a key to write": ("write",),
    "a key to everything": ALL,
}


def text_of(credential: str, shop: Tenant) -> str | None:
    scopes = CREDENTIALS[credential] or ALL
    match credential:
        case "no key":
            return None
        case "a malformed key":
            return "mwd_live_abcdefgh_" + "0" * 49
        case "a key nobody made":
            return new_key().text
        case "an expired key":
            return make_key(shop, expires_at=timezone.now() - timedelta(seconds=1))[1]
        case _:
            return make_key(shop, scopes=scopes)[1]


def expected_refusal(row: Row, credential: str) -> tuple[int, str] | None:
    """Status and code that the credential gets at the route; None when it is let in."""
    scopes = CREDENTIALS[credential]
    if scopes is None:
        return 401, "invalid_api_key"
    if not set(scopes) & set(row.scopes):
        return 403, "scope_missing"
    return None


@pytest.mark.conformance("K-6", "KA-012")
@pytest.mark.parametrize("credential", CREDENTIALS)
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_credential_gets_what_the_table_says(shop: Tenant, row: Row, credential: str) -> None:
    answer = ApiClient(text_of(credential, shop)).request(row.method, path_of(row))

    assert refusal_of(answer) == expected_refusal(row, credential)


@pytest.mark.conformance("K-6", "K-7")
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_a_key_limited_to_a_source_gets_only_where_the_table_lets_it_in(shop: Tenant, row: Row) -> None:
    source_id = World(shop).id_of("source_id")
    _, key = make_key(shop, source_ids=[source_id])

    answer = ApiClient(key).request(row.method, path_of(row, source_id=source_id))

    assert refusal_of(answer) == (None if row.limited_keys else (403, "key_limited_to_sources"))


def path_of(row: Row, **ids: str) -> str:
    """The route's path with the given ids, and such as nothing has in the other places."""
    names = re.findall(r"{(\w+)}", row.path)
    return row.path.format_map({name: ids.get(name) or unknown_id(name) for name in names})


def refusal_of(answer: Any) -> tuple[int, str] | None:
    """Status and code of an answer that turns the credential away; None when it was let in."""
    turned_away = answer.status_code in {401, 403}
    return (answer.status_code, answer.json()["error"]["code"]) if turned_away else None


@pytest.mark.conformance("KA-012", "K-2")
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_every_invalid_credential_gets_one_answer(shop: Tenant, row: Row) -> None:
    invalid = [ApiClient(text_of(name, shop)) for name, scopes in CREDENTIALS.items() if scopes is None]

    answers = {str(told(client.request(row.method, path_of(row)))) for client in invalid}

    assert len(answers) == 1


def told(answer: Any) -> dict[str, Any]:
    return {**answer.json()["error"], "request_id": None, "challenge": answer["WWW-Authenticate"]}
