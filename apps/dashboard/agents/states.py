"""Which state of an agent somebody has seen, so that nobody saves over what came meanwhile without knowing."""

from collections.abc import Sequence

from apps.agents.models import Agent
from apps.agents.queries import Attaching
from apps.rest.etag import etag_of


def state_of_words(agent: Agent) -> str:
    """What the editor of name, instructions and limits starts from."""
    fields = ("name", "instructions", "min_score", "max_result_tokens")
    return etag_of({name: getattr(agent, name) for name in fields})


def state_of_switches(agent: Agent) -> str:
    """What the page of live switches starts from."""
    fields = ("knowledge_enabled", "route", "client_enabled", "client_audiences", "client_instructions")
    return etag_of({name: getattr(agent, name) for name in fields})


def state_of_draft(agent: Agent, attached: Sequence[Attaching]) -> str:
    """What publishing would freeze, and over which version."""
    sources = [one._asdict() for one in attached]
    return etag_of({"words": state_of_words(agent), "sources": sources, "published": agent.published_version})
