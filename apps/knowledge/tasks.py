"""What workers do for knowledge."""

from celery import shared_task

from apps.knowledge import services


@shared_task
def forget_old_records() -> None:
    services.forget_old_query_counts()
    services.forget_old_revisions()
