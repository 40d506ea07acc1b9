"""What the tests of documents share: documents made through the API, and something that saves selections."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.kernel import hooks
from apps.kernel.hooks import SelectionUser
from tests.api_client import ApiClient

DOCUMENTS = "/v1/documents"
PUBLISH = f"{DOCUMENTS}/publish"
SNAPSHOTS = "/v1/snapshots"
WHOLE = {"mode": "document"}

GUIDE = """مقدمة عامة.
<!-- agent-section:delivery -->
نوصل إلى كل المدن.
<!-- agent-section:delivery.timing -->
خلال يومين.
<!-- /agent-section:delivery.timing -->
التوصيل مجاني من 200 ريال.
<!-- /agent-section:delivery -->
<!-- agent-section:returns -->
خلال أسبوع.
<!-- /agent-section:returns -->
"""

Put = Callable[..., dict[str, Any]]
Read = Callable[..., dict[str, Any]]


def error_of(answer: Any) -> tuple[int, str, str | None]:
    """Status, code and field of a refusal."""
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["param"]


@pytest.fixture
def put(api: ApiClient) -> Put:
    """Make a document of the shop what is given; the guide unless text or parts are."""

    def make(
        document_id: str = "guide", *, client: ApiClient = api, query: str = "", **fields: Any
    ) -> dict[str, Any]:
        content = {} if fields.keys() & {"text", "parts"} else {"text": GUIDE}
        answer = client.put(f"{DOCUMENTS}/{document_id}{query}", {"revision": "1", **content, **fields})
        assert answer.status_code in {200, 201}, answer.content.decode()
        made: dict[str, Any] = answer.json()
        return made

    return make


@pytest.fixture
def read(api: ApiClient) -> Read:
    """Read a selection of a document of the shop."""

    def ask(mode: str = "document", *section_ids: str, of: str = "guide", **fields: Any) -> dict[str, Any]:
        answer = api.post(f"{DOCUMENTS}/{of}/read", {"selection": chosen(mode, *section_ids), **fields})
        assert answer.status_code == 200, answer.content.decode()
        found: dict[str, Any] = answer.json()
        return found

    return ask


def chosen(mode: str, *section_ids: str) -> dict[str, Any]:
    return {"mode": mode, "section_ids": list(section_ids)} if section_ids else {"mode": mode}


class Saved:
    """A room above that saves selections, as agents do."""

    def __init__(self) -> None:
        self.selections: dict[str, dict[str, Any]] = {}

    def save(self, document_id: str, mode: str, *section_ids: str) -> None:
        self.selections[document_id] = chosen(mode, *section_ids)

    def users(self, _: str, document_id: str) -> list[SelectionUser]:
        selection = self.selections.get(document_id)
        return [] if selection is None else [SelectionUser("agt_1", "Adviser", selection)]

    def detach(self, _: str, document_id: str) -> None:
        self.selections.pop(document_id, None)


@pytest.fixture
def saved() -> Iterator[Saved]:
    room = Saved()
    hooks.selection_users.add(room.users)
    hooks.document_detachers.add(room.detach)
    yield room
    hooks.selection_users.remove(room.users)
    hooks.document_detachers.remove(room.detach)
