"""The one TLS context of the process: system authorities, full verification, nothing taken from the environment."""

import functools
import os
import ssl
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from apps.outbound.errors import ConfigurationError, OutboundError

# Where the common systems keep their bundle, after the place that OpenSSL was built with.
CA_BUNDLES: Final = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
)

_EXPIRED = frozenset({9, 10})  # X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED
_WRONG_NAME = frozenset({62, 64})  # X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH
_UNTRUSTED = frozenset({18, 19, 20, 21})  # self-signed, or a chain that ends at no known root


class _SharedContext(ssl.SSLContext):
    """Shared by all threads, so nothing may change it once it is built.

    httpcore2 sets the protocols before every handshake, which would free the list that another thread's
    handshake is just copying.
    """

    def set_alpn_protocols(self, alpn_protocols: Iterable[str]) -> None:
        """Keeps the protocols that `tls_context` has set."""


@functools.cache
def tls_context(extra_ca_file: str | None = None) -> ssl.SSLContext:
    """Loading the authorities takes some 50 ms, so the context is built once and shared."""
    if os.environ.get("SSLKEYLOGFILE"):
        raise ConfigurationError("SSLKEYLOGFILE would write down the keys of all connections; unset it.")
    context = _SharedContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    ssl.SSLContext.set_alpn_protocols(context, ["http/1.1"])
    _load_system_authorities(context, required=extra_ca_file is None)
    if extra_ca_file:
        _load_extra_authorities(context, extra_ca_file)
    return context


def tls_failure(error: OSError) -> OutboundError:
    """What may be told about a failed handshake: the kind of a certificate's fault, and no text of the server's."""
    if not isinstance(error, ssl.SSLCertVerificationError):
        return OutboundError("tls_error")
    if error.verify_code in _EXPIRED:
        return OutboundError("tls_error", "expired")
    if error.verify_code in _WRONG_NAME:
        return OutboundError("tls_error", "wrong_name")
    return OutboundError("tls_error", "untrusted" if error.verify_code in _UNTRUSTED else "")


def _load_system_authorities(context: ssl.SSLContext, *, required: bool) -> None:
    # Not `load_default_certs`: OpenSSL would look at SSL_CERT_FILE and SSL_CERT_DIR first.
    built_in = ssl.get_default_verify_paths()
    bundle = next((path for path in (built_in.openssl_cafile, *CA_BUNDLES) if Path(path).is_file()), None)
    if bundle:
        context.load_verify_locations(cafile=bundle)
    elif Path(built_in.openssl_capath).is_dir():
        context.load_verify_locations(capath=built_in.openssl_capath)
    elif required:
        raise ConfigurationError("This system has no certificate authorities; install its ca-certificates package.")


def _load_extra_authorities(context: ssl.SSLContext, path: str) -> None:
    try:
        context.load_verify_locations(cafile=path)
    except OSError:
        raise ConfigurationError(
            f"The file {path!r} holds no certificates in PEM form; correct the path."
        ) from None
