"""The quick start of the Python package, pasted against the demo: a newcomer's first search finds something."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from apps.demo import shop
from tests.clients.test_readme import PROGRAMS, README, printed_by

BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
LINES = next(block for block in BLOCKS if "MAWRID_ACCESS_TOKEN" in block)
# What only a reader can fill in, and what the test fills in.
KEY, ADDRESS = "export MAWRID_KEY=mwd_live_…\n", "http://127.0.0.1:8000"


@pytest.mark.skipif(shutil.which("curl") is None or shutil.which("bash") is None, reason="needs curl and bash")
def test_it_finds_the_price_in_the_demo_shop(
    live_server: Any, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    script = LINES.replace(KEY, "").replace(ADDRESS, live_server.url)
    told = "env | grep ^MAWRID_ >&2"
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"{script}\n{told}"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "MAWRID_KEY": shop.prepare().api_key},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for name, value in re.findall(r"^(MAWRID_\w+)=(.+)$", ran.stderr, re.MULTILINE):
        monkeypatch.setenv(name, value)

    printed = printed_by(PROGRAMS[0])

    assert "ok ['قائمة الأسعار'" in printed
    assert "صندوق بخور" in printed
