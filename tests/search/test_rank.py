"""The best lines of a large source: found by other ways than those of a small one, with the same answer."""

import random

import pytest

from apps.search.engine import Part, SearchResult, search
from tests.search.searches import compiled

LINES_OF_A_SMALL_SOURCE = 100
CHANCE = random.Random(11)
WORDS = ["".join(CHANCE.choices("ثخذضظغ", k=CHANCE.randint(3, 7))) for _ in range(300)]
# The first word stands in more lines than are copied together, the next ones in hundreds.
WEIGHTS = [200, 40, 40, 20, 20, *([1] * (len(WORDS) - 5))]
CATALOG = [" ".join(CHANCE.choices(WORDS, WEIGHTS, k=CHANCE.randint(2, 6))) for _ in range(6000)]
LARGE = [Part(compiled("\n".join(CATALOG)), (0,))]
SMALL = [
    Part(compiled("\n".join(CATALOG[first : first + LINES_OF_A_SMALL_SOURCE])), (first // LINES_OF_A_SMALL_SOURCE,))
    for first in range(0, len(CATALOG), LINES_OF_A_SMALL_SOURCE)
]


def shown(result: SearchResult) -> list[tuple[int, str, int, float, list[list[int]]]]:
    """Return each hit with its place among the lines of all sources."""
    return [
        (
            hit.source_rank * LINES_OF_A_SMALL_SOURCE + hit.position,
            hit.text,
            hit.matched_words,
            hit.score,
            hit.highlights,
        )
        for hit in result.hits
    ]


@pytest.mark.parametrize("limit", [1, 10, 25])
@pytest.mark.parametrize(
    "query",
    [
        pytest.param(WORDS[0], id="one word of thousands of lines"),
        pytest.param(f"{WORDS[0]} {WORDS[1]} {WORDS[9]}", id="frequent and rare words"),
        pytest.param(f"{WORDS[7]} {WORDS[8]} {WORDS[9]}", id="rare words"),
        pytest.param(f"{WORDS[0][1:]} {WORDS[20]} {WORDS[1]}", id="a frequent word misspelt"),
        pytest.param(f"{WORDS[3]}{WORDS[0]} {WORDS[2]}", id="two words written as one"),
        pytest.param(f"{WORDS[0][:3]} {WORDS[0][3:]} {WORDS[1]}", id="one word written as two"),
    ],
)
def test_a_large_source_is_searched_like_its_lines_in_small_ones(query: str, limit: int) -> None:
    assert shown(search(LARGE, query, limit=limit)) == shown(search(SMALL, query, limit=limit))
