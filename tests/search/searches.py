"""Small searches in tests: a catalog given as its text, compiled and searched at once."""

from apps.search.chunks import lines
from apps.search.engine import Part, SearchResult, search
from apps.search.fold import fold
from apps.search.segment import Segment, compile_segment


def compiled(text: str) -> Segment:
    return Segment(compile_segment(lines(text)))


def search_catalog(catalog: str, query: str) -> SearchResult:
    return search([Part(compiled(catalog), (0,))], query)


def meets(sought: str, found: str) -> bool:
    """Whether a query word reaches a word of a line in the other script."""
    return bool(compiled(found).index.vocabulary.across(fold(sought)))


def find(catalog: str, query: str) -> list[str]:
    """Return the texts of the hits, best first."""
    return [hit.text for hit in search_catalog(catalog, query).hits]


def find_fully(catalog: str, query: str) -> list[str]:
    """Return the texts of the hits that match every word."""
    return [hit.text for hit in search_catalog(catalog, query).hits if hit.full_match]
