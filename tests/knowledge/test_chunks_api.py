"""The chunks of a source as callers page through them."""

import pytest

from tests.api_client import ApiClient
from tests.knowledge.conftest import SOURCES, CreateSource

pytestmark = pytest.mark.django_db


@pytest.mark.conformance("KA-055")
def test_chunks_come_in_order_with_positions_from_one(api: ApiClient, create: CreateSource) -> None:
    source = create("عود\n\nمسك\nبخور")
    path = f"{SOURCES}/{source['id']}/chunks"
    page = api.get(f"{path}?limit=2").json()
    rest = api.get(f"{path}?limit=2&cursor={page['next_cursor']}").json()
    assert [(chunk["position"], chunk["text"]) for chunk in page["data"] + rest["data"]] == [
        (1, "عود"),
        (2, "مسك"),
        (3, "بخور"),
    ]
    assert (page["has_more"], rest["next_cursor"]) == (True, None)


def test_a_csv_chunk_shows_its_fields_and_the_header_is_none(api: ApiClient, create: CreateSource) -> None:
    source = create("الصنف,السعر\nبخور,95", config={"format": "csv"})
    assert api.get(f"{SOURCES}/{source['id']}/chunks").json()["data"] == [
        {"position": 1, "text": "بخور — 95", "group": None, "fields": {"الصنف": "بخور", "السعر": "95"}}
    ]


@pytest.mark.conformance("KA-057", "KA-058")
def test_a_text_has_a_chunk_a_paragraph_of_at_most_800_characters(api: ApiClient, create: CreateSource) -> None:
    long = " ".join(["كلمة"] * 400)
    source = create(f"قصير\n\nقصير أيضا\n\n{long}", kind="text")
    texts = [chunk["text"] for chunk in api.get(f"{SOURCES}/{source['id']}/chunks").json()["data"]]
    assert texts[:2] == ["قصير", "قصير أيضا"]
    assert max(map(len, texts)) <= 800
    assert "".join(texts[2:]) == long


def test_a_restart_finds_the_chunks_again(api: ApiClient, create: CreateSource) -> None:
    from apps.knowledge import shelf

    source = create()
    shelf.forget_everything()
    assert len(api.get(f"{SOURCES}/{source['id']}/chunks").json()["data"]) == 1
