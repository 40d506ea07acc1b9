"""The guide's examples run, in the order in which they stand, and it names every refusal."""

import re
from pathlib import Path
from typing import Any

from apps import sections

GUIDE = (Path(__file__).parents[2] / "docs" / "sections.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def test_the_examples_run() -> None:
    names: dict[str, Any] = {}
    exec("\n".join(EXAMPLES), names)
    assert names["snapshot"].document_id == "service-guide"


def test_every_refusal_that_can_be_raised_is_named() -> None:
    raised = {name for name in sections.__all__ if hasattr(getattr(sections, name), "sentence")}
    named = set(re.findall(r"`(\w+Error)`", GUIDE.partition("## Refusals")[2]))
    assert raised <= named
