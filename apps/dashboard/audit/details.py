"""The details of a deed as people read them: every field and every value of the code in the reader's words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from apps.dashboard.audit.things import Thing
from apps.dashboard.digits import localised
from apps.dashboard.texts import Words

# What is told by another word of the entry, and says nothing to a person.
UNTOLD: Final = frozenset({"invitation"})


@dataclass(frozen=True, slots=True)
class Value:
    """One value: words of ours, content that somebody chose, a code of theirs, or a thing with a page."""

    text: str
    is_code: bool = False
    is_content: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    label: str
    values: Sequence[Value]


def details_of(action: str, details: Mapping[str, Any], things: Mapping[str, Thing], t: Words) -> list[Detail]:
    """What stands beside a deed, without what is empty."""
    told = ((field, value) for field, value in details.items() if field not in UNTOLD)
    found = ((field, [_value(action, field, one, things, t) for one in _each(value)]) for field, value in told)
    return [Detail(_label(action, field, t), values) for field, values in found if values]


def things_in(details: Mapping[str, Any]) -> Iterator[str]:
    """The ids that stand among the details."""
    return (str(details[field]) for field in _THINGS if field in details)


def name_in(details: Mapping[str, Any]) -> str:
    """What a thing was called when the deed was recorded; empty where that was not."""
    return next((str(details[field]) for field in _NAMES if details.get(field)), "")


def _label(action: str, field: str, t: Words) -> str:
    """A source's earlier contents are called otherwise than a document's revisions."""
    key = "field_content" if action.startswith("source.") and field == "revision" else f"field_{field}"
    return str(t["audit"][key]) if key in t["audit"] else field


def _each(value: Any) -> Sequence[Any]:
    if value is None or value == "":
        return []
    return value if isinstance(value, list) else [value]


def _value(action: str, field: str, value: Any, things: Mapping[str, Thing], t: Words) -> Value:
    text = str(value)
    if field in _THINGS and text in things:
        return Value(things[text].name, is_content=True, address=things[text].address)
    if field in _WORDED and (key := _WORDED[field](action, text)).partition(".")[2] in t[key.partition(".")[0]]:
        return Value(t(key))
    if isinstance(value, int) and not isinstance(value, bool):
        return Value(localised(value, t.language))
    return Value(text, is_code=field not in _CONTENTS, is_content=field in _CONTENTS)


def _reason(action: str, value: str) -> str:
    return f"clients.because_{value}" if action.startswith("agent_session.") else f"webhooks.off_{value}"


# Fields that hold the id of a thing, and those that hold what a person wrote.
_THINGS: Final = ("client", "agent")
# Fields that name the thing itself, for when it is gone.
_NAMES: Final = ("name", "email", "app_id", "document_id")
_CONTENTS: Final = frozenset({"name", "email", "on_behalf_of"})
# Fields whose values are words of the code, with the key of what they are called.
_WORDED: Final[Mapping[str, Callable[[str, str], str]]] = {
    "role": lambda _, value: f"shell.role_{value}",
    "before": lambda _, value: f"shell.role_{value}",
    "scopes": lambda _, value: f"keys.scope_{value}",
    "enabled": lambda _, value: f"audit.enabled_{value.lower()}",
    "status": lambda _, value: f"audit.status_{value}",
    "changed": lambda _, value: f"audit.changed_{value}",
    "reason": _reason,
}
