"""The worker's application and the whole schedule; the broker only carries wake-up calls, never state."""

import contextlib
import os
from typing import Any

import redis
from celery import Celery, signals

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")

from django.conf import settings

from apps.kernel import memory

VISIBILITY_TIMEOUT_SECONDS = 600
# Longer than the second for which a worker's look at the queue waits by itself.
BROKER_TIMEOUT_SECONDS = 3

app = Celery("mawrid")
app.conf.update(
    broker_url=settings.REDIS_URL.replace("unix://", "redis+socket://", 1),
    broker_transport_options={
        "visibility_timeout": VISIBILITY_TIMEOUT_SECONDS,
        # A broker that hangs must not hold the request that calls a worker: what waits stands in the database.
        "socket_timeout": BROKER_TIMEOUT_SECONDS,
        "socket_connect_timeout": BROKER_TIMEOUT_SECONDS,
    },
    task_publish_retry=False,
    broker_connection_retry_on_startup=True,
    task_ignore_result=True,
    task_serializer="json",
    accept_content=["json"],
    # Receivers of webhooks and callbacks may be slow for long, and one client may send hundreds of jobs at once.
    # Neither they nor syncs must wait for each other.
    task_routes={
        "apps.gateway.tasks.run_job": {"queue": "jobs"},
        "apps.gateway.tasks.sweep_jobs": {"queue": "jobs"},
        "apps.webhooks.tasks.*": {"queue": "webhooks"},
        "apps.gateway.tasks.send_callbacks": {"queue": "webhooks"},
    },
    worker_prefetch_multiplier=1,
    # In KiB. A process that one large feed has made larger than that ends after its task and gives the memory back.
    worker_max_memory_per_child=512 * 1024,
    task_acks_late=True,
    task_time_limit=60,
    task_soft_time_limit=45,
    timezone="UTC",
    beat_schedule={
        "queue the sources that are due": {
            "task": "apps.knowledge.tasks.sync_due",
            "schedule": float(settings.SYNC_INTERVAL_UNIT_SECONDS),
            "options": {"expires": 0.9 * settings.SYNC_INTERVAL_UNIT_SECONDS},
        },
        "send the webhook deliveries that are due": {
            "task": "apps.webhooks.tasks.sweep_deliveries",
            "schedule": 60.0,
            "options": {"expires": 55},
        },
        "forget old events and deliveries": {
            "task": "apps.webhooks.tasks.forget_old_records",
            "schedule": 3600.0,
            "options": {"expires": 3000},
        },
        "forget what is past its keeping time": {
            "task": "apps.knowledge.tasks.forget_old_records",
            "schedule": 3600.0,
            "options": {"expires": 3000},
        },
        "see to jobs and callbacks that nobody sees to": {
            "task": "apps.gateway.tasks.sweep_jobs",
            "schedule": float(settings.SYNC_INTERVAL_UNIT_SECONDS),
            "options": {"expires": 0.9 * settings.SYNC_INTERVAL_UNIT_SECONDS},
        },
        "forget old logins, sessions and jobs": {
            "task": "apps.gateway.tasks.forget_old_records",
            "schedule": 3600.0,
            "options": {"expires": 3000},
        },
        "forget old runs of agents": {
            "task": "apps.agents.tasks.forget_old_records",
            "schedule": 3600.0,
            "options": {"expires": 3000},
        },
        "forget old idempotency records": {
            "task": "apps.projects.tasks.forget_old_records",
            "schedule": 3600.0,
            "options": {"expires": 3000},
        },
    },
)
app.autodiscover_tasks()


@signals.worker_init.connect
def stay_small(**_: Any) -> None:
    """What one large feed took goes back to the system; the processes that do the work inherit the setting."""
    memory.keep_small()


@signals.worker_ready.connect
@signals.heartbeat_sent.connect
def report_for_readiness(**_: Any) -> None:
    """Tell `/readyz` which queues a living worker serves; without Redis the next heartbeat tries again."""
    from apps.rest import health  # noqa: PLC0415 -- needs the apps, which are loaded after this module

    with contextlib.suppress(redis.RedisError):
        health.report_worker(app.amqp.queues.consume_from)


@signals.setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Celery replaces the root logger unless this signal has a receiver."""
