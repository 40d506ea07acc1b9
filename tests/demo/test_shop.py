"""The demo project: made once, and whole enough that a newcomer finds everything at work."""

from pathlib import Path

import pytest
from pytest_django import Settings

from apps.demo import shop
from apps.demo.shop import Demo
from tests.api_client import ApiClient


@pytest.fixture
def demo(db: None, settings: Settings, tmp_path: Path) -> Demo:
    settings.DATA_DIR = tmp_path
    return shop.prepare()


@pytest.fixture
def visitor(demo: Demo) -> ApiClient:
    return ApiClient(demo.api_key)


def test_the_demo_is_made_once(demo: Demo) -> None:
    assert shop.prepare() == demo


def test_pasting_the_guide_to_documents_touches_nothing_of_the_demo() -> None:
    """Its lines put documents and delete them again, in the project that the printed key opens."""
    pasted = Path(__file__).parents[2] / "docs" / "documents.md"

    assert shop.GUIDE not in pasted.read_text(encoding="utf-8")


def test_a_price_is_found_through_a_slip(visitor: ApiClient) -> None:
    hits = visitor.post("/v1/knowledge/search", {"query": "كم سعر صندق البخور"}).json()["hits"]

    assert hits[0]["full_match"]


def test_the_agent_of_the_demo_is_published_and_ready(visitor: ApiClient) -> None:
    [agent] = visitor.get("/v1/agents").json()["data"]

    assert (agent["published_version"], agent["route"]) == (1, "shop-assistant")
    assert visitor.get(f"/v1/agents/{agent['id']}/readiness").json() == {
        "object": "agent_readiness",
        "ready": True,
        "issues": [],
    }


def test_the_agent_finds_a_section_of_the_guide(visitor: ApiClient) -> None:
    [agent] = visitor.get("/v1/agents").json()["data"]
    run = visitor.post(f"/v1/agents/{agent['id']}/runs").json()

    told = visitor.post(
        f"/v1/agents/{agent['id']}/runs/{run['id']}/search_knowledge", {"query": "وين رابط التتبع"}
    ).json()

    assert told["hits"][0]["section_id"] == "delivery.tracking"
