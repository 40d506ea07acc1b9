"""What workers do for agents."""

from celery import shared_task

from apps.agents import runs


@shared_task
def forget_old_records() -> None:
    runs.forget_old_records()
