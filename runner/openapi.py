"""Compares docs/openapi.yaml with the description that the code gives; `--write` brings the file up to date."""

import difflib
import subprocess
import sys
from itertools import islice

from runner.environment import PYTHON, ROOT

DESCRIPTION = ROOT / "docs" / "openapi.yaml"
_LINES_SHOWN = 60


def generate() -> str:
    """The description as the code gives it; a warning of the generator is an error."""
    command = [str(PYTHON), "manage.py", "spectacular", "--validate", "--fail-on-warn"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    if made.returncode != 0:
        sys.exit(f"The OpenAPI description could not be made.\n{made.stderr}")
    return made.stdout


def difference(committed: str, generated: str) -> str:
    lines = difflib.unified_diff(
        committed.splitlines(), generated.splitlines(), "committed", "generated", lineterm=""
    )
    return "\n".join(islice(lines, _LINES_SHOWN))


def main() -> int:
    generated = generate()
    if "--write" in sys.argv[1:]:
        DESCRIPTION.write_text(generated, encoding="utf-8")
        return 0
    committed = DESCRIPTION.read_text(encoding="utf-8") if DESCRIPTION.exists() else ""
    if committed == generated:
        return 0
    print(difference(committed, generated))
    print(f"{DESCRIPTION.name} differs from the code. Run `python3 dev.py openapi --write` and commit it.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
