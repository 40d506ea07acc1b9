"""A worker process that does runs one after the other and says how far each raised its memory."""

import json
import sys
from pathlib import Path
from typing import Any, Final

import django

django.setup()

from django.conf import settings  # noqa: E402 -- needs Django to be set up

from apps.kernel import memory  # noqa: E402 -- as above
from apps.knowledge.sync import run  # noqa: E402 -- as above
from apps.outbound import parse_trusted_origins  # noqa: E402 -- as above

PROCESS: Final = Path("/proc/self")
START_PEAK_ANEW: Final = "5"


def rise_of(order: dict[str, Any]) -> int:
    """Do a run; returns its peak above the size before it, in KiB."""
    settings.OUTBOUND_TRUSTED_ORIGINS = parse_trusted_origins(order["origin"])
    (PROCESS / "clear_refs").write_text(START_PEAK_ANEW)
    resting = kibibytes("VmRSS")
    run.run_sync(order["project_id"], order["run_id"])
    return kibibytes("VmHWM") - resting


def kibibytes(name: str) -> int:
    fields = dict(line.split(":", 1) for line in (PROCESS / "status").read_text().splitlines())
    return int(fields[name].split()[0])


if __name__ == "__main__":
    memory.keep_small()
    for line in sys.stdin:
        print(rise_of(json.loads(line)), flush=True)  # noqa: T201 -- its answer
