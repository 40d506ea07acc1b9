"""1,000 due sources of 50 tenants over 50 hosts against their waiting time, and what is due among a million found.

The hosts are servers on loopback that answer after 50 ms. The floor is that waiting time, shared by the worker's
processes, and the processor time of everything that took part, shared by what other programs left of the cores.
"""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import statistics
import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg

from bench.server import ROOT, manage
from runner.services import Embedded, throw_away

TENANTS, HOSTS, SOURCES_EACH = 50, 50, 20
LATENCY = 0.05
CONCURRENCY = 8
PORT = 18_443
WANTED_RATIO = 1.3
MILLION = 1_000_000
DUE = 1_000
WANTED_MS = 50
ROUNDS = 7
_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE_SECONDS = 300


# --- fifty shops --------------------------------------------------------------------------------------------


def host(number: int) -> str:
    return f"127.0.1.{number + 1}"


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    await asyncio.sleep(LATENCY)
    # Never the same twice, so that every sync has something to write.
    items = [{"name": f"عود {secrets.token_hex(4)}", "price": price} for price in range(10)]
    body = json.dumps(items, ensure_ascii=False).encode()
    writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    with contextlib.suppress(OSError):
        await writer.drain()
    writer.close()


async def _serve(ready: threading.Event) -> None:
    for number in range(HOSTS):
        await asyncio.start_server(_answer, host(number), PORT, backlog=256)
    ready.set()
    await asyncio.Event().wait()


def start_shops() -> None:
    ready = threading.Event()
    threading.Thread(target=lambda: asyncio.run(_serve(ready)), daemon=True).start()
    if not ready.wait(10):
        raise RuntimeError("the shops did not open")


# --- the product --------------------------------------------------------------------------------------------


@contextlib.contextmanager
def product() -> Iterator[Embedded]:
    """Services with our schema, and this process ready to use them."""
    with throw_away() as services:
        services.start_postgres()
        services.start_valkey()
        origins = ",".join(f"http://{host(number)}:{PORT}" for number in range(HOSTS))
        os.environ.update(
            DATABASE_URL=services.addresses.database,
            MIGRATION_DATABASE_URL=services.addresses.migration_database,
            REDIS_URL=services.addresses.redis,
            SECRET_KEY=secrets.token_urlsafe(48),
            ENCRYPTION_KEYS="bench:" + b64encode(secrets.token_bytes(32)).decode(),
            DJANGO_SETTINGS_MODULE="config.settings.dev",
            OUTBOUND_TRUSTED_ORIGINS=origins,
            LOG_LEVEL="CRITICAL",
        )
        manage(dict(os.environ), "migrate", "--verbosity", "0")
        import django

        django.setup()
        import config.celery  # noqa: F401 -- so that calls reach the broker

        yield services


@contextlib.contextmanager
def worker() -> Iterator[int]:
    """The number of a worker's process, which leads a group of its own."""
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "config.celery", "worker"]
    command += ["--concurrency", str(CONCURRENCY), "--without-mingle", "--without-gossip"]
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL)
    try:
        yield process.pid
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def processor_seconds(*leaders: int) -> float:
    """What the processes of these groups and their ended children have used so far."""
    used = 0
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            # After the name: state, parent, group, session; and from the twelfth on the times, children last.
            if int(fields[2]) in leaders or int(fields[1]) in leaders:
                used += sum(map(int, fields[11:15] if int(entry.name) in leaders else fields[11:13]))
    return used / _TICKS


def busy_seconds() -> float:
    """What all programs of the machine have used so far."""
    fields = list(map(int, Path("/proc/stat").read_text().splitlines()[0].split()[1:9]))
    return (sum(fields) - fields[3] - fields[4]) / _TICKS


# --- a thousand due sources ---------------------------------------------------------------------------------


def make_sources() -> None:
    """Sources that wait for the time to come; nobody is called for them yet."""
    from apps.knowledge import services, tasks
    from apps.knowledge.sync.wakeup import sync_callers
    from apps.projects.scoping import project_scope
    from apps.projects.services import create_project

    sync_callers.remove(tasks.call_worker)
    for tenant in range(TENANTS):
        project, _ = create_project(name=f"shop {tenant}")
        with project_scope(project.id):
            for number in range(SOURCES_EACH):
                url = f"http://{host((tenant + number) % HOSTS)}:{PORT}/feed"
                config = {"url": url, "transform": {"line": "- {name} — {price} ريال"}}
                services.create_source(project.id, name="prices", kind="api", config=config, actor="bench")
    sync_callers.add(tasks.call_worker)
    run("DELETE FROM knowledge_syncrun")
    run("UPDATE knowledge_feed SET status = 'never'")


def run(statement: str) -> list[tuple[Any, ...]]:
    from django.db import connection

    from apps.projects.scoping import across_projects

    with across_projects(), connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall()) if cursor.description else []


def sync_all() -> float:
    """Seconds from when all sources fall due to when the last one is synced."""
    from apps.knowledge.sync import due

    run("UPDATE knowledge_feed SET next_sync_at = now() - interval '1 second'")
    start = time.monotonic()
    due.sync_due()
    while (left := run("SELECT count(*) FROM knowledge_feed WHERE status IN ('queued', 'running')")[0][0]) > 0:
        if time.monotonic() - start > _PATIENCE_SECONDS:
            raise RuntimeError(f"{left} sources were not synced")
        time.sleep(0.2)
    return time.monotonic() - start


def measure_syncs(services: Embedded) -> float:
    start_shops()
    make_sources()
    with worker() as leader:
        sync_all()  # Processes that have done it once.
        leaders = (leader, *(service.process.pid for service in services.running))
        before = processor_seconds(*leaders) + time.process_time(), busy_seconds()
        seconds = sync_all()
        processor = processor_seconds(*leaders) + time.process_time() - before[0]
        others = max(busy_seconds() - before[1] - processor, 0)
    succeeded = run("SELECT count(*) FROM knowledge_syncrun WHERE status = 'succeeded'")[0][0]
    if succeeded != 2 * TENANTS * SOURCES_EACH:
        raise RuntimeError(f"only {succeeded} runs succeeded")
    waiting = TENANTS * SOURCES_EACH * LATENCY / CONCURRENCY
    cores = (os.cpu_count() or 1) - others / seconds
    floor = waiting + processor / cores
    print(f"  {TENANTS * SOURCES_EACH} syncs, {CONCURRENCY} at once: {seconds:.1f} s")
    print(f"  floor {floor:.1f} s: waiting {waiting:.1f} s, processors {processor:.1f} s on {cores:.2f} cores")
    return seconds / floor


# --- a million sources --------------------------------------------------------------------------------------

_FILL = """
INSERT INTO knowledge_source
    (id, project_id, name, kind, complete, complete_is_stated, warnings, created_at, updated_at)
SELECT 'ks_' || lpad(n::text, 26, '0'), %(project)s, 'prices', 'api', true, false, '{}', now(), now()
FROM generate_series(1, %(count)s) n;
INSERT INTO knowledge_feed (source_id, project_id, status, next_sync_at, last_attempt_at, consecutive_failures,
    error_detail, config_version, target_host, warnings, is_capped, lost_claims)
SELECT 'ks_' || lpad(n::text, 26, '0'), %(project)s, CASE n %% 10 WHEN 0 THEN 'failing' ELSE 'ok' END,
    now() + CASE WHEN n %% (%(count)s / %(due)s) = 0 THEN interval '-1 minute' ELSE random() * interval '1 day' END,
    now() - interval '1 hour', 0, '{}', 1, 'shop.example.com', '{}', false, 0
FROM generate_series(1, %(count)s) n;
"""


def fill(services: Embedded) -> None:
    project = run("SELECT id FROM projects_project LIMIT 1")[0][0]
    run("DELETE FROM knowledge_source")
    with psycopg.connect(services.addresses.database_as("postgres"), autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")  # No look-up of a link a million times.
        statement = psycopg.ClientCursor(connection).mogrify(
            _FILL, {"project": project, "count": MILLION, "due": DUE}
        )
        connection.execute(statement.encode())
        connection.execute("VACUUM ANALYZE knowledge_feed")
        connection.execute("VACUUM ANALYZE knowledge_source")


def measure_search_for_due() -> float:
    """Milliseconds of the query that finds and locks what is due."""
    from django.db import connection, transaction
    from django.utils import timezone

    from apps.knowledge.sync import due
    from apps.projects.scoping import across_projects

    times = []
    for _ in range(ROUNDS):
        with across_projects(), connection.cursor() as cursor:
            start = time.perf_counter()
            cursor.execute(due.DUE, {"now": timezone.now() + timedelta(seconds=1), "limit": DUE})
            found = cursor.fetchall()
            times.append((time.perf_counter() - start) * 1_000)
            transaction.set_rollback(True)
        if len(found) != DUE:
            raise RuntimeError(f"found {len(found)} of {DUE}")
    return statistics.median(times)


def main() -> None:
    with product() as services:
        ratio = measure_syncs(services)
        print(f"sync: time / floor, ratio {ratio:.2f} (wanted: {WANTED_RATIO})")
        fill(services)
        milliseconds = measure_search_for_due()
        print(f"sync_due: {DUE} due of {MILLION:,}, {milliseconds:.1f} ms (wanted: {WANTED_MS})")


if __name__ == "__main__":
    main()
