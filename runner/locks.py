"""Makes the locks from requirements/*.in: one for all Pythons and platforms, with hashes, without addresses."""

import subprocess
import sys

from runner.environment import PYTHON, ROOT

_COMPILE = (
    *(
        "-m",
        "uv",
        "pip",
        "compile",
        "--universal",
        "--python-version",
        "3.11",
        "--generate-hashes",
        "--no-annotate",
    ),
    *("--no-emit-index-url", "--no-emit-find-links", "--custom-compile-command", "make lock", "--quiet"),
)
# In a chain: what is shared has the same version in each.
CHAIN: tuple[tuple[str, ...], ...] = (
    ("prod.in", "--output-file", "prod.txt"),
    ("dev.in", "--constraint", "prod.txt", "--output-file", "dev.txt"),
    ("uv.in", "--output-file", "uv.txt"),
)


def main() -> int:
    """Further arguments are uv's, such as `--upgrade` or `--upgrade-package NAME`."""
    for link in CHAIN:
        command = [str(PYTHON), *_COMPILE, *sys.argv[1:], *link]
        if (status := subprocess.run(command, cwd=ROOT / "requirements", check=False).returncode) != 0:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
