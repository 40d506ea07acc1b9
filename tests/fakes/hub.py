"""A hub that speaks the agent wire to the letter: small, real, on loopback, and as wrong as a test wants.

It keeps its things in memory and decides nothing cleverly; what it says has the published fields, statuses and
limits. `says` replaces the answer to one method and path, `amend` changes one that would be right.
"""

import base64
import hashlib
import json
import re
import secrets
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlencode

ROUTE = "order-assistant"
OTHER_ROUTE = "support"
APP_ID = "merchant-agent"
LIMITS = {
    "search_max_results": 3,
    "search_max_bytes": 4096,
    "read_default_bytes": 16384,
    "read_max_bytes": 32768,
    "reference_ttl_seconds": 300,
    "read_chain_max_bytes": 131072,
}
SCOPE_REVISION = "5" * 64
PROFILE_REVISION = "a" * 64
CAPABILITY_REVISION = "b" * 64
SHORT_SOURCE = "صندوق بخور — 95 ريال"
# Three pages at the default budget.
LONG_SOURCE = "الشحن خلال يومين داخل المدينة. " * 700


@dataclass(frozen=True)
class Says:
    """One answer, after so many seconds; a dict becomes JSON."""

    body: Any = field(default_factory=dict)
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0

    def encoded(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return json.dumps(self.body, ensure_ascii=False, separators=(",", ":")).encode()


@dataclass(frozen=True)
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: Any


@dataclass
class Session:
    session_id: str
    access_token: str
    refresh_token: str
    routes: list[str]
    is_over: bool = False


class Refusal(Exception):  # noqa: N818 -- an answer of the wire
    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.says = Says({"error": code, "message": "A sentence."}, status)


class Hub:
    """Answers like a server that a published client accepts."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.says: dict[tuple[str, str], Says] = {}
        self.amend: dict[tuple[str, str], Callable[[Any], Any]] = {}
        # Called with each request before it is answered.
        self.during: Callable[[Received], object] = lambda _: None
        self.sources = {"قائمة الأسعار": SHORT_SOURCE, "الشحن": LONG_SOURCE}
        self.knowledge_is_on = True
        self.now: Callable[[], float] = time.time
        self.sessions: list[Session] = []
        self.jobs: dict[str, dict[str, Any]] = {}
        self.client_token = "client-" + secrets.token_urlsafe(16)
        self._authorizations: dict[str, dict[str, Any]] = {}
        self._turns: dict[tuple[str, ...], tuple[bytes, dict[str, Any]]] = {}
        self._runs: dict[str, Session] = {}
        self._done: dict[str, tuple[bytes, dict[str, Any]]] = {}
        self._references: dict[str, dict[str, Any]] = {}
        self._lock = threading.RLock()
        self._server = _Server(("127.0.0.1", 0), _handler_of(self))
        threading.Thread(target=self._server.serve_forever, args=(0.005,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    # --- what tests ask and arrange -------------------------------------------------------------------------

    def open_session(self, routes: list[str] | None = None) -> Session:
        session = Session(
            f"ses_{secrets.token_hex(8)}",
            "access-" + secrets.token_urlsafe(16),
            "refresh-" + secrets.token_urlsafe(16),
            routes or [ROUTE, OTHER_ROUTE],
        )
        self.sessions.append(session)
        return session

    def paths(self) -> list[str]:
        return [f"{one.method} {one.path}" for one in self.received]

    def bodies(self, path: str) -> list[Any]:
        return [one.body for one in self.received if one.path == path]

    def approve(self, authorization_id: str) -> str:
        """What the browser is sent back to when the person agrees."""
        authorization = self._authorizations[authorization_id]
        authorization["code"] = secrets.token_urlsafe(16)
        return _with_query(authorization, code=authorization["code"])

    def deny(self, authorization_id: str) -> str:
        return _with_query(self._authorizations[authorization_id], error="access_denied")

    # --- answering ------------------------------------------------------------------------------------------

    def answer(self, received: Received) -> Says:
        with self._lock:
            self.received.append(received)
        self.during(received)
        key = (received.method, received.path)
        if key in self.says:
            return self.says[key]
        try:
            with self._lock:
                says = self._answer(received)
        except Refusal as refusal:
            return refusal.says
        return Says(self.amend[key](says.body), says.status, says.headers) if key in self.amend else says

    def _answer(self, received: Received) -> Says:
        for method, form, handler in _ROUTES:
            found = re.fullmatch(form, received.path)
            if found and method == received.method:
                said: Says | dict[str, Any] = handler(self, received, *found.groups())
                return said if isinstance(said, Says) else Says(said)
        raise Refusal(404, "not_found")

    def _session(self, received: Received) -> Session:
        token = received.headers.get("authorization", "").removeprefix("Bearer ")
        for session in self.sessions:
            if session.access_token == token and not session.is_over:
                return session
        raise Refusal(401, "unauthorized")

    def _on_route(self, received: Received, route: str) -> Session:
        session = self._session(received)
        if route not in session.routes:
            raise Refusal(403, "route_not_allowed")
        return session

    # --- logging in -----------------------------------------------------------------------------------------

    def _authorize(self, received: Received) -> Says:
        if received.body["client_app_id"] != APP_ID:
            raise Refusal(400, "invalid_client")
        authorization_id = secrets.token_hex(8)
        self._authorizations[authorization_id] = dict(received.body)
        address = f"{self.url}/consent?authorization_id={authorization_id}"
        return Says(
            {"authorization_id": authorization_id, "authorization_url": address, "expires_in": 600}, status=201
        )

    def _token(self, received: Received) -> dict[str, Any]:
        body = received.body
        if body["grant_type"] == "refresh_token":
            return self._refresh(body)
        for authorization in self._authorizations.values():
            if authorization.get("code") == body["code"]:
                return self._exchange(authorization, body)
        raise Refusal(400, "invalid_grant")

    def _exchange(self, authorization: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        digest = hashlib.sha256(body["code_verifier"].encode()).digest()
        if base64.urlsafe_b64encode(digest).rstrip(b"=").decode() != authorization["code_challenge"]:
            raise Refusal(400, "invalid_grant")
        del authorization["code"]
        return _token_body(self.open_session(authorization["requested_routes"]))

    def _refresh(self, body: dict[str, Any]) -> dict[str, Any]:
        for session in self.sessions:
            if session.refresh_token == body["refresh_token"] and not session.is_over:
                session.access_token = "access-" + secrets.token_urlsafe(16)
                session.refresh_token = "refresh-" + secrets.token_urlsafe(16)
                return _token_body(session)
        raise Refusal(401, "invalid_grant")

    def _view(self, received: Received) -> dict[str, Any]:
        session = self._session(received)
        return {
            "session_id": session.session_id,
            "client_app_id": APP_ID,
            "device_label": "laptop",
            "principal": {"id": "u1", "tenant": "shop", "roles": ["staff"], "audience": "internal"},
            "on_behalf_of": "u1",
            "allowed_routes": session.routes,
            "created_at": self._time(0),
            "expires_at": self._time(900),
            "refresh_expires_at": self._time(30 * 86_400),
        }

    def _revoke(self, received: Received) -> dict[str, Any]:
        for session in self.sessions:
            session.is_over |= session.refresh_token == received.body.get("refresh_token")
        return {"revoked": True}

    def _time(self, ahead: float) -> str:
        return (
            (datetime.fromtimestamp(self.now(), UTC) + timedelta(seconds=ahead)).isoformat().replace("+00:00", "Z")
        )

    # --- workspaces and turns -------------------------------------------------------------------------------

    def _workspaces(self, received: Received) -> dict[str, Any]:
        routes = self._session(received).routes
        return _schema("bailing.agent-workspaces.v1", workspaces=[{"route": one, "name": one} for one in routes])

    def _bootstrap(self, received: Received, route: str) -> dict[str, Any]:
        self._on_route(received, route)
        return _schema(
            "bailing.agent-runtime-profile.v1",
            workspace={"route": route, "name": "Orders", "description": ""},
            profile={
                "revision": PROFILE_REVISION,
                "instructions": "Answer briefly.",
                "memory": {"recent_messages": 0},
                "knowledge": {"enabled": True, "sources": 2, "mode": "on_demand"},
                "governance": {"knowledge_trust": "reference_only"},
            },
            capabilities={"revision": CAPABILITY_REVISION, "authorized_total": 0, "active_limit": 12},
        )

    def _turn(self, received: Received, route: str) -> dict[str, Any]:
        session, body = self._on_route(received, route), received.body
        key = (session.session_id, route, body["client_conversation_id"], body["client_turn_id"])
        payload = json.dumps(body, sort_keys=True).encode()
        kept = self._turns.get(key)
        if kept is not None:
            if kept[0] != payload:
                raise Refusal(409, "turn_conflict")
            return kept[1]
        run_id = str(uuid.uuid4())
        self._runs[run_id] = session
        turn = self._new_turn(body, run_id)
        self._turns[key] = (payload, turn)
        return turn

    def _new_turn(self, body: dict[str, Any], run_id: str) -> dict[str, Any]:
        context: dict[str, Any] = {
            "instructions": "Answer briefly.",
            "page_context": body.get("page_context"),
            "renderers": body.get("renderers", []),
            "memory": [],
            "memory_refs": [],
            "knowledge": [{"ref": "knowledge:1", "title": "قائمة الأسعار", "content": SHORT_SOURCE}],
            "knowledge_refs": [{"ref": "knowledge:1", "doc_id": "d1", "title": "قائمة الأسعار", "score": 0.5}],
            "governance": {"knowledge_trust": "reference_only"},
        }
        if body.get("knowledge_delivery") == "on_demand":
            context |= {"knowledge": [], "knowledge_refs": []}
            context["knowledge_delivery"] = {
                "schema_version": "bailing.agent-knowledge-delivery.v1",
                "mode": "on_demand",
                "protocol": "bailing.agent-knowledge.v1",
                "knowledge_scope_revision": SCOPE_REVISION,
                "status": "ok",
                "hints": self._hints(3, run_id),
                "truncated": False,
            }
        return _schema(
            "bailing.agent-turn-context.v1",
            run_id=run_id,
            profile_revision=PROFILE_REVISION,
            capability_revision=CAPABILITY_REVISION,
            context=context,
            active_tools=[],
        )

    def _complete(self, received: Received, run_id: str) -> dict[str, Any]:
        self._run(received, run_id, finished=True)
        payload = json.dumps(received.body, sort_keys=True).encode()
        done = _schema("bailing.agent-run-completion.v1", run_id=run_id, status=received.body["status"])
        kept = self._done.setdefault(run_id, (payload, done))
        if kept[0] != payload:
            raise Refusal(409, "run_completion_conflict")
        return kept[1]

    def _run(self, received: Received, run_id: str, *, finished: bool = False) -> None:
        """The run is the session's, and unfinished unless a finished one will do."""
        if self._runs.get(run_id) is not self._session(received) or (run_id in self._done and not finished):
            raise Refusal(404, "run_not_found")

    # --- knowledge ------------------------------------------------------------------------------------------

    def _capabilities(self, received: Received, route: str) -> dict[str, Any]:
        self._on_route(received, route)
        return _schema(
            "bailing.agent-knowledge-capabilities.v1",
            protocol="bailing.agent-knowledge.v1",
            supported=True,
            route=route,
            enabled=self.knowledge_is_on,
            knowledge_scope_revision=SCOPE_REVISION,
            delivery_modes=["inline", "on_demand"],
            limits=LIMITS,
        )

    def _search(self, received: Received, route: str) -> dict[str, Any]:
        self._on_route(received, route)
        run_id = received.body.get("run_id")
        if run_id is not None:
            self._run(received, run_id)
        on = self.knowledge_is_on
        return _schema(
            "bailing.agent-knowledge-search.v1",
            route=route,
            **({} if run_id is None else {"run_id": run_id}),
            knowledge_scope_revision=SCOPE_REVISION,
            status="ok" if on else "disabled",
            trust="reference_only",
            hints=self._hints(received.body.get("limit", 3), run_id) if on else [],
            truncated=False,
        )

    def _hints(self, limit: int, run_id: str | None) -> list[dict[str, Any]]:
        return [self._hint(title, body, run_id) for title, body in list(self.sources.items())[:limit]]

    def _hint(self, title: str, body: str, run_id: str | None) -> dict[str, Any]:
        ref = "kr_" + secrets.token_urlsafe(24)
        revision = _revision(title, body)
        self._references[ref] = {
            "title": title,
            "revision": revision,
            "run_id": run_id,
            "expires_at": self.now() + 300,
        }
        return {
            "ref": ref,
            "title": title,
            "summary": body[:80],
            "revision": revision,
            "score": 0.95,
            "expires_at": self._time(300),
        }

    def _read(self, received: Received, route: str) -> dict[str, Any]:
        self._on_route(received, route)
        asked = received.body
        kept = self._references.get(asked["ref"])
        if kept is None or kept["run_id"] != asked.get("run_id"):
            raise Refusal(400, "knowledge_reference_invalid")
        if self.now() > kept["expires_at"]:
            raise Refusal(410, "knowledge_reference_expired")
        body = self.sources.get(kept["title"])
        if body is None or _revision(kept["title"], body) != kept["revision"]:
            raise Refusal(409, "knowledge_changed")
        return self._page(route, asked, kept, body)

    def _page(self, route: str, asked: dict[str, Any], kept: dict[str, Any], body: str) -> dict[str, Any]:
        start = int(asked["cursor"].rpartition("@")[2]) if "cursor" in asked else 0
        page = _schema(
            "bailing.agent-knowledge-read.v1",
            route=route,
            **({} if asked.get("run_id") is None else {"run_id": asked["run_id"]}),
            knowledge_scope_revision=SCOPE_REVISION,
            ref=asked["ref"],
            revision=kept["revision"],
            title=kept["title"],
            content="",
            trust="reference_only",
            next_cursor="cursor@" + "9" * 8,
            truncated=False,
            budget_exhausted=False,
            total_content_bytes=len(body.encode()),
            read_chain_max_bytes=LIMITS["read_chain_max_bytes"],
        )
        room = asked.get("max_bytes", LIMITS["read_default_bytes"]) - len(Says(page).encoded())
        left = LIMITS["read_chain_max_bytes"] - len(body[:start].encode())
        content = body[start:].encode()[: min(room, left)].decode(errors="ignore")
        stop = start + len(content)
        is_spent = stop < len(body) and left - len(content.encode()) < 4
        page |= {
            "content": content,
            "next_cursor": None if stop == len(body) or is_spent else f"cursor@{stop}",
            "truncated": stop < len(body),
            "budget_exhausted": is_spent,
        }
        return page

    # --- jobs -----------------------------------------------------------------------------------------------

    def _submit(self, received: Received) -> Says:
        self._client(received)
        for job in self.jobs.values():
            if job["request_id"] == received.body["request_id"]:
                if job["input"] != received.body["input"]:
                    raise Refusal(409, "request_conflict")
                return Says(_short(job), 202)
        job = {"job_id": str(uuid.uuid4()), "status": "queued", **received.body}
        self.jobs[job["job_id"]] = job
        return Says(_short(job), 202)

    def _job(self, received: Received, job_id: str) -> dict[str, Any]:
        self._client(received)
        job = self.jobs.get(job_id)
        if job is None:
            raise Refusal(404, "job_not_found")
        empty = dict.fromkeys(("result", "report", "usage", "raw_result", "error"))
        times = {"created_at": self._time(0), "updated_at": self._time(0)}
        return {**empty, **_short(job), **times, **job.get("outcome", {})}

    def finish(self, job_id: str, **outcome: Any) -> None:
        self.jobs[job_id] |= {"status": "done", "outcome": outcome}

    def _client(self, received: Received) -> None:
        if received.headers.get("authorization") != f"Bearer {self.client_token}":
            raise Refusal(401, "unauthorized")


_WORKSPACE = "/agent-api/v1/workspaces/([^/]+)"
_ROUTES: list[tuple[str, str, Callable[..., Any]]] = [
    ("POST", "/agent-auth/v1/authorizations", Hub._authorize),
    ("POST", "/agent-auth/v1/token", Hub._token),
    ("GET", "/agent-auth/v1/session", Hub._view),
    ("POST", "/agent-auth/v1/revoke", Hub._revoke),
    ("GET", "/agent-api/v1/workspaces", Hub._workspaces),
    ("GET", f"{_WORKSPACE}/bootstrap", Hub._bootstrap),
    ("POST", f"{_WORKSPACE}/turns", Hub._turn),
    ("POST", "/agent-api/v1/runs/([^/]+)/complete", Hub._complete),
    ("GET", f"{_WORKSPACE}/knowledge/capabilities", Hub._capabilities),
    ("POST", f"{_WORKSPACE}/knowledge/search", Hub._search),
    ("POST", f"{_WORKSPACE}/knowledge/read", Hub._read),
    ("POST", "/run", Hub._submit),
    ("GET", "/jobs/([^/]+)", Hub._job),
]


def _schema(name: str, **members: Any) -> dict[str, Any]:
    return {"schema": name, "schema_version": name, **members}


def _token_body(session: Session) -> dict[str, Any]:
    return {
        "token_type": "Bearer",
        "access_token": session.access_token,
        "refresh_token": session.refresh_token,
        "expires_in": 900,
        "refresh_expires_in": 30 * 86_400,
        "session_id": session.session_id,
        "client_app_id": APP_ID,
    }


def _with_query(authorization: dict[str, Any], **query: str) -> str:
    return f"{authorization['redirect_uri']}?{urlencode({**query, 'state': authorization['state']})}"


def _revision(title: str, body: str) -> str:
    return hashlib.sha256(f"{title}\0{body}".encode()).hexdigest()


def _short(job: dict[str, Any]) -> dict[str, Any]:
    return {name: job[name] for name in ("job_id", "request_id", "status", "route")}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of the tests."""


def _handler_of(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _exchange(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            says = hub.answer(Received(self.command, self.path, headers, json.loads(sent) if sent else None))
            time.sleep(says.after)
            body = says.encoded()
            self.send_response(says.status)
            for name, value in says.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self._exchange()

        def do_POST(self) -> None:
            self._exchange()

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the base class's name
            """Tests look at `received`."""

    return Handler


@contextmanager
def running_hub() -> Iterator[Hub]:
    hub = Hub()
    try:
        yield hub
    finally:
        hub.close()
