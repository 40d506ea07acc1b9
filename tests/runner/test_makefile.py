"""The Makefile is a thin door: every target has a help text and one line that calls dev.py."""

import re
import subprocess
import sys

import pytest

from runner import commands
from runner.environment import ROOT

TEXT = (ROOT / "Makefile").read_text(encoding="utf-8")
RULES = re.findall(r"^([a-z-]+):([^\n]*)\n((?:\t[^\n]*\n)*)", TEXT, re.MULTILINE)
TARGETS = [target for target, _, _ in RULES]


@pytest.mark.parametrize(("target", "head", "recipe"), RULES, ids=TARGETS)
def test_a_target_has_a_help_text_and_one_line_that_calls_dev_py(target: str, head: str, recipe: str) -> None:
    assert re.fullmatch(r" ## \S.*", head)
    assert recipe == f"\t@$(PYTHON) dev.py {target}\n"


def test_all_targets_are_phony() -> None:
    phony = re.search(r"^\.PHONY: (.+)$", TEXT, re.MULTILINE)

    assert phony is not None
    assert sorted(phony[1].split()) == sorted(TARGETS)


def test_the_help_text_names_every_target() -> None:
    answer = subprocess.run([sys.executable, "dev.py"], cwd=ROOT, capture_output=True, text=True, check=True)

    assert [line.split()[0] for line in answer.stdout.splitlines() if line.startswith("  ")] == TARGETS


def test_every_command_has_a_target() -> None:
    assert {*commands.STEPS, *commands.PROGRAMS} <= set(TARGETS)


def test_an_unknown_command_is_refused_with_the_known_ones() -> None:
    answer = subprocess.run(
        [sys.executable, "dev.py", "rnu"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert answer.returncode == 1
    assert answer.stderr.startswith("There is no command 'rnu'.")


@pytest.mark.parametrize("command", ["run", "check", "fix", "setup"])
def test_a_command_without_arguments_refuses_them(command: str) -> None:
    answer = subprocess.run(
        [sys.executable, "dev.py", command, "--help"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr.startswith(f"`{command}` takes no arguments")
