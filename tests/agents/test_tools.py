"""The search tool, in the forms that model APIs take."""

import pytest

from apps.agents.tools import FORMS, MAX_DESCRIPTION, search_tools
from tests.agents.making import edition, searchable, source

SCHEMAS = {
    "openai": lambda tool: tool["function"]["parameters"],
    "anthropic": lambda tool: tool["input_schema"],
    "mcp": lambda tool: tool["inputSchema"],
}
DESCRIPTIONS = {
    "openai": lambda tool: tool["function"]["description"],
    "anthropic": lambda tool: tool["description"],
    "mcp": lambda tool: tool["description"],
}
NAMES = {"openai": lambda tool: tool["function"]["name"]}


def test_every_form_is_looked_at() -> None:
    assert set(SCHEMAS) == set(DESCRIPTIONS) == set(FORMS)


@pytest.mark.conformance("KA-020")
@pytest.mark.parametrize("form", FORMS)
def test_the_tool_is_called_search_knowledge(form: str) -> None:
    (tool,) = search_tools(edition(searchable("Prices")), form)

    assert NAMES.get(form, lambda tool: tool["name"])(tool) == "search_knowledge"


@pytest.mark.conformance("KA-020")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "without", [edition(), edition(source()), edition(searchable("a"), knowledge_enabled=False)], ids=str
)
def test_there_is_no_tool_without_a_searchable_source(form: str, without: object) -> None:
    assert search_tools(without, form) == []  # type: ignore[arg-type]  # an edition


@pytest.mark.parametrize("form", FORMS)
def test_the_schema_is_strict(form: str) -> None:
    (tool,) = search_tools(edition(searchable("Prices")), form)
    schema = SCHEMAS[form](tool)

    assert schema["additionalProperties"] is False
    assert schema["required"] == list(schema["properties"]) == ["query"]
    assert schema["properties"]["query"]["type"] == "string"


def test_the_forms_are_those_of_the_apis() -> None:
    searching = edition(searchable("Prices"))
    (openai,), (anthropic,), (mcp,) = (search_tools(searching, form) for form in ("openai", "anthropic", "mcp"))

    assert set(openai) == {"type", "function"}
    assert openai["type"] == "function"
    assert set(openai["function"]) == {"name", "description", "parameters", "strict"}
    assert openai["function"]["strict"] is True
    assert set(anthropic) == {"name", "description", "input_schema"}
    assert set(mcp) == {"name", "description", "inputSchema", "annotations"}
    assert mcp["annotations"]["readOnlyHint"] is True


@pytest.mark.parametrize("form", FORMS)
def test_the_description_names_the_searchable_sources_in_order(form: str) -> None:
    searching = edition(searchable("Perfumes"), source("Hours"), searchable("Bakhoor"))

    description = DESCRIPTIONS[form](search_tools(searching, form)[0])

    assert description.endswith("Sources: Perfumes, Bakhoor.")


@pytest.mark.parametrize("locale", ["ar", "en"])
def test_a_description_never_grows_past_what_apis_take(locale: str) -> None:
    many = edition(*(searchable("ن" * 195 + f"{number:5}") for number in range(100)), locale=locale)

    (tool,) = search_tools(many, "mcp")

    assert len(tool["description"]) <= MAX_DESCRIPTION
    assert "    0" in tool["description"]
    assert tool["description"].rstrip(".").endswith(("97 more", "و97 غيرها", "96 more", "و96 غيرها"))


def test_the_tool_is_described_in_the_language_of_the_project() -> None:
    (tool,) = search_tools(edition(searchable("العطور"), searchable("البخور"), locale="ar"), "mcp")

    assert tool["description"].endswith("المصادر: العطور، البخور.")
