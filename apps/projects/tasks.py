"""What workers do for projects."""

import structlog
from celery import shared_task
from kombu.exceptions import OperationalError

from apps.projects import accounts, invitation_mail, membership, services
from apps.projects.wakeup import invitation_senders

log = structlog.get_logger(__name__)


@shared_task
def forget_old_records() -> None:
    services.forget_old_idempotency_records()
    membership.forget_old_invitations()
    accounts.forget_unconfirmed_people()
    accounts.forget_ended_sessions()


@shared_task(autoretry_for=(OSError,), retry_backoff=30, max_retries=5)
def send_invitation(project_id: str, invitation_id: str) -> None:
    invitation_mail.send(project_id, invitation_id)


@invitation_senders.add
def have_invitation_sent(project_id: str, invitation_id: str) -> None:
    """Without a broker no mail is sent; the page of members shows that, and the invitation can be sent again."""
    try:
        send_invitation.apply_async((project_id, invitation_id), retry=False)
    except OperationalError as error:
        log.warning("invitation_not_sent", invitation_id=invitation_id, error=type(error).__name__)
