"""The tables of docs/errors.md, made from the catalogue; `write_errors` puts them into the document."""

from pathlib import Path
from typing import Final

from apps.kernel.errors import CATALOGUE, ErrorCode
from apps.rest.errors import type_of
from tests.description import described

DOCUMENT: Final = Path(__file__).resolve().parents[2] / "docs" / "errors.md"
MARK: Final = "<!-- made from the catalogue; do not edit below -->\n"


def table() -> str:
    """A section for each status, a row for each of its codes, in both languages."""
    described()  # Loads every room, and with it the codes it declares.
    statuses = sorted({code.status for code in CATALOGUE.values()})
    return "\n".join(_section(status) for status in statuses)


def _section(status: int) -> str:
    codes = sorted((code for code in CATALOGUE.values() if code.status == status), key=lambda code: code.code)
    rows = "\n".join(map(_row, codes))
    return f"## {status} `{type_of(status)}`\n\n| code | English | Arabic |\n|---|---|---|\n{rows}\n"


def _row(code: ErrorCode) -> str:
    return f"| `{code.code}` | {_cell(code.en)} | {_cell(code.ar)} |"


def _cell(text: str) -> str:
    if text in {"{en}", "{ar}"}:
        return "*names what is refused, and why*" if text == "{en}" else "*تذكر ما رُفض وسببه*"
    return text.replace("{{", "{").replace("}}", "}").replace("|", "\\|").replace("<", "&lt;")


def write() -> None:
    prose = DOCUMENT.read_text(encoding="utf-8").partition(MARK)[0]
    DOCUMENT.write_text(f"{prose}{MARK}\n{table()}", encoding="utf-8")
