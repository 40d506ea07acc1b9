"""Words of the first page of a project and of the first page of all."""

from typing import Final

from apps.dashboard.texts import Text

TEXTS: Final[dict[str, Text]] = {
    "title": ("نظرة عامة", "Overview"),
}
