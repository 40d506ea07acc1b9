"""What requests about documents take, and what their answers look like in the API description."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from rest_framework import serializers

from apps.kernel.errors import AppError
from apps.knowledge.documents import body, errors
from apps.knowledge.documents.models import (
    HANDLE_EXAMPLE,
    HANDLE_LENGTH,
    HANDLE_PATTERN,
    LOCALE_LENGTH,
    LOCALE_PATTERN,
    DocumentStatus,
)
from apps.knowledge.kinds import MAX_TEXT_LENGTH
from apps.projects.models import NAME_LENGTH
from apps.rest.errors import invalid
from apps.rest.fields import (
    AnyJsonField,
    KeptJsonField,
    ListQuery,
    MaxLength,
    NameField,
    QueryBooleanField,
    QuerySerializer,
    StrictCharField,
    StrictChoiceField,
    StrictIntegerField,
    StrictListField,
    StrictSerializer,
)
from apps.sections import Selection
from apps.sections.selection import DOCUMENT, MODES

MAX_SELECTED_SECTIONS: Final = 1_000
MAX_PUBLISHED_DOCUMENTS: Final = 200
# What the paths of the API could not tell from their own words.
RESERVED_IDS: Final = frozenset({"publish", ".", ".."})


class CamelCaseTaken(StrictSerializer):
    """Takes the spelling of JavaScript beside our own for the fields that the library's specification names."""

    spelt_otherwise: ClassVar[Mapping[str, str]] = {}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return super().to_internal_value(data)
        twice = [name for name, ours in self.spelt_otherwise.items() if name in data and ours in data]
        if twice:
            raise serializers.ValidationError({name: invalid("repeated_field").detail for name in twice})
        return super().to_internal_value({self.spelt_otherwise.get(name, name): data[name] for name in data})


# --- requests -----------------------------------------------------------------------------------------------


class DocumentSelection(CamelCaseTaken):
    """What is read of a document; becomes a `Selection`."""

    spelt_otherwise = {"sectionIds": "section_ids"}

    mode = StrictChoiceField(
        choices=list(MODES),
        help_text="`document` reads everything, `self` the sections' own text, `subtree` all below them as well.",
    )
    section_ids = StrictListField(
        child=StrictCharField(max_length=HANDLE_LENGTH),
        max_items=MAX_SELECTED_SECTIONS,
        allow_empty=False,
        unique=True,
        required=False,
        help_text="In the order in which they are read; left out with the mode `document`.",
    )

    def validate(self, attrs: Any) -> Any:
        names = attrs.get("section_ids")
        if attrs["mode"] == DOCUMENT:
            if names is not None:
                raise serializers.ValidationError({"section_ids": invalid(errors.SECTION_IDS_NOT_TAKEN).detail})
            return Selection()
        if names is None:
            raise serializers.ValidationError({"section_ids": invalid("required").detail})
        return Selection(attrs["mode"], tuple(names))


class ReadDocument(CamelCaseTaken):
    spelt_otherwise = {"maxChars": "max_chars"}

    selection = DocumentSelection()
    max_chars = StrictIntegerField(
        min_value=1,
        required=False,
        help_text="The most characters that the text may have; a longer one is refused and never cut.",
    )
    revision = StrictCharField(
        max_length=HANDLE_LENGTH, required=False, help_text="An earlier revision; the present one by default."
    )


class TextField(StrictCharField):
    """A text with anchors.

    DRF's own validators are left out: they look for NUL and surrogates, which no body gets in with, one by one.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_blank=True, **options)
        self.validators = [validator for validator in self.validators if isinstance(validator, MaxLength)]


class PutDocument(StrictSerializer):
    """A document in full; becomes what is left of it with `body` in place of text or parts."""

    revision = StrictCharField(
        max_length=HANDLE_LENGTH, help_text="Yours: a hash, a number, the name of a release. One text for good."
    )
    title = NameField(max_length=NAME_LENGTH, required=False, help_text="The id by default.")
    locale = StrictCharField(
        max_length=LOCALE_LENGTH,
        pattern=LOCALE_PATTERN,
        example="en-GB",
        required=False,
        allow_null=True,
        help_text="As `ar` or `en-GB`.",
    )
    text = TextField(
        max_length=MAX_TEXT_LENGTH,
        required=False,
        help_text="The text, with sections between `<!-- agent-section:ID -->` and `<!-- /agent-section:ID -->`.",
    )
    parts = KeptJsonField(
        required=False,
        help_text="In place of `text`: a list of texts and of sections `{id, parts}`, as deep as need be.",
    )
    status = StrictChoiceField(
        choices=DocumentStatus.values,
        required=False,
        help_text="`published` by default; agents and searches do not see a `draft`.",
    )

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Reads the content as well, so that its fault is reported together with those of the other fields."""
        faults: dict[str, Any] = {}
        fields: dict[str, Any] = {}
        try:
            fields = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if not isinstance(data, Mapping) or not isinstance(error.detail, dict):
                raise
            faults = dict(error.detail)
        if faults.keys().isdisjoint({"text", "parts", "locale"}):
            try:
                fields["body"] = _body_of(data)
            except AppError as refusal:
                faults.update(
                    (fault.param or "", invalid(fault.code, **fault.params).detail) for fault in refusal.errors
                )
        if faults:
            raise serializers.ValidationError(faults)
        return {name: value for name, value in fields.items() if name not in {"text", "parts", "locale"}}


def _body_of(data: Mapping[str, Any]) -> body.Body:
    given = [name for name in ("text", "parts") if name in data]
    if len(given) != 1:
        raise AppError(errors.TEXT_OR_PARTS, param="text")
    locale = data.get("locale")
    return body.of_text(data["text"], locale) if given == ["text"] else body.of_parts(data["parts"], locale)


class PublishedDocument(PutDocument):
    id = StrictCharField(pattern=HANDLE_PATTERN, example=HANDLE_EXAMPLE)

    def validate_id(self, document_id: str) -> str:
        if document_id in RESERVED_IDS:
            raise invalid(errors.DOCUMENT_ID_RESERVED, document_id=document_id)
        return document_id


class PublishDocuments(StrictSerializer):
    documents = StrictListField(
        child=PublishedDocument(), max_items=MAX_PUBLISHED_DOCUMENTS, allow_empty=False, help_text="All or none."
    )

    def validate_documents(self, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
        seen: set[str] = set()
        faults: dict[Any, Any] = {}
        for position, document in enumerate(documents):
            if document["id"] in seen:
                faults[position] = {"id": invalid("repeated_item").detail}
            seen.add(document["id"])
        if faults:
            raise serializers.ValidationError(faults)
        return documents


class WriteQuery(QuerySerializer):
    strict = QueryBooleanField(
        required=False, help_text="Change nothing when a saved selection would not get what it names."
    )


class DocumentListQuery(ListQuery):
    status = StrictChoiceField(choices=DocumentStatus.values, required=False)
    q = StrictCharField(required=False, max_length=NAME_LENGTH, help_text="Part of the title.")


class DeleteDocumentQuery(QuerySerializer):
    detach = QueryBooleanField(required=False, help_text="Take the document out of the agents that use it.")


# --- answers ------------------------------------------------------------------------------------------------


class ShownSelection(serializers.Serializer[Any]):
    """What was read; without section ids the whole document."""

    mode = serializers.ChoiceField(choices=list(MODES))
    section_ids = serializers.ListField(child=serializers.CharField(), required=False)


class ListedDocument(serializers.Serializer[Any]):
    """A document in a list, without its parts."""

    id = serializers.CharField()
    object = serializers.ChoiceField(choices=["knowledge_document"])
    title = serializers.CharField()
    revision = serializers.CharField()
    locale = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(choices=DocumentStatus.values)
    section_ids = serializers.ListField(child=serializers.CharField())
    char_count = serializers.IntegerField()
    token_estimate = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    updated_at = serializers.DateTimeField()


class ShownBrokenReference(serializers.Serializer[Any]):
    """A saved selection that does not get what it names."""

    document_id = serializers.CharField()
    user_id = serializers.CharField()
    user_name = serializers.CharField()
    code = serializers.CharField()
    section_ids = serializers.ListField(child=serializers.CharField())


class ShownDocument(ListedDocument):
    """A document with its parts."""

    parts = serializers.ListField(child=AnyJsonField())
    broken_references = ShownBrokenReference(many=True)


class ShownPublication(serializers.Serializer[Any]):
    object = serializers.ChoiceField(choices=["knowledge_publication"])
    documents = ListedDocument(many=True)
    broken_references = ShownBrokenReference(many=True)


class ShownSnapshot(serializers.Serializer[Any]):
    id = serializers.CharField()
    object = serializers.ChoiceField(choices=["knowledge_snapshot"])
    document_id = serializers.CharField()
    selection = ShownSelection()
    revision = serializers.CharField()
    locale = serializers.CharField(allow_null=True)
    content = serializers.CharField()


class SelectionIsValid(serializers.Serializer[Any]):
    valid = serializers.BooleanField()
