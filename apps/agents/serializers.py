"""What requests about agents take, and what their answers look like in the API description."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from apps.agents import readiness, tools
from apps.agents.errors import NOT_A_VERSION, SELECTION_OF_A_SOURCE, SOURCE_OR_DOCUMENT
from apps.agents.models import AUDIENCE_LENGTH, DEFAULT_RESULT_TOKENS, ROUTE_LENGTH, Mode, StepKind
from apps.agents.presenters import DRAFT
from apps.agents.queries import MAX_ATTACHMENTS
from apps.agents.search import MAX_RESULT_TOKENS, MIN_RESULT_TOKENS
from apps.knowledge.documents.models import HANDLE_LENGTH
from apps.knowledge.documents.serializers import DocumentSelection, ShownSelection
from apps.knowledge.serializers import MAX_QUERY_LENGTH, Miss, SearchAnswer
from apps.projects.models import NAME_LENGTH
from apps.rest.errors import invalid
from apps.rest.fields import (
    InstantField,
    NameField,
    QuerySerializer,
    StrictBooleanField,
    StrictCharField,
    StrictChoiceField,
    StrictIntegerField,
    StrictListField,
    StrictNumberField,
    StrictSerializer,
)

MAX_INSTRUCTIONS: Final = 50_000
MAX_CLIENT_INSTRUCTIONS: Final = 20_000
MAX_AUDIENCES: Final = 20
MAX_VERSION: Final = 2**31 - 1
ROUTE: Final = r"[a-z0-9][a-z0-9_-]{1,63}"
ROUTE_EXAMPLE: Final = "order-assistant"
AUDIENCE: Final = r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}"
AUDIENCE_EXAMPLE: Final = "internal"


# --- requests -----------------------------------------------------------------------------------------------


class WholeSerializer(StrictSerializer):
    """An object whose fields are all required, also inside a PATCH, which makes those of every object optional."""

    def run_validation(self, data: Any = empty) -> Any:
        return super().run_validation(data) if self.root is self else type(self)().run_validation(data)


class AttachedSourceShape(WholeSerializer):
    """A source, or a selection of a document, and how the agent uses it."""

    source_id = StrictCharField(max_length=64, required=False)
    document_id = StrictCharField(max_length=HANDLE_LENGTH, required=False, help_text="In place of `source_id`.")
    selection = DocumentSelection(required=False, help_text="What of it the agent gets; nothing beyond.")
    mode = StrictChoiceField(
        choices=Mode.values, help_text="`always`: its whole text is in the prompt; `searchable`: it is looked up."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        is_document = "document_id" in attrs
        if is_document and "source_id" in attrs:
            raise serializers.ValidationError({"document_id": invalid(SOURCE_OR_DOCUMENT).detail})
        if is_document != ("selection" in attrs):
            code = "required" if is_document else SELECTION_OF_A_SOURCE
            raise serializers.ValidationError({"selection": invalid(code).detail})
        if not is_document and "source_id" not in attrs:
            raise serializers.ValidationError({"source_id": invalid("required").detail})
        return attrs


class AttachedSourcesField(StrictListField):
    """The sources and documents of an agent in their order, none twice."""

    def to_internal_value(self, data: Any) -> list[Any]:
        sources = super().to_internal_value(data)
        named = [
            next((name, source[name]) for name in ("source_id", "document_id") if name in source)
            for source in sources
        ]
        twice: dict[Any, Any] = {
            place: {one[0]: invalid("repeated_item").detail}
            for place, one in enumerate(named)
            if one in named[:place]
        }
        if twice:
            raise serializers.ValidationError(twice)
        return sources


def attached_sources() -> AttachedSourcesField:
    return AttachedSourcesField(
        child=AttachedSourceShape(),
        max_items=MAX_ATTACHMENTS,
        required=False,
        help_text="Sources and documents, in the order of the prompt. The list is replaced whole.",
    )


class KnowledgeChange(StrictSerializer):
    """What an agent knows and how; keys left out stay as they are."""

    enabled = StrictBooleanField(required=False, help_text="A live switch; false takes all knowledge away.")
    min_score = StrictNumberField(
        min_value=0, max_value=1, required=False, help_text="Hits with a lower score are left out; 0 by default."
    )
    max_result_tokens = StrictIntegerField(
        min_value=MIN_RESULT_TOKENS,
        max_value=MAX_RESULT_TOKENS,
        required=False,
        help_text=f"How long a search result for the model may be; {DEFAULT_RESULT_TOKENS:,} by default.",
    )
    sources = attached_sources()


class ClientSwitchesChange(StrictSerializer):
    """What agent clients may do with an agent that has a route; keys left out stay as they are."""

    enabled = StrictBooleanField(required=False)
    audiences = StrictListField(
        child=StrictCharField(max_length=AUDIENCE_LENGTH, pattern=AUDIENCE, example=AUDIENCE_EXAMPLE),
        max_items=MAX_AUDIENCES,
        unique=True,
        required=False,
        help_text='Whom a session may be for; `["internal"]` by default.',
    )
    instructions = StrictCharField(
        max_length=MAX_CLIENT_INSTRUCTIONS,
        allow_blank=True,
        required=False,
        help_text="Told to agent clients beside the agent's own instructions.",
    )


class NewAgent(StrictSerializer):
    name = NameField(max_length=NAME_LENGTH)
    instructions = StrictCharField(max_length=MAX_INSTRUCTIONS, allow_blank=True, required=False)
    knowledge = KnowledgeChange(required=False)
    route = StrictCharField(
        max_length=ROUTE_LENGTH,
        pattern=ROUTE,
        example=ROUTE_EXAMPLE,
        required=False,
        allow_null=True,
        help_text="The workspace under which agent clients find the agent; no other agent of the project has it.",
    )
    agent_client = ClientSwitchesChange(required=False)


@extend_schema_field(
    {
        "oneOf": [
            {"type": "integer", "minimum": 1, "maximum": MAX_VERSION},
            {"type": "string", "enum": [DRAFT]},
        ]
    }
)
class VersionField(serializers.Field[int | None, Any, Any, Any]):
    """The number of a version, or the word for the draft, which is read as None."""

    default_error_messages = {}

    def to_internal_value(self, data: Any) -> int | None:
        if data == DRAFT:
            return None
        if type(data) is not int or not 1 <= data <= MAX_VERSION:
            raise invalid(NOT_A_VERSION)
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class QueryVersionField(StrictCharField):
    """The same in a query string."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=10, pattern=rf"{DRAFT}|[1-9][0-9]{{0,8}}", example="3", **options)


class NewRun(StrictSerializer):
    version = VersionField(
        required=False, help_text="Which version the run is of; by default the published one, else the draft."
    )


class RunSearch(StrictSerializer):
    query = StrictCharField(max_length=MAX_QUERY_LENGTH)

    def validate_query(self, query: str) -> str:
        if not query.strip():
            raise invalid("blank")
        return query


class PromptQuery(QuerySerializer):
    version = QueryVersionField(default=DRAFT, help_text="A version's number, or `draft`.")
    format = StrictChoiceField(
        choices=list(tools.FORMS), default="openai", help_text="The form of the tools, by the API that takes them."
    )


class ReadinessQuery(QuerySerializer):
    version = QueryVersionField(
        required=False,
        help_text="A version's number, or `draft`; by default the published version and the draft together.",
    )


# --- answers ------------------------------------------------------------------------------------------------


class AgentWarning(serializers.Serializer[Any]):
    code = serializers.ChoiceField(
        choices=[
            "source_missing",
            "document_missing",
            "document_is_draft",
            "section_missing",
            "knowledge_empty",
            "always_knowledge_large",
        ]
    )
    message = serializers.CharField()
    source_ids = serializers.ListField(
        child=serializers.CharField(), help_text="The sources that are missing, or whose change saves most."
    )
    document_ids = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The same for documents, where there are any."
    )


class ShownAttachment(serializers.Serializer[Any]):
    """Of a source its id; of a document its id and what is attached of it."""

    source_id = serializers.CharField(required=False)
    document_id = serializers.CharField(required=False)
    selection = ShownSelection(required=False)
    mode = serializers.ChoiceField(choices=Mode.values)


class ShownKnowledge(serializers.Serializer[Any]):
    enabled = serializers.BooleanField()
    min_score = serializers.FloatField()
    max_result_tokens = serializers.IntegerField()
    sources = ShownAttachment(many=True)


class ClientSwitches(serializers.Serializer[Any]):
    enabled = serializers.BooleanField()
    audiences = serializers.ListField(child=serializers.CharField())
    instructions = serializers.CharField()


class ShownAgent(serializers.Serializer[Any]):
    """An agent: its draft, its live switches, and how far it is published."""

    id = serializers.CharField()
    object = serializers.ChoiceField(choices=["agent"])
    name = serializers.CharField()
    instructions = serializers.CharField()
    knowledge = ShownKnowledge()
    route = serializers.CharField(allow_null=True)
    agent_client = ClientSwitches()
    version = serializers.IntegerField(help_text="The number that the draft has or gets when it is published.")
    published_version = serializers.IntegerField(allow_null=True)
    warnings = AgentWarning(many=True)
    created_at = InstantField()
    updated_at = InstantField()


class FrozenKnowledge(serializers.Serializer[Any]):
    min_score = serializers.FloatField()
    max_result_tokens = serializers.IntegerField()
    sources = ShownAttachment(many=True)


class ShownAgentVersion(serializers.Serializer[Any]):
    object = serializers.ChoiceField(choices=["agent_version"])
    agent_id = serializers.CharField()
    version = serializers.IntegerField()
    published = serializers.BooleanField(help_text="Whether it is the one in use.")
    instructions = serializers.CharField()
    knowledge = FrozenKnowledge()
    warnings = AgentWarning(many=True)
    created_at = InstantField()


class NamedSource(serializers.Serializer[Any]):
    """A source, or a document and what was attached of it, as it was when it was used."""

    source_id = serializers.CharField(allow_null=True)
    source_name = serializers.CharField()
    updated_at = InstantField()
    revision = serializers.CharField(allow_null=True)
    document_id = serializers.CharField(required=False)
    selection = ShownSelection(required=False)


class UsedSource(NamedSource):
    token_estimate = serializers.IntegerField()


class PromptSection(serializers.Serializer[Any]):
    title = serializers.CharField()
    label = serializers.CharField(help_text="Which version the text is of, or that it is live.")  # type: ignore[assignment]
    text = serializers.CharField()
    token_estimate = serializers.IntegerField()
    sources = UsedSource(many=True)


@extend_schema_field({"type": "object", "additionalProperties": True})
class ToolField(serializers.Field[Any, Any, Any, Any]):
    """A tool in the form of the API it is meant for."""

    def to_representation(self, value: Any) -> Any:
        return value


class ShownPrompt(serializers.Serializer[Any]):
    object = serializers.ChoiceField(choices=["agent_prompt"])
    agent_id = serializers.CharField()
    version = VersionField()
    sections = PromptSection(many=True)
    text = serializers.CharField(help_text="The whole prompt.")
    token_estimate = serializers.IntegerField()
    tools = serializers.ListField(child=ToolField())
    warnings = AgentWarning(many=True)


class RunHit(serializers.Serializer[Any]):
    source_id = serializers.CharField(allow_null=True)
    document_id = serializers.CharField(required=False)
    section_id = serializers.CharField(required=False, allow_null=True)
    position = serializers.IntegerField()
    score = serializers.FloatField()
    full_match = serializers.BooleanField()


class RunStep(serializers.Serializer[Any]):
    """What a run was told in one step."""

    id = serializers.CharField()
    object = serializers.ChoiceField(choices=["agent_run_step"])
    kind = serializers.ChoiceField(choices=StepKind.values)
    sources = NamedSource(many=True)
    text = serializers.CharField(
        allow_null=True, help_text="The whole prompt; null when a content it rested on is not kept any more."
    )
    text_sha256 = serializers.CharField(allow_null=True)
    token_estimate = serializers.IntegerField(allow_null=True)
    query = serializers.CharField(allow_null=True)
    hits = RunHit(many=True, allow_null=True)
    miss = Miss(allow_null=True)
    content = serializers.CharField(allow_null=True, help_text="What the model was told of the result.")
    truncated = serializers.BooleanField(help_text="Whether `content` holds less than was found.")
    created_at = InstantField()


class ListedRun(serializers.Serializer[Any]):
    id = serializers.CharField()
    object = serializers.ChoiceField(choices=["agent_run"])
    agent_id = serializers.CharField()
    version = VersionField()
    created_at = InstantField()


class ShownRun(ListedRun):
    """A run with its steps, the first one first."""

    steps = RunStep(many=True)


class RunSearchAnswer(SearchAnswer):
    content = serializers.CharField(help_text="What to tell the model.")
    truncated = serializers.BooleanField(help_text="Whether `content` holds less than was found.")
    run_id = serializers.CharField()
    step_id = serializers.CharField()


class ReadinessIssue(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=list(readiness.SEVERITIES))
    severity = serializers.ChoiceField(choices=["error", "warning"])
    source_id = serializers.CharField(allow_null=True)
    document_id = serializers.CharField(required=False)
    message = serializers.CharField()


class ShownReadiness(serializers.Serializer[Any]):
    object = serializers.ChoiceField(choices=["agent_readiness"])
    ready = serializers.BooleanField()
    issues = ReadinessIssue(many=True)
