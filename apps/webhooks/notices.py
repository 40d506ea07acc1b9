"""E-mail to a project's owners when an endpoint had to be disabled."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from apps.projects.models import Member, Project, Role
from apps.projects.scoping import project_scope
from apps.webhooks.models import DisabledReason, Endpoint

log = structlog.get_logger(__name__)

_TIMEOUT_SECONDS: Final = 10


@dataclass(frozen=True, slots=True)
class Wording:
    """A notice in one language, with a clause for each reason."""

    subject: str
    body: str
    reasons: Mapping[str, str]


_WORDINGS: Final[Mapping[str, Wording]] = {
    "en": Wording(
        subject="Webhooks to {host} have been stopped",
        body="""\
Hello,

Mawrid has stopped sending webhooks of the project “{project}” to {host}, because {reason}.
Deliveries that were waiting for this endpoint have been cancelled.

Once the receiver works again, enable the endpoint: PATCH {address} with {{"enabled": true}}.
What was missed is listed at {address}/deliveries, and each delivery can be sent once more.

Endpoint: {endpoint}
""",
        reasons={
            DisabledReason.GONE: "the receiver answered that it is gone for good (410)",
            DisabledReason.NO_SUCCESS: "no delivery has succeeded for five days",
            DisabledReason.FAILURES_IN_A_ROW: "too many deliveries in a row have failed",
        },
    ),
    "ar": Wording(
        subject="توقف إرسال إشعارات Webhook إلى {host}",
        body="""\
مرحبًا،

أوقف مورد إرسال إشعارات Webhook الخاصة بمشروع «{project}» إلى {host}، والسبب أن {reason}.
وأُلغيت الإشعارات التي كانت في انتظار الإرسال إلى هذه النقطة.

بعد إصلاح المستقبِل فعّل النقطة من جديد: أرسل PATCH إلى {address} وفيه {{"enabled": true}}.
وتجد ما فات في {address}/deliveries، ويمكن إعادة إرسال كل إشعار منها.

نقطة الاستقبال: {endpoint}
""",
        reasons={
            DisabledReason.GONE: "المستقبِل أجاب بأنه لم يعد موجودًا (410)",
            DisabledReason.NO_SUCCESS: "أي إشعار لم ينجح إرساله منذ خمسة أيام",
            DisabledReason.FAILURES_IN_A_ROW: "عددًا كبيرًا من الإشعارات المتتالية فشل إرساله",
        },
    ),
}


def tell_owners(project_id: str, endpoint_id: str) -> int:
    """Send each owner a message of their own; returns how many were sent.

    None when somebody has enabled or deleted the endpoint since. Mail that cannot be sent is logged and given up:
    the event and the audit entry are there in any case.
    """
    connection = get_connection(timeout=_TIMEOUT_SECONDS)
    return sum(_is_sent(message, endpoint_id) for message in _messages(project_id, endpoint_id, connection))


def _messages(project_id: str, endpoint_id: str, connection: BaseEmailBackend) -> list[EmailMessage]:
    with project_scope(project_id):
        endpoints = Endpoint.objects.for_project(project_id).filter(id=endpoint_id, enabled=False)
        endpoint = endpoints.select_related("project").first()
        if endpoint is None:
            return []
        owners = Member.objects.for_project(project_id).filter(role=Role.OWNER, user__is_active=True)
        addresses = list(owners.order_by("id").values_list("user__email", flat=True))
    subject, body = notice(endpoint.project, endpoint)
    return [EmailMessage(subject, body, to=[address], connection=connection) for address in addresses]


def notice(project: Project, endpoint: Endpoint) -> tuple[str, str]:
    """Subject and text in the project's language, with the host alone: the rest of a URL may hold a credential."""
    wording = _WORDINGS[project.locale]
    words = {
        "host": urlsplit(endpoint.url).hostname,
        "project": project.name,
        "reason": wording.reasons[endpoint.disabled_reason or ""],
        "address": f"{settings.PUBLIC_URL}/v1/webhook_endpoints/{endpoint.id}",
        "endpoint": endpoint.id,
    }
    return wording.subject.format_map(words), wording.body.format_map(words)


def _is_sent(message: EmailMessage, endpoint_id: str) -> bool:
    try:
        return message.send() > 0
    except OSError as error:
        log.warning("owner_not_told", endpoint_id=endpoint_id, error=type(error).__name__)
        return False
