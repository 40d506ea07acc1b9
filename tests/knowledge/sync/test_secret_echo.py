"""A feed that throws a secret back at us in every part of a bad answer: nothing that we say repeats it (S-7)."""

from typing import Any, Final

import pytest

from apps.projects.scoping import project_scope
from apps.webhooks.models import Event
from tests.api_client import ApiClient
from tests.description import described
from tests.factories import Tenant
from tests.fakes.feed import Feed, Says
from tests.isolation.world import World, sound_call
from tests.knowledge.sync.conftest import CreateFeed
from tests.knowledge.sync.making import work
from tests.webhooks.making import make_endpoint

SECRET: Final = "sk-live-Zx81QvLm"

ANSWERS: Final = {
    "as the body of a refusal": Says(f"not you, {SECRET}".encode(), 403),
    "as the body of a failure": Says(SECRET.encode(), 500),
    "as a page": Says(f"<h1>{SECRET}</h1>".encode()),
    "as another JSON": Says(f'{{"token": "{SECRET}"}}'.encode()),
    "as broken JSON": Says(f'{{"products": [{{"name": "{SECRET}"'.encode()),
    "in items without a line": Says(f'{{"products": [{{"token": "{SECRET}"}}]}}'.encode()),
    "as the place of a redirect": Says(status=302, headers={"Location": f"https://{SECRET}.example/?t={SECRET}"}),
    "as a type": Says(headers={"Content-Type": f"text/{SECRET}; charset={SECRET}"}, body=b"<"),
    "as a coding": Says(headers={"Content-Encoding": SECRET}),
    "as a time to wait": Says(status=429, headers={"Retry-After": SECRET}),
    "as a tag": Says(status=500, headers={"ETag": f'"{SECRET}"', "Last-Modified": SECRET}),
}


def all_that_can_be_read(api: ApiClient, shop: Tenant) -> str:
    """Every answer to a GET, the events that webhooks get, and nothing but these."""
    world = World(shop)
    reading = [operation for operation in described().operations.values() if operation.method == "GET"]
    answers = [sound_call(operation, world).send(api).content.decode() for operation in reading]
    with project_scope(shop.id):
        answers += Event.objects.for_project(shop.id).values_list("body", flat=True)
    return "\n".join(answers)


@pytest.fixture(params=list(ANSWERS.values()), ids=list(ANSWERS))
def source_id(request: pytest.FixtureRequest, api: ApiClient, feed: Feed, create: CreateFeed) -> str:
    """A source whose feed gets the secret and throws it back."""
    secret: dict[str, Any] = {"name": "TOKEN", "value": SECRET, "allowed_hosts": ["127.0.0.1"]}
    assert api.post("/v1/secrets", secret).status_code == 201
    feed.says = request.param
    return str(create(config={"headers": {"Authorization": "Bearer {{secret.TOKEN}}"}})["id"])


@pytest.mark.conformance("S-7", "S-1")
def test_what_a_feed_throws_back_is_not_repeated(
    api: ApiClient, shop: Tenant, feed: Feed, source_id: str, capfd: pytest.CaptureFixture[str]
) -> None:
    make_endpoint(shop, "https://shop.example/hook")

    work(shop)

    assert feed.asked[0]["authorization"] == f"Bearer {SECRET}"
    own = [api.get(f"/v1/knowledge_sources/{source_id}{below}").content.decode() for below in ("", "/sync_runs")]
    assert '"failed"' in own[1]
    assert SECRET not in "\n".join([*own, all_that_can_be_read(api, shop), *capfd.readouterr()])
