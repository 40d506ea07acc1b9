"""Memory with a bound: least recently used entries go first, counted in bytes."""

from hypothesis import given
from hypothesis import strategies as st

from apps.knowledge.cache import ByteBoundedCache


def cache(capacity: int = 10) -> ByteBoundedCache[str, int]:
    return ByteBoundedCache(lambda: capacity)


def test_what_was_put_is_got() -> None:
    kept = cache()
    kept.put("a", 1, 5)
    assert (kept.get("a"), kept.get("b")) == (1, None)


def test_the_least_recently_used_entry_goes_first() -> None:
    kept = cache()
    kept.put("a", 1, 4)
    kept.put("b", 2, 4)
    kept.get("a")
    kept.put("c", 3, 4)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (1, None, 3)


def test_an_entry_larger_than_the_capacity_is_not_kept() -> None:
    kept = cache()
    kept.put("a", 1, 11)
    assert (kept.get("a"), kept.nbytes) == (None, 0)


def test_putting_again_replaces_value_and_size() -> None:
    kept = cache()
    kept.put("a", 1, 8)
    kept.put("a", 2, 3)
    assert (kept.get("a"), kept.nbytes) == (2, 3)


def test_entries_are_discarded_by_their_key() -> None:
    kept = cache()
    kept.put("a1", 1, 1)
    kept.put("b1", 2, 1)
    kept.discard(lambda key: key.startswith("a"))
    assert (kept.get("a1"), kept.get("b1"), kept.nbytes) == (None, 2, 1)


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.integers(0, 12))))
def test_the_bound_always_holds(puts: list[tuple[str, int]]) -> None:
    kept = cache()
    sizes = {}
    for key, size in puts:
        kept.put(key, size, size)
        sizes[key] = size
    present = [size for key, size in sizes.items() if kept.get(key) == size]
    assert kept.nbytes == sum(present) <= 10
