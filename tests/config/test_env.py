"""Environment readers: what they take, and the sentence that stops the start for what they do not."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


def test_a_variable_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAWRID_X", "value")

    assert env.text("MAWRID_X") == "value"


def test_a_variable_may_come_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("قيمة\n", encoding="utf-8")
    monkeypatch.setenv("MAWRID_X_FILE", str(tmp_path / "secret"))

    assert env.text("MAWRID_X") == "قيمة"


def test_without_a_default_a_missing_variable_stops_the_start() -> None:
    with pytest.raises(ImproperlyConfigured, match=r"MAWRID_X is not set. Set it"):
        env.text("MAWRID_X")


def test_a_file_that_cannot_be_read_stops_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAWRID_X_FILE", str(tmp_path / "nothing"))

    with pytest.raises(ImproperlyConfigured, match=r"MAWRID_X_FILE names .* cannot be read"):
        env.text("MAWRID_X")


def test_variable_and_file_together_stop_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MAWRID_X", "a")
    monkeypatch.setenv("MAWRID_X_FILE", str(tmp_path / "b"))

    with pytest.raises(ImproperlyConfigured, match="both set"):
        env.text("MAWRID_X")


@pytest.mark.parametrize("value", ["", "1", "65535"])
def test_a_whole_number_within_bounds_is_taken(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MAWRID_X", value)

    assert env.integer("MAWRID_X", 7, low=1, high=65_535) == int(value or 7)


@pytest.mark.parametrize("value", ["0", "65536", "-1", "1.5", "1e3", "٨٠", "0x10", " 5", "5 ", "many", "1_000"])
def test_any_other_number_stops_the_start(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MAWRID_X", value)

    with pytest.raises(ImproperlyConfigured, match="Give a whole number from 1 to 65535"):
        env.integer("MAWRID_X", 7, low=1, high=65_535)


@pytest.mark.parametrize(("value", "read"), [("true", True), ("FALSE", False), ("", True)])
def test_true_and_false_are_taken(monkeypatch: pytest.MonkeyPatch, value: str, read: bool) -> None:
    monkeypatch.setenv("MAWRID_X", value)

    assert env.boolean("MAWRID_X", default=True) is read


@pytest.mark.parametrize("value", ["1", "yes", "on", "truee"])
def test_any_other_word_stops_the_start(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MAWRID_X", value)

    with pytest.raises(ImproperlyConfigured, match="Give true or false"):
        env.boolean("MAWRID_X", default=True)


def test_a_list_drops_spaces_and_empty_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAWRID_X", " a, ,b,")

    assert env.items("MAWRID_X") == ["a", "b"]


@pytest.mark.parametrize("value", ["ftp://x", "x", "//x", "javascript:alert(1)"])
def test_an_address_of_another_scheme_stops_the_start(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("MAWRID_X", value)

    with pytest.raises(ImproperlyConfigured, match="does not start with http:// or https://"):
        env.url("MAWRID_X", schemes=frozenset({"http", "https"}))
