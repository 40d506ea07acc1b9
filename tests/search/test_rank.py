"""The best lines of a source are found by short ways, with the answer of a plain loop over lines."""

import random
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from apps.search.answers import answers_of_terms
from apps.search.costs import scale_for
from apps.search.engine import Join, Part, SearchResult, search
from apps.search.match import find_matches
from apps.search.rank import best_lines
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


def plainly_best(part: Part, query: str, limit: int) -> list[tuple[int, int]]:
    """Score line by line, each by its words alone; returns the best lines and their worth."""
    index = part.index
    sought = search([part], query).sought
    matches, scale = find_matches(index, sought), scale_for(len(sought.terms))
    scored = []
    for rank, (first, end) in zip(part.ranks, pairwise(part.bounds), strict=True):
        for line in range(first, end if rank is not None else first):
            answers = answers_of_terms(index, matches, line, scale)
            worth = sum(scale.worth(answer.cost) for answer in answers if answer is not None)
            scored.append((-worth, int(index.text_lengths[line]), rank, line))
    return [(line, -worth) for worth, _, _, line in sorted(scored)[:limit] if worth]


def ranked(part: Part, query: str, limit: int) -> list[tuple[int, int]]:
    sought = search([part], query).sought
    best = best_lines(
        part.index,
        find_matches(part.index, sought),
        scale_for(len(sought.terms)),
        limit,
        left_out=part.left_out(),
        ranks=part.line_ranks(),
    )
    return list(zip(best[0], best[2], strict=True))


# So many that each term is gathered by itself.
COPIES = 7000
# Words that are forms of one another, near one another, two in one, and read across scripts.
ALIKE_WORDS = "ورد وردي ورده الورد وردات دهن دهنورد ودهن عود عودي جل gel 2 لتر لترين 500 مل نص"
ALIKE = st.sampled_from(ALIKE_WORDS.split())
# Beside so many lines without any of these words the others are few.
OTHERS = compiled("زعفران\n" * 1000)
LINES = st.lists(st.lists(ALIKE, min_size=1, max_size=6).map(" ".join), max_size=8)


@settings(deadline=None)
@given(
    st.lists(LINES, min_size=1, max_size=4),
    st.permutations([None, 0, 1, 2]),
    st.lists(ALIKE, min_size=1, max_size=8),
    st.integers(1, 6),
)
@example([["دهنورد دهن", "دهنورد"]], [0], ["دهن", "ورد"], 2)
def test_the_best_lines_are_those_of_a_plain_loop_over_lines(
    sources: list[list[str]], ranks: list[int | None], words: list[str], limit: int
) -> None:
    segments = [compiled("\n".join(lines)) for lines in sources]
    ranks = ranks[: len(sources)]
    query = " ".join(words)
    best = plainly_best(Part(Join(segments), ranks), query, limit)
    assert ranked(Part(Join(segments), ranks), query, limit) == best
    assert ranked(Part(Join([*segments, OTHERS]), [*ranks, 3]), query, limit) == best


def test_many_terms_of_common_words_rank_many_lines_as_they_rank_few() -> None:
    lines = ["عنبر", "عطور ورود قديمه", "عطر", "مسك ورد", "عطر ورد"]
    endings = ["", "ه", "ي", "ك", "ات", "ين", "ون", "ان", "كم", "نا", "ها", "هم"]
    query = " ".join(word + ending for word in ("عطر", "ورد") for ending in endings)
    best = plainly_best(Part(compiled("\n".join(lines)), (0,)), query, 4)
    of_many = ranked(Part(compiled("\n".join(lines * COPIES)), (0,)), query, 4 * COPIES)
    assert [(line % len(lines), worth) for line, worth in of_many] == [one for one in best for _ in range(COPIES)]
