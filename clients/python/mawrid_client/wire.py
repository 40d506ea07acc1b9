"""The published wire in constants: schema strings, limits, and the error codes that a server may name."""

import re
from typing import Final

VERSION: Final = "0.1.0"
USER_AGENT: Final = f"mawrid-client/{VERSION}"

# --- schema strings -----------------------------------------------------------------------------------------

KNOWLEDGE_PROTOCOL: Final = "bailing.agent-knowledge.v1"
CAPABILITIES_SCHEMA: Final = "bailing.agent-knowledge-capabilities.v1"
SEARCH_SCHEMA: Final = "bailing.agent-knowledge-search.v1"
READ_SCHEMA: Final = "bailing.agent-knowledge-read.v1"
DELIVERY_SCHEMA: Final = "bailing.agent-knowledge-delivery.v1"
TURN_SCHEMA: Final = "bailing.agent-turn-context.v1"
COMPLETION_SCHEMA: Final = "bailing.agent-run-completion.v1"
WORKSPACES_SCHEMA: Final = "bailing.agent-workspaces.v1"
PROFILE_SCHEMA: Final = "bailing.agent-runtime-profile.v1"
FEEDBACK_SCHEMA: Final = "bailing.agent-feedback.v1"

# --- knowledge ----------------------------------------------------------------------------------------------

ON_DEMAND: Final = "on_demand"
DELIVERY_MODES: Final = ("inline", ON_DEMAND)
REFERENCE_ONLY: Final = "reference_only"
SEARCH_STATUSES: Final = frozenset({"ok", "disabled", "unavailable", "partial"})
SEARCH_MAX_RESULTS: Final = 3
SEARCH_MAX_BYTES: Final = 4_096
READ_MIN_BYTES: Final = 4_096
READ_DEFAULT_BYTES: Final = 16_384
READ_MAX_BYTES: Final = 32_768
READ_CHAIN_MAX_BYTES: Final = 131_072
REFERENCE_TTL_SECONDS: Final = 300
REFERENCE_MAX_BYTES: Final = 4_096
QUERY_MAX_LENGTH: Final = 2_000
KNOWLEDGE_LIMITS: Final = {
    "search_max_results": SEARCH_MAX_RESULTS,
    "search_max_bytes": SEARCH_MAX_BYTES,
    "read_default_bytes": READ_DEFAULT_BYTES,
    "read_max_bytes": READ_MAX_BYTES,
    "reference_ttl_seconds": REFERENCE_TTL_SECONDS,
    "read_chain_max_bytes": READ_CHAIN_MAX_BYTES,
}

# --- turns --------------------------------------------------------------------------------------------------

BODY_MAX_BYTES: Final = 512 * 1024
TEXT_MAX_LENGTH: Final = 64_000
ID_MAX_LENGTH: Final = 128
PAGE_CONTEXT_MAX_BYTES: Final = 16 * 1024
MOST_RENDERERS: Final = 20
RENDERER_MAX_LENGTH: Final = 64
INSTRUCTIONS_MAX_UNITS: Final = 100_000
CONTEXT_MAX_BYTES: Final = 64 * 1024
MOST_TOOLS: Final = 12
TOOL_SCHEMA_MAX_BYTES: Final = 64 * 1024
MOST_WORKSPACES: Final = 128
MODEL_MAX_LENGTH: Final = 191
USAGE_FIELDS: Final = (
    "input_tokens",
    "cached_input_tokens",
    "output_tokens",
    "total_tokens",
    "tool_calls",
    "cost_usd",
)
COMPLETION_STATUSES: Final = frozenset({"completed", "failed", "cancelled"})

# --- sessions -----------------------------------------------------------------------------------------------

DAY_SECONDS: Final = 86_400
ACCESS_MAX_SECONDS: Final = 31 * DAY_SECONDS
REFRESH_MAX_SECONDS: Final = 366 * DAY_SECONDS
TOKEN_MAX_LENGTH: Final = 8_192
ROUTE_MAX_LENGTH: Final = 64
CLIENT_APP_ID_MAX_LENGTH: Final = 64

# --- jobs ---------------------------------------------------------------------------------------------------

JOB_INPUT_MAX_LENGTH: Final = 100_000
CALLBACK_URL_MAX_LENGTH: Final = 2_048
OPEN_JOB_STATUSES: Final = frozenset({"queued", "running", "dispatched"})
FINAL_JOB_STATUSES: Final = frozenset({"done", "error", "rejected"})
JOB_ERROR_MAX_LENGTH: Final = 1_000
TIMESTAMP_MAX_LENGTH: Final = 100
WAIT_DEFAULT_SECONDS: Final = 20
WAIT_MAX_SECONDS: Final = 60
POLL_SECONDS: Final = 2.0

# --- transport ----------------------------------------------------------------------------------------------

ANSWER_MAX_BYTES: Final = 1024 * 1024
TIMEOUT_SECONDS: Final = 15.0
TIMEOUT_MAX_SECONDS: Final = 120.0
MAX_SAFE_INTEGER: Final = 2**53 - 1

# --- forms --------------------------------------------------------------------------------------------------

ROUTE: Final = re.compile(r"[a-z0-9][a-z0-9_-]{1,63}", re.ASCII)
HEX64: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
# Versions 1 to 5 of the common variant; time-ordered identifiers are refused by the published clients.
UUID: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE
)
TOOL_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}", re.ASCII)
MESSAGE_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}", re.ASCII)
# What may stand behind "Bearer " in a header.
BEARER: Final = re.compile(r"[!-~]{1,8192}", re.ASCII)
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
CONTROL_BUT_LAYOUT: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

# --- codes that a server may name ---------------------------------------------------------------------------

KNOWLEDGE_CODES: Final = frozenset(
    {
        "knowledge_reference_invalid",
        "knowledge_reference_expired",
        "knowledge_scope_changed",
        "knowledge_changed",
        "knowledge_unavailable",
    }
)
RUNTIME_CODES: Final = frozenset(
    {
        "agent_client_disabled",
        "agent_direct_disabled",
        "agent_runtime_unavailable",
        "agent_tools_unavailable",
        "arguments_too_large",
        "assistant_message_conflict",
        "audience_not_allowed",
        "capability_changed",
        "hub_paused",
        "invalid_request",
        "invalid_route",
        "invocation_conflict",
        "invocation_not_found",
        "invocation_record_invalid",
        "page_context_too_large",
        "route_not_allowed",
        "route_unavailable",
        "run_completion_conflict",
        "run_not_found",
        "tool_not_found",
        "turn_conflict",
        "system_info_unsupported",
    }
)
AUTH_CODES: Final = frozenset({"invalid_client", "invalid_grant", "access_denied", "unauthorized"})
JOB_CODES: Final = frozenset({"request_conflict", "job_not_found", "rate_limited"})
SERVER_CODES: Final = KNOWLEDGE_CODES | RUNTIME_CODES | AUTH_CODES | JOB_CODES
SERVER_CODE_FAMILIES: Final = re.compile(r"(?:conversation_audit_[a-z_]{1,64}|TASK_[A-Z_]{1,64})", re.ASCII)
