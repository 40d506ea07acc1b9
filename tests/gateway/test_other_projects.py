"""What belongs to another project is not there for a client, whichever id it presents (I-5)."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from apps.agents.models import Agent
from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.gateway.making import (
    CALLBACK,
    PRINCIPAL,
    ROUTE,
    Login,
    make_client,
    make_session,
    make_workspace,
    refresh,
)


class Theirs:
    """Another project with a client of its own that has one of everything."""

    def __init__(self, tenant: Tenant) -> None:
        make_workspace(tenant)
        self.client, token = make_client(tenant)
        self.backend = ApiClient(token)
        self.login = Login(self.client)
        self.authorization_id = self.login.asked()
        self.code = self.login.approved(self.backend)
        self.tokens = make_session(self.client)
        job = self.backend.post("/run", {"request_id": "1", "route": ROUTE, "input": "x"})
        self.job_id = job.json()["job_id"]


@pytest.fixture
def theirs(other_shop: Tenant) -> Theirs:
    return Theirs(other_shop)


APPROVAL: Final = {"principal": PRINCIPAL, "on_behalf_of": "x", "allowed_routes": [ROUTE]}
# What our backend asks for by an id of theirs.
CALLS: Final[dict[str, Callable[[ApiClient, Theirs], Any]]] = {
    "read a login": lambda ours, theirs: ours.get(f"/agent-auth/v1/authorizations/{theirs.authorization_id}"),
    "approve a login": lambda ours, theirs: ours.post(
        f"/agent-auth/v1/authorizations/{theirs.authorization_id}/approve", APPROVAL
    ),
    "deny a login": lambda ours, theirs: ours.post(f"/agent-auth/v1/authorizations/{theirs.authorization_id}/deny"),
    "end a session": lambda ours, theirs: ours.post(f"/agent-auth/v1/sessions/{theirs.tokens.session.id}/revoke"),
    "read a job": lambda ours, theirs: ours.get(f"/jobs/{theirs.job_id}"),
}


@pytest.mark.conformance("I-5")
@pytest.mark.parametrize("call", CALLS)
def test_an_id_of_another_project_is_like_one_that_nobody_has(
    backend: ApiClient, workspace: Agent, theirs: Theirs, call: str
) -> None:
    answer = CALLS[call](backend, theirs)
    theirs.authorization_id, theirs.job_id = "aut_0", "0"
    theirs.tokens.session.id = "ses_0"

    unknown = CALLS[call](backend, theirs)

    assert answer.status_code == 404
    assert (answer.status_code, answer.content) == (unknown.status_code, unknown.content)


@pytest.mark.conformance("I-5")
def test_nothing_of_theirs_was_touched(backend: ApiClient, workspace: Agent, theirs: Theirs) -> None:
    statuses = [call(backend, theirs).status_code for call in CALLS.values()]

    waiting = theirs.backend.get(f"/agent-auth/v1/authorizations/{theirs.authorization_id}").json()
    assert set(statuses) == {404}
    assert waiting["status"] == "pending"
    assert ApiClient(theirs.tokens.access_token).get("/agent-auth/v1/session").status_code == 200


@pytest.mark.conformance("I-5")
def test_their_code_and_refresh_token_are_no_use_to_our_client(shop: Tenant, theirs: Theirs) -> None:
    ours, _ = make_client(shop)
    login = Login(ours)
    login.verifier = theirs.login.verifier

    exchanged = login.exchange(theirs.code, redirect_uri=CALLBACK)
    renewed = refresh(ours, theirs.tokens.refresh_token)

    assert (exchanged.status_code, renewed.status_code) == (400, 401)
    assert theirs.login.exchange(theirs.code).status_code == 200
    assert refresh(theirs.client, theirs.tokens.refresh_token).status_code == 200


@pytest.mark.conformance("I-5")
def test_an_equal_request_id_is_a_job_of_its_own(backend: ApiClient, workspace: Agent, theirs: Theirs) -> None:
    job = backend.post("/run", {"request_id": "1", "route": ROUTE, "input": "another"})

    assert (job.status_code, job.json()["job_id"] == theirs.job_id) == (202, False)
