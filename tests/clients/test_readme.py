"""The package's README: its quick start runs as it stands, and its tables name what is there."""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest

from mawrid_client.errors import AgentError
from mawrid_client.stdio import settings
from tests.fakes.hub import LONG_SOURCE, ROUTE, SHORT_SOURCE, Hub, Session

README = (Path(__file__).parents[2] / "clients" / "python" / "README.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def printed_by(program: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(program, "README.md", "exec"), {"__name__": "quick_start"})
    return output.getvalue()


@pytest.fixture
def _environment(hub: Hub, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(settings.BASE_URL, hub.url)
    monkeypatch.setenv(settings.FOR_AGENT, session.access_token)
    monkeypatch.setenv(settings.WORKSPACE, ROUTE)


@pytest.mark.conformance("SDK-047")
@pytest.mark.usefixtures("_environment")
def test_the_quick_start_runs_as_it_stands() -> None:
    printed = printed_by(PROGRAMS[0])

    assert "ok ['قائمة الأسعار', 'الشحن']" in printed
    assert SHORT_SOURCE in printed
    assert LONG_SOURCE in printed
    assert printed.count("is complete") == 2


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_compiles(program: str) -> None:
    compile(program, "README.md", "exec")


def test_the_variables_are_those_that_are_read() -> None:
    named = set(re.findall(r"^\| `(MAWRID_[A-Z_]+)` \|", README, re.MULTILINE))
    read = {value for value in vars(settings).values() if isinstance(value, str) and value.startswith("MAWRID_")}

    assert named == read


@pytest.mark.parametrize("member", ["status", "code", "retryable", "next_action", "feedback"])
def test_errors_have_what_is_said_of_them(member: str) -> None:
    error: Any = AgentError("knowledge_changed", status=409)

    assert hasattr(error, member)
    assert f"`{member}" in README
