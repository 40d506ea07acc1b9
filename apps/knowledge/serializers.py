"""What requests about sources and searches take, and what their answers look like in the API description."""

from collections.abc import Mapping
from typing import Any, Final

from rest_framework import serializers
from rest_framework.fields import SkipField, empty

from apps.kernel.errors import AppError
from apps.knowledge import intake
from apps.knowledge.csv_items import DELIMITERS
from apps.knowledge.documents.models import HANDLE_LENGTH
from apps.knowledge.documents.serializers import ShownSelection
from apps.knowledge.documents.sought import Wanted
from apps.knowledge.kinds import KINDS, MAX_LINE_LENGTH, MAX_TEXT_LENGTH, Kind
from apps.knowledge.models import FeedStatus, RunStatus, RunTrigger
from apps.knowledge.sync.config import DEFAULT_REFRESH_MINUTES, MAX_REFRESH_MINUTES, MIN_REFRESH_MINUTES
from apps.knowledge.sync.faults import CODES as FAULT_CODES
from apps.knowledge.transform.config import DEFAULT_ITEMS, MAX_ITEMS, MIN_ITEMS
from apps.knowledge.transform.config import MAX_TEXT_LENGTH as MAX_PATH_LENGTH
from apps.outbound.url import MAX_URL_LENGTH
from apps.projects.models import NAME_LENGTH
from apps.rest.errors import invalid
from apps.rest.fields import (
    AnyJsonField,
    InstantField,
    ListQuery,
    NameField,
    QueryBooleanField,
    QuerySerializer,
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictDictField,
    StrictIntegerField,
    StrictListField,
    StrictSerializer,
    UploadField,
)
from apps.rest.parsers import parse_json_object

MAX_QUERY_LENGTH: Final = 2_000
MAX_HITS: Final = 25
MAX_SEARCHED_SOURCES: Final = 1_000
MAX_SEARCHED_DOCUMENTS: Final = 1_000
SYNC_STATUSES: Final = tuple(FeedStatus.values)


def _optional_path(help_text: str) -> StrictCharField:
    return StrictCharField(
        max_length=MAX_PATH_LENGTH, required=False, allow_blank=True, allow_null=True, help_text=help_text
    )


# --- config -------------------------------------------------------------------------------------------------


class JudgedByKind:
    """Only describes a value: the kind judges it, together with the rest of the config and in one answer."""

    required: bool

    def run_validation(self, data: Any = empty) -> Any:
        if data is not empty:
            return data
        if self.required:
            raise invalid("required")
        raise SkipField


class FeedUrl(JudgedByKind, StrictCharField):
    pass


class FeedHeaders(JudgedByKind, StrictDictField):
    pass


class FeedInterval(JudgedByKind, StrictIntegerField):
    pass


class FeedTransform(JudgedByKind, StrictSerializer):
    """How the items of a feed become lines."""

    items_path = StrictCharField(
        max_length=MAX_PATH_LENGTH,
        required=False,
        allow_blank=True,
        allow_null=True,
        help_text="Where the list is, as `data.products`; by default the answer itself is the list.",
    )
    line = StrictCharField(
        max_length=MAX_PATH_LENGTH, help_text="The line of an item, as `- {name} — {price.amount} SAR`."
    )
    group_by = _optional_path("The field whose value heads a group of lines; the largest group comes first.")
    sort_by = _optional_path("The field by which each group ascends.")
    skip_when_zero = _optional_path("Items in which this field is zero or missing are left out.")
    max_items = StrictIntegerField(
        min_value=MIN_ITEMS,
        max_value=MAX_ITEMS,
        required=False,
        allow_null=True,
        help_text=f"How many lines at most; {DEFAULT_ITEMS} by default.",
    )
    header = _optional_path("A line on top.")


class SourceConfig(StrictSerializer):
    """The keys of all kinds; a kind refuses those of the others."""

    format = StrictChoiceField(
        choices=["lines", "csv"], required=False, help_text="How a catalog is read; `lines` by default."
    )
    header = StrictBooleanField(
        required=False, help_text="Whether the first CSV record names the columns; true by default."
    )
    delimiter = StrictChoiceField(
        choices=list(DELIMITERS),
        required=False,
        allow_null=True,
        help_text="What separates CSV cells; without it the first record decides.",
    )
    url = FeedUrl(
        max_length=MAX_URL_LENGTH,
        required=False,
        allow_null=True,
        help_text="Where an API source's JSON is: public, https, on port 443 or 8443.",
    )
    headers = FeedHeaders(
        child=StrictCharField(),
        required=False,
        allow_null=True,
        help_text="Sent with each fetch; values name secrets, as `Bearer {{secret.NAME}}`.",
    )
    refresh_minutes = FeedInterval(
        min_value=MIN_REFRESH_MINUTES,
        max_value=MAX_REFRESH_MINUTES,
        required=False,
        allow_null=True,
        help_text=f"How often the feed is fetched; {DEFAULT_REFRESH_MINUTES} by default.",
    )
    transform = FeedTransform(required=False, allow_null=True)


class ConfigTextField(StrictCharField):
    """A config as JSON text, for forms."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            config = parse_json_object(super().to_internal_value(data).encode())
        except AppError as error:
            raise invalid(error.code, **error.params) from error
        shape = SourceConfig(data=config)
        shape.is_valid(raise_exception=True)
        return shape.validated_data


# --- requests -----------------------------------------------------------------------------------------------


class ContentField(StrictCharField):
    """A source's content, as sent. Its kind refuses what is wrong with it.

    DRF's validators are left out: they look for NUL and surrogates, which no body gets in with, one by one, and
    that takes them most of a second on the largest content.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_blank=True, **options)
        self.validators = []


_CONTENT_HELP: Final = (
    f"Text of up to {MAX_TEXT_LENGTH:,} characters, or a catalog's lines of up to {MAX_LINE_LENGTH:,} each."
)


class CreateSource(StrictSerializer):
    name = NameField(max_length=NAME_LENGTH)
    kind = StrictChoiceField(choices=list(KINDS))
    content = ContentField(required=False, help_text=f"{_CONTENT_HELP} Every kind but `api` needs it.")
    config = SourceConfig(required=False, allow_null=True)
    complete = StrictBooleanField(
        required=False, help_text="Whether this is all there is; by default the kind decides."
    )

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Adds what the kind refuses when something else is refused, so that all faults are reported at once.

        Good input is not checked here: the service does so, once.
        """
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError(_merged(_refused_by_kind(data), _details(error))) from error


class UploadSource(StrictSerializer):
    name = NameField(max_length=NAME_LENGTH)
    kind = StrictChoiceField(choices=list(KINDS))
    file = UploadField(help_text="Plain text or CSV, in UTF-8, UTF-16 or Windows-1256.")
    config = ConfigTextField(required=False, help_text="As in the JSON body, as JSON text.")
    complete = QueryBooleanField(required=False)


class UpdateSource(StrictSerializer):
    name = NameField(max_length=NAME_LENGTH)
    kind = StrictCharField(
        max_length=8, help_text="Never changes; the present value is taken, so an object can be sent back."
    )
    content = ContentField(help_text=_CONTENT_HELP)
    config = SourceConfig(allow_null=True, help_text="The keys given are changed; null starts over.")
    complete = StrictBooleanField()


class ReplaceContent(StrictSerializer):
    file = UploadField(help_text="Plain text or CSV, in UTF-8, UTF-16 or Windows-1256.")
    config = ConfigTextField(required=False, help_text="As in the JSON body, as JSON text.")


class PreviewTransform(StrictSerializer):
    sample = AnyJsonField(allow_null=True, help_text="What the feed would answer; numbers are kept as written.")
    transform = FeedTransform(allow_null=True, help_text="Null shows what a source without a transform gives.")


class RestoreRevision(StrictSerializer):
    revision = StrictCharField(
        pattern=r"[0-9a-f]{64}", example="0123456789abcdef" * 4, help_text="One of the source's earlier revisions."
    )


class SearchRequest(StrictSerializer):
    query = StrictCharField(max_length=MAX_QUERY_LENGTH)
    source_ids = StrictListField(
        child=StrictCharField(max_length=64),
        max_items=MAX_SEARCHED_SOURCES,
        allow_empty=False,
        unique=True,
        required=False,
        help_text="The sources to search; all of the project when neither they nor documents are given.",
    )
    document_ids = StrictListField(
        child=StrictCharField(max_length=HANDLE_LENGTH),
        max_items=MAX_SEARCHED_DOCUMENTS,
        allow_empty=False,
        unique=True,
        required=False,
        help_text="The documents to search. Documents are searched only when they are given.",
    )
    limit = StrictIntegerField(min_value=1, max_value=MAX_HITS, required=False, help_text="How many hits at most.")

    def validate_query(self, query: str) -> str:
        if not query.strip():
            raise invalid("blank")
        return query

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """With the documents as a search takes them."""
        documents = [Wanted(document_id) for document_id in attrs.pop("document_ids", ())]
        return {**attrs, "documents": documents}


class SourceListQuery(ListQuery):
    kind = StrictChoiceField(choices=list(KINDS), required=False)
    sync_status = StrictChoiceField(choices=list(SYNC_STATUSES), required=False)
    q = StrictCharField(required=False, max_length=NAME_LENGTH, help_text="Part of the name.")
    updated_since = InstantField(required=False, help_text="Content changed then or later.")


class DeleteQuery(QuerySerializer):
    detach = QueryBooleanField(required=False, help_text="Take the source out of the agents that use it.")


def _refused_by_kind(data: Any) -> dict[str, Any]:
    """The faults of config and content that only the kind knows of, as a serializer reports them."""
    if not isinstance(data, Mapping):
        return {}
    kind, content, change = data.get("kind"), data.get("content"), data.get("config")
    if kind not in tuple(KINDS) or not _can_be_judged(KINDS[kind], change):
        return {}
    faults: dict[str, Any] = {}
    try:
        config = KINDS[kind].merge(None, change)
        if isinstance(content, str):
            intake.cut(content, kind=KINDS[kind], config=config)
    except AppError as error:
        faults = _nested(error)
    if content is None and not KINDS[kind].is_fetched:
        faults["content"] = invalid("required").detail
    return faults


def _merged(of_kind: dict[str, Any], of_form: dict[str, Any]) -> dict[str, Any]:
    """Both sorts of faults; where one field has both, the form's come first and hide the other."""
    merged = {**of_kind, **of_form}
    if isinstance(of_kind.get("config"), dict) and isinstance(of_form.get("config"), dict):
        merged["config"] = {**of_kind["config"], **of_form["config"]}
    return merged


def _can_be_judged(kind: Kind, change: Any) -> bool:
    """A feed's rules look at every value themselves; the others are for configs whose form is right."""
    if kind.is_fetched:
        return isinstance(change, Mapping)
    return change is None or SourceConfig(data=change).is_valid()


def _nested(refusal: AppError) -> dict[str, Any]:
    faults: dict[str, Any] = {}
    for fault in refusal.errors:
        field, _, key = (fault.param or "").partition(".")
        detail = invalid(fault.code, **fault.params).detail
        if key:
            faults.setdefault(field, {})[key] = detail
        else:
            faults[field] = detail
    return faults


def _details(error: serializers.ValidationError) -> dict[str, Any]:
    return error.detail if isinstance(error.detail, dict) else {"non_field_errors": error.detail}


# --- answers ------------------------------------------------------------------------------------------------


class ShownWarning(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()


class SyncFault(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=list(FAULT_CODES))
    message = serializers.CharField()
    at = serializers.DateTimeField()


class ShownSync(serializers.Serializer[Any]):
    """How the last fetches of an API source went."""

    status = serializers.ChoiceField(choices=list(SYNC_STATUSES))
    last_attempt_at = serializers.DateTimeField(allow_null=True)
    last_success_at = serializers.DateTimeField(allow_null=True)
    next_sync_at = serializers.DateTimeField(allow_null=True)
    consecutive_failures = serializers.IntegerField()
    error = SyncFault(allow_null=True)


class ListedSource(serializers.Serializer[Any]):
    """A source in a list, without its content."""

    id = serializers.CharField()
    object = serializers.ChoiceField(choices=["knowledge_source"])
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=list(KINDS))
    complete = serializers.BooleanField()
    config = SourceConfig(allow_null=True)
    revision = serializers.CharField(allow_null=True)
    char_count = serializers.IntegerField()
    chunk_count = serializers.IntegerField()
    token_estimate = serializers.IntegerField()
    sync = ShownSync(allow_null=True)
    warnings = ShownWarning(many=True)
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class ShownSource(ListedSource):
    """A source with its content."""

    content = serializers.CharField(allow_null=True)


class ShownChunk(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    text = serializers.CharField()
    group = serializers.CharField(allow_null=True)
    fields = serializers.DictField(child=serializers.CharField(), allow_null=True)  # type: ignore[assignment]


class ListedRevision(serializers.Serializer[Any]):
    object = serializers.ChoiceField(choices=["knowledge_revision"])
    revision = serializers.CharField()
    source_id = serializers.CharField()
    char_count = serializers.IntegerField()
    origin = serializers.CharField()
    created_at = serializers.DateTimeField()


class ShownRevision(ListedRevision):
    content = serializers.CharField()


class SearchedWord(serializers.Serializer[Any]):
    word = serializers.CharField()
    folded = serializers.CharField()
    max_edits = serializers.IntegerField()


class SearchHit(serializers.Serializer[Any]):
    """A chunk that was found. Of a document it says the section, and `source_id` is null."""

    source_id = serializers.CharField(allow_null=True)
    source_name = serializers.CharField()
    kind = serializers.ChoiceField(choices=[*KINDS, "document"])
    document_id = serializers.CharField(required=False)
    section_id = serializers.CharField(required=False, allow_null=True)
    section_path = serializers.ListField(child=serializers.CharField(), required=False)
    position = serializers.IntegerField()
    text = serializers.CharField()
    group = serializers.CharField(allow_null=True)
    fields = serializers.DictField(child=serializers.CharField(), allow_null=True)  # type: ignore[assignment]
    matched_words = serializers.IntegerField()
    total_words = serializers.IntegerField()
    full_match = serializers.BooleanField()
    edits = serializers.IntegerField()
    score = serializers.FloatField()
    highlights = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))


class SearchedSource(serializers.Serializer[Any]):
    id = serializers.CharField()
    name = serializers.CharField()
    complete = serializers.BooleanField()
    revision = serializers.CharField(allow_null=True)
    updated_at = serializers.DateTimeField()
    sync_status = serializers.ChoiceField(choices=list(SYNC_STATUSES), allow_null=True)


class SearchedDocument(serializers.Serializer[Any]):
    id = serializers.CharField()
    title = serializers.CharField()
    revision = serializers.CharField()
    selection = ShownSelection()
    updated_at = serializers.DateTimeField()


class MissReason(serializers.Serializer[Any]):
    code = serializers.CharField()
    source_id = serializers.CharField(allow_null=True)


class Miss(serializers.Serializer[Any]):
    evidence = serializers.BooleanField()
    reasons = MissReason(many=True)
    guidance = serializers.CharField()


class SearchAnswer(serializers.Serializer[Any]):
    object = serializers.ChoiceField(choices=["knowledge_search"])
    query = serializers.CharField()
    words = SearchedWord(many=True)
    ignored = serializers.ListField(child=serializers.CharField())
    hits = SearchHit(many=True)
    searched_sources = SearchedSource(many=True)
    searched_documents = SearchedDocument(many=True, required=False)
    miss = Miss(allow_null=True)


class SyncRunFault(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=list(FAULT_CODES))
    message = serializers.CharField()


class ShownSyncRun(serializers.Serializer[Any]):
    """One fetch of an API source's feed."""

    id = serializers.CharField()
    object = serializers.ChoiceField(choices=["sync_run"])
    source_id = serializers.CharField()
    trigger = serializers.ChoiceField(choices=RunTrigger.values)
    status = serializers.ChoiceField(choices=RunStatus.values)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    http_status = serializers.IntegerField(allow_null=True)
    bytes = serializers.IntegerField(allow_null=True)
    items = serializers.IntegerField(allow_null=True)
    lines = serializers.IntegerField(allow_null=True)
    duration_ms = serializers.IntegerField(allow_null=True)
    revision = serializers.CharField(allow_null=True)
    error = SyncRunFault(allow_null=True)


class TransformPreview(serializers.Serializer[Any]):
    lines = serializers.ListField(child=serializers.CharField())
    items = serializers.IntegerField()
    skipped = serializers.IntegerField()


class StopWords(serializers.Serializer[Any]):
    object = serializers.ChoiceField(choices=["list"])
    data = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]
    has_more = serializers.BooleanField()
    next_cursor = serializers.CharField(allow_null=True)
