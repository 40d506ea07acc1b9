"""Pages fill their budget, tear nothing, and joined are the body."""

import json
from collections.abc import Callable, Iterator
from itertools import accumulate, cycle
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.gateway.budget import (
    CHAIN_BYTES,
    LEAST_PAGE_BYTES,
    MOST_PAGE_BYTES,
    Page,
    Window,
    cost,
    cut_page,
    fitting,
    window_bytes,
)
from apps.gateway.clusters import is_boundary
from tests.gateway.texts import ALPHABETS, FAMILY, body_of

BUDGETS: Final = (*range(LEAST_PAGE_BYTES, MOST_PAGE_BYTES + 1, 1_021), MOST_PAGE_BYTES)
# A page may leave free what one more character would take, and this.
SLACK: Final = 64


def answer(page: Page) -> bytes:
    """A page in an answer much like the real one, as it is sent."""
    cursor = None if page.next_start is None else f"{page.next_start:027}"
    return msgspec.json.encode(
        {
            "ref": "r" * 128,
            "title": 'قائمة "الأسعار"',
            "content": page.content,
            "next_cursor": cursor,
            "truncated": page.truncated,
            "budget_exhausted": page.budget_exhausted,
        }
    )


def page_from(body: str, start: int, max_bytes: int) -> Page:
    data = body.encode()
    window = Window(data[start : start + window_bytes(max_bytes)], start, len(data))
    return cut_page(window, max_bytes=max_bytes, frame=lambda page: len(answer(page)))


def pages_of(body: str, *budgets: int) -> Iterator[Page]:
    """A chain of pages, each asked for in the next of these sizes and in the first one again."""
    start: int | None = 0
    sizes = cycle(budgets)
    while start is not None:
        page = page_from(body, start, next(sizes))
        yield page
        start = page.next_start


def joined(pages: list[Page]) -> str:
    return "".join(page.content for page in pages)


by_alphabet: Callable[[Any], Any] = pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS)
by_budget: Callable[[Any], Any] = pytest.mark.parametrize("budget", BUDGETS)


@pytest.mark.conformance("BH-066", "BH-067")
@by_alphabet
@by_budget
def test_joined_pages_are_the_body(alphabet: tuple[str, ...], budget: int) -> None:
    body = body_of(alphabet, 40_000)

    assert joined(list(pages_of(body, budget))) == body


@pytest.mark.conformance("BH-065")
@by_alphabet
@by_budget
def test_no_page_is_larger_than_its_budget(alphabet: tuple[str, ...], budget: int) -> None:
    pages = pages_of(body_of(alphabet, 40_000), budget)

    assert max(len(answer(page)) for page in pages) <= budget


@pytest.mark.conformance("BH-065")
@by_alphabet
@by_budget
def test_no_page_but_the_last_wastes_more_than_a_character_and_64_bytes(
    alphabet: tuple[str, ...], budget: int
) -> None:
    *full, last = pages_of(body_of(alphabet, 60_000), budget)
    dearest = max(cost(cluster) for cluster in alphabet)

    assert full
    assert min(len(answer(page)) for page in full) >= budget - dearest - SLACK
    assert last.next_start is None


@pytest.mark.conformance("BH-066")
@by_alphabet
@by_budget
def test_no_page_ends_inside_a_cluster(alphabet: tuple[str, ...], budget: int) -> None:
    body = body_of(alphabet, 20_000)
    ends = accumulate(len(page.content) for page in pages_of(body, budget))

    assert all(is_boundary(body, end) for end in ends)


@pytest.mark.conformance("BH-067", "SDK-022")
def test_the_last_page_says_that_it_is_all() -> None:
    *earlier, last = pages_of("ب" * 9_000, LEAST_PAGE_BYTES)

    assert (last.truncated, last.budget_exhausted, last.next_start) == (False, False, None)
    assert {(page.truncated, page.budget_exhausted) for page in earlier} == {(True, False)}


@pytest.mark.conformance("BH-068", "BH-069", "SDK-023", "SDK-024")
@by_alphabet
@pytest.mark.parametrize("budget", [LEAST_PAGE_BYTES, 16_384, MOST_PAGE_BYTES])
def test_a_chain_ends_at_128_kib_and_says_that_it_is_not_all(alphabet: tuple[str, ...], budget: int) -> None:
    body = body_of(alphabet, CHAIN_BYTES + 30_000)

    pages = list(pages_of(body, budget))

    shown = joined(pages)
    dearest = max(len(cluster.encode()) for cluster in alphabet)
    assert body.startswith(shown)
    assert CHAIN_BYTES - dearest < len(shown.encode()) <= CHAIN_BYTES
    assert (pages[-1].truncated, pages[-1].budget_exhausted, pages[-1].next_start) == (True, True, None)
    assert all(page.content for page in pages)


@pytest.mark.conformance("BH-068")
@pytest.mark.parametrize(("excess", "exhausted"), [(-1, False), (0, False), (1, True)])
def test_a_body_of_128_kib_is_read_whole_and_one_byte_more_is_not(excess: int, exhausted: bool) -> None:
    body = "a" * (CHAIN_BYTES + excess)

    *_, last = pages_of(body, MOST_PAGE_BYTES)

    assert last.budget_exhausted is exhausted
    assert last.truncated is exhausted


def test_a_cluster_across_the_end_of_a_chain_is_left_out_whole() -> None:
    body = "a" * (CHAIN_BYTES - 3) + FAMILY + "b" * 5_000

    assert joined(list(pages_of(body, MOST_PAGE_BYTES))) == "a" * (CHAIN_BYTES - 3)


def test_an_endless_cluster_is_cut_between_code_points_and_fills_its_pages() -> None:
    body = "ب" + "\u064e" * 20_000

    pages = list(pages_of(body, LEAST_PAGE_BYTES))

    assert joined(pages) == body
    assert min(len(answer(page)) for page in pages[:-1]) >= LEAST_PAGE_BYTES - 2


def test_an_empty_body_is_one_whole_page() -> None:
    assert list(pages_of("", LEAST_PAGE_BYTES)) == [Page("", None, truncated=False, budget_exhausted=False)]


@pytest.mark.conformance("BH-066")
def test_pages_of_changing_sizes_join_as_well() -> None:
    body = body_of(ALPHABETS["of all"], 60_000)

    pages = list(pages_of(body, 4_096, 32_768, 5_000, 17_001))

    assert joined(pages) == body


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=400))
def test_the_cost_of_a_text_is_what_the_encoder_makes_of_it(text: str) -> None:
    assert cost(text) == len(msgspec.json.encode(text)) - 2


@given(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12_000),
    st.integers(min_value=LEAST_PAGE_BYTES, max_value=MOST_PAGE_BYTES),
)
def test_pages_of_any_text_join_and_stay_within_any_budget(text: str, budget: int) -> None:
    pages = list(pages_of(text, budget))

    assert joined(pages) == text
    assert all(len(answer(page)) <= budget for page in pages)


@given(
    st.lists(st.sampled_from(ALPHABETS["of all"]), max_size=60).map("".join),
    st.integers(min_value=0, max_value=300),
)
def test_a_text_cut_to_fit_begins_like_it_and_has_room(text: str, room: int) -> None:
    cut = fitting(text, room)

    assert text.startswith(cut)
    assert len(json.dumps(cut, ensure_ascii=False).encode()) - 2 <= room
    assert is_boundary(text, len(cut))
