import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.vault.render import MalformedReferenceError, is_secret_name, parse_template


@pytest.mark.conformance("KA-071")
@pytest.mark.parametrize(
    ("text", "names", "sent"),
    [
        ("{{secret.TOKEN}}", ("TOKEN",), "abc"),
        ("Bearer {{secret.TOKEN}}", ("TOKEN",), "Bearer abc"),
        ("{{secret.TOKEN}}:{{secret.OTHER}}", ("TOKEN", "OTHER"), "abc:xyz"),
        ("{{secret.TOKEN}}{{secret.TOKEN}}", ("TOKEN", "TOKEN"), "abcabc"),
        ("a {b} c", (), "a {b} c"),
        ("{{{secret.TOKEN}}}", ("TOKEN",), "{abc}"),
        ("application/json", (), "application/json"),
    ],
)
def test_references_are_found_and_filled(text: str, names: tuple[str, ...], sent: str) -> None:
    template = parse_template(text)

    assert template.names == names
    assert template.render({"TOKEN": "abc", "OTHER": "xyz"}) == sent


@pytest.mark.parametrize(
    "text",
    [
        "{{secret.token}}",
        "{{ secret.TOKEN }}",
        "{{secret.TOKEN}",
        "{secret.TOKEN}}",
        "{{secret.}}",
        "{{secret.9TOKEN}}",
        "{{TOKEN}}",
        "{{env.TOKEN}}",
        "{{secret.TOKEN|upper}}",
        "{{secret.TO\u00d6KEN}}",
        "{{secret." + "A" * 65 + "}}",
        "{{secret.TOKEN}} and {{",
        "{{{{secret.TOKEN}}}}",
    ],
)
def test_double_braces_that_name_no_secret_are_refused(text: str) -> None:
    with pytest.raises(MalformedReferenceError):
        parse_template(text)


def test_a_value_that_looks_like_a_reference_is_not_filled_again() -> None:
    template = parse_template("{{secret.TOKEN}}")

    assert template.render({"TOKEN": "{{secret.OTHER}}"}) == "{{secret.OTHER}}"


def test_a_template_without_a_reference_is_literal() -> None:
    assert parse_template("Bearer abc").is_literal
    assert not parse_template("Bearer {{secret.TOKEN}}").is_literal


@given(st.text(alphabet="{}secrt.TOKEN ", max_size=60))
def test_any_text_is_either_refused_or_rendered_with_its_literals(text: str) -> None:
    try:
        template = parse_template(text)
    except MalformedReferenceError:
        return
    references = {name: f"{{{{secret.{name}}}}}" for name in template.names}

    assert template.render(references) == text


@pytest.mark.conformance("KA-113")
@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("A", True),
        ("TOKEN_2", True),
        ("A" * 64, True),
        ("A" * 65, False),
        ("", False),
        ("token", False),
        ("_TOKEN", False),
        ("2TOKEN", False),
        ("TOKEN-2", False),
        ("TOKEN\n", False),
        ("TOKEN٢", False),
    ],
)
def test_the_names_of_secrets(name: str, is_one: bool) -> None:
    assert is_secret_name(name) is is_one
