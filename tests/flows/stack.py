"""The whole product in processes of its own, on throw-away services, with a minute that lasts a second."""

import base64
import contextlib
import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis

from runner import programs
from runner.services import Embedded, throw_away

REPOSITORY = Path(__file__).parents[2]
SECONDS_OF_A_MINUTE = 1
LEASE_SECONDS = 4
_PATIENCE_SECONDS = 60.0


@dataclass
class Stack:
    """Web, worker and beat with their services, each of which a test may stop or kill."""

    services: Embedded
    environment: dict[str, str]
    port: int
    key: str = ""
    processes: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    def call(self, method: str, path: str, body: Any = None, *, token: str | None = None) -> tuple[int, Any]:
        """Status and answer, with the project's key or another token; 0 when there was none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        headers = {"Authorization": f"Bearer {token or self.key}", "Content-Type": "application/json"}
        with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            content = answer.read()
            return answer.status, json.loads(content) if content else None
        return 0, None

    def start(self, name: str, *arguments: str) -> None:
        # A group of its own, so that a worker is killed with its children as a machine that fails takes them.
        self.processes[name] = subprocess.Popen(
            [sys.executable, *arguments], cwd=REPOSITORY, env=self.environment, start_new_session=True
        )

    def start_worker(self) -> None:
        self.start("worker", *programs.worker())

    def signal(self, name: str, number: signal.Signals) -> None:
        os.killpg(self.processes[name].pid, number)

    def kill_worker(self) -> None:
        self.kill("worker")

    def kill(self, name: str) -> None:
        self.signal(name, signal.SIGKILL)
        self.processes[name].wait()

    def wipe_redis(self) -> None:
        with redis.Redis.from_url(self.services.addresses.redis) as client:
            client.flushall()

    def stop_postgres(self) -> None:
        service = next(one for one in self.services.running if one.name == "postgres")
        service.stop()
        self.services.running.remove(service)

    def restart_postgres(self) -> None:
        self.stop_postgres()
        self.services.start_postgres()

    def stop(self) -> None:
        for name in self.processes:
            with contextlib.suppress(ProcessLookupError):
                self.signal(name, signal.SIGKILL)
        for process in self.processes.values():
            process.wait()


@contextlib.contextmanager
def running_stack(folder: Path, **variables: str) -> Iterator[Stack]:
    """`variables` are added to the environment of all programs."""
    with ExitStack() as exits:
        services = exits.enter_context(throw_away())
        services.start_postgres()
        services.start_valkey()
        port = _free_port()
        stack = Stack(services, _environment(services, port, variables), port)
        exits.callback(stack.stop)
        _manage(stack, "migrate", "--verbosity", "0")
        stack.key = json.loads(_manage(stack, "create_project", "--name", "shop", "--json"))["api_key"]
        stack.start("web", *programs.web("127.0.0.1", port))
        stack.start_worker()
        stack.start("beat", *programs.beat(folder / "schedule"))
        wait_for(lambda: stack.call("GET", "/v1/project")[0] == 200)
        yield stack


def wait_for(condition: Callable[[], object]) -> None:
    """Until it holds; the patience is only there so that a broken product does not hang the suite."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.1)


def _environment(services: Embedded, port: int, variables: dict[str, str]) -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": services.addresses.database,
        "MIGRATION_DATABASE_URL": services.addresses.migration_database,
        "REDIS_URL": services.addresses.redis,
        "SECRET_KEY": secrets.token_urlsafe(48),
        "ENCRYPTION_KEYS": "flow:" + base64.b64encode(secrets.token_bytes(32)).decode(),
        "PORT": str(port),
        "DJANGO_SETTINGS_MODULE": "config.settings.dev",
        "LOG_LEVEL": "WARNING",
        "SYNC_INTERVAL_UNIT_SECONDS": str(SECONDS_OF_A_MINUTE),
        "SYNC_LEASE_SECONDS": str(LEASE_SECONDS),
        "SYNC_DEADLINE_SECONDS": "3",
        **variables,
    }


def _manage(stack: Stack, *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, cwd=REPOSITORY, env=stack.environment, check=True, capture_output=True, text=True
    ).stdout


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
