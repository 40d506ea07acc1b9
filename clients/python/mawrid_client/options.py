"""The options that every call takes, and the binding that says for which account a call is meant."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypedDict

from mawrid_client.errors import refuse_input


class Signal(Protocol):
    """What cancels a call once it is set, such as a `threading.Event` or an `asyncio.Event`."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Binding:
    """An account on a server: members that are None are not compared."""

    hub_url: str | None = None
    client_app_id: str | None = None
    workspace: str | None = None
    session_id: str | None = None

    def differs_from(self, other: "Binding") -> bool:
        """Whether any member that both name is another one."""
        pairs = (
            (self.hub_url, other.hub_url),
            (self.client_app_id, other.client_app_id),
            (self.workspace, other.workspace),
            (self.session_id, other.session_id),
        )
        return any(mine != theirs for mine, theirs in pairs if mine is not None and theirs is not None)


class CallOptions(TypedDict, total=False):
    """Keyword arguments of every call; each also in the spelling of other clients."""

    workspace: str
    connection_key: str
    connectionKey: str
    expected_binding: Binding | Mapping[str, str]
    expectedBinding: Binding | Mapping[str, str]
    signal: Signal


class SearchAliases(CallOptions, total=False):
    runId: str


class ReadAliases(CallOptions, total=False):
    runId: str
    maxBytes: int


@dataclass(frozen=True, slots=True)
class Options:
    """A call's options under their one name."""

    workspace: str | None = None
    connection_key: str | None = None
    expected_binding: Binding | None = None
    signal: Signal | None = None


_SPELLINGS: Final[Mapping[str, str]] = {
    "connectionKey": "connection_key",
    "expectedBinding": "expected_binding",
    "runId": "run_id",
    "maxBytes": "max_bytes",
    "hubUrl": "hub_url",
    "clientAppId": "client_app_id",
    "sessionId": "session_id",
}
_OPTION_NAMES: Final = frozenset({"workspace", "connection_key", "expected_binding", "signal"})
_BINDING_NAMES: Final = frozenset({"hub_url", "client_app_id", "workspace", "session_id"})


def one_spelling(given: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """The same members by their names in this package; one that is given in both spellings is refused."""
    named: dict[str, Any] = {}
    for name, value in given:
        own = _SPELLINGS.get(name, name)
        if named.get(own) is not None and value is not None:
            raise refuse_input(f"{own} is given twice.")
        if value is not None or own not in named:
            named[own] = value
    return named


def split(arguments: Mapping[str, Any], more: Mapping[str, Any]) -> tuple[Options, dict[str, Any]]:
    """A call's options, and its arguments with what `more` says of them in another spelling."""
    named = one_spelling([*arguments.items(), *more.items()])
    options = {name: named.pop(name) for name in _OPTION_NAMES & set(named)}
    unknown = sorted(set(named) - set(arguments))
    if unknown:
        raise TypeError(f"unexpected arguments: {', '.join(unknown)}")
    if options.get("expected_binding") is not None:
        options["expected_binding"] = binding_of(options["expected_binding"])
    return Options(**options), named


def only_options(given: Mapping[str, Any]) -> Options:
    """The options of a call whose arguments have no second spelling."""
    return split({}, given)[0]


def binding_of(given: Binding | Mapping[str, str]) -> Binding:
    if isinstance(given, Binding):
        return given
    named = one_spelling(given.items())
    if not set(named) <= _BINDING_NAMES:
        raise refuse_input("expected_binding holds hub_url, client_app_id, workspace and session_id, nothing else.")
    return Binding(**named)
