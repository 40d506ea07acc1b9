"""Changes to the list of what an agent attaches, each on the list as it stands, so that none undoes another's."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from apps.agents.editions import Attached as AttachedNow
from apps.agents.editions import AttachedDocument
from apps.agents.models import Mode
from apps.agents.queries import Attaching

Attached = Sequence[Attaching]


class NotAttachedError(LookupError):
    """What was to be changed is not attached any more."""


def key_of(one: Attaching) -> str:
    """What names an attachment in a form; the id of a document is its caller's, and may look like a source's."""
    return f"document:{one.attached_id}" if one.is_document else f"source:{one.attached_id}"


def key_of_attached(one: AttachedNow) -> str:
    """The same of what is attached as it is now."""
    if isinstance(one, AttachedDocument):
        return f"document:{one.document_id}"
    return f"source:{one.source_id}"


def one_up(attached: Attached, key: str) -> list[Attaching]:
    return _moved(attached, key, -1)


def one_down(attached: Attached, key: str) -> list[Attaching]:
    return _moved(attached, key, 1)


def _moved(attached: Attached, key: str, by: int) -> list[Attaching]:
    """At either end it stays where it is."""
    place = _place(attached, key)
    moved = [one for one in attached if key_of(one) != key]
    moved.insert(max(0, place + by), attached[place])
    return moved


def always(attached: Attached, key: str) -> list[Attaching]:
    _place(attached, key)
    return _in_mode(attached, {key}, Mode.ALWAYS)


def searchable(attached: Attached, key: str) -> list[Attaching]:
    _place(attached, key)
    return all_searchable(attached, {key})


def all_searchable(attached: Attached, keys: Collection[str]) -> list[Attaching]:
    """Those of the named that are attached become searchable, the rest stays as it is."""
    return _in_mode(attached, keys, Mode.SEARCHABLE)


def _in_mode(attached: Attached, keys: Collection[str], mode: Mode) -> list[Attaching]:
    return [one._replace(mode=mode.value) if key_of(one) in keys else one for one in attached]


def without(attached: Attached, key: str) -> list[Attaching]:
    place = _place(attached, key)
    return [*attached[:place], *attached[place + 1 :]]


def joined(attached: Attached, more: Attached) -> list[Attaching]:
    """With more at its end; what is attached already stays as it is."""
    known = {key_of(one) for one in attached}
    return [*attached, *(one for one in more if key_of(one) not in known)]


def put(attached: Attached, one: Attaching) -> list[Attaching]:
    """With one in the place where it stands already, else at the end."""
    if all(key_of(known) != key_of(one) for known in attached):
        return [*attached, one]
    return [one if key_of(known) == key_of(one) else known for known in attached]


def _place(attached: Attached, key: str) -> int:
    place = next((place for place, one in enumerate(attached) if key_of(one) == key), None)
    if place is None:
        raise NotAttachedError(key)
    return place


# What a button beside an attachment does, by its value.
DEEDS: Final[Mapping[str, Callable[[Attached, str], list[Attaching]]]] = {
    "up": one_up,
    "down": one_down,
    "always": always,
    "searchable": searchable,
    "remove": without,
}


def as_given(attached: Attached) -> list[dict[str, Any]]:
    """As a change of an agent takes it."""
    return [
        {"document_id": one.attached_id, "selection": one.wanted.selection, "mode": one.mode}
        if one.is_document
        else {"source_id": one.attached_id, "mode": one.mode}
        for one in attached
    ]
