"""Everything that is read of endpoints, deliveries and events."""

from datetime import datetime

from django.db.models import QuerySet

from apps.kernel.errors import AppError
from apps.webhooks import errors
from apps.webhooks.models import Delivery, DeliveryStatus, DisabledReason, Endpoint, Event
from apps.webhooks.services import MAX_ENDPOINTS


def endpoints_of(project_id: str) -> QuerySet[Endpoint]:
    return Endpoint.objects.for_project(project_id)


def stopped_endpoints(project_id: str) -> QuerySet[Endpoint]:
    """Endpoints that were disabled because of how they answered, not by a member."""
    return endpoints_of(project_id).filter(enabled=False).exclude(disabled_reason=DisabledReason.MANUAL)


def failed_deliveries(project_id: str, *, since: datetime) -> int:
    """How many deliveries made since then were given up."""
    made = Delivery.objects.for_project(project_id).filter(created_at__gte=since)
    return made.filter(status=DeliveryStatus.FAILED, is_test=False).count()


def get_endpoint(project_id: str, endpoint_id: str, *, lock: bool = False) -> Endpoint:
    """Raises `webhook_endpoint_not_found`; `lock` keeps others from changing it before this transaction ends."""
    endpoints = endpoints_of(project_id)
    endpoint = (endpoints.select_for_update(no_key=True) if lock else endpoints).filter(id=endpoint_id).first()
    if endpoint is None:
        raise AppError(errors.WEBHOOK_ENDPOINT_NOT_FOUND)
    return endpoint


def deliveries_to(endpoint: Endpoint) -> QuerySet[Delivery]:
    return Delivery.objects.for_project(endpoint.project_id).filter(endpoint=endpoint).select_related("event")


def lock_delivery(project_id: str, delivery_id: str) -> Delivery:
    """The delivery with its event and endpoint, for a change; raises `webhook_delivery_not_found`."""
    deliveries = Delivery.objects.for_project(project_id).select_related("event", "endpoint")
    delivery = deliveries.select_for_update(of=("self",)).filter(id=delivery_id).first()
    if delivery is None:
        raise AppError(errors.WEBHOOK_DELIVERY_NOT_FOUND)
    return delivery


def events_of(project_id: str, *, source_ids: frozenset[str] | None, type_: str | None = None) -> QuerySet[Event]:
    """The project's events; with `source_ids` only those of these sources, as a limited key sees them."""
    events = Event.objects.for_project(project_id)
    if source_ids is not None:
        events = events.filter(source_id__in=source_ids)
    return events if type_ is None else events.filter(type=type_)


def usage(project_id: str) -> dict[str, int]:
    return {"webhook_endpoints": endpoints_of(project_id).count()}


def limits() -> dict[str, int]:
    return {"webhook_endpoints": MAX_ENDPOINTS}
