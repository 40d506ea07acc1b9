"""How callers are told that a URL, a host or a header of theirs may not be used for requests of ours."""

from apps.kernel.errors import FieldError, define
from apps.outbound import OutboundError

# The sentences are those of the guarded client; the catalogue only carries them.
URL_REFUSED = define("url_refused", 400, "{en}", "{ar}")
ADDRESS_REFUSED = define("address_refused", 400, "{en}", "{ar}")
HEADER_REFUSED = define("header_refused", 400, "{en}", "{ar}")


def outgoing_fault(error: OutboundError, param: str) -> FieldError:
    """A refusal that is known before anything is sent, as the fault of a field."""
    return FieldError(error.code, param, {"en": error.message("en"), "ar": error.message("ar")})
