"""Forms of sources: contents as typed, pasted or uploaded, and feeds with their headers and transform."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.forms.utils import ErrorDict
from django.http import QueryDict

from apps.dashboard.digits import size
from apps.dashboard.forms import Choice, NameField, PageForm
from apps.dashboard.language import current_language
from apps.dashboard.texts import words_in
from apps.kernel.errors import AppError
from apps.knowledge import uploads
from apps.knowledge.models import FeedStatus, Source
from apps.knowledge.sync.config import DEFAULT_REFRESH_MINUTES
from apps.knowledge.transform.config import DEFAULT_ITEMS, MAX_TEXT_LENGTH
from apps.outbound.headers import MAX_HEADERS
from apps.outbound.url import MAX_URL_LENGTH
from apps.projects.models import NAME_LENGTH
from apps.rest.fields import Upload
from apps.rest.views import KNOWLEDGE_BODY_LIMIT

_TAB: Final = "tab"
_BY_KIND, _YES, _NO = "kind", "yes", "no"
# What stands in a form beside what was typed, or is sent again in another way.
_NEVER_RESENT: Final = frozenset({"csrfmiddlewaretoken", "do", "seen", "content", "format"})
_YES_OR_NO: Final = [(_YES, "sources.complete_yes"), (_NO, "sources.complete_no")]


def _completeness(options: list[tuple[str, str]], initial: str | None = None) -> Choice:
    return Choice(
        label="sources.complete", required=False, widget=forms.RadioSelect, initial=initial, options=options
    )


class SourceFilters(PageForm):
    """What narrows the list; a value that means nothing narrows nothing."""

    q = forms.CharField(label="sources.find_by_name", required=False, max_length=NAME_LENGTH)
    kind = Choice(
        label="sources.kind",
        required=False,
        options=[
            ("", "sources.any_kind"),
            *((kind, f"sources.kind_{kind}") for kind in ("catalog", "text", "api")),
        ],
    )
    sync_status = Choice(
        label="sources.state",
        required=False,
        options=[("", "sources.any_state"), *((status, f"sources.state_{status}") for status in FeedStatus.values)],
    )

    @property
    def chosen(self) -> dict[str, str]:
        """What narrows, by its name."""
        if not self.is_valid():
            return {}
        return {name: value for name, value in self.cleaned_data.items() if value}


class SourceForm(PageForm):
    """What the forms of all kinds of sources share."""

    def forget_faults(self) -> None:
        """While a form is only tried, what is still missing in it is no fault."""
        self.full_clean()
        self._errors = ErrorDict()

    def resent(self) -> Iterator[tuple[str, str]]:
        """What was typed, to be sent once more."""
        assert isinstance(self.data, QueryDict)  # noqa: S101 -- only a form that was sent is sent again
        for name, values in self.data.lists():
            if name not in _NEVER_RESENT:
                yield from ((name, str(value)) for value in values)


# --- contents -----------------------------------------------------------------------------------------------


class _TextField(forms.CharField):
    """Text of any length up to what a knowledge body holds, with the line ends of our own.

    Browsers send CRLF whatever they were given, and a content is not to change by being opened.
    """

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")

    def validate(self, value: str) -> None:
        super().validate(value)
        if len(value.encode()) > KNOWLEDGE_BODY_LIMIT:
            raise _too_large()


def _too_large() -> ValidationError:
    language = current_language()
    limit = size(KNOWLEDGE_BODY_LIMIT, language)
    return ValidationError(words_in(language)("sources.too_large", limit=limit), code="too_large")


class ContentForm(SourceForm):
    """A source whose content comes from a person, in a text box or in a file."""

    params: ClassVar[Mapping[str, str]] = {"config.format": "format", "config.delimiter": "delimiter"}

    name = NameField(label="sources.name", help_text="sources.name_help", max_length=NAME_LENGTH)
    kind = Choice(
        label="sources.kind",
        widget=forms.RadioSelect,
        initial="catalog",
        options=[("catalog", "sources.kind_catalog"), ("text", "sources.kind_text")],
    )
    content = _TextField(
        label="sources.content",
        help_text="sources.content_help",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 14, "class": "looked"}),
    )
    file = forms.FileField(
        label="sources.file",
        help_text="sources.file_help",
        required=False,
        widget=forms.FileInput(attrs={"accept": ".txt,.csv,.tsv,.md,text/plain,text/csv", "class": "looked"}),
    )
    format = Choice(
        label="sources.format",
        required=False,
        widget=forms.RadioSelect(attrs={"class": "looked"}),
        initial="lines",
        options=[("lines", "sources.format_lines"), ("csv", "sources.format_csv")],
    )
    header = forms.BooleanField(
        label="sources.header_row",
        required=False,
        initial=True,
        widget=forms.CheckboxInput(attrs={"class": "looked"}),
    )
    delimiter = Choice(
        label="sources.delimiter",
        required=False,
        widget=forms.Select(attrs={"class": "looked"}),
        options=[
            ("", "sources.delimiter_auto"),
            (",", "sources.delimiter_comma"),
            (";", "sources.delimiter_semicolon"),
            (_TAB, "sources.delimiter_tab"),
        ],
    )
    complete = _completeness([(_BY_KIND, "sources.complete_by_kind"), *_YES_OR_NO], _BY_KIND)

    def clean_file(self) -> uploads.UploadedText | None:
        """The text of the file, if one was chosen."""
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file is None:
            return None
        if (file.size or 0) > KNOWLEDGE_BODY_LIMIT:
            raise _too_large()
        upload = Upload(file.name or "", file.content_type or "", file.charset, file.read())
        try:
            return uploads.read(upload)
        except AppError as error:
            self.refuse(error)
            return None

    @property
    def text(self) -> str:
        """What the file holds, else what was typed."""
        file = self.cleaned_data.get("file")
        return str(self.cleaned_data.get("content", "")) if file is None else file.text

    @property
    def origin(self) -> str | None:
        """How a text came here that was not typed."""
        return None if self.cleaned_data.get("file") is None else "upload"

    @property
    def config(self) -> dict[str, Any] | None:
        """How the text is to be read; a file that is a table is one, whatever was chosen."""
        if self.cleaned_data.get("kind") != "catalog":
            return None
        file = self.cleaned_data.get("file")
        if (file is None or not file.is_csv) and self.cleaned_data.get("format") != "csv":
            return {"format": "lines", "header": None, "delimiter": None}
        delimiter = self.cleaned_data.get("delimiter")
        return {
            "format": "csv",
            "header": bool(self.cleaned_data.get("header")),
            "delimiter": "\t" if delimiter == _TAB else delimiter or None,
        }

    @property
    def complete_as_stated(self) -> bool | None:
        return _stated(self.cleaned_data.get("complete"))


def _stated(choice: str | None) -> bool | None:
    return {_YES: True, _NO: False}.get(choice or "")


class EditContentForm(ContentForm):
    """The same for a source that is there: its kind stays, and `seen` says which state of it was edited.

    What a person said once of completeness can be said otherwise, but not be taken back.
    """

    complete = _completeness(_YES_OR_NO)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, source: Source, *args: Any, seen: str, **options: Any) -> None:
        super().__init__(*args, initial={**_initial_content(source), "seen": seen}, **options)
        self.fields["kind"].widget = forms.HiddenInput()
        self._kind = source.kind

    def clean_kind(self) -> str:
        return self._kind

    def resent(self) -> Iterator[tuple[str, str]]:
        yield from super().resent()
        if self.config is not None:
            yield "format", self.config["format"]


def _initial_content(source: Source) -> dict[str, Any]:
    config = source.config or {}
    delimiter = config.get("delimiter") or ""
    return {
        "name": source.name,
        "kind": source.kind,
        "content": "" if source.revision is None else source.revision.content,
        "format": config.get("format", "lines"),
        "header": config.get("header", True),
        "delimiter": _TAB if delimiter == "\t" else delimiter,
        "complete": _YES if source.complete else _NO,
    }


# --- feeds --------------------------------------------------------------------------------------------------

_TRANSFORM_TEXTS: Final = ("items_path", "line", "group_by", "sort_by", "skip_when_zero")
_TRANSFORM_FIELDS: Final = (*_TRANSFORM_TEXTS, "max_items", "top_line")
_BLANK_HEADERS: Final = 2


def _latin(**attributes: Any) -> dict[str, Any]:
    """What addresses, paths and names of fields are typed into, whatever the page's direction."""
    return {"dir": "ltr", "autocomplete": "off", "autocapitalize": "off", "spellcheck": "false", **attributes}


def _path_field(label: str, **options: Any) -> forms.CharField:
    widget = forms.TextInput(attrs=_latin(list="fields", **{"class": "looked"}))
    return forms.CharField(label=label, required=False, max_length=MAX_TEXT_LENGTH, widget=widget, **options)


class FeedForm(SourceForm):
    """An API source: where its feed is, what it is asked with, and how its answer becomes lines."""

    params: ClassVar[Mapping[str, str]] = {
        "config.url": "url",
        "config.refresh_minutes": "refresh_minutes",
        "config.transform": "line",
        **{f"config.transform.{name}": name for name in (*_TRANSFORM_TEXTS, "max_items")},
        "config.transform.header": "top_line",
        **{f"transform.{name}": name for name in (*_TRANSFORM_TEXTS, "max_items")},
        "transform.header": "top_line",
    }

    name = NameField(label="sources.name", help_text="sources.name_help", max_length=NAME_LENGTH)
    url = forms.CharField(
        label="sources.url",
        help_text="sources.url_help",
        max_length=MAX_URL_LENGTH,
        widget=forms.TextInput(attrs=_latin(inputmode="url", placeholder="https://")),
    )
    refresh_minutes = forms.IntegerField(
        label="sources.refresh_minutes", help_text="sources.refresh_help", initial=DEFAULT_REFRESH_MINUTES
    )
    # Filled by `header_rows`; only what is wrong with them is shown here.
    headers = forms.CharField(label="sources.headers", required=False, widget=forms.HiddenInput)
    shape = Choice(
        label="sources.shape",
        widget=forms.RadioSelect(attrs={"class": "looked"}),
        initial="lines",
        options=[("lines", "sources.shape_lines"), ("whole", "sources.shape_whole")],
    )
    items_path = forms.CharField(
        label="sources.items_path",
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.TextInput(attrs=_latin(list="lists", **{"class": "looked"})),
    )
    line = forms.CharField(
        label="sources.line",
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "looked", "data-content": ""}),
    )
    group_by = _path_field("sources.group_by")
    sort_by = _path_field("sources.sort_by")
    skip_when_zero = _path_field("sources.skip_when_zero")
    max_items = forms.IntegerField(
        label="sources.max_items",
        help_text="sources.max_items_help",
        required=False,
        widget=forms.NumberInput(attrs={"placeholder": DEFAULT_ITEMS, "class": "looked"}),
    )
    top_line = forms.CharField(
        label="sources.top_line",
        required=False,
        max_length=MAX_TEXT_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "looked"}),
    )
    complete = _completeness([(_BY_KIND, "sources.complete_by_feed"), *_YES_OR_NO], _BY_KIND)
    sample = _TextField(
        label="sources.sample",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs=_latin(rows=6, **{"class": "looked mono"})),
    )
    sample_id = forms.CharField(required=False, max_length=32, widget=forms.HiddenInput)

    # What is required depends on the shape, which may be changed without asking the server.
    use_required_attribute = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["line"].required = self["shape"].value() != "whole"

    @property
    def header_rows(self) -> list[tuple[str, str]]:
        """The headers as typed, and empty rows for more."""
        if isinstance(self.data, QueryDict):
            names, values = self.data.getlist("header_name"), self.data.getlist("header_value")
            given = [row for row in zip(names, values, strict=False) if any(row)]
        else:
            given = list(self.initial.get("headers", {}).items())
        return [*given, *[("", "")] * min(_BLANK_HEADERS, MAX_HEADERS - len(given))]

    @property
    def config(self) -> dict[str, Any]:
        """What the form says, as far as it could be read."""
        read = self.cleaned_data
        return {
            "url": read.get("url", ""),
            "headers": {name.strip(): value.strip() for name, value in self.header_rows if name.strip()},
            "refresh_minutes": read.get("refresh_minutes"),
            "transform": self.transform,
        }

    @property
    def transform(self) -> dict[str, Any] | None:
        """The transform; None where every value is to be a line."""
        read = self.cleaned_data
        if read.get("shape") == "whole":
            return None
        written = {name: read[name] for name in _TRANSFORM_FIELDS if read.get(name) not in {None, ""}}
        if "top_line" in written:
            written["header"] = written.pop("top_line")
        return written

    @property
    def complete_as_stated(self) -> bool | None:
        return _stated(self.cleaned_data.get("complete"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self._refuse_repeated_headers()
        return cleaned

    def _refuse_repeated_headers(self) -> None:
        names = [name.strip().lower() for name, _ in self.header_rows if name.strip()]
        if len(set(names)) < len(names):
            self.refuse(AppError("repeated_field", param="config.headers"))

    def _field_of(self, param: str | None) -> str | None:
        if param is not None and param.startswith("config.headers"):
            return "headers"
        return super()._field_of(param)


class EditFeedForm(FeedForm):
    """The same for a source that is there; `seen` says which state of it was edited."""

    complete = _completeness(_YES_OR_NO)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, source: Source, *args: Any, seen: str, **options: Any) -> None:
        super().__init__(*args, initial={**_initial_feed(source), "seen": seen}, **options)


def _initial_feed(source: Source) -> dict[str, Any]:
    config = source.config or {}
    transform = config.get("transform")
    shaped = dict(transform or {})
    return {
        "name": source.name,
        "url": config.get("url"),
        "headers": config.get("headers", {}),
        "refresh_minutes": config.get("refresh_minutes"),
        "shape": "whole" if transform is None else "lines",
        "top_line": shaped.pop("header", ""),
        **shaped,
        "complete": _YES if source.complete else _NO,
    }
