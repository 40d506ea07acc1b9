"""Ids: prefix and lower-case ULID, sortable by the time they were made."""

import pytest

from apps.kernel.ids import ID_LENGTH, PREFIXES, is_id, new_id


@pytest.mark.conformance("KA-001")
@pytest.mark.parametrize("prefix", sorted(PREFIXES))
def test_a_new_id_has_the_form_of_its_kind(prefix: str) -> None:
    made = new_id(prefix)

    assert is_id(made, prefix)
    assert len(made) <= ID_LENGTH


def test_the_example_ids_of_the_documentation_are_ids() -> None:
    assert is_id("ks_01k6rz2n5q8t1w4z7c0f3h6k9m", "ks")


@pytest.mark.parametrize(
    "value",
    [
        "",
        "ks_",
        "ks_01k6rz2n5q8t1w4z7c0f3h6k9",
        "ks_01k6rz2n5q8t1w4z7c0f3h6k9mm",
        "ks_01K6RZ2N5Q8T1W4Z7C0F3H6K9M",
        "ks_81k6rz2n5q8t1w4z7c0f3h6k9m",
        "ks_01k6rz2n5q8t1w4z7c0f3h6kil",
        "ks_٠1k6rz2n5q8t1w4z7c0f3h6k9m",
        "key_01k6rz2n5q8t1w4z7c0f3h6k9m",
        "ks_01k6rz2n5q8t1w4z7c0f3h6k9m\n",
        None,
        7,
    ],
)
def test_anything_else_is_no_source_id(value: object) -> None:
    assert not is_id(value, "ks")


def test_an_unknown_prefix_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown id prefix"):
        new_id("xx")
