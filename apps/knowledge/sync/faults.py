"""Why a run failed: a code of the contract and a sentence that gives nothing away, in two languages."""

from dataclasses import dataclass, field
from typing import Any, Final

from apps.kernel.errors import CATALOGUE
from apps.knowledge.sync.decide import WORKER_LOST
from apps.knowledge.transform import TransformError
from apps.outbound import OutboundError
from apps.vault.errors import SECRET_HOST_NOT_ALLOWED, SECRET_MISSING
from apps.vault.release import SecretRefusedError

CODES: Final = (
    *("http_status", "redirect_refused", "invalid_json", "items_path_missing", "empty_result", "too_large"),
    *("timeout", "dns_failure", "connection_failed", "tls_error", "address_refused", "url_refused"),
    *(SECRET_MISSING, SECRET_HOST_NOT_ALLOWED, "transform_error", WORKER_LOST),
)

_ABOUT_SECRETS: Final = frozenset({SECRET_MISSING, SECRET_HOST_NOT_ALLOWED})
_OF_THE_TEXT: Final = "text"
_WORKER_LOST: Final = {
    "en": "The worker that ran this sync was lost; it is tried again.",
    "ar": "فُقد العامل الذي كان ينفذ هذه المزامنة، وستُعاد المحاولة.",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A code with what its sentence needs: a secret's name and host, or a reason known to the room it came from.

    Never a body, a value, an address or a text of a foreign server.
    """

    code: str
    detail: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of_transport(cls, error: OutboundError) -> "Fault":
        return cls(error.code, {"reason": error.reason} if error.reason else {})

    @classmethod
    def of_transform(cls, error: TransformError) -> "Fault":
        return cls(error.code, {"part": _OF_THE_TEXT})

    @classmethod
    def of_secret(cls, error: SecretRefusedError) -> "Fault":
        return cls(error.code, dict(error.params))

    def message(self, language: str) -> str:
        if self.code == WORKER_LOST:
            return _WORKER_LOST["ar" if language == "ar" else "en"]
        if self.code in _ABOUT_SECRETS:
            return CATALOGUE[self.code].message(language, self.detail)
        if self.detail.get("part") == _OF_THE_TEXT:
            return TransformError(self.code).message(language)  # type: ignore[arg-type]  # stored by of_transform
        return OutboundError(self.code, self.detail.get("reason", "")).message(language)  # type: ignore[arg-type]
