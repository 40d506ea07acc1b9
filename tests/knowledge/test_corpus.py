"""What a process remembers for searching: never stale, never foreign, bounded, and made anew when it has to be."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection

from apps.knowledge import corpus, lookup, queries, searched, services, shelf
from apps.knowledge.groups import MOST_LOOSE, Groups, Held
from apps.knowledge.models import Revision
from apps.projects.scoping import project_scope
from apps.search.chunks import lines
from apps.search.segment import Segment, compile_segment
from tests.factories import Tenant, make_tenant

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Shop:
    """A project and short ways to change and search it."""

    id: str

    def create(self, content: str) -> str:
        with project_scope(self.id):
            return services.create_source(self.id, name="n", kind="catalog", content=content, actor="t").id

    def change(self, source_id: str, content: str) -> None:
        with project_scope(self.id):
            source = queries.get_source(self.id, source_id, lock=True)
            services.update_source(source, content=content, actor="t")

    def delete(self, source_id: str) -> None:
        with project_scope(self.id):
            services.delete_source(queries.get_source(self.id, source_id, lock=True), detach=False, actor="t")

    def find(self, query: str, source_ids: list[str] | None = None) -> list[str]:
        """The sources of the hits."""
        with project_scope(self.id):
            return [hit["source_id"] for hit in lookup.search(self.id, query, source_ids)["hits"]]


@pytest.fixture
def here(shop: Tenant) -> Shop:
    return Shop(shop.id)


@pytest.fixture
def many(here: Shop) -> list[str]:
    """Twenty small sources; each says its own number."""
    return [here.create(f"بخور {1000 + number}\nعود") for number in range(20)]


def test_many_small_sources_are_searched_as_few_parts(here: Shop, many: list[str]) -> None:
    here.find("بخور")
    with project_scope(here.id):
        assert len(corpus.parts(here.id, searched.read(here.id, None, None))) == 1


def test_every_source_is_found_through_the_groups(here: Shop, many: list[str]) -> None:
    found = [here.find(f"{1000 + number}") for number in range(20)]
    assert found == [[source_id] for source_id in many]


@pytest.mark.parametrize("restart", [False, True])
def test_an_edited_source_is_found_by_its_new_content_only(here: Shop, many: list[str], restart: bool) -> None:
    here.find("بخور")
    here.change(many[7], "مسك 7777")
    if restart:
        shelf.forget_everything()
    assert (here.find("7777"), here.find("1007"), here.find("1008")) == ([many[7]], [], [many[8]])


def test_a_deleted_source_is_not_found(here: Shop, many: list[str]) -> None:
    here.find("بخور")
    here.delete(many[7])
    assert here.find("1007") == []


def test_a_content_that_returns_is_found_again(here: Shop, many: list[str]) -> None:
    here.change(many[7], "مسك")
    here.find("بخور")
    here.change(many[7], "بخور 1007")
    assert here.find("1007") == [many[7]]


def test_some_sources_of_many_are_searched_in_the_order_asked_for(here: Shop, many: list[str]) -> None:
    here.find("بخور")
    asked = many[::-2]
    assert here.find("عود", asked) == asked


def test_a_group_is_kept_when_only_some_of_it_is_asked_for(here: Shop, many: list[str]) -> None:
    here.find("بخور")
    here.find("بخور", many[:3])
    here.find("بخور", many[:12])
    assert here.find("1019") == [many[19]]


def test_many_edits_between_searches_are_all_seen(here: Shop, many: list[str]) -> None:
    here.find("بخور")
    for number, source_id in enumerate(many[:15]):
        here.change(source_id, f"مسك {2000 + number}")
    assert here.find("2011") == [many[11]]
    assert sorted(here.find("مسك")) == sorted(many[:15])


def test_random_edits_and_deletions_never_show_anything_stale(here: Shop, many: list[str]) -> None:
    dice = random.Random(5)
    contents = {source_id: f"{1000 + number}" for number, source_id in enumerate(many)}
    for step in range(40):
        source_id = dice.choice(list(contents))
        contents[source_id] = f"{3000 + step}"
        here.change(source_id, f"بخور {3000 + step}")
        asked = dice.choice(list(contents))
        assert here.find(contents[asked]) == [asked]


def test_projects_do_not_see_each_others_memory(here: Shop) -> None:
    elsewhere = Shop(make_tenant("متجر آخر").id)
    theirs = [elsewhere.create("بخور") for _ in range(10)]
    ours = [here.create("بخور") for _ in range(10)]
    assert (here.find("بخور"), elsewhere.find("بخور")) == (ours, theirs)


def test_a_fresh_process_reads_what_was_stored(here: Shop, many: list[str]) -> None:
    shelf.forget_everything()
    searched.forget_everything()
    assert here.find("1013") == [many[13]]


def test_a_segment_of_another_format_is_compiled_and_stored_anew(here: Shop) -> None:
    source_id = here.create("بخور")
    shelf.forget_everything()
    with project_scope(here.id):
        Revision.objects.for_project(here.id).update(segment=b"MWRD of another time")
    assert here.find("بخور") == [source_id]
    with project_scope(here.id):
        stored = Revision.objects.for_project(here.id).get().segment
    assert len(Segment(bytes(stored or b""))) == 1


def test_a_revision_replaced_before_it_is_read_starts_the_search_over(
    here: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    source_id = here.create("بخور")
    read = searched.read

    def read_before_a_change(*asked: Any, **how: Any) -> searched.Searched:
        found = read(*asked, **how)
        monkeypatch.setattr(searched, "read", read)
        here.change(source_id, "بخور 2")
        shelf.forget_everything()
        return found

    monkeypatch.setattr(searched, "read", read_before_a_change)
    assert here.find("بخور") == [source_id]


def test_a_search_inside_of_a_change_that_fails_leaves_nothing_behind(here: Shop, many: list[str]) -> None:
    def fail() -> None:
        with project_scope(here.id):
            here.change(many[0], "مسك 9999")
            here.find("9999")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert (here.find("9999"), here.find("1000")) == ([], [many[0]])


def test_a_deleted_projects_memory_is_dropped(here: Shop, many: list[str]) -> None:
    here.find("بخور")
    shelf.forget_project(here.id)
    assert here.find("1003") == [many[3]]


@pytest.mark.django_db(transaction=True)
def test_threads_share_the_memory(shop: Tenant) -> None:
    here = Shop(shop.id)
    ids = [here.create(f"بخور {1000 + number}") for number in range(30)]
    shelf.forget_everything()
    start = threading.Barrier(4)

    def ask(seed: int) -> list[list[str]]:
        start.wait()
        try:
            return [here.find(f"{1000 + (seed * 7 + step) % 30}") for step in range(10)]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(4)))
    assert found == [[[ids[(seed * 7 + step) % 30]] for step in range(10)] for seed in range(4)]


# --- groups, without a database -----------------------------------------------------------------------------


def members(first: int, count: int, *, line_count: int = 10) -> dict[Held, Segment]:
    segment = Segment(compile_segment(lines("\n".join(["بخور"] * line_count))))
    return {Held(f"ks_{number}", number, line_count): segment for number in range(first, first + count)}


def sizes(groups: Groups) -> list[int]:
    return sorted(len(group.members) for group in groups.groups)


def test_loose_sources_are_carried_over_like_a_binary_counter() -> None:
    groups, seen = Groups(), []
    for step in range(4):
        groups = groups.regrouped(members(step * 5, 5), frozenset())
        seen.append(sizes(groups))
    assert seen == [[5], [10], [5, 10], [20]]


def test_no_group_is_larger_than_its_limit() -> None:
    groups = Groups().regrouped(members(0, 25, line_count=9_000), frozenset())
    assert sizes(groups) == [3, 11, 11]


def test_dead_members_are_left_out_when_a_group_is_made_anew() -> None:
    groups = Groups().regrouped(members(0, 8), frozenset()).regrouped(members(8, 5), frozenset({0, 1, 2, 3, 4}))
    assert sorted(groups.segments) == list(range(5, 13))


def test_a_group_is_half_dead_when_most_of_it_is() -> None:
    groups = Groups().regrouped(members(0, 8), frozenset())
    assert (groups.is_half_dead(range(4)), groups.is_half_dead(range(5))) == (False, True)


def test_a_few_ranked_members_are_searched_one_by_one() -> None:
    (group,) = Groups().regrouped(members(0, 8), frozenset()).groups
    ranks = {number: number for number in range(MOST_LOOSE)}
    assert [list(part.ranks) for part in group.parts(ranks)] == [[0], [1], [2], [3]]
    assert [list(part.ranks) for part in group.parts({**ranks, 7: 9})] == [[0, 1, 2, 3, None, None, None, 9]]
