"""REST doors of sources, their contents, and searching."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse

from apps.kernel.errors import AppError
from apps.knowledge import corpus, errors, lookup, presenters, queries, serializers, services, trials, uploads
from apps.knowledge.kinds import KINDS
from apps.knowledge.models import Source, SyncRun
from apps.knowledge.sync import queue
from apps.rest.errors import language_of
from apps.rest.fields import ListQuery
from apps.rest.operations import operation
from apps.rest.pagination import Page, by_position, newest_first
from apps.rest.views import KNOWLEDGE_BODY_LIMIT, ApiView

_SEARCH_SCOPES: Final = frozenset({"search", "read"})
_READ: Final = frozenset({"read"})
_KIND_REFUSES: Final = "A field is faulty, or the kind refuses the content; `errors` lists every faulty field."
_OTHER_STATE: Final = "`If-Match` names another state of the source than the present one."


class KnowledgeView(ApiView):
    """What all doors of knowledge share."""

    body_limit = KNOWLEDGE_BODY_LIMIT

    @property
    def language(self) -> str:
        return language_of(self.request._request)  # noqa: SLF001 -- DRF's only way to the request it wraps

    def source(self, source_id: str, *, lock: bool = False) -> Source:
        """A source of the project that the key may touch."""
        return queries.get_source(self.caller.project_id, source_id, visible=self.caller.source_ids, lock=lock)

    def locked_source(self, source_id: str) -> Source:
        """The same, for changing it, unless the caller has seen another state of it."""
        source = self.source(source_id, lock=True)
        self.check_if_match(presenters.tagged_source(source))
        return source

    def shown(self, source: Source) -> dict[str, Any]:
        return presenters.source(source, language=self.language)

    def answer_source(self, source: Source) -> HttpResponse:
        return self.single(self.shown(source), tagged=presenters.tagged_source(source))


class SourcesView(KnowledgeView):
    @operation(
        "List knowledge sources",
        id="list_knowledge_sources",
        query=serializers.SourceListQuery,
        answers={200: serializers.ListedSource},
        limited_keys=True,
    )
    def get(self, request: HttpRequest) -> HttpResponse:
        sources = queries.list_sources(
            self.caller.project_id,
            visible=self.caller.source_ids,
            kind=self.query.get("kind"),
            sync_status=self.query.get("sync_status"),
            name_part=self.query.get("q"),
            updated_since=self.query.get("updated_since"),
        )
        language = self.language
        return self.listing(
            newest_first(sources, lambda source: presenters.listed_source(source, language=language), **self.paging)
        )

    @operation(
        "Create a knowledge source",
        id="create_knowledge_source",
        request=serializers.CreateSource,
        upload=serializers.UploadSource,
        answers={201: serializers.ShownSource},
        errors={400: _KIND_REFUSES},
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        fields = self._uploaded(self.body) if self.is_upload else self.body
        source = services.create_source(self.caller.project_id, **fields, actor=self.caller.key_id)
        return self.created(
            self.shown(source),
            location=f"/v1/knowledge_sources/{source.id}",
            tagged=presenters.tagged_source(source),
        )

    def _uploaded(self, form: dict[str, Any]) -> dict[str, Any]:
        uploaded = uploads.read(form["file"])
        config = {**_config_of(uploaded, form["kind"]), **form.get("config", {})}
        return {
            **{name: form[name] for name in ("name", "kind", "complete") if name in form},
            "content": uploaded.text,
            "config": config or None,
            "origin": "upload",
        }


class OneSourceView(KnowledgeView):
    @operation(
        "Read a knowledge source",
        id="get_knowledge_source",
        answers={200: serializers.ShownSource},
        limited_keys=True,
    )
    def get(self, request: HttpRequest, source_id: str) -> HttpResponse:
        return self.answer_source(self.source(source_id))

    @operation(
        "Change a knowledge source",
        id="update_knowledge_source",
        request=serializers.UpdateSource,
        partial=True,
        answers={200: serializers.ShownSource},
        errors={400: _KIND_REFUSES},
        limited_keys=True,
    )
    def patch(self, request: HttpRequest, source_id: str) -> HttpResponse:
        source = self.locked_source(source_id)
        changes = dict(self.body)
        if changes.pop("kind", source.kind) != source.kind:
            raise AppError(errors.KIND_FIXED, param="kind")
        return self.answer_source(services.update_source(source, **changes, actor=self.caller.key_id))

    @operation(
        "Delete a knowledge source",
        id="delete_knowledge_source",
        query=serializers.DeleteQuery,
        answers={204: None},
        errors={409: "Agents use the source, and `detach` is not true."},
        limited_keys=True,
    )
    def delete(self, request: HttpRequest, source_id: str) -> HttpResponse:
        source = self.locked_source(source_id)
        services.delete_source(source, detach=self.query.get("detach", False), actor=self.caller.key_id)
        return self.no_content()


class SourceContentView(KnowledgeView):
    @operation(
        "Replace the content of a knowledge source by an uploaded file",
        id="replace_knowledge_source_content",
        upload=serializers.ReplaceContent,
        answers={200: serializers.ShownSource},
        errors={400: _KIND_REFUSES, 412: _OTHER_STATE},
        limited_keys=True,
    )
    def put(self, request: HttpRequest, source_id: str) -> HttpResponse:
        source = self.locked_source(source_id)
        uploaded = uploads.read(self.body["file"])
        config = {**_config_of(uploaded, source.kind), **self.body.get("config", {})}
        changed = services.update_source(
            source,
            content=uploaded.text,
            config=config or services.UNCHANGED,
            origin="upload",
            actor=self.caller.key_id,
        )
        return self.answer_source(changed)


class SourceChunksView(KnowledgeView):
    @operation(
        "List the chunks of a knowledge source",
        id="list_knowledge_source_chunks",
        query=ListQuery,
        answers={200: serializers.ShownChunk},
        limited_keys=True,
    )
    def get(self, request: HttpRequest, source_id: str) -> HttpResponse:
        source = self.source(source_id)
        if source.revision is None:
            return self.listing(Page([], None))
        segment = corpus.segment_of(source.revision)
        return self.listing(
            by_position(
                lambda start, stop: ((at + 1, segment.chunk(at)) for at in range(start, stop)),
                len(segment),
                presenters.chunk,
                **self.paging,
            )
        )


class SourceRevisionsView(KnowledgeView):
    @operation(
        "List the earlier contents of a knowledge source",
        id="list_knowledge_source_revisions",
        query=ListQuery,
        answers={200: serializers.ListedRevision},
        limited_keys=True,
    )
    def get(self, request: HttpRequest, source_id: str) -> HttpResponse:
        revisions = queries.earlier_revisions(self.source(source_id))
        return self.listing(newest_first(revisions, presenters.listed_revision, **self.paging))


class OneSourceRevisionView(KnowledgeView):
    @operation(
        "Read a present or earlier content of a knowledge source",
        id="get_knowledge_source_revision",
        answers={200: serializers.ShownRevision},
        limited_keys=True,
    )
    def get(self, request: HttpRequest, source_id: str, revision: str) -> HttpResponse:
        return self.single(presenters.revision(queries.get_revision(self.source(source_id), revision)))


class RestoreView(KnowledgeView):
    @operation(
        "Make an earlier content of a knowledge source current again",
        id="restore_knowledge_source_revision",
        request=serializers.RestoreRevision,
        answers={200: serializers.ShownSource},
        errors={400: _KIND_REFUSES, 412: _OTHER_STATE},
        limited_keys=True,
    )
    def post(self, request: HttpRequest, source_id: str) -> HttpResponse:
        source = self.locked_source(source_id)
        restored = services.restore_revision(source, self.body["revision"], actor=self.caller.key_id)
        return self.answer_source(restored)


class SyncView(KnowledgeView):
    @operation(
        "Fetch the feed of an API source now",
        id="sync_knowledge_source",
        answers={202: serializers.ShownSyncRun},
        errors={400: "The source is not of the kind `api`."},
        limited_keys=True,
    )
    def post(self, request: HttpRequest, source_id: str) -> HttpResponse:
        run = queue.request_sync(self.source(source_id, lock=True))
        return self.accepted(presenters.sync_run(run, language=self.language))


class SyncRunsView(KnowledgeView):
    @operation(
        "List the fetches of an API source",
        id="list_sync_runs",
        query=ListQuery,
        answers={200: serializers.ShownSyncRun},
        limited_keys=True,
    )
    def get(self, request: HttpRequest, source_id: str) -> HttpResponse:
        language = self.language

        def shown(run: SyncRun) -> dict[str, Any]:
            return presenters.sync_run(run, language=language)

        return self.listing(newest_first(queries.runs_of(self.source(source_id)), shown, **self.paging))


class PreviewTransformView(KnowledgeView):
    @operation(
        "See the lines that a transform makes of a sample",
        id="preview_transform",
        request=serializers.PreviewTransform,
        answers={200: serializers.TransformPreview},
        scopes=_READ,
        errors={400: "The transform is faulty, or a sync would refuse the sample, with the same code."},
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        trials.check_size(self.body["sample"])
        body = self.body_as_written()
        return self.answer(presenters.preview(trials.try_transform(body["sample"], body["transform"])))


class SearchView(KnowledgeView):
    @operation(
        "Search knowledge sources and documents",
        id="search_knowledge",
        request=serializers.SearchRequest,
        answers={200: serializers.SearchAnswer},
        scopes=_SEARCH_SCOPES,
        errors={
            404: "A source of `source_ids` or a document of `document_ids` is not in the project.",
            409: "A document of `document_ids` is a draft, or a request with the Idempotency-Key is still running.",
        },
        limited_keys=True,
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        return self.answer(lookup.search(self.caller.project_id, **self.body, visible=self.caller.source_ids))


class StopWordsView(KnowledgeView):
    @operation(
        "Read the words that searches ignore while others remain",
        id="list_stop_words",
        answers={200: serializers.StopWords},
        scopes=_SEARCH_SCOPES,
        limited_keys=True,
    )
    def get(self, request: HttpRequest) -> HttpResponse:
        return self.answer(presenters.stop_words())


def _config_of(uploaded: uploads.UploadedText, kind: str) -> dict[str, Any]:
    """What the type of an uploaded file says about how to read it."""
    return dict(KINDS[kind].config_of_csv_file) if uploaded.is_csv else {}
