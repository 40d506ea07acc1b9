"""The list of stop words as callers see it."""

from apps.search.fold import fold
from apps.search.stop_words import stop_words


def test_every_entry_is_folded_and_says_kind_and_language() -> None:
    entries = stop_words()
    assert all(entry.word == fold(entry.word).strip() and entry.kind and entry.language for entry in entries)


def test_a_language_lists_a_word_once() -> None:
    entries = [(entry.language, entry.word) for entry in stop_words()]
    assert len(entries) == len(set(entries))


def test_written_arabic_five_dialects_arabizi_english_and_french_are_covered() -> None:
    languages = {entry.language for entry in stop_words()}
    assert languages >= {"ar", "afb", "arz", "apc", "acm", "ary", "ar-Latn", "en", "fr"}
