"""One command for everything a developer does; every recipe of the Makefile calls it. Standard library only."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

MINIMUM = (3, 11)


def find_new_enough_python() -> str | None:
    """An interpreter on the path that can run Mawrid, newest first; probed, as some shims are hollow."""
    for minor in range(20, MINIMUM[1] - 1, -1):
        path = shutil.which(f"python3.{minor}")
        if path and subprocess.call([path, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0:
            return path
    return None


def main() -> int:
    if sys.version_info < MINIMUM:
        newer = find_new_enough_python()
        if newer is None:
            print(f"Mawrid needs Python 3.11 or newer; this is {sys.version.split()[0]}. Install one.")
            return 1
        os.execv(newer, [newer, *sys.argv])  # noqa: S606 -- our own arguments, on the interpreter just found
    from runner import commands  # noqa: PLC0415 -- its syntax is for the Python that was just made sure of

    return commands.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
