"""How refusals look to agents: flat, a code of their protocol and a sentence, whatever went wrong wherever."""

from typing import Any, Final

from apps.gateway.errors import INVALID_REQUEST, UNAUTHORIZED, WIRE_NAMES
from apps.kernel.errors import CATALOGUE, AppError

# The paths of the protocol, and with them everything below that does not exist.
# Hosts of MCP look for a login of another kind in well-known places, where there is none.
PATHS: Final = r"/(?:agent-auth|agent-api|run|jobs|health|mcp|\.well-known)(?:/|\Z)"

_FAULTS_OF_FORM: Final = frozenset({400, 412, 415, 422})
# These say what a caller's own word is; it is not repeated, so that nothing a caller sent comes back.
_NAMED_BY_CALLERS: Final = frozenset(
    {"unknown_field", "unknown_parameter", "repeated_parameter", "forbidden_character"}
)


def flat(error: AppError, language: str) -> tuple[int, dict[str, Any]]:
    """Status and body of a refusal in the protocol's form."""
    code = _wire_code(error)
    return CATALOGUE[code].status, {"error": WIRE_NAMES.get(code, code), "message": _message(error, code, language)}


def _wire_code(error: AppError) -> str:
    if error.code in WIRE_NAMES:
        return error.code
    if error.status in _FAULTS_OF_FORM:
        return INVALID_REQUEST
    return UNAUTHORIZED if error.status == 401 else error.code  # noqa: PLR2004 -- HTTP


def _message(error: AppError, code: str, language: str) -> str:
    """The sentence, after the name of the field at fault."""
    told = code if CATALOGUE[code].status == 401 else error.code  # noqa: PLR2004 -- HTTP
    sentence = CATALOGUE[told].message(language, error.params)
    if error.param is None or error.code in _NAMED_BY_CALLERS:
        return sentence
    return f"{error.param}: {sentence}"
