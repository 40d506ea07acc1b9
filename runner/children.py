"""The children of a run: started, their lines printed under their names, watched together and stopped together."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from runner import processes
from runner.environment import PYTHON, ROOT
from runner.processes import Mark, spawn


@dataclass
class Child:
    """One of our Python programs."""

    name: str
    process: subprocess.Popen[bytes]
    show: Callable[[str], None]
    unfinished: bytes = b""

    def take(self, data: bytes) -> None:
        *lines, self.unfinished = (self.unfinished + data).split(b"\n")
        for line in lines:
            self.show(line.decode(errors="replace"))


@dataclass
class Children:
    """All that were started and not yet seen to their end; single-threaded, one loop serves them all."""

    environment: Mapping[str, str]
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    running: list[Child] = field(default_factory=list)

    def start(self, name: str, arguments: Sequence[str], *, show: Callable[[str], None] | None = None) -> Child:
        process = spawn(
            [str(PYTHON), *arguments],
            environment=self.environment,
            folder=ROOT,
            output=subprocess.PIPE,
            # What is read from a program is its answer; its complaints are for the person before the terminal.
            errors=subprocess.STDOUT if show is None else None,
            farewell=signal.SIGTERM,
        )
        child = Child(name=name, process=process, show=show or _under(name))
        self.running.append(child)
        self.selector.register(_pipe(child), selectors.EVENT_READ, child)
        return child

    def run(self, name: str, arguments: Sequence[str], *, show: Callable[[str], None] | None = None) -> int:
        """Start a program, show its lines, and wait for its end."""
        child = self.start(name, arguments, show=show)
        while child.process.poll() is None:
            self.serve(0.1)
        self.serve(0)
        self._bury(child)
        return child.process.returncode

    def serve(self, seconds: float) -> None:
        """Show what the children say within the next moments."""
        for key, _ in self.selector.select(seconds):
            child: Child = key.data
            data = os.read(key.fd, 65_536)
            if data:
                child.take(data)
            else:
                self.selector.unregister(key.fileobj)

    def ended(self) -> Child | None:
        return next((child for child in self.running if child.process.poll() is not None), None)

    def marks(self) -> dict[str, Mark]:
        return {child.name: Mark.of(child.process.pid) for child in self.running}

    def stop(self, *, seconds: float) -> None:
        """Ask all to end, show their last lines, and end those that take too long."""
        for child in self.running:
            processes.ask(child.process, signal.SIGTERM)
        deadline = time.monotonic() + seconds
        while any(child.process.poll() is None for child in self.running) and time.monotonic() < deadline:
            self.serve(0.1)
        self.kill()

    def kill(self) -> None:
        while self.running:
            self._bury(self.running[-1])

    def _bury(self, child: Child) -> None:
        processes.kill(child.process)
        pipe = _pipe(child)
        if pipe in self.selector.get_map():
            self.selector.unregister(pipe)
            child.take(pipe.read())
        if child.unfinished:
            child.take(b"\n")
        pipe.close()
        self.running.remove(child)


def _pipe(child: Child) -> IO[bytes]:
    pipe = child.process.stdout
    if pipe is None:
        raise RuntimeError(f"{child.name} was started without a pipe")
    return pipe


def _under(name: str) -> Callable[[str], None]:
    def show(line: str) -> None:
        print(f"{name:<7}| {line}", flush=True)

    return show
