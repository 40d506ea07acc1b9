"""Hook points: upper rooms fill them, each function once."""

from collections.abc import Callable

from apps.kernel.hooks import HookPoint


def test_a_function_is_called_once_however_often_it_was_added() -> None:
    point: HookPoint[Callable[[], int]] = HookPoint("numbers")

    def one() -> int:
        return 1

    point.add(one)
    point.add(one)

    assert [function() for function in point] == [1]


def test_a_removed_function_is_not_called() -> None:
    point: HookPoint[Callable[[], int]] = HookPoint("numbers")
    one = point.add(lambda: 1)

    point.remove(one)

    assert list(point) == []
