"""Why a run failed: a code of the contract and a sentence that gives nothing away, in two languages."""

from dataclasses import dataclass, field
from typing import Any, Final

from apps.kernel.errors import CATALOGUE
from apps.knowledge.sync.decide import WORKER_LOST
from apps.knowledge.transform import TransformError
from apps.outbound import OutboundError
from apps.vault.errors import SECRET_HOST_NOT_ALLOWED, SECRET_MISSING
from apps.vault.release import SecretRefusedError

_ABOUT_SECRETS: Final = frozenset({SECRET_MISSING, SECRET_HOST_NOT_ALLOWED})
_OF_THE_TEXT: Final = "text"
_TRANSFORM_ERROR: Final = "transform_error"

CODES: Final = (
    *("http_status", "redirect_refused", "invalid_json", "items_path_missing", "empty_result", "too_large"),
    *("timeout", "dns_failure", "connection_failed", "tls_error", "address_refused", "url_refused"),
    *(SECRET_MISSING, SECRET_HOST_NOT_ALLOWED, _TRANSFORM_ERROR, WORKER_LOST),
)

_UNFORESEEN: Final = {
    "en": "The answer could not be made into lines. We were told of it.",
    "ar": "تعذّر تحويل الإجابة إلى أسطر، وقد أُبلغنا بذلك.",
}
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

    @classmethod
    def unforeseen(cls) -> "Fault":
        """For what is rather our mistake than the feed's."""
        return cls(_TRANSFORM_ERROR)

    def message(self, language: str) -> str:
        own = {WORKER_LOST: _WORKER_LOST, _TRANSFORM_ERROR: _UNFORESEEN}.get(self.code)
        if own is not None and not self.detail:
            return own["ar" if language == "ar" else "en"]
        if self.code in _ABOUT_SECRETS:
            return CATALOGUE[self.code].message(language, self.detail)
        if self.detail.get("part") == _OF_THE_TEXT:
            return TransformError(self.code).message(language)  # type: ignore[arg-type]  # stored by of_transform
        return OutboundError(self.code, self.detail.get("reason", "")).message(language)  # type: ignore[arg-type]
