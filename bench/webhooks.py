"""Dispatch of 10,000 webhook deliveries over loopback by the worker of `make run`, alone and among dead endpoints.

All deliveries fall due at once. Of the endpoints that join them for the second half of each pair one half refuses
connections and the other takes them and never answers; nothing is known of either when a run begins.
"""

import contextlib
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

import django
import psycopg

from bench.receivers import ANSWER_SECONDS
from bench.server import ROOT, serving
from runner import programs

PROJECTS = 50
ENDPOINTS = 200
DEAD_ENDPOINTS = 20
EVENTS_OF_A_PROJECT = 50
DELIVERIES = ENDPOINTS * EVENTS_OF_A_PROJECT
PAIRS = 5
BOUND = 1.1
_PATIENCE_SECONDS = 120.0
_IDLE_SECONDS = 2.0

Message = tuple[str, str]  # path and id


@dataclass(frozen=True)
class Receivers:
    """The process of the receivers, and a port where nobody listens."""

    process: "subprocess.Popen[str]"
    answering: int
    hanging: int
    refusing: int

    @property
    def origins(self) -> str:
        return ",".join(f"http://127.0.0.1:{port}" for port in (self.answering, self.hanging, self.refusing))

    def arrivals(self) -> dict[Message, float]:
        """When the messages arrived that did so since the last call."""
        return self._ask("report")

    def hang_up(self) -> None:
        self._ask("hang up")

    def _ask(self, command: str) -> dict[Message, float]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(command, file=self.process.stdin, flush=True)
        return {(path, id_): at for path, id_, at in json.loads(self.process.stdout.readline())}


@dataclass(frozen=True)
class Run:
    """Seconds from due to arrival of each delivery to an endpoint that is alive."""

    lateness: Sequence[float]

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.lateness, n=20)[-1]

    @property
    def rate(self) -> float:
        return len(self.lateness) / max(self.lateness)


def main() -> None:
    with receiving() as receivers, serving() as server:
        os.environ.update(server.environment, OUTBOUND_TRUSTED_ORIGINS=receivers.origins)
        django.setup()
        make_endpoints(receivers)
        with working():
            measure(receivers)


def measure(receivers: Receivers) -> None:
    print(
        f"{DELIVERIES:,} deliveries, all due at once, to {ENDPOINTS} endpoints of {PROJECTS} projects that answer"
        f" after {ANSWER_SECONDS * 1000:.0f} ms; and the same with {DEAD_ENDPOINTS} dead endpoints among them"
    )
    dispatch(receivers, with_dead=False)
    ratios, rates = [], []
    for _ in range(PAIRS):
        alone, among = dispatch(receivers, with_dead=False), dispatch(receivers, with_dead=True)
        ratios.append(among.p95 / alone.p95)
        rates.append(alone.rate)
        print(
            f"  alone {alone.rate:4.0f}/s, 95% within {alone.p95:5.2f} s;"
            f"   among dead ones {among.rate:4.0f}/s, {among.p95:5.2f} s;   ratio {ratios[-1]:.3f}",
            flush=True,
        )
    print(f"rate, median: {statistics.median(rates):.0f} deliveries a second")
    print(f"95th percentile among dead ones / alone, median: {statistics.median(ratios):.3f} (wanted: {BOUND})")


def dispatch(receivers: Receivers, *, with_dead: bool) -> Run:
    """Let everything fall due, call the worker, and wait until all that can arrive has arrived."""
    import config.celery  # noqa: F401 -- so that the task knows its broker
    from apps.webhooks.tasks import call_worker

    make_deliveries(receivers, with_dead=with_dead)
    due_at = let_fall_due()
    call_worker()
    arrived: dict[Message, float] = {}
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while len(arrived) < DELIVERIES:
        if time.monotonic() > deadline:
            raise RuntimeError(f"only {len(arrived)} of {DELIVERIES} deliveries have arrived")
        time.sleep(0.5)
        arrived = receivers.arrivals() | arrived
    forget_deliveries()
    receivers.hang_up()
    time.sleep(_IDLE_SECONDS)
    return Run([at - due_at for at in arrived.values()])


@contextlib.contextmanager
def receiving() -> Iterator[Receivers]:
    with socket.socket() as nobody:
        # Bound and not listening: connections are refused, and nobody else is given the port.
        nobody.bind(("127.0.0.1", 0))
        command = [sys.executable, "-m", "bench.receivers"]
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            answering, hanging = json.loads(process.stdout.readline())
            yield Receivers(process, answering, hanging, nobody.getsockname()[1])
        finally:
            process.terminate()
            process.wait(20)


@contextlib.contextmanager
def working() -> Iterator[None]:
    process = subprocess.Popen([sys.executable, *programs.dispatcher()], cwd=ROOT)
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def make_endpoints(receivers: Receivers) -> None:
    """The living spread evenly over the projects, the dead over some of them."""
    from apps.projects.scoping import project_scope
    from apps.projects.services import create_project
    from apps.webhooks.services import create_endpoint

    projects = [create_project(name=f"bench {number}")[0].id for number in range(PROJECTS)]
    dead = [receivers.hanging, receivers.refusing] * (DEAD_ENDPOINTS // 2)
    for number, port in enumerate([receivers.answering] * ENDPOINTS + dead):
        project_id = projects[number % PROJECTS]
        with project_scope(project_id):
            url = f"http://127.0.0.1:{port}/{number}"
            create_endpoint(project_id, url=url, events=["*"], actor="bench")


def make_deliveries(receivers: Receivers, *, with_dead: bool) -> None:
    """Events of every project and their deliveries, due on another day; of endpoints nothing is known."""
    from django.utils import timezone

    from apps.projects.scoping import across_projects
    from apps.webhooks.models import Delivery, Endpoint, Event

    tomorrow = timezone.now() + timedelta(days=1)
    body = json.dumps({"type": "bench", "data": {"name": "قائمة الأسعار", "text": "x" * 500}}, ensure_ascii=False)
    with across_projects():
        endpoints = Endpoint.objects.all_projects()
        endpoints.update(enabled=True, disabled_reason=None, failures=0, failing_since=None, last_failure_at=None)
        if not with_dead:
            endpoints = endpoints.filter(url__startswith=f"http://127.0.0.1:{receivers.answering}/")
        events = {
            project_id: [Event(project_id=project_id, type="bench", body=body) for _ in range(EVENTS_OF_A_PROJECT)]
            for project_id in endpoints.values_list("project_id", flat=True)
        }
        Event.objects.all_projects().bulk_create([event for of_one in events.values() for event in of_one])
        Delivery.objects.all_projects().bulk_create(
            [
                Delivery(project_id=endpoint.project_id, event=event, endpoint=endpoint, next_attempt_at=tomorrow)
                for endpoint in endpoints
                for event in events[endpoint.project_id]
            ]
        )


def let_fall_due() -> float:
    """Make all deliveries due now; returns when that is."""
    from django.utils import timezone

    from apps.projects.scoping import across_projects
    from apps.webhooks.models import Delivery

    now = timezone.now()
    with across_projects():
        Delivery.objects.all_projects().update(next_attempt_at=now)
    return now.timestamp()


def forget_deliveries() -> None:
    """Empty the tables, so that every run starts from the same."""
    with psycopg.connect(os.environ["MIGRATION_DATABASE_URL"], autocommit=True) as owner:
        owner.execute("TRUNCATE webhooks_event, webhooks_delivery")


if __name__ == "__main__":
    main()
