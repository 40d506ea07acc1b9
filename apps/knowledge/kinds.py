"""The kinds of sources and what differs between them, one entry each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from apps.kernel.errors import AppError, FieldError
from apps.knowledge import csv_items, errors
from apps.knowledge.sync import config as feed_config
from apps.search.chunks import Chunk, lines, paragraphs

Config = dict[str, Any]

MAX_TEXT_LENGTH: Final = 200_000
MAX_LINE_LENGTH: Final = 2_000
# No list of goods comes near it within 5 MiB; lines of one letter do, and cost seconds and a gigabyte.
MAX_ITEMS: Final = 500_000

_CSV_FAULTS: Final = {
    csv_items.UnclosedQuoteError: errors.CSV_UNCLOSED_QUOTE,
    csv_items.CellTooLongError: errors.CSV_CELL_TOO_LONG,
    csv_items.ItemTooLongError: errors.LINE_TOO_LONG,
}


@dataclass(frozen=True, slots=True)
class Kind:
    """What a kind of source takes and how its content becomes chunks.

    `settle` fills a config with what holds where it is silent, and checks it with the project's help when one is
    given; `cut` refuses content by raising `AppError` with the param ``content``.
    """

    name: str
    config_keys: frozenset[str]
    settle: Callable[[Config, str | None], Config | None]
    complete_by_default: Callable[[Config | None], bool]
    cut: Callable[[str, Config | None], list[Chunk]]
    # The config of content that was uploaded as a CSV file.
    config_of_csv_file: Mapping[str, Any]
    # Whether its content comes from a feed and from nobody else.
    is_fetched: bool = False

    def merge(
        self, config: Config | None, change: Mapping[str, Any] | None, *, project_id: str | None = None
    ) -> Config | None:
        """The config after a change of some of its keys; None as a change starts over, None as a value unsets.

        Raises `config_not_taken` or `unknown_field` for what the kind does not know, and what `settle` refuses.
        """
        if change is None:
            return self.settle({}, project_id)
        if not self.config_keys:
            raise AppError(errors.CONFIG_NOT_TAKEN, param="config")
        merged = {**(config or {}), **change}
        known = {key: value for key, value in merged.items() if key in self.config_keys and value is not None}
        faults = [FieldError("unknown_field", f"config.{key}") for key in change if key not in self.config_keys]
        try:
            settled = self.settle(known, project_id)
        except AppError as refusal:
            raise AppError.of_fields([*refusal.errors, *faults]) from refusal
        if faults:
            raise AppError.of_fields(faults)
        return settled


def _cut_text(content: str, _: Config | None) -> list[Chunk]:
    if len(content) > MAX_TEXT_LENGTH:
        raise AppError("too_long", param="content", params={"limit": MAX_TEXT_LENGTH})
    return paragraphs(_without_mark(content))


def _cut_catalog(content: str, config: Config | None) -> list[Chunk]:
    _check_line_ends(content)
    settled = config or {}
    if settled.get("format") == "csv":
        return _cut_csv(content, header=settled["header"], delimiter=settled.get("delimiter"))
    items = lines(_without_mark(content))
    _check_number(items)
    if any(len(item.text) > MAX_LINE_LENGTH for item in items):
        raise _line_too_long(_number_of_first_long_line(content))
    return items


def _cut_csv(content: str, *, header: bool, delimiter: str | None) -> list[Chunk]:
    records = csv_items.items(
        _without_mark(content), header=header, delimiter=delimiter, max_length=MAX_LINE_LENGTH
    )
    try:
        items = list(islice(records, MAX_ITEMS + 1))
    except csv_items.CsvError as error:
        raise AppError(
            _CSV_FAULTS[type(error)], param="content", params={"line": error.line, "limit": MAX_LINE_LENGTH}
        ) from error
    _check_number(items)
    return items


def _check_line_ends(content: str) -> None:
    """Refuse at once what could not pass later: even with a blank line between all items there are too many."""
    if content.count("\n") + content.count("\r") > 4 * MAX_ITEMS:
        raise AppError("too_many_items", param="content", params={"limit": MAX_ITEMS})


def _check_number(items: list[Chunk]) -> None:
    if len(items) > MAX_ITEMS:
        raise AppError("too_many_items", param="content", params={"limit": MAX_ITEMS})


def _without_mark(content: str) -> str:
    """A byte order mark that came along with the text belongs to no item, though it is served as it came."""
    return content.removeprefix("\ufeff")


def _number_of_first_long_line(content: str) -> int:
    numbered = enumerate(csv_items.split_lines(content), start=1)
    return next(number for number, line in numbered if len(line.strip()) > MAX_LINE_LENGTH)


def _line_too_long(line: int) -> AppError:
    return AppError(errors.LINE_TOO_LONG, param="content", params={"line": line, "limit": MAX_LINE_LENGTH})


def _cut_nothing(_: str, __: Config | None) -> list[Chunk]:
    raise AppError(errors.CONTENT_NOT_TAKEN, param="content")


def _settle_text(_: Config, __: str | None) -> None:
    return None


def _settle_catalog(config: Config, _: str | None) -> Config:
    settled = {"format": "lines", **config}
    return {"header": True, **settled} if settled["format"] == "csv" else settled


TEXT: Final = Kind(
    name="text",
    config_keys=frozenset(),
    settle=_settle_text,
    complete_by_default=lambda _: False,
    cut=_cut_text,
    config_of_csv_file={},
)
CATALOG: Final = Kind(
    name="catalog",
    config_keys=frozenset({"format", "header", "delimiter"}),
    settle=_settle_catalog,
    complete_by_default=lambda _: True,
    cut=_cut_catalog,
    config_of_csv_file={"format": "csv"},
)

FEED: Final = Kind(
    name="api",
    config_keys=feed_config.KEYS,
    settle=feed_config.settle,
    complete_by_default=lambda config: config is not None and config["transform"] is not None,
    cut=_cut_nothing,
    config_of_csv_file={},
    is_fetched=True,
)

KINDS: Final[Mapping[str, Kind]] = {kind.name: kind for kind in (TEXT, CATALOG, FEED)}


def takes_plain_lines(config: Config | None) -> bool:
    """Whether each line of the content is an item as it stands."""
    return config is not None and config.get("format") == "lines"
