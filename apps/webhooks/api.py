"""REST doors of endpoints, deliveries and events."""

from django.http import HttpRequest, HttpResponse

from apps.rest.fields import ListQuery
from apps.rest.operations import operation
from apps.rest.pagination import newest_first
from apps.rest.views import ApiView
from apps.webhooks import presenters, queries, services
from apps.webhooks.models import Endpoint
from apps.webhooks.serializers import (
    DeliveryShape,
    EndpointChange,
    EndpointShape,
    EventQuery,
    EventShape,
    NewEndpoint,
    ShownEndpoint,
)

DISABLED = {409: "The endpoint is disabled."}


class EndpointsView(ApiView):
    @operation("List webhook endpoints", id="list_webhook_endpoints", query=ListQuery, answers={200: EndpointShape})
    def get(self, request: HttpRequest) -> HttpResponse:
        endpoints = queries.endpoints_of(self.caller.project_id)
        return self.listing(newest_first(endpoints, presenters.endpoint, **self.paging))

    @operation(
        "Create a webhook endpoint",
        id="create_webhook_endpoint",
        request=NewEndpoint,
        answers={201: ShownEndpoint},
        errors={409: "The project has as many endpoints as it may have."},
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        endpoint, secret = services.create_endpoint(self.caller.project_id, **self.body, actor=self.caller.key_id)
        shown = presenters.endpoint(endpoint, secret=secret)
        return self.created(shown, location=f"/v1/webhook_endpoints/{endpoint.id}")


class EndpointView(ApiView):
    """What the doors of one endpoint share."""

    def find(self, endpoint_id: str, *, lock: bool = False) -> Endpoint:
        return queries.get_endpoint(self.caller.project_id, endpoint_id, lock=lock)


class OneEndpointView(EndpointView):
    @operation("Read a webhook endpoint", id="get_webhook_endpoint", answers={200: EndpointShape})
    def get(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        return self.single(presenters.endpoint(self.find(endpoint_id)))

    @operation(
        "Change, disable or enable a webhook endpoint",
        id="update_webhook_endpoint",
        request=EndpointChange,
        partial=True,
        answers={200: EndpointShape},
    )
    def patch(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        endpoint = self.find(endpoint_id, lock=True)
        self.check_if_match(presenters.endpoint(endpoint))
        changed = services.update_endpoint(endpoint, **self.body, actor=self.caller.key_id)
        return self.single(presenters.endpoint(changed))

    @operation("Delete a webhook endpoint", id="delete_webhook_endpoint", answers={204: None})
    def delete(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        endpoint = self.find(endpoint_id, lock=True)
        self.check_if_match(presenters.endpoint(endpoint))
        services.delete_endpoint(endpoint, actor=self.caller.key_id)
        return self.no_content()


class RotateSecretView(EndpointView):
    @operation(
        "Replace the signing secret; the old one signs along for 24 hours",
        id="rotate_webhook_secret",
        answers={200: ShownEndpoint},
    )
    def post(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        endpoint = self.find(endpoint_id, lock=True)
        secret = services.rotate_secret(endpoint, actor=self.caller.key_id)
        return self.single(presenters.endpoint(endpoint, secret=secret))


class SendTestView(EndpointView):
    @operation(
        "Send a test event to a webhook endpoint, once",
        id="test_webhook_endpoint",
        answers={202: DeliveryShape},
        errors=DISABLED,
    )
    def post(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        delivery = services.send_test(self.find(endpoint_id, lock=True))
        return self.accepted(presenters.delivery(delivery))


class DeliveriesView(EndpointView):
    @operation(
        "List what was sent to a webhook endpoint",
        id="list_webhook_deliveries",
        query=ListQuery,
        answers={200: DeliveryShape},
    )
    def get(self, request: HttpRequest, endpoint_id: str) -> HttpResponse:
        deliveries = queries.deliveries_to(self.find(endpoint_id))
        return self.listing(newest_first(deliveries, presenters.delivery, **self.paging))


class RetryDeliveryView(ApiView):
    @operation(
        "Send a delivery once more, now",
        id="retry_webhook_delivery",
        answers={202: DeliveryShape},
        errors=DISABLED,
    )
    def post(self, request: HttpRequest, delivery_id: str) -> HttpResponse:
        delivery = queries.lock_delivery(self.caller.project_id, delivery_id)
        return self.accepted(presenters.delivery(services.retry_delivery(delivery)))


class EventsView(ApiView):
    @operation("List events", id="list_events", query=EventQuery, answers={200: EventShape}, limited_keys=True)
    def get(self, request: HttpRequest) -> HttpResponse:
        events = queries.events_of(
            self.caller.project_id, source_ids=self.caller.source_ids, type_=self.query.get("type")
        )
        return self.listing(newest_first(events, presenters.event, **self.paging))
