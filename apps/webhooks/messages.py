"""From claims to what is sent for them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from django.utils import timezone

from apps.projects.scoping import across_projects
from apps.vault.cipher import BrokenSealError, Key
from apps.vault.envelope import data_keys, open_sealed
from apps.webhooks.claims import Claim
from apps.webhooks.models import Delivery, SigningSecret
from apps.webhooks.retry import Outcome
from apps.webhooks.sending import Message
from apps.webhooks.services import SECRET_FIELD

# A delivery whose worker died this often in a row has its attempt counted as failed, so that it cannot go on
# killing workers.
MAX_LOST_CLAIMS: Final = 3

_Secrets = dict[str, list[SigningSecret]]


def load(claims: Sequence[Claim]) -> list[tuple[Claim, Message | Outcome]]:
    """For each claim what to send, or how the attempt ends without being made."""
    with across_projects():
        claimed = Delivery.objects.all_projects().filter(id__in=[claim.delivery_id for claim in claims])
        deliveries = {delivery.id: delivery for delivery in claimed.select_related("event", "endpoint")}
        secrets = _valid_secrets({claim.endpoint_id for claim in claims})
        keys = data_keys({claim.project_id for claim in claims})
        return [(claim, _message(claim, deliveries.get(claim.delivery_id), secrets, keys)) for claim in claims]


def _valid_secrets(endpoint_ids: Collection[str]) -> _Secrets:
    """The secrets that sign now, by endpoint, the newest first."""
    now = timezone.now()
    by_endpoint: _Secrets = defaultdict(list)
    for secret in SigningSecret.objects.all_projects().filter(endpoint_id__in=endpoint_ids).order_by("-created_at"):
        if secret.valid_until is None or secret.valid_until > now:
            by_endpoint[secret.endpoint_id].append(secret)
    return by_endpoint


def _message(
    claim: Claim, delivery: Delivery | None, secrets: _Secrets, keys: Mapping[str, Key]
) -> Message | Outcome:
    if delivery is None:
        return Outcome("endpoint_deleted")
    if claim.lost_claims >= MAX_LOST_CLAIMS:
        return Outcome("worker_lost")
    try:
        signing = tuple(_opened(secret, keys) for secret in secrets[claim.endpoint_id])
    except BrokenSealError:
        return Outcome("signing_secret_unusable")
    return Message(delivery.event_id, delivery.endpoint.url, delivery.event.body, signing)


def _opened(secret: SigningSecret, keys: Mapping[str, Key]) -> str:
    return open_sealed(secret.project_id, secret.id, SECRET_FIELD, bytes(secret.sealed), keys=keys)
