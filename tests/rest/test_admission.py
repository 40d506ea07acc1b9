"""Who gets in: a credential, then the rate limit, the method, the scope."""

import pytest

from tests.api_client import ApiClient
from tests.rest.toys import scopes_ended


@pytest.mark.conformance("KA-012")
@pytest.mark.parametrize("header", ["", "Basic read", "bearer", "Bearer revoked"])
def test_it_asks_for_a_credential(anyone: ApiClient, header: str) -> None:
    response = anyone.get("/v1/things", authorization=header)

    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Bearer"
    assert response.json()["error"]["type"] == "authentication_error"


@pytest.mark.parametrize("header", ["", "Bearer revoked", "Bearer read", "nonsense"])
def test_a_public_view_asks_nobody(anyone: ApiClient, header: str) -> None:
    assert anyone.get("/v1/open", authorization=header).json() == {"open": True}


@pytest.mark.parametrize(
    ("scopes", "method", "path", "status"),
    [
        ("read", "GET", "/v1/things", 200),
        ("read", "HEAD", "/v1/things", 200),
        ("write", "GET", "/v1/things", 403),
        ("search", "GET", "/v1/things", 403),
        ("read", "POST", "/v1/things", 403),
        ("search", "POST", "/v1/things", 403),
        ("write", "POST", "/v1/things", 400),
        ("read", "DELETE", "/v1/things/1", 403),
        ("write", "DELETE", "/v1/things/1", 204),
        ("read", "POST", "/v1/work", 202),
        ("search", "POST", "/v1/work", 202),
        ("write", "POST", "/v1/work", 403),
    ],
)
def test_a_method_needs_its_scope(scopes: str, method: str, path: str, status: int) -> None:
    assert ApiClient(scopes).request(method, path).status_code == status


def test_a_missing_scope_is_named() -> None:
    error = ApiClient("write").get("/v1/things").json()["error"]

    assert (error["type"], error["code"]) == ("permission_error", "scope_missing")
    assert "read" in error["message"]


@pytest.mark.parametrize(("path", "status"), [("/v1/things", 403), ("/v1/things/1", 200)])
def test_a_key_limited_to_sources_gets_only_where_it_is_let_in(path: str, status: int) -> None:
    assert ApiClient("read+write@ks_1").get(path).status_code == status


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "BREW"])
def test_a_method_that_is_not_there_is_405_and_names_those_that_are(api: ApiClient, method: str) -> None:
    response = api.request(method, "/v1/things")

    assert response.status_code == 405
    assert response["Allow"] == "GET, POST, HEAD, OPTIONS"
    assert response.json()["error"]["code"] == "method_not_allowed"
    assert response.json()["error"]["type"] == "invalid_request_error"


def test_options_says_what_is_there_without_a_credential(anyone: ApiClient) -> None:
    response = anyone.request("OPTIONS", "/v1/things")

    assert (response.status_code, response.content) == (204, b"")
    assert response["Allow"] == "GET, POST, HEAD, OPTIONS"


def test_head_has_the_headers_of_get_and_no_body(api: ApiClient) -> None:
    read, head = api.get("/v1/things/1"), api.request("HEAD", "/v1/things/1")

    assert head.content == b""
    assert head["ETag"] == read["ETag"]
    assert head["Content-Length"] == str(len(read.content))


@pytest.mark.parametrize(
    ("method", "kept"), [("GET", "private, no-cache"), ("POST", "no-store"), ("DELETE", "no-store")]
)
def test_answers_are_never_kept_by_strangers(api: ApiClient, method: str, kept: str) -> None:
    paths = {"GET": "/v1/things/1", "POST": "/v1/work", "DELETE": "/v1/things/1"}

    assert api.request(method, paths[method])["Cache-Control"] == kept


@pytest.mark.parametrize(
    ("call", "ended"),
    [
        (("GET", "/v1/things/1"), ["prj_toy committed"]),
        (("GET", "/v1/fail/bug"), ["prj_toy rolled back"]),
        (("GET", "/v1/fail/app_error"), ["prj_toy rolled back"]),
        (("GET", "/v1/fail/not_unique"), ["prj_toy rolled back"]),
        (("GET", "/v1/fail/deleted_meanwhile"), ["prj_toy rolled back", "prj_toy rolled back"]),
        (("GET", "/v1/open"), []),
        (("POST", "/v1/things"), []),
    ],
)
def test_a_handler_runs_in_its_projects_transaction(
    api: ApiClient, call: tuple[str, str], ended: list[str]
) -> None:
    api.request(*call)

    assert scopes_ended == ended


def test_whoever_uses_what_is_deleted_meanwhile_is_told_that_it_is_not_there(api: ApiClient) -> None:
    response = api.post("/v1/vanishing")

    assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")
    assert scopes_ended == ["prj_toy rolled back", "prj_toy rolled back"]


def test_who_is_deleted_meanwhile_is_refused_as_with_the_next_call() -> None:
    response = ApiClient("read+vanishing").get("/v1/fail/deleted_meanwhile")

    assert (response.status_code, response.json()["error"]["code"]) == (401, "authentication_required")
    assert scopes_ended == ["prj_toy rolled back"]


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "text/html;q=1, */*;q=0", "nonsense"])
def test_whatever_a_client_accepts_it_gets_json(api: ApiClient, accept: str) -> None:
    response = api.get("/v1/things/1", accept=accept)

    assert (response.status_code, response["Content-Type"]) == (200, "application/json")
