"""What the walks over the API description send: ids that exist, ids that do not, sound bodies for everything."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlencode

from django.core.files.uploadedfile import SimpleUploadedFile

from apps.kernel.ids import new_id
from apps.knowledge.models import SyncRun
from apps.projects.scoping import project_scope
from tests.api_client import ApiClient
from tests.description import FORM, JSON, Operation
from tests.factories import Tenant, make_key

CATALOG: Final = "صندوق بخور — 95 ريال\nدهن عود كمبودي 12 مل — 520 ريال\nعسل سدر 500 جرام — 230 ريال"

# For each name of a path parameter or id field: an id of the right form that nothing has.
UNKNOWN: Final[Mapping[str, Callable[[], str]]] = {
    "key_id": lambda: new_id("key"),
    "source_id": lambda: new_id("ks"),
    "feed_id": lambda: new_id("ks"),
    "secret_id": lambda: new_id("sec"),
    "endpoint_id": lambda: new_id("whe"),
    "delivery_id": lambda: new_id("whd"),
    "agent_id": lambda: new_id("agt"),
    "run_id": lambda: new_id("run"),
    "revision": lambda: "0" * 64,
    "agent_client_id": lambda: new_id("acl"),
    "session_id": lambda: new_id("ses"),
    "document_id": lambda: f"document-{new_id('ks')}",
    "section_id": lambda: f"section-{new_id('ks')[3:].upper()}-00",
    "snapshot_id": lambda: f"snap_{'0' * 64}",
}
# For each field that an operation requires: a value that it takes, whatever the operation.
BODY_VALUES: Final[Mapping[str, Any]] = {
    "allowed_hosts": ["shop.example"],
    "allowed_routes": ["order-assistant"],
    "content": CATALOG,
    "device_label": "till",
    "documents": [{"id": "published", "revision": "1", "text": "A text."}],
    "events": ["*"],
    "kind": "catalog",
    "mode": "document",
    "name": "PRICES",
    "on_behalf_of": "Noura",
    "principal": {"id": "u-17", "audience": "internal"},
    "query": "صندق بخور",
    "scopes": ["read"],
    "sample": [{"name": "عود"}],
    "text": "A text.",
    "transform": None,
    "url": "https://shop.example/hook",
    "value": "a value",
}


# Called ids, and names that callers choose for new things.
_CHOSEN_NAMES: Final = frozenset({"app_id"})
# Where an operation makes what callers name as they like: what nobody has is no mistake there.
_CHOSEN: Final = frozenset(
    {("put_document", "document_id"), ("put_document", "revision"), ("publish_documents", "revision")}
)
# Where an id is one of the thing that is named beside it, and of nothing else; that one's place is walked.
_OF_ANOTHER: Final = frozenset({("create_agent", "section_ids"), ("update_agent", "section_ids")})
# Where a name stands for something narrower than everywhere else.
_NARROWER: Final[Mapping[tuple[str, str], str]] = {
    ("/v1/knowledge_sources/{source_id}/sync", "source_id"): "feed_id",
    ("/v1/knowledge_sources/{source_id}/sync_runs", "source_id"): "feed_id",
}
# What an operation needs although the description cannot require it, because it depends on other fields.
_ALSO_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "create_knowledge_source": ("content",),
    "put_document": ("text",),
}


# What stands beside an id, by the end of its field's place, where an object is not whole without it.
_BESIDE: Final[Mapping[tuple[str, ...], Mapping[str, Any]]] = {
    ("sources", "[0]", "source_id"): {"mode": "always"},
    ("sources", "[0]", "document_id"): {"mode": "always", "selection": {"mode": "document"}},
    ("selection", "section_ids"): {"mode": "self"},
}


class World:
    """One project with something of every kind in it."""

    def __init__(self, tenant: Tenant) -> None:
        self.tenant = tenant
        self.api = ApiClient(tenant.key)
        self._ids: dict[str, str] = {}
        self._made = 0
        # What two worlds of one project may not both be called.
        self.own_word = new_id("ks")[3:].upper()

    def id_of(self, name: str) -> str:
        """The id that stands for a parameter of this name; the same one each time."""
        if name not in self._ids:
            self._ids[name] = self.another(name)
        return self._ids[name]

    def another(self, name: str) -> str:
        """A new thing of this kind; its id."""
        make = _MAKERS.get(name)
        assert make is not None, (
            f"Nobody knows what {name!r} names. Give _MAKERS in tests/isolation/world.py a maker of such things, "
            "and UNKNOWN there an id of their form."
        )
        self._made += 1
        return make(self, self._made)

    def fill(self) -> "World":
        """Make two of everything, so that lists have two pages."""
        for name in _MAKERS:
            self.id_of(name)
            self.another(name)
        return self

    def limited_client(self) -> ApiClient:
        """A client whose key has every scope and is limited to the world's first sources."""
        return ApiClient(make_key(self.tenant, source_ids=[self.id_of("source_id"), self.id_of("feed_id")])[1])

    def create(self, path: str, **body: Any) -> Any:
        answer = self.api.post(path, body)
        assert answer.status_code == 201, answer.content.decode()
        return answer.json()

    def change(self, path: str, **body: Any) -> Any:
        answer = self.api.patch(path, body)
        assert answer.status_code == 200, answer.content.decode()
        return answer.json()


def _make_key(world: World, number: int) -> str:
    return str(world.create("/v1/api_keys", name=f"till {number}", scopes=["read"])["id"])


def _make_source(world: World, number: int) -> str:
    created = world.create("/v1/knowledge_sources", name=f"prices {number}", kind="catalog", content=CATALOG)
    return str(created["id"])


def _make_feed(world: World, number: int) -> str:
    """A source of kind api with two runs, of which one has ended."""
    config = {"url": "https://shop.example/feed.json"}
    created = world.create("/v1/knowledge_sources", name=f"feed {number}", kind="api", config=config)
    with project_scope(world.tenant.id):
        SyncRun.objects.for_project(world.tenant.id).update(status="failed", error_code="timeout")
    assert world.api.post(f"/v1/knowledge_sources/{created['id']}/sync").status_code == 202
    return str(created["id"])


def _make_secret(world: World, number: int) -> str:
    name = f"TOKEN_{world.own_word}_{number}"
    return str(world.create("/v1/secrets", name=name, value="a value", allowed_hosts=["shop.example"])["id"])


def _make_revision(world: World, number: int) -> str:
    """An earlier content of the source that no other source has."""
    path = f"/v1/knowledge_sources/{world.id_of('source_id')}"
    earlier = world.change(path, content=f"{CATALOG}\n{world.id_of('source_id')} {number}")["revision"]
    world.change(path, content=CATALOG)
    return str(earlier)


def _make_endpoint(world: World, number: int) -> str:
    url = f"https://shop.example/hook/{number}"
    return str(world.create("/v1/webhook_endpoints", url=url, events=["*"])["id"])


def _make_delivery(world: World, _: int) -> str:
    answer = world.api.post(f"/v1/webhook_endpoints/{world.id_of('endpoint_id')}/test")
    assert answer.status_code == 202, answer.content.decode()
    return str(answer.json()["id"])


def _make_agent_client(world: World, number: int) -> str:
    app_id = f"till-{world.own_word}-{number}"
    routes = BODY_VALUES["allowed_routes"]
    return str(world.create("/v1/agent_clients", app_id=app_id, name=app_id, allowed_routes=routes)["id"])


def _make_agent_session(world: World, _: int) -> str:
    granted = {name: BODY_VALUES[name] for name in ("principal", "on_behalf_of", "allowed_routes", "device_label")}
    client_id = world.id_of("agent_client_id")
    return str(world.create("/v1/agent_sessions", agent_client_id=client_id, **granted)["session_id"])


def _make_agent(world: World, number: int) -> str:
    """An agent with two versions, and a source of its own, so that no other one is in use."""
    sources = [{"source_id": world.another("source_id"), "mode": "searchable"}]
    agent_id = str(world.create("/v1/agents", name=f"agent {number}", knowledge={"sources": sources})["id"])
    for _ in range(2):
        assert world.api.post(f"/v1/agents/{agent_id}/publish").status_code == 200
    return agent_id


def _make_run(world: World, _: int) -> str:
    return str(world.create(f"/v1/agents/{world.id_of('agent_id')}/runs")["id"])


def _make_document(world: World, number: int) -> str:
    document_id = f"document-{world.own_word}-{number}"
    _put_document(world, document_id, revision="1", parts=["A text."])
    return document_id


def _make_section(world: World, number: int) -> str:
    """A section of the document, with all that were made before it."""
    sections = [{"id": f"section-{world.own_word}-{made:02}", "parts": ["A text."]} for made in range(number + 1)]
    _put_document(world, world.id_of("document_id"), revision=f"with {number}", parts=sections)
    return str(sections[number]["id"])


def _put_document(world: World, document_id: str, **body: Any) -> None:
    answer = world.api.put(f"/v1/documents/{document_id}", body)
    assert answer.status_code in {200, 201}, answer.content.decode()


def _make_snapshot(world: World, _: int) -> str:
    path = f"/v1/documents/{world.another('document_id')}/snapshots"
    return str(world.create(path, selection={"mode": "document"})["id"])


# For each name of a path parameter or id field: how to make what it names.
_MAKERS: Final[Mapping[str, Callable[[World, int], str]]] = {
    "key_id": _make_key,
    "source_id": _make_source,
    "feed_id": _make_feed,
    "revision": _make_revision,
    "secret_id": _make_secret,
    "endpoint_id": _make_endpoint,
    "delivery_id": _make_delivery,
    "agent_id": _make_agent,
    "run_id": _make_run,
    "agent_client_id": _make_agent_client,
    "session_id": _make_agent_session,
    "document_id": _make_document,
    "section_id": _make_section,
    "snapshot_id": _make_snapshot,
}


def unknown_id(name: str) -> str:
    assert name in UNKNOWN, f"Give UNKNOWN in tests/isolation/world.py an id of the form that {name!r} has."
    return UNKNOWN[name]()


def id_name_of(field: str) -> str | None:
    """The name in `_MAKERS` of what a field or a query parameter holds ids of; None when it holds none."""
    if field in _CHOSEN_NAMES:
        return None
    name = field.removesuffix("s") if field.endswith("_ids") else field
    return name if name.endswith("_id") or name in UNKNOWN else None


def is_chosen(operation: Operation, name: str) -> bool:
    """Whether the caller chooses what stands here for something that the operation makes."""
    return (operation.stated["operationId"], name) in _CHOSEN


# --- requests -----------------------------------------------------------------------------------------------

# Where a value stands in a body: names of fields, and `ITEM` for the first item of a list.
Place = tuple[str, ...]
ITEM: Final = "[0]"


@dataclass
class Call:
    """A request that an operation takes; every part may be replaced before it is sent."""

    operation: Operation
    ids: dict[str, str]
    media_type: str = JSON
    body: dict[str, Any] | None = None
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def send(self, client: ApiClient) -> Any:
        path = self.operation.path.format_map(self.ids)
        if self.query:
            path += f"?{urlencode(self.query)}"
        if self.media_type == FORM:
            return client.upload(self.operation.method, path, self.body or {}, **self.headers)
        return client.request(self.operation.method, path, self.body, **self.headers)

    def put(self, place: Place, value: Any) -> "Call":
        """Set one field of the body, making the objects and lists around it."""
        assert self.body is not None
        self.body = _with_value(self.body, place, value)
        field = place[:-1] if place[-1] == ITEM else place
        for name, also in _BESIDE.get(field[-3:], {}).items():
            self.body = _with_value(self.body, (*field[:-1], name), also)
        return self


def _with_value(inside: Any, place: Place, value: Any) -> Any:
    if not place:
        return value
    name, *rest = place
    if name == ITEM:
        return [_with_value((inside or [{}])[0], tuple(rest), value)]
    return {**(inside or {}), name: _with_value((inside or {}).get(name), tuple(rest), value)}


def thing_at(operation: Operation, name: str) -> str:
    """The name in `_MAKERS` of what a path parameter of an operation stands for."""
    return _NARROWER.get((operation.path, name), name)


def sound_call(operation: Operation, world: World) -> Call:
    """A request that succeeds: ids of the world in the path, what is required in the body and nothing else."""
    call = Call(operation, {name: _path_id(operation, name, world) for name in operation.path_names})
    for media_type in (JSON, FORM):
        schema = operation.body_schemas.get(media_type)
        if schema is not None:
            call.media_type, call.body = media_type, _required_fields(operation, schema, world)
            break
    return call


def _path_id(operation: Operation, name: str, world: World) -> str:
    return unknown_id(name) if is_chosen(operation, name) else world.id_of(thing_at(operation, name))


def _required_fields(operation: Operation, schema: Mapping[str, Any], world: World) -> dict[str, Any]:
    shape = operation.description.shape(schema)
    properties = shape["properties"]
    required = [*shape.get("required", []), *_ALSO_NEEDED.get(operation.stated["operationId"], ())]
    return {name: _value_of(operation, name, properties[name], world) for name in required if name in properties}


def _value_of(operation: Operation, field: str, schema: Mapping[str, Any], world: World) -> Any:
    name = id_name_of(field)
    if name is not None:
        return [world.id_of(name)] if field.endswith("_ids") else world.id_of(name)
    if field == "file":
        return SimpleUploadedFile("prices.txt", CATALOG.encode(), "text/plain")
    shape = operation.description.shape(schema)
    if "properties" in shape and field not in BODY_VALUES:
        return _required_fields(operation, shape, world)
    if field == "app_id":
        return f"agent-{world.own_word}"
    assert field in BODY_VALUES, (
        f"Nobody knows a sound value of the field {field!r}. Give BODY_VALUES in tests/isolation/world.py one."
    )
    return BODY_VALUES[field]


def id_places(operation: Operation) -> list[Place]:
    """Every place in the JSON body of an operation where an id may stand, required or not."""
    schema = operation.body_schemas.get(JSON)
    return [] if schema is None else list(_id_places(operation, schema))


def _id_places(operation: Operation, schema: Mapping[str, Any], outer: Place = ()) -> Iterator[Place]:
    shape = operation.description.shape(schema)
    if "items" in shape:
        yield from _id_places(operation, shape["items"], (*outer, ITEM))
    for name, stated in shape.get("properties", {}).items():
        if is_chosen(operation, name) or (operation.stated["operationId"], name) in _OF_ANOTHER:
            continue
        if id_name_of(name) is None:
            yield from _id_places(operation, stated, (*outer, name))
        else:
            yield (*outer, name, ITEM) if name.endswith("_ids") else (*outer, name)
