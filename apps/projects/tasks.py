"""What workers do for projects."""

from celery import shared_task

from apps.projects import services


@shared_task
def forget_old_records() -> None:
    services.forget_old_idempotency_records()
