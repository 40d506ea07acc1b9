"""Every answer names its request, and so do the log lines it caused."""

import pytest
import structlog

from apps.rest.request_id import choose_request_id
from tests.api_client import ApiClient


@pytest.mark.parametrize("offered", ["abc", "0f8fad5b-d9cb-469f-a165-70867728950e", "a" * 128, "trace:1/2=+@._-"])
def test_a_clients_own_safe_id_is_kept(api: ApiClient, offered: str) -> None:
    assert api.get("/v1/things", x_request_id=offered)["X-Request-Id"] == offered


@pytest.mark.parametrize(
    "offered",
    [None, "", " ", "a b", "a" * 129, "-rf", "a\r\nSet-Cookie: x", "<script>", "معرف", "a'b", 'a"b', "a,b"],
)
def test_an_unsafe_id_is_replaced(offered: str | None) -> None:
    chosen = choose_request_id(offered)

    assert chosen != offered
    assert chosen.startswith("req_")


@pytest.mark.parametrize("path", ["/v1/things", "/v1/nothing", "/v1/fail/bug", "/healthz", "/"])
def test_every_answer_has_an_id(api: ApiClient, path: str) -> None:
    assert api.get(path)["X-Request-Id"].startswith("req_")


def test_an_error_and_its_log_line_carry_the_id(api: ApiClient) -> None:
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        error = api.get("/v1/fail/bug", x_request_id="mine").json()["error"]

    assert error["request_id"] == "mine"
    assert [(line["event"], line["request_id"]) for line in lines] == [("request_failed", "mine")]


def test_an_id_does_not_outlive_its_request(api: ApiClient) -> None:
    api.get("/v1/things", x_request_id="mine")

    assert "request_id" not in structlog.contextvars.get_contextvars()
