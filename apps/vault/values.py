"""What a secret may be: its value as a header takes it, and the hosts it may be sent to."""

from collections.abc import Collection, Iterable

from apps.kernel.errors import FieldError
from apps.outbound import Origin, OutboundError, check_host, is_sendable_value
from apps.rest.outgoing import outgoing_fault
from apps.vault import errors


def value_fault(value: str) -> FieldError | None:
    """Why a value cannot be kept; the value itself never appears in it."""
    if "\n" in value or "\r" in value:
        return FieldError(errors.SECRET_VALUE_HAS_LINE_BREAK, "value")
    if not is_sendable_value(value):
        return FieldError(errors.SECRET_VALUE_NOT_SENDABLE, "value")
    return None


def canonical_hosts(
    hosts: Iterable[str], *, own_host: str, trusted_origins: Collection[Origin]
) -> tuple[list[str], list[FieldError]]:
    """The hosts in canonical form, each once, and every fault of the list.

    Our own host is refused: an answer of ours could echo what was sent to it. An operator who trusts an origin
    on it, as a laptop with everything on 127.0.0.1 does, has decided otherwise.
    """
    canonical: dict[str, None] = {}
    faults: list[FieldError] = []
    for position, host in enumerate(hosts):
        param = f"allowed_hosts[{position}]"
        try:
            name = check_host(host, trusted_origins)
        except OutboundError as error:
            faults.append(outgoing_fault(error, param))
            continue
        if name == own_host and name not in {origin.host for origin in trusted_origins}:
            faults.append(FieldError(errors.SECRET_HOST_OWN, param))
        canonical[name] = None
    return list(canonical), faults
