"""The commands of `dev.py`: they see to the environment, then hand over to the environment's Python."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence

from runner import environment
from runner.environment import ROOT, VENV
from runner.refusal import Refusal

_TEST = ("--settings", "config.settings.test")
# The steps of `check` in their order, cheapest first; each is a command of its own as well.
STEPS: dict[str, tuple[str, ...]] = {
    "format": ("-m", "ruff", "format", "--check", "."),
    "lint": ("-m", "ruff", "check", "."),
    "imports": (str(VENV / "bin" / "lint-imports"),),
    "types": ("-m", "mypy"),
    # With the settings of the tests, which keep no pool that would wait for a database; none is needed.
    "migrations": ("-W", "ignore::RuntimeWarning", "manage.py", "makemigrations", "--check", "--dry-run", *_TEST),
    "openapi": ("-m", "runner.openapi"),
    "tests": ("-m", "pytest", "-n", "2", "--conformance=unmet"),
}
# The rest takes what stands behind it on the command line.
PROGRAMS: dict[str, tuple[str, ...]] = {
    "run": ("-m", "runner.supervisor"),
    "test": ("-m", "pytest"),
    "conformance": ("-m", "pytest", "-q", "-n", "2", "--conformance=table"),
    "bench": ("-m", "bench"),
    "lock": ("-m", "runner.locks"),
}
# Who gives them any, asks for something that they would not do.
_WITHOUT_ARGUMENTS = {"setup", "check", "fix", "run"}
_HELP_LINE = re.compile(r"^([a-z-]+):.*?## (.+)$", re.MULTILINE)


def main(arguments: Sequence[str]) -> int:
    name, *rest = arguments or ["help"]
    try:
        return _run(name, rest)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def help_text() -> str:
    """The targets of the Makefile with the comments that stand behind them."""
    targets = _HELP_LINE.findall((ROOT / "Makefile").read_text(encoding="utf-8"))
    return "\n".join(f"  {name:<12} {comment}" for name, comment in targets)


def _run(name: str, rest: Sequence[str]) -> int:
    if name in {"help", "-h", "--help"}:
        print(f"make TARGET, or python3 dev.py TARGET:\n\n{help_text()}")
        return 0
    if rest and name in _WITHOUT_ARGUMENTS:
        raise Refusal(f"`{name}` takes no arguments; its settings are in the table of README.md.")
    if name == "setup":
        environment.ensure()
        return 0
    if name == "check":
        return _check()
    if name == "fix":
        return _fix()
    program = PROGRAMS.get(name) or STEPS.get(name)
    if program is None:
        raise Refusal(f"There is no command {name!r}. These are there:\n\n{help_text()}")
    return _become([*program, *rest])


def _check() -> int:
    """Every step, also behind one that failed, so that one run shows everything; a summary last."""
    environment.ensure()
    failed = []
    for name, program in STEPS.items():
        print(f"── {name}", flush=True)
        if subprocess.run(_command(program), cwd=ROOT, check=False).returncode != 0:
            failed.append(name)
    print(f"── failed: {', '.join(failed)}" if failed else "── all is well", flush=True)
    return 1 if failed else 0


def _fix() -> int:
    environment.ensure()
    programs = (("-m", "ruff", "check", "--fix", "."), ("-m", "ruff", "format", "."))
    return max(subprocess.run(_command(program), cwd=ROOT, check=False).returncode for program in programs)


def _become(program: Sequence[str]) -> int:
    """Replace ourselves, so that signals and the exit status are the program's own."""
    environment.ensure()
    command = _command(program)
    os.chdir(ROOT)
    sys.stdout.flush()
    os.execv(command[0], command)  # noqa: S606 -- one of the programs above


def _command(program: Sequence[str]) -> list[str]:
    first, *rest = program
    if first.startswith(str(VENV)):
        return [first, *rest]
    return [str(environment.PYTHON), *program]
