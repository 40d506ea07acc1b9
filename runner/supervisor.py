"""`make run`: brings everything up in order, says how to get in, watches, and takes everything down again."""

import contextlib
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import NoReturn

from runner import programs
from runner.children import Child, Children
from runner.data_dir import DataDir
from runner.options import Options, apart_from
from runner.ports import answers, free_port_near, require_free_port
from runner.processes import end_leftovers, end_with_make
from runner.refusal import Refusal
from runner.services import Embedded

_READY_SECONDS = 60.0
_STOP_SECONDS = 10.0
_LEFTOVER_SECONDS = 10.0
_PORT_SECONDS = 3.0
_QUESTION = "صندق بخور"
# How far the demo's shop likes to be from the web server's port; any free one does when that is taken.
_SHOP_DISTANCE = 337


class StopAsked(BaseException):
    """Somebody wants the run to end; not an error, so not an Exception."""


@dataclass
class Supervisor:
    """One run, from the free port to the last child's end."""

    options: Options
    data_dir: DataDir
    services: Embedded
    children: Children = field(default_factory=lambda: Children({}))
    started_at: float = field(default_factory=time.monotonic)
    shop_port: int = 0

    def run(self) -> NoReturn:
        remains = list(self.data_dir.marks().values())
        end_leftovers(remains, seconds=_LEFTOVER_SECONDS)
        # A killed process may hold its port for a moment after it looks dead, while its last threads end.
        require_free_port(self.options, patience=_PORT_SECONDS if remains else 0)
        self.shop_port = free_port_near(self.options.port + _SHOP_DISTANCE)
        self._start_services()
        self._migrate()
        demo = self._prepare_demo()
        self._start_programs()
        say(welcome(self.options.public_url, demo, seconds=time.monotonic() - self.started_at))
        self._watch()

    def stop(self) -> None:
        """Once is a wish to end well, twice to end now."""
        say("Stopping …")
        try:
            self.children.stop(seconds=_STOP_SECONDS)
        except StopAsked:
            self.children.kill()
        with unhurried():
            self.services.stop()
        self.data_dir.forget_run()

    def _start_services(self) -> None:
        if self.options.wants_postgres():
            say("Starting PostgreSQL …")
            self.services.start_postgres()
        if self.options.wants_valkey():
            say("Starting Valkey …")
            self.services.start_valkey()
        self.children = Children(self._environment())
        self._remember()

    def _migrate(self) -> None:
        say("Migrating the database …")
        if self.children.run("migrate", ["manage.py", "migrate", "--no-input", "--verbosity", "0"]) != 0:
            raise Refusal("The database could not be migrated; the lines above say why.")

    def _prepare_demo(self) -> dict[str, str]:
        lines: list[str] = []
        status = self.children.run(
            "demo", ["manage.py", "prepare_demo", "--json", "--shop-url", self._shop_url], show=lines.append
        )
        if status != 0:
            raise Refusal("The demo project could not be prepared; the lines above say why.")
        return {str(name): str(value) for name, value in json.loads("\n".join(lines)).items()}

    def _start_programs(self) -> None:
        say("Starting web, worker, preparer, dispatcher, beat and the demo's shop …")
        beat = self.data_dir.path / "beat"
        beat.mkdir(exist_ok=True)
        self._start("shop", programs.shop(self.shop_port, self.data_dir.path))
        self._start("web", programs.web(self.options.bind, self.options.port))
        self._start("worker", programs.worker())
        self._start("preparer", programs.preparer())
        self._start("dispatcher", programs.dispatcher())
        self._start("beat", programs.beat(beat / "schedule"))
        deadline = time.monotonic() + _READY_SECONDS
        while not answers(self.options):
            self._refuse_deaths()
            if time.monotonic() > deadline:
                raise Refusal(
                    f"The web server did not answer within {_READY_SECONDS:.0f} s; the lines above may say why."
                )
            self.children.serve(0.1)

    def _start(self, name: str, arguments: list[str]) -> Child:
        child = self.children.start(name, arguments)
        self._remember()
        return child

    def _watch(self) -> NoReturn:
        while True:
            self.children.serve(0.5)
            self._refuse_deaths()

    def _refuse_deaths(self) -> None:
        if child := self.children.ended():
            raise Refusal(f"{child.name} ended with status {child.process.returncode}; stopping the rest.")
        for service in self.services.running:
            if service.process.poll() is not None:
                raise Refusal(f"{service.name} ended; stopping the rest. Its last words: {service.last_words()}")

    def _remember(self) -> None:
        marks = self.services.marks() | self.children.marks()
        self.data_dir.write_run(addresses=self._embedded_addresses(), marks=marks)

    def _embedded_addresses(self) -> dict[str, str]:
        addresses = self.services.addresses
        return self.options.missing(
            {
                "DATABASE_URL": addresses.database,
                **(
                    {"MIGRATION_DATABASE_URL": addresses.migration_database}
                    if self.options.wants_postgres()
                    else {}
                ),
                "REDIS_URL": addresses.redis,
            }
        )

    @property
    def _shop_url(self) -> str:
        return f"http://127.0.0.1:{self.shop_port}"

    def _trusted_origins(self) -> str:
        """The demo's shop stands on this machine, where requests for tenants may not go otherwise."""
        return ",".join(filter(None, [self.options.trusted_origins, self._shop_url]))

    def _environment(self) -> dict[str, str]:
        ours = {
            **self._embedded_addresses(),
            "SECRET_KEY": self.data_dir.secret_key(),
            "ENCRYPTION_KEYS": self.data_dir.encryption_keys(),
            "PUBLIC_URL": self.options.public_url,
        }
        settled = {
            **self.options.missing(ours),
            "PORT": str(self.options.port),
            "BIND": self.options.bind,
            "DATA_DIR": str(self.data_dir.path),
            "OUTBOUND_TRUSTED_ORIGINS": self._trusted_origins(),
            "LC_ALL": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
            "PROMETHEUS_MULTIPROC_DIR": str(self._fresh_metrics()),
        }
        return {
            "DJANGO_SETTINGS_MODULE": "config.settings.dev",
            **apart_from(settled, os.environ),
            **settled,
        }

    def _fresh_metrics(self) -> Path:
        """The folder of this run's counters; those of the last run would be added up with them."""
        metrics = self.data_dir.path / "metrics"
        shutil.rmtree(metrics, ignore_errors=True)
        metrics.mkdir()
        return metrics


def welcome(public_url: str, demo: dict[str, str], *, seconds: float) -> str:
    body = json.dumps({"query": _QUESTION}, ensure_ascii=False)
    return f"""
Mawrid is running, {seconds:.1f} s after the start.

  Dashboard   {public_url}/
  Reference   {public_url}/docs
  Login       {demo["email"]}   password {demo["password"]}
  API key     {demo["api_key"]}
  Demo shop   {demo["shop_url"]}/   its prices are the source {demo["source"]}

Try it:

  curl -sS {public_url}/v1/knowledge/search -H 'Authorization: Bearer {demo["api_key"]}' \
-H 'Content-Type: application/json' -d '{body}'

Ctrl-C stops everything.
"""


def say(text: str) -> None:
    """A line for the person at the terminal; one who has gone away wants no more."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # What is said while stopping must not end the stopping.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise StopAsked from None


@contextlib.contextmanager
def unhurried() -> Iterator[None]:
    """Servers that keep data are given their time, however often somebody asks."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in _STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def listen_for_stop() -> None:
    for number in _STOP_SIGNALS:
        # `nohup` has SIGHUP ignored for us, and means it.
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _ask_to_stop)


def _ask_to_stop(_number: int, _frame: FrameType | None) -> None:
    raise StopAsked


def main() -> int:
    end_with_make()
    listen_for_stop()
    try:
        options = Options.read(os.environ)
        data_dir = DataDir.at(options.data_dir)
        with data_dir.locked():
            return supervise(Supervisor(options, data_dir, Embedded.of(data_dir.path)))
    except StopAsked:
        return 0
    except Refusal as refusal:
        return complain(refusal)


def supervise(supervisor: Supervisor) -> int:
    try:
        supervisor.run()
    except Refusal as refusal:
        return complain(refusal)
    finally:
        supervisor.stop()


def complain(refusal: Refusal) -> int:
    print(refusal, file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
