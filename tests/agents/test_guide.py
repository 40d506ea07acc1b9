"""The Python of the guide runs as it stands, against a running server; its curl lines run with all others."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from tests.factories import make_tenant

GUIDE: Final = Path(__file__).resolve().parents[2] / "docs" / "agents.md"
BASE: Final = "http://127.0.0.1:8000"
BLOCK: Final = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_python_of_the_guide_answers_from_the_price_list(live_server: Any) -> None:
    program = "\n".join(BLOCK.findall(GUIDE.read_text(encoding="utf-8"))).replace(BASE, live_server.url)

    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": os.environ["PATH"], "PYTHONUTF8": "1", "MAWRID_KEY": make_tenant().key},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    assert "صندوق بخور — 95 ريال" in ran.stdout


def test_the_gap_where_the_model_is_called_is_marked_in_both_languages() -> None:
    blocks = re.findall(r"^```(sh|python)\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)

    assert {language for language, text in blocks if "THE GAP" in text} == {"sh", "python"}
