"""Every operation of an agent client as steps, shared by the synchronous and the asyncio client.

An operation looks up the login it acts for, checks it against the binding that the host expects, does its work, and
checks again before it hands anything out: a login that was swapped meanwhile belongs to somebody else.
"""

from collections import OrderedDict
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from mawrid_client import inputs, knowledge, sessions, turns
from mawrid_client.answers import accept
from mawrid_client.errors import AgentError, error_of_answer, refuse_input
from mawrid_client.logins import Login, TokenStore
from mawrid_client.messages import Answer, Renewal, Request, Step, Steps, send
from mawrid_client.options import Binding, Options
from mawrid_client.results import (
    Completion,
    KnowledgeCapabilities,
    KnowledgePage,
    KnowledgeSearch,
    Profile,
    Reading,
    SessionView,
    Turn,
    Workspace,
)

T = TypeVar("T")

_UNAUTHORIZED: Final = 401
# Turns whose delivery is remembered; a host retries the last few at most.
_MOST_PINNED_TURNS: Final = 1_024


@dataclass(frozen=True, slots=True)
class Call:
    """One operation under way: where, for whom, and as which login it began."""

    operation: str
    named_workspace: str | None
    login: Login
    expected: Binding

    @property
    def workspace(self) -> str:
        """Where the operation takes place, when it takes place anywhere."""
        if self.named_workspace is None:
            raise refuse_input("Name a workspace, for the client or for the call.", operation=self.operation)
        return self.named_workspace


class AgentCore:
    """Operations of one connection. It holds no socket; whoever drives its steps does."""

    def __init__(self, *, base_url: str, workspace: str | None, logins: TokenStore, connection_key: str) -> None:
        self.base_url = base_url
        self.workspace = None if workspace is None else inputs.route(workspace)
        self.logins = logins
        self.connection_key = connection_key
        self._deliveries: OrderedDict[tuple[str, ...], str | None] = OrderedDict()
        # Whose a bare access token is; asked once, and only where a binding has to be compared.
        self._identified: Login | None = None

    # --- knowledge ------------------------------------------------------------------------------------------

    def knowledge_capabilities(self, options: Options) -> Steps[KnowledgeCapabilities]:
        def work(call: Call) -> Steps[KnowledgeCapabilities]:
            answer = yield from self._authorized(call, knowledge.capabilities_request(call.workspace))
            if answer.status in knowledge.OLD_SERVER_STATUSES:
                return knowledge.unsupported(call.workspace)
            return accept(call.operation, answer, lambda: knowledge.capabilities_of(answer, call.workspace))

        return self._bound(knowledge.CAPABILITIES, options, work)

    def search_knowledge(
        self, options: Options, *, query: object, limit: int | None, run_id: str | None
    ) -> Steps[KnowledgeSearch]:
        def work(call: Call) -> Steps[KnowledgeSearch]:
            request = knowledge.search_request(call.workspace, query=query, limit=limit, run_id=run_id)
            answer = yield from self._authorized(call, request)
            return accept(
                call.operation,
                answer,
                lambda: knowledge.search_of(answer, call.workspace, limit=limit, run_id=run_id),
            )

        return self._bound(knowledge.SEARCH, options, work)

    def read_knowledge(
        self, options: Options, *, ref: str, run_id: str | None, cursor: str | None, max_bytes: int | None
    ) -> Steps[KnowledgePage]:
        def work(call: Call) -> Steps[KnowledgePage]:
            return self._page(call, ref=ref, run_id=run_id, cursor=cursor, max_bytes=max_bytes)

        return self._bound(knowledge.READ, options, work)

    def read_all(self, options: Options, *, ref: str, run_id: str | None, max_bytes: int | None) -> Steps[Reading]:
        """Page after page as one account: the binding is checked behind each of them."""

        def work(call: Call) -> Steps[Reading]:
            chain, cursor = knowledge.Chain(), None
            while True:
                page = yield from self._page(call, ref=ref, run_id=run_id, cursor=cursor, max_bytes=max_bytes)
                yield from self._check(call)
                cursor = chain.add(page)
                if cursor is None:
                    return chain.joined()

        return self._bound(knowledge.READ_ALL, options, work)

    def _page(
        self, call: Call, *, ref: str, run_id: str | None, cursor: str | None, max_bytes: int | None
    ) -> Steps[KnowledgePage]:
        request = knowledge.read_request(call.workspace, ref=ref, run_id=run_id, cursor=cursor, max_bytes=max_bytes)
        answer = yield from self._authorized(call, request)
        return accept(
            call.operation,
            answer,
            lambda: knowledge.page_of(answer, call.workspace, ref=ref, run_id=run_id, max_bytes=max_bytes),
        )

    # --- turns ----------------------------------------------------------------------------------------------

    def start_turn(self, options: Options, given: object, *, knowledge_delivery: object) -> Steps[Turn]:
        turn, choice = turns.checked_turn(given), knowledge.check_delivery_choice(knowledge_delivery)

        def work(call: Call) -> Steps[Turn]:
            delivery = self._pinned(call, turn, choice)
            answer = yield from self._authorized(call, turns.start_request(call.workspace, turn, delivery))
            return accept(call.operation, answer, lambda: turns.turn_of(answer, delivery))

        return self._bound(turns.START, options, work)

    def _pinned(self, call: Call, turn: Mapping[str, Any], choice: str | None) -> str | None:
        """How this turn was asked for the first time: asked in another way it would be another turn."""
        session = call.login.session_id or call.login.access_token
        key = (session, call.workspace, turn["client_conversation_id"], turn["client_turn_id"])
        pinned = self._deliveries.setdefault(key, choice)
        self._deliveries.move_to_end(key)
        while len(self._deliveries) > _MOST_PINNED_TURNS:
            self._deliveries.popitem(last=False)
        return pinned

    def complete_run(self, options: Options, run_id: str, **completion: object) -> Steps[Completion]:
        request = turns.complete_request(run_id, **completion)
        status = str(completion["status"])

        def work(call: Call) -> Steps[Completion]:
            answer = yield from self._authorized(call, request)
            return accept(call.operation, answer, lambda: turns.completion_of(answer, run_id, status))

        return self._bound(turns.COMPLETE, options, work)

    # --- sessions and workspaces ----------------------------------------------------------------------------

    def session(self, options: Options) -> Steps[SessionView]:
        def work(call: Call) -> Steps[SessionView]:
            answer = yield from self._authorized(call, sessions.session_request())
            return accept(call.operation, answer, lambda: sessions.session_of(answer))

        return self._bound(sessions.SESSION, options, work)

    def workspaces(self, options: Options) -> Steps[tuple[Workspace, ...]]:
        def work(call: Call) -> Steps[tuple[Workspace, ...]]:
            answer = yield from self._authorized(call, sessions.workspaces_request())
            return accept(call.operation, answer, lambda: sessions.workspaces_of(answer))

        return self._bound(sessions.WORKSPACES, options, work)

    def bootstrap(self, options: Options) -> Steps[Profile]:
        def work(call: Call) -> Steps[Profile]:
            answer = yield from self._authorized(call, sessions.bootstrap_request(call.workspace))
            return accept(call.operation, answer, lambda: sessions.profile_of(answer, call.workspace))

        return self._bound(sessions.BOOTSTRAP, options, work)

    def log_out(self) -> Steps[None]:
        """End the session on the server and forget the login; a session that had ended already is as good."""
        login = self._login(sessions.REVOKE)
        answer = yield from send(sessions.revocation_request(login))
        if answer.status not in {200, _UNAUTHORIZED}:
            raise error_of_answer(sessions.REVOKE, answer.status, answer.body)
        self.logins.delete(self.connection_key)

    # --- the login behind a call ----------------------------------------------------------------------------

    def _bound(self, operation: str, options: Options, work: Callable[[Call], Steps[T]]) -> Steps[T]:
        call = yield from self._open(operation, options)
        result = yield from work(call)
        yield from self._check(call)
        return result

    def _open(self, operation: str, options: Options) -> Steps[Call]:
        if options.connection_key not in {None, self.connection_key}:
            raise _changed(operation)
        workspace = self.workspace if options.workspace is None else inputs.route(options.workspace)
        expected = options.expected_binding or Binding()
        login = self._login(operation)
        call = Call(operation, workspace, login, expected)
        yield from self._compare(call, login)
        return call

    def _check(self, call: Call) -> Steps[None]:
        """The login that is stored now is still the one with which the call began."""
        now = self.logins.load(self.connection_key)
        if now is None or not _is_same_account(call.login, now):
            raise _changed(call.operation)
        yield from self._compare(call, now)

    def _compare(self, call: Call, login: Login) -> Steps[None]:
        expected = call.expected
        if login.session_id is None and (expected.session_id or expected.client_app_id):
            login = yield from self._identify(call.operation, login)
        if expected.differs_from(self._binding(login, call.named_workspace)):
            raise _changed(call.operation)

    def _identify(self, operation: str, login: Login) -> Steps[Login]:
        """Whose a bare access token is, as the server says."""
        if self._identified is None or self._identified.access_token != login.access_token:
            answer = yield from send(sessions.session_request().with_bearer(login.access_token))
            view = accept(operation, answer, lambda: sessions.session_of(answer))
            self._identified = replace(login, session_id=view.session_id, client_app_id=view.client_app_id)
        return self._identified

    def _binding(self, login: Login, workspace: str | None) -> Binding:
        return Binding(self.base_url, login.client_app_id, workspace, login.session_id)

    def _login(self, operation: str) -> Login:
        login = self.logins.load(self.connection_key)
        if login is None:
            raise AgentError("agent_login_required", status=_UNAUTHORIZED, operation=operation)
        if login.hub_url != self.base_url:
            raise _changed(operation)
        return login

    # --- sending --------------------------------------------------------------------------------------------

    def _authorized(self, call: Call, request: Request) -> Steps[Answer]:
        """Send with the login's token; when it has ended, renew the login and send once more."""
        login = self._same_login(call)
        answer = yield from send(request.with_bearer(login.access_token))
        if answer.status != _UNAUTHORIZED or login.refresh_token is None:
            return answer
        yield Renewal(login.access_token)
        return (yield from send(request.with_bearer(self._same_login(call).access_token)))

    def _same_login(self, call: Call) -> Login:
        login = self._login(call.operation)
        if not _is_same_account(call.login, login):
            raise _changed(call.operation)
        return login

    def renew(self, renewal: Renewal) -> Generator[Step, Any, None]:
        """Done by a driver while it holds the login for itself."""
        login = self._login(sessions.RENEW)
        if login.access_token != renewal.refused_token:
            return
        answer = yield from send(sessions.renewal_request(login))
        if answer.status == _UNAUTHORIZED:
            self.logins.delete(self.connection_key)
            raise AgentError("agent_login_expired", status=_UNAUTHORIZED, operation=sessions.RENEW)
        renewed = accept(sessions.RENEW, answer, lambda: sessions.renewed_login(answer, login))
        self.logins.save(self.connection_key, renewed)


def _is_same_account(before: Login, now: Login) -> bool:
    """Logins of one session. Where a session is not known, another token may be anybody's."""
    if before.hub_url != now.hub_url:
        return False
    if before.session_id is None or now.session_id is None:
        return before.access_token == now.access_token
    return (before.session_id, before.client_app_id) == (now.session_id, now.client_app_id)


def _changed(operation: str) -> AgentError:
    return AgentError("agent_binding_changed", status=403, operation=operation, retryable=False)
