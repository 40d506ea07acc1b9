"""What goes wrong, as one exception: a status, a stable code, whether to try again, and what to do next.

Of a server's error body only the code is taken, and only one that the wire publishes: its sentences may hold
anything. The statuses of failures that no server answered follow HTTP's meaning: 400 the caller's input, 403
another account than the one that was meant, 499 cancelled, 502 an answer that breaks the wire, 503 nobody there,
504 too slow.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, Literal

from mawrid_client import wire

Dispatch = Literal["not_dispatched", "attempted", "unknown"]

SEARCH_AGAIN: Final = "search_knowledge"

_RETRYABLE_STATUSES: Final = frozenset({408, 425, 429})
_SERVER_FAULT: Final = 500
_NOT_DISPATCHED: Final = frozenset({400, 401, 403, 404, 405, 410, 413, 415, 429, 501})

_BY_STATUS: Final[Mapping[int, str]] = {
    400: "agent_request_refused",
    401: "agent_unauthorized",
    403: "agent_forbidden",
    404: "agent_not_found",
    405: "agent_endpoint_unsupported",
    408: "agent_request_timeout",
    409: "agent_conflict",
    410: "agent_expired",
    413: "agent_request_too_large",
    429: "agent_rate_limited",
    501: "agent_endpoint_unsupported",
}

_MESSAGES: Final[Mapping[str, str]] = {
    "knowledge_reference_invalid": "The knowledge reference does not belong to this session, workspace and run.",
    "knowledge_reference_expired": "The knowledge reference has expired.",
    "knowledge_scope_changed": "What this workspace may know has changed since the search.",
    "knowledge_changed": "The source was edited since the search.",
    "knowledge_unavailable": "Knowledge cannot be read right now. That does not show that there is none.",
    "knowledge_protocol_unsupported": "This server is older than searching and reading knowledge by reference.",
    "invalid_request": "The request is not as the wire says.",
    "route_not_allowed": "This session may not use the workspace.",
    "run_not_found": "There is no unfinished turn with this id. Start a turn first.",
    "turn_conflict": "This turn was sent before with another content.",
    "agent_binding_changed": "The stored login is no longer the account that this call was meant for.",
    "agent_request_cancelled": "The call was cancelled.",
    "agent_login_required": "There is no stored login. Log in first.",
    "agent_login_expired": "The login has ended. Log in again.",
    "agent_unauthorized": "The access token is not valid any more.",
    "agent_timeout": "The server did not answer in time.",
    "agent_unreachable": "The server cannot be reached.",
    "agent_response_invalid": "The server's answer is not as the wire says.",
    "agent_response_too_large": "The server's answer is larger than the wire allows.",
    "agent_redirect_refused": "The server answered with a redirect, which is never followed.",
    "agent_rate_limited": "Too many requests. Try again in a moment.",
    "access_denied": "The login was denied.",
    "agent_login_timeout": "Nobody finished the login in the browser in time.",
}
_NEXT_ACTIONS: Final[Mapping[str, str]] = {
    "knowledge_unavailable": "retry_later",
    "knowledge_protocol_unsupported": "use_inline_knowledge",
    "run_not_found": "start_turn",
    "turn_conflict": "start_turn",
    "agent_binding_changed": "select_account",
    "agent_login_required": "log_in",
    "agent_login_expired": "log_in",
    "agent_unauthorized": "log_in",
    "unauthorized": "log_in",
    "invalid_grant": "log_in",
    "invalid_request": "correct_input",
    "agent_login_timeout": "log_in",
}
_CATEGORIES: Final[Mapping[int, str]] = {
    400: "input",
    401: "authorization",
    403: "authorization",
    404: "not_found",
    409: "conflict",
    410: "expired",
    413: "input",
    429: "rate_limit",
    499: "cancelled",
    502: "protocol",
}


class AgentError(Exception):
    """A call that did not succeed.

    `status` is the server's, or the nearest in meaning when no server answered; `code` is stable; `retryable` says
    whether the same call may succeed later; `next_action` is what to do instead, or None.
    """

    def __init__(
        self,
        code: str,
        *,
        status: int,
        operation: str = "",
        retryable: bool | None = None,
        message: str | None = None,
        origin: Literal["client", "server"] = "client",
        dispatch: Dispatch = "not_dispatched",
    ) -> None:
        self.code = code
        self.status = status
        self.operation = operation
        self.retryable = _is_retryable(status) if retryable is None else retryable
        self.next_action = next_action_of(code, retryable=self.retryable)
        self.origin = origin
        self.dispatch: Dispatch = dispatch
        self.message = message or _MESSAGES.get(code) or f"The call failed with {code}."
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message} [{self.code}, {self.status}]"

    @property
    def category(self) -> str:
        if self.code.startswith("knowledge_"):
            return "knowledge"
        return _CATEGORIES.get(self.status, "availability" if self.retryable else "protocol")

    def feedback(self) -> dict[str, Any]:
        """The same as a plain object, for a log or a model."""
        return {
            "schema_version": wire.FEEDBACK_SCHEMA,
            "category": self.category,
            "code": self.code,
            "origin": self.origin,
            "operation": self.operation,
            "dispatch": self.dispatch,
            "retryable": self.retryable,
            "next_action": self.next_action,
            "message": self.message,
        }


def next_action_of(code: str, *, retryable: bool = False) -> str | None:
    """References that changed, expired or never fitted are all mended by searching again."""
    if code.startswith("knowledge_reference_") or (code.startswith("knowledge_") and code.endswith("changed")):
        return SEARCH_AGAIN
    return _NEXT_ACTIONS.get(code) or ("retry_later" if retryable else None)


def _is_retryable(status: int) -> bool:
    return status in _RETRYABLE_STATUSES or status >= _SERVER_FAULT


def error_of_answer(operation: str, status: int, body: bytes) -> AgentError:
    """The error that an answer other than success stands for."""
    if 300 <= status < 400:  # noqa: PLR2004 -- HTTP
        return AgentError(
            "agent_redirect_refused", status=502, operation=operation, retryable=False, dispatch="unknown"
        )
    return AgentError(
        _published_code(body) or _BY_STATUS.get(status) or _code_of_range(status),
        status=status,
        operation=operation,
        origin="server",
        dispatch="not_dispatched" if status in _NOT_DISPATCHED else "unknown",
    )


def _code_of_range(status: int) -> str:
    return "agent_server_unavailable" if status >= _SERVER_FAULT else "agent_response_invalid"


def _published_code(body: bytes) -> str | None:
    """The flat `error` of a body when the wire publishes it; a nested one counts as none."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return None
    code = said.get("error") if isinstance(said, dict) else None
    if not isinstance(code, str):
        return None
    return code if code in wire.SERVER_CODES or wire.SERVER_CODE_FAMILIES.fullmatch(code) else None


def refuse_input(message: str, *, operation: str = "") -> AgentError:
    """What the host passed in would not be taken by any server, so it is not sent."""
    return AgentError("invalid_request", status=400, operation=operation, message=message)


def broken_answer(message: str, *, operation: str = "") -> AgentError:
    """The server broke the wire; asking again would not mend that."""
    return AgentError(
        "agent_response_invalid",
        status=502,
        operation=operation,
        retryable=False,
        message=f"The server's answer is not as the wire says: {message}",
        dispatch="unknown",
    )
