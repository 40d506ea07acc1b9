"""Everything that callers change about endpoints and deliveries."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.kernel.errors import AppError
from apps.outbound import OutboundError, check_url
from apps.projects import audit
from apps.projects.scoping import across_projects
from apps.rest.outgoing import outgoing_fault
from apps.vault import envelope
from apps.webhooks import errors
from apps.webhooks.events import ENDPOINT_DISABLED, ENDPOINT_TEST, record, record_for_one
from apps.webhooks.models import Delivery, DeliveryStatus, DisabledReason, Endpoint, Event, SigningSecret
from apps.webhooks.signing import new_signing_secret
from apps.webhooks.wakeup import call_dispatcher_on_commit, tell_owners_on_commit

SECRET_FIELD: Final = "signing_secret"  # noqa: S105 -- the name of a field
ROTATION_OVERLAP: Final = timedelta(hours=24)
MAX_OLD_SECRETS: Final = 10
MAX_ENDPOINTS: Final = 200
KEEPING_TIME: Final = timedelta(days=30)
_FORGET_AT_ONCE: Final = 5_000


def create_endpoint(project_id: str, *, url: str, events: Sequence[str], actor: str) -> tuple[Endpoint, str]:
    """A new endpoint and its signing secret in clear, for the one answer that shows it."""
    _check_url(url)
    if Endpoint.objects.for_project(project_id).count() >= MAX_ENDPOINTS:
        raise AppError(errors.TOO_MANY_WEBHOOK_ENDPOINTS, params={"limit": MAX_ENDPOINTS})
    endpoint = Endpoint.objects.add(project_id=project_id, url=url, events=list(events))
    secret = _add_signing_secret(endpoint)
    audit.record(project_id, actor=actor, action="webhook_endpoint.created", target=endpoint.id)
    return endpoint, secret


def update_endpoint(
    endpoint: Endpoint,
    *,
    url: str | None = None,
    events: Sequence[str] | None = None,
    enabled: bool | None = None,
    actor: str,
) -> Endpoint:
    """Change what is given, on a row locked by the caller."""
    if url is not None and url != endpoint.url:
        _check_url(url)
        endpoint.url = url
        _forget_failures(endpoint)
    if events is not None:
        endpoint.events = list(events)
    endpoint.updated_at = timezone.now()
    endpoint.save()
    audit.record(endpoint.project_id, actor=actor, action="webhook_endpoint.updated", target=endpoint.id)
    if enabled is True and not endpoint.enabled:
        _enable(endpoint, actor=actor)
    if enabled is False and endpoint.enabled:
        disable_endpoint(endpoint, DisabledReason.MANUAL, actor=actor)
    return endpoint


def delete_endpoint(endpoint: Endpoint, *, actor: str) -> None:
    """Remove an endpoint with its deliveries; one that is under way ends unrecorded."""
    # The full lock waits for events that are being recorded for the endpoint, so that none is left without it.
    Endpoint.objects.for_project(endpoint.project_id).select_for_update().filter(id=endpoint.id).first()
    audit.record(endpoint.project_id, actor=actor, action="webhook_endpoint.deleted", target=endpoint.id)
    endpoint.delete()


def disable_endpoint(endpoint: Endpoint, reason: str, *, actor: str) -> None:
    """Send nothing more to an endpoint, cancel what was waiting, and tell the project's other endpoints.

    Its owners get an e-mail, unless it was disabled by hand.
    """
    endpoint.enabled = False
    endpoint.disabled_reason = reason
    endpoint.updated_at = timezone.now()
    endpoint.save(update_fields=["enabled", "disabled_reason", "updated_at"])
    cancel_pending(endpoint)
    audit.record(
        endpoint.project_id, actor=actor, action="webhook_endpoint.disabled", target=endpoint.id, reason=str(reason)
    )
    # Without the URL, which may hold a credential of the receiver's.
    shown = {
        "id": endpoint.id,
        "object": "webhook_endpoint",
        "enabled": False,
        "disabled_reason": str(reason),
        "failures_in_a_row": endpoint.failures,
    }
    record(endpoint.project_id, ENDPOINT_DISABLED, {"endpoint": shown})
    if reason != DisabledReason.MANUAL:
        tell_owners_on_commit(endpoint.project_id, endpoint.id)


def cancel_pending(endpoint: Endpoint) -> None:
    """An attempt that is under way ends, and its result is still written down."""
    _deliveries(endpoint).filter(status=DeliveryStatus.PENDING).update(
        status=DeliveryStatus.CANCELLED, next_attempt_at=None, resume_at=None, is_manual=False
    )


def rotate_secret(endpoint: Endpoint, *, actor: str) -> str:
    """The new secret in clear; the ones before sign along for `ROTATION_OVERLAP`."""
    now = timezone.now()
    secrets = SigningSecret.objects.for_project(endpoint.project_id).filter(endpoint=endpoint)
    secrets.filter(valid_until=None).update(valid_until=now + ROTATION_OVERLAP)
    secret = _add_signing_secret(endpoint)
    kept = secrets.order_by("-created_at").values("id")[: MAX_OLD_SECRETS + 1]
    secrets.filter(Q(valid_until__lte=now) | ~Q(id__in=kept)).delete()
    audit.record(endpoint.project_id, actor=actor, action="webhook_endpoint.secret_rotated", target=endpoint.id)
    return secret


def send_test(endpoint: Endpoint) -> Delivery:
    """Raises `webhook_endpoint_disabled`."""
    _require_enabled(endpoint)
    data = {"endpoint": {"id": endpoint.id, "object": "webhook_endpoint"}, "test": True}
    return record_for_one(endpoint.project_id, ENDPOINT_TEST, data, endpoint_id=endpoint.id)


def retry_delivery(delivery: Delivery) -> Delivery:
    """Have a delivery, locked by the caller, sent once more as soon as possible, whatever came of it so far.

    Its schedule goes on afterwards as if nothing had happened. One that is being sent right now, or waits for a
    manual attempt already, needs no second one. Raises `webhook_endpoint_disabled`.
    """
    _require_enabled(delivery.endpoint)
    now = timezone.now()
    is_under_way = delivery.lease_until is not None and delivery.lease_until > now
    if delivery.is_manual or (delivery.status == DeliveryStatus.PENDING and is_under_way):
        return delivery
    delivery.resume_at = delivery.next_attempt_at
    delivery.next_attempt_at = now
    delivery.is_manual = True
    delivery.status = DeliveryStatus.PENDING
    delivery.save(update_fields=["resume_at", "next_attempt_at", "is_manual", "status"])
    call_dispatcher_on_commit()
    return delivery


def forget_old_records() -> int:
    """Remove events and deliveries past their keeping time, of all projects; returns how many rows."""
    oldest = timezone.now() - KEEPING_TIME
    removed = 0
    for model in (Delivery, Event):
        while deleted := _forget(model, oldest):
            removed += deleted
    return removed


def _forget(model: type[Delivery] | type[Event], oldest: object) -> int:
    """A bounded number at a time, so that no transaction grows with the table."""
    with across_projects():
        rows = model.objects.all_projects()
        old = rows.filter(created_at__lt=oldest).order_by("created_at").values("id")[:_FORGET_AT_ONCE]
        deleted, _ = rows.filter(id__in=old).delete()
    return deleted


def _check_url(url: str) -> None:
    try:
        check_url(url, settings.OUTBOUND_TRUSTED_ORIGINS)
    except OutboundError as error:
        raise AppError.of_fields([outgoing_fault(error, "url")]) from error


def _add_signing_secret(endpoint: Endpoint) -> str:
    secret, secret_id = new_signing_secret(), uuid4().hex
    SigningSecret.objects.add(
        id=secret_id,
        project_id=endpoint.project_id,
        endpoint=endpoint,
        sealed=envelope.seal(endpoint.project_id, secret_id, SECRET_FIELD, secret),
    )
    return secret


def _enable(endpoint: Endpoint, *, actor: str) -> None:
    endpoint.enabled = True
    endpoint.disabled_reason = None
    _forget_failures(endpoint)
    endpoint.save()
    audit.record(endpoint.project_id, actor=actor, action="webhook_endpoint.enabled", target=endpoint.id)


def _forget_failures(endpoint: Endpoint) -> None:
    endpoint.failures, endpoint.failing_since, endpoint.last_failure_at = 0, None, None


def _require_enabled(endpoint: Endpoint) -> None:
    if not endpoint.enabled:
        raise AppError(errors.WEBHOOK_ENDPOINT_DISABLED)


def _deliveries(endpoint: Endpoint) -> QuerySet[Delivery]:
    return Delivery.objects.for_project(endpoint.project_id).filter(endpoint=endpoint)
