"""What an index remembers of recent words: the newest half for sure, and never more than it may."""

from apps.search.remembered import Remembered

# Of an index of no words, so many terms with so many answers fill a half.
FILLING = 4
ANSWERS = dict.fromkeys(range(240), 1)


def filled(names: str) -> Remembered:
    remembered = Remembered(0)
    for name in names:
        remembered.put((name,), ANSWERS)
    return remembered


def known(remembered: Remembered, names: str) -> str:
    return "".join(name for name in names if remembered.get((name,)) is not None)


def test_what_answered_a_word_is_remembered() -> None:
    remembered = Remembered(0)
    remembered.put(("عسل",), {7: 0})
    assert remembered.get(("عسل",)) == {7: 0}
    assert remembered.get(("عسل", "عسسل")) is None


def test_that_nothing_answered_is_remembered_too() -> None:
    remembered = Remembered(0)
    remembered.put(("عسل",), {})
    assert remembered.get(("عسل",)) == {}


def test_as_many_of_the_newest_words_as_fill_a_half_are_known() -> None:
    assert known(filled("abcdef"), "cdef") == "cdef"


def test_older_words_are_forgotten() -> None:
    assert filled("abcdefghi").get(("a",)) is None


def test_a_word_that_is_asked_again_outlives_those_that_came_with_it() -> None:
    remembered = filled("abcd")
    for name in "efghijkl":
        remembered.put((name,), ANSWERS)
        assert remembered.get(("a",)) is not None
    assert remembered.get(("b",)) is None


def test_never_more_than_two_halves_are_kept() -> None:
    names = "abcdefghijklmnopqrstuvwxyz"
    assert len(known(filled(names), names[::-1])) <= 2 * FILLING


def test_of_a_word_with_very_many_answers_nothing_is_remembered() -> None:
    remembered = filled("ab")
    remembered.put(("عسل",), dict.fromkeys(range(1000), 1))
    assert remembered.get(("عسل",)) is None
    assert known(remembered, "ab") == "ab"


def test_an_index_of_more_words_remembers_more() -> None:
    names = "abcdefghijklmnopqrstuvwxyz"
    remembered = Remembered(100_000)
    for name in names:
        remembered.put((name,), ANSWERS)
    assert known(remembered, names) == names


def test_all_is_forgotten_on_demand() -> None:
    remembered = filled("abcdef")
    remembered.clear()
    assert known(remembered, "abcdef") == ""
