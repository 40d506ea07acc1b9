"""Django's commands, from any Python 3.11+: in the virtual environment, with the running services of DATA_DIR."""

from __future__ import annotations

import importlib.util
import os
import sys

MINIMUM = (3, 11)
# They write or print files and reach no service; everything else needs the services.
OFFLINE = {"help", "version", "collectstatic", "compilemessages", "makemessages", "makemigrations", "spectacular"}


def main() -> int:
    if sys.version_info < MINIMUM:
        print(f"Mawrid needs Python 3.11 or newer; this is {sys.version.split()[0]}. Install one.", file=sys.stderr)
        return 1
    enter_environment()
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    from runner.refusal import Refusal
    from runner.surroundings import settle

    try:
        offline = len(sys.argv) == 1 or sys.argv[1] in OFFLINE or "--help" in sys.argv
        settle(offline=offline)
        if not offline:
            import config.celery  # noqa: F401 -- commands call workers, and without it Celery knows no broker
        execute_from_command_line(sys.argv)
    except (Refusal, ImproperlyConfigured) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def enter_environment() -> None:
    """Start again in .venv when there is one and we are not in it; an image has its packages in its own Python."""
    from runner.environment import PYTHON, is_ours

    if is_ours():
        return
    if PYTHON.exists():
        os.execv(PYTHON, [str(PYTHON), *sys.argv])  # noqa: S606 -- our own arguments, in our own environment
    if importlib.util.find_spec("django") is None:
        sys.exit("Django is not installed here. Run `python3 dev.py setup` first; it makes .venv.")


if __name__ == "__main__":
    sys.exit(main())
