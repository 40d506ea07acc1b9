"""API keys of projects, as one kind of credential."""

from typing import Final

from apps.kernel.credentials import CredentialForm, digest_of

__all__ = ["MAX_LENGTH", "digest_of", "lookup_of", "new_key"]

_FORM: Final = CredentialForm("mwd_live_", lookup_length=8)
MAX_LENGTH: Final = _FORM.length

new_key = _FORM.new
lookup_of = _FORM.lookup_of
