"""What keeps an agent from answering well, as pages say it: names apart, ids as code, numbers in the language."""

from collections.abc import Iterable
from typing import Any, Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.agents.readiness import Issue
from apps.agents.wording import PEOPLE
from apps.dashboard.digits import digits
from apps.dashboard.texts import isolated

_IDS: Final = frozenset({"source_id", "document_id", "sections"})
_NUMBERS: Final = frozenset({"tokens", "advised", "units", "limit"})


def sentence_of(issue: Issue, language: str) -> SafeString:
    sentence = PEOPLE[issue.code]
    values = {name: _shown(name, value, language) for name, value in issue.values.items()}
    return isolated(sentence.ar if language == "ar" else sentence.en, values)


def sentences_of(issues: Iterable[Issue], language: str) -> SafeString:
    return format_html_join(" ", "{}", ((sentence_of(issue, language),) for issue in issues))


def _shown(name: str, value: Any, language: str) -> str:
    if name in _IDS:
        return format_html("<code>{}</code>", value)
    return digits(value, language) if name in _NUMBERS else str(value)
