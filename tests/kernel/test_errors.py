"""The error catalogue: codes are unique and every sentence exists in both languages."""

import pytest

from apps.kernel.errors import CATALOGUE, AppError, FieldError, define


def test_a_code_cannot_be_defined_twice() -> None:
    with pytest.raises(ValueError, match="defined twice"):
        define("not_found", 404, "x", "x")


def test_an_error_without_a_catalogued_code_cannot_be_raised() -> None:
    with pytest.raises(KeyError):
        AppError("nobody_knows_this")


def test_several_faults_are_one_error_that_names_the_first() -> None:
    error = AppError.of_fields([FieldError("not_found", "a"), FieldError("internal_error", "b")])

    assert (error.code, error.param, len(error.errors)) == ("not_found", "a", 2)


def test_a_single_fault_is_listed_too() -> None:
    assert AppError("not_found", param="a").errors == (FieldError("not_found", "a"),)


# Refusals of outgoing requests bring the sentence of their reason; the room that knows the reasons tests those.
OWN_SENTENCE = sorted(code for code, entry in CATALOGUE.items() if (entry.en, entry.ar) != ("{en}", "{ar}"))


@pytest.mark.parametrize("code", OWN_SENTENCE)
def test_every_sentence_is_there_in_both_languages(code: str) -> None:
    entry = CATALOGUE[code]

    assert entry.en.endswith(".")
    assert any("؀" <= letter <= "ۿ" for letter in entry.ar)
