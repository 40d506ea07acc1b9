"""Past 8,000 tokens of always-sources there is advice, which names what saves most and refuses nothing."""

import pytest

from apps.agents.advice import worth_searching
from tests.agents.conftest import AGENTS, CreateAgent, CreateSource
from tests.agents.making import source
from tests.api_client import ApiClient


@pytest.mark.conformance("KA-023")
@pytest.mark.parametrize(
    ("estimates", "named"),
    [
        ([], []),
        ([7_900], []),
        ([4_000, 4_000], []),
        ([8_001], ["0"]),
        ([8_100], ["0"]),
        ([4_000, 4_001], ["1"]),
        ([100, 9_000, 200], ["1"]),
        ([3_000, 7_000, 6_000], ["1", "2"]),
        ([5_000, 5_000, 5_000], ["0", "1"]),
    ],
)
def test_the_largest_sources_are_named_until_the_rest_is_within_the_advice(
    estimates: list[int], named: list[str]
) -> None:
    sources = [source(str(place), token_estimate=estimate) for place, estimate in enumerate(estimates)]

    assert [chosen.name for chosen in worth_searching(sources)] == named


@pytest.fixture
def overfull(source: CreateSource, agent: CreateAgent) -> tuple[str, str]:
    """The path of an agent that attaches a short source and a very long one, and the id of that."""
    short, long = (
        source("we are open", kind="text", name="Hours"),
        source("كلمة " * 30_000, kind="text", name="FAQ"),
    )
    return f"{AGENTS}/{agent((short, 'always'), (long, 'always'))}", long


@pytest.mark.django_db
@pytest.mark.conformance("KA-023", "KA-024")
def test_an_agent_may_attach_more_and_is_advised(api: ApiClient, overfull: tuple[str, str]) -> None:
    path, long = overfull

    (warning,) = api.get(path).json()["warnings"]

    assert (warning["code"], warning["source_ids"]) == ("always_knowledge_large", [long])
    assert "FAQ" in warning["message"]


@pytest.mark.django_db
@pytest.mark.conformance("KA-023")
@pytest.mark.parametrize(("place", "key"), [("/prompt", "warnings"), ("/readiness", "issues")])
def test_the_advice_stands_beside_the_prompt_and_in_readiness(
    api: ApiClient, overfull: tuple[str, str], place: str, key: str
) -> None:
    told = api.get(f"{overfull[0]}{place}").json()[key]

    assert [one["code"] for one in told] == ["prompt_too_large", "always_knowledge_large"][-len(told) :]


@pytest.mark.django_db
def test_searchable_sources_count_for_nothing(api: ApiClient, source: CreateSource, agent: CreateAgent) -> None:
    path = f"{AGENTS}/{agent((source('كلمة ' * 30_000, kind='text'), 'searchable'))}"

    assert api.get(path).json()["warnings"] == []
