"""A dispatcher killed at any point loses no delivery and doubles at most the one that was under way."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from tests.factories import Tenant
from tests.fakes.receiver import Receiver, Reply
from tests.webhooks.making import (
    change,
    dispatch,
    dispatch_by_itself,
    happens,
    make_endpoint,
    only_delivery,
    wait_for,
)

pytestmark = [
    pytest.mark.processes,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("quick"),
    pytest.mark.conformance("W-6", "R-1"),
]

REPOSITORY = Path(__file__).parents[2]


def database_url() -> str:
    settings = connection.settings_dict
    host = quote(str(settings["HOST"] or settings["OPTIONS"].get("host", "")), safe="/")
    return f"postgres://{settings['USER']}@/{settings['NAME']}?host={host}"


def killed(point: str, receiver: Receiver) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "OUTBOUND_TRUSTED_ORIGINS": receiver.origin,
        "WEBHOOK_DRAIN_SECONDS": "1",
    }
    command = [sys.executable, "-m", "tests.webhooks.dying_dispatcher", point]
    ended = subprocess.run(command, env=environment, cwd=REPOSITORY, timeout=60, check=False)
    assert ended.returncode == -signal.SIGKILL


def lease_runs_out(shop: Tenant) -> None:
    change(shop, lease_until=timezone.now() - timedelta(seconds=1))


@pytest.mark.parametrize(
    ("point", "sent_by_the_dead", "sent_in_all"),
    [
        ("before the claim", 0, 1),
        ("after the claim", 0, 1),
        ("before the send", 0, 1),
        ("after the send", 1, 2),
        ("before the mark", 1, 2),
        ("after the mark", 1, 1),
    ],
)
def test_a_killed_dispatcher(
    shop: Tenant, receiver: Receiver, *, point: str, sent_by_the_dead: int, sent_in_all: int
) -> None:
    make_endpoint(shop, receiver.url)
    event = happens(shop)
    killed(point, receiver)
    posts_of_the_dead = len(receiver.received)
    lease_runs_out(shop)
    dispatch()

    assert posts_of_the_dead == sent_by_the_dead
    assert receiver.ids == [event.id] * sent_in_all
    assert only_delivery(shop).status == "succeeded"


@pytest.mark.conformance("R-7")
def test_a_database_that_went_away_in_the_middle(shop: Tenant, receiver: Receiver) -> None:
    receiver.replies(Reply(after=0.5), Reply())
    make_endpoint(shop, receiver.url)
    event = happens(shop)
    with ThreadPoolExecutor(1) as worker:
        failed = worker.submit(dispatch_by_itself)
        wait_for(lambda: receiver.received)
        end_other_connections()
        error = failed.exception()
    lease_runs_out(shop)
    dispatch()

    assert isinstance(error, OperationalError)
    assert receiver.ids == [event.id] * 2
    assert only_delivery(shop).status == "succeeded"


def end_other_connections() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
        )


@pytest.mark.parametrize("point", ["after the claim", "after the send"])
def test_a_lease_keeps_others_away_until_it_ends(shop: Tenant, receiver: Receiver, point: str) -> None:
    make_endpoint(shop, receiver.url)
    happens(shop)
    killed(point, receiver)
    posts_of_the_dead = len(receiver.received)
    dispatch()

    assert len(receiver.received) == posts_of_the_dead
    assert only_delivery(shop).status == "pending"
