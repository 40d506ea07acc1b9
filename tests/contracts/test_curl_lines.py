"""Every curl line of the README and of the guides works as it stands: pasted in order, against a running server."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from tests.factories import make_tenant

ROOT: Final = Path(__file__).resolve().parents[2]
BASE: Final = "http://127.0.0.1:8000"
BLOCK: Final = re.compile(r"^```sh(?P<refused> refused)?\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL)
# Lines that only a reader can fill in; the test gives these variables their values.
FILLED_IN: Final = re.compile(r"^export \w+=\S*…\n", re.MULTILINE)
# What stands for the word curl while a block runs: an answer of 400 or more ends the block, or must come.
ACCEPTED: Final = 'curl() { command curl --fail-with-body "$@"; }'
REFUSED: Final = 'curl() { if command curl --fail-with-body "$@"; then return 1; fi; }'


@dataclass(frozen=True)
class Document:
    """A document, or the one section of it whose calls need nothing but a server and a key."""

    name: str
    section: str | None = None

    def __str__(self) -> str:
        return self.name

    @property
    def text(self) -> str:
        text = (ROOT / self.name).read_text(encoding="utf-8")
        if self.section is None:
            return text
        return text.partition(f"## {self.section}\n")[2].partition("\n## ")[0]

    def script(self) -> str:
        """All blocks with curl lines in their order, as one script."""
        blocks = [block for block in BLOCK.finditer(self.text) if "curl" in block["lines"]]
        return "\n".join(f"{REFUSED if block['refused'] else ACCEPTED}\n{block['lines']}" for block in blocks)


DOCUMENTS: Final = [
    # The other section of the README plays with the demo's shop, which `make run` starts.
    Document("README.md", "First calls"),
    *(
        Document(f"docs/{path.name}")
        for path in sorted((ROOT / "docs").glob("*.md"))
        if "curl -sS" in path.read_text()
    ),
]


@pytest.mark.skipif(shutil.which("curl") is None or shutil.which("bash") is None, reason="needs curl and bash")
@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_the_calls_of_a_document_work(live_server: Any, tmp_path: Path, document: Document) -> None:
    paste(document, live_server.url, tmp_path)


@pytest.mark.skipif(shutil.which("curl") is None or shutil.which("bash") is None, reason="needs curl and bash")
def test_the_first_search_of_an_agent_finds_something(live_server: Any, tmp_path: Path) -> None:
    paste(Document("docs/agent-clients.md"), live_server.url, tmp_path)

    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert [hint["summary"] for hint in found["hints"]] == ["صندوق بخور — 95 ريال"]


def paste(document: Document, url: str, folder: Path) -> None:
    script = FILLED_IN.sub("", document.script()).replace(BASE, url).replace('"…"', '"a value"')

    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "MAWRID_KEY": make_tenant().key},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stdout[-2_000:] + ran.stderr
    assert BASE not in script
