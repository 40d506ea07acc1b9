"""Assembles the prompt of an agent: the one place that decides what a model is told before anybody asks it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from apps.agents.editions import Attached, Edition
from apps.agents.wording import REFERENCE_ONLY
from apps.knowledge import tokens

CONTEXT_TITLE: Final = "Context Information"
LIVE_LABEL: Final = "Live: applies to all versions"
# What agent clients take of instructions, in UTF-16 units.
MAX_CLIENT_UNITS: Final = 100_000
# What always-sources may hold together; past that no model reads it, and showing it would only cost memory.
MAX_PROMPT_CHARACTERS: Final = 2_000_000

_BETWEEN: Final = "\n\n"


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a prompt, what it goes by, and the sources and documents whose text it holds."""

    title: str
    label: str
    text: str
    token_estimate: int
    sources: tuple[Attached, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """All that a model is told, section by section and as one text."""

    sections: tuple[Section, ...]
    text: str

    @property
    def token_estimate(self) -> int:
        return sum(section.token_estimate for section in self.sections)

    @property
    def sources(self) -> tuple[Attached, ...]:
        return tuple(source for section in self.sections for source in section.sources)


def assemble(edition: Edition, *, client_instructions: str = "") -> Prompt:
    """The prompt of an edition whose always-sources have their content.

    The sources come last, so that what is said of them holds to the end. One without content, because its feed was
    never fetched, is left out.
    """
    used = [(source, source.content) for source in edition.always if source.content is not None]
    named = [(source.name, content) for source, content in used]
    sections = [
        *_written("Instructions", label_of(edition.version), edition.instructions),
        *_written("Agent client", LIVE_LABEL, client_instructions),
    ]
    if used:
        sources = tuple(source for source, _ in used)
        estimate = _tokens_of_context(sources, edition.locale)
        sections.append(Section(CONTEXT_TITLE, LIVE_LABEL, _context(named, edition.locale), estimate, sources))
    text = text_of(edition.instructions, client_instructions, named, edition.locale)
    return Prompt(tuple(sections), text)


def text_of(instructions: str, client_instructions: str, sources: Sequence[tuple[str, str]], locale: str) -> str:
    """The whole text of a prompt; `sources` are the names and contents of what always stands in it."""
    texts = [instructions, client_instructions, _context(sources, locale) if sources else ""]
    return _BETWEEN.join(text for text in texts if text)


def parts_of(section: Section, locale: str) -> list[tuple[Attached | None, str]]:
    """The text of a section by what it comes from; what stands above all sources comes from none of them.

    Joined by empty lines, they are the text.
    """
    if not section.sources:
        return [(None, section.text)]
    of_sources = [(source, f"{_heading(source.name)}{source.content}") for source in section.sources]
    return [(None, _opening(locale)), *of_sources]


def label_of(version: int | None) -> str:
    return "Draft" if version is None else f"Version {version}"


def client_units(text: str) -> int:
    """The length of a text as agent clients count it: in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def _written(title: str, label: str, text: str) -> list[Section]:
    return [Section(title, label, text, tokens.estimate(text))] if text else []


def _context(sources: Sequence[tuple[str, str]], locale: str) -> str:
    """One heading over all, then each source as stored under its name."""
    return _BETWEEN.join([_opening(locale), *(f"{_heading(name)}{content}" for name, content in sources)])


def _opening(locale: str) -> str:
    return f"# {CONTEXT_TITLE}{_BETWEEN}{REFERENCE_ONLY.put(locale)}"


def _heading(name: str) -> str:
    return f"## {name}{_BETWEEN}"


def _tokens_of_context(sources: Sequence[Attached], locale: str) -> int:
    """The estimates of the contents are kept with them; only what stands around them is new."""
    around = [_opening(locale), *(_heading(source.name) for source in sources)]
    return sum(map(tokens.estimate, around)) + sum(source.token_estimate for source in sources)
