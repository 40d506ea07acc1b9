"""Headers that name secrets: checked when they are saved, filled in when they are sent, and both times by the host.

The host is always the canonical one of the URL that the headers go to, as `outbound.check_url` gives it.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone

from apps.kernel.errors import FieldError
from apps.vault import envelope, errors
from apps.vault.cipher import BrokenSealError
from apps.vault.models import Secret
from apps.vault.render import MalformedReferenceError, Template, parse_template
from apps.vault.services import VALUE_FIELD

# How old the shown time of last use may be.
LAST_USED_PRECISION: Final = timedelta(minutes=1)


class SecretRefusedError(Exception):
    """Headers that must not be sent: `code` is secret_missing or secret_host_not_allowed, `params` are its."""

    def __init__(self, code: str, params: Mapping[str, Any]) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def reference_faults(project_id: str, headers: Mapping[str, str], *, host: str, param: str) -> list[FieldError]:
    """Everything about secrets for which these headers may not be saved for this host; `param` is their path."""
    templates: dict[str, Template] = {}
    faults: list[FieldError] = []
    for header, text in headers.items():
        try:
            templates[header] = parse_template(text)
        except MalformedReferenceError:
            faults.append(FieldError(errors.SECRET_REFERENCE_MALFORMED, f"{param}.{header}"))
    secrets = _secrets_named(project_id, templates.values())
    for header, template in templates.items():
        for name in template.names:
            refusal = _refusal(name, secrets.get(name), host)
            if refusal:
                faults.append(FieldError(refusal.code, f"{param}.{header}", refusal.params))
    return faults


def fill_headers(project_id: str, headers: Mapping[str, str], *, host: str) -> dict[str, str]:
    """The headers as they are to be sent to this host; raises `SecretRefusedError`, and then nothing may be sent.

    For a worker that is about to send: it wants the project's scope, and the answer must be kept nowhere.
    """
    templates = {header: _parsed(text) for header, text in headers.items()}
    secrets = _secrets_named(project_id, templates.values())
    values = {name: _value(name, secrets.get(name), host) for name in _names(templates.values())}
    _note_use(project_id, values.keys(), timezone.now())
    return {header: template.render(values) for header, template in templates.items()}


def _parsed(text: str) -> Template:
    try:
        return parse_template(text)
    except MalformedReferenceError:
        raise SecretRefusedError(errors.SECRET_MISSING, {"name": "?"}) from None


def _names(templates: Iterable[Template]) -> list[str]:
    return list(dict.fromkeys(name for template in templates for name in template.names))


def _secrets_named(project_id: str, templates: Iterable[Template]) -> dict[str, Secret]:
    names = _names(templates)
    if not names:
        return {}
    return {secret.name: secret for secret in Secret.objects.for_project(project_id).filter(name__in=names)}


def _refusal(name: str, secret: Secret | None, host: str) -> SecretRefusedError | None:
    if secret is None:
        return SecretRefusedError(errors.SECRET_MISSING, {"name": name})
    if host not in secret.allowed_hosts:
        return SecretRefusedError(errors.SECRET_HOST_NOT_ALLOWED, {"name": name, "host": host})
    return None


def _value(name: str, secret: Secret | None, host: str) -> str:
    refusal = _refusal(name, secret, host)
    if refusal or secret is None:
        raise refusal or SecretRefusedError(errors.SECRET_MISSING, {"name": name})
    try:
        return envelope.open_sealed(secret.project_id, secret.id, VALUE_FIELD, bytes(secret.sealed))
    except BrokenSealError:
        raise SecretRefusedError(errors.SECRET_MISSING, {"name": name}) from None


def _note_use(project_id: str, names: Iterable[str], now: datetime) -> None:
    """Write the time of last use when it is a minute old; nobody waits for whoever holds the row."""
    stale = Q(last_used_at=None) | Q(last_used_at__lte=now - LAST_USED_PRECISION)
    secrets = Secret.objects.for_project(project_id)
    unlocked: Any = secrets.select_for_update(skip_locked=True).filter(stale, name__in=list(names)).values("id")
    secrets.filter(id__in=unlocked).update(last_used_at=now)
