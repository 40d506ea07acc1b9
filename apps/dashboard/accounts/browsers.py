"""What a browser calls itself, in a few words that its owner recognises."""

from typing import Final

# The first that stands in the text counts: most browsers also claim to be others.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
_MAX_LENGTH: Final = 60


def short_name(user_agent: str) -> str:
    """``Chrome, Windows``; the beginning of the text itself when nothing in it is known."""
    known = [_first(user_agent, names) for names in (_BROWSERS, _SYSTEMS)]
    return ", ".join(name for name in known if name) or user_agent[:_MAX_LENGTH] or "?"


def _first(user_agent: str, names: tuple[tuple[str, str], ...]) -> str | None:
    return next((name for sign, name in names if sign in user_agent), None)
