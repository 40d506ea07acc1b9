"""Describes the tool that an agent searches its knowledge with, in the forms of the model APIs."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from apps.agents.editions import Edition
from apps.agents.wording import TOOL, TOOL_MORE_SOURCES, TOOL_QUERY, TOOL_SOURCES

NAME: Final = "search_knowledge"
# The tightest bound that a model API sets; of more sources than fit, the rest is counted.
MAX_DESCRIPTION: Final = 1_024

Tool = dict[str, Any]


def search_tools(edition: Edition, form: str) -> list[Tool]:
    """The tools of an edition in one of the `FORMS`; none when there is nothing to search."""
    if not edition.searchable:
        return []
    return [FORMS[form](_description(edition), _schema(edition.locale))]


def _schema(locale: str) -> dict[str, Any]:
    """Every property required and no other one taken, as strict model APIs ask for."""
    return {
        "type": "object",
        "properties": {"query": {"type": "string", "description": TOOL_QUERY.put(locale)}},
        "required": ["query"],
        "additionalProperties": False,
    }


def _description(edition: Edition) -> str:
    names = [source.name for source in edition.searchable]
    return next(
        text
        for shown in range(len(names), 0, -1)
        if len(text := f"{TOOL.put(edition.locale)} {_sources(names, shown, edition.locale)}") <= MAX_DESCRIPTION
    )


def _sources(names: list[str], shown: int, locale: str) -> str:
    listed = ("، " if locale == "ar" else ", ").join(names[:shown])
    if shown == len(names):
        return TOOL_SOURCES.put(locale, names=listed)
    return TOOL_MORE_SOURCES.put(locale, names=listed, left=len(names) - shown)


def _openai(description: str, schema: dict[str, Any]) -> Tool:
    function = {"name": NAME, "description": description, "parameters": schema, "strict": True}
    return {"type": "function", "function": function}


def _anthropic(description: str, schema: dict[str, Any]) -> Tool:
    return {"name": NAME, "description": description, "input_schema": schema}


def _mcp(description: str, schema: dict[str, Any]) -> Tool:
    hints = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
    return {"name": NAME, "description": description, "inputSchema": schema, "annotations": hints}


FORMS: Final[Mapping[str, Callable[[str, dict[str, Any]], Tool]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "mcp": _mcp,
}
