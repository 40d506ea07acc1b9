"""REST doors of documents, their selections, and snapshots."""

import re
from typing import Any, Final

from django.http import HttpRequest, HttpResponse

from apps.kernel.errors import AppError
from apps.knowledge.documents import errors, presenters, queries, serializers, services
from apps.knowledge.documents.models import HANDLE_EXAMPLE, HANDLE_PATTERN, Document, DocumentStatus
from apps.knowledge.documents.services import Change, Wish
from apps.rest.errors import refuse
from apps.rest.operations import operation
from apps.rest.pagination import newest_first
from apps.rest.views import KNOWLEDGE_BODY_LIMIT, ApiView

_READ: Final = frozenset({"read"})
_CONTENT_REFUSED: Final = "A field is faulty, or the text or the parts are; `errors` lists every faulty field."
_CONFLICT: Final = "A revision stands for another text, or a saved selection would be broken and `strict` is true."


class DocumentsView(ApiView):
    @operation(
        "List documents",
        id="list_documents",
        query=serializers.DocumentListQuery,
        answers={200: serializers.ListedDocument},
    )
    def get(self, request: HttpRequest) -> HttpResponse:
        documents = queries.list_documents(
            self.caller.project_id, status=self.query.get("status"), title_part=self.query.get("q")
        )
        return self.listing(newest_first(documents, presenters.listed_document, **self.paging))


class DocumentView(ApiView):
    """What all doors of one document share."""

    body_limit = KNOWLEDGE_BODY_LIMIT

    def answer_document(self, document: Document, *, created: bool = False) -> HttpResponse:
        shown = presenters.document(document, queries.broken_references(document))
        tagged = presenters.listed_document(document)
        if created:
            return self.created(shown, location=f"/v1/documents/{document.handle}", tagged=tagged)
        return self.single(shown, tagged=tagged)

    def locked_document(self, document_id: str) -> Document:
        """The document for changing it, unless the caller has seen another state of it."""
        document = queries.get_document(self.caller.project_id, document_id, lock=True)
        self.check_if_match(presenters.listed_document(document))
        return document


class OneDocumentView(DocumentView):
    # Whoever puts a document under an impossible id is told what ids are like.
    free_path_names = frozenset({"document_id"})

    @operation("Read a document", id="get_document", answers={200: serializers.ShownDocument})
    def get(self, request: HttpRequest, document_id: str) -> HttpResponse:
        return self.answer_document(queries.get_document(self.caller.project_id, document_id))

    @operation(
        "Make a document what the body says, under an id and a revision of your own",
        id="put_document",
        request=serializers.PutDocument,
        query=serializers.WriteQuery,
        answers={200: serializers.ShownDocument, 201: serializers.ShownDocument},
        errors={400: _CONTENT_REFUSED, 409: _CONFLICT, 412: "`If-Match` names another state of the document."},
    )
    def put(self, request: HttpRequest, document_id: str) -> HttpResponse:
        _check_id(document_id)
        self._check_seen(document_id)
        outcome = services.put_document(
            self.caller.project_id,
            _wish(document_id, self.body),
            strict=self.query.get("strict", False),
            actor=self.caller.key_id,
        )
        return self.answer_document(outcome.document, created=outcome.change is Change.NEW)

    @operation(
        "Delete a document",
        id="delete_document",
        query=serializers.DeleteDocumentQuery,
        answers={204: None},
        errors={409: "Agents use the document, and `detach` is not true."},
    )
    def delete(self, request: HttpRequest, document_id: str) -> HttpResponse:
        document = self.locked_document(document_id)
        services.delete_document(document, detach=self.query.get("detach", False), actor=self.caller.key_id)
        return self.no_content()

    def _check_seen(self, document_id: str) -> None:
        """Whoever says which state they have seen has seen one."""
        if self.request.headers.get("If-Match") is None:
            return
        if queries.find_document(self.caller.project_id, document_id) is None:
            refuse("precondition_failed")
        self.locked_document(document_id)


class ReadDocumentView(DocumentView):
    @operation(
        "Read a selection of a document",
        id="read_document",
        request=serializers.ReadDocument,
        answers={200: serializers.ShownSnapshot},
        scopes=_READ,
        errors={400: "The selection is faulty, or its text is longer than `max_chars`."},
    )
    def post(self, request: HttpRequest, document_id: str) -> HttpResponse:
        _, snapshot = queries.read(self.caller.project_id, document_id, **self.body)
        return self.single(presenters.snapshot(snapshot))


class ValidateSelectionView(DocumentView):
    @operation(
        "Check a selection without reading it",
        id="validate_selection",
        request=serializers.ReadDocument,
        answers={200: serializers.SelectionIsValid},
        scopes=_READ,
        errors={400: "The selection is faulty, or its text is longer than `max_chars`."},
    )
    def post(self, request: HttpRequest, document_id: str) -> HttpResponse:
        queries.read(self.caller.project_id, document_id, **self.body)
        return self.answer({"valid": True})


class SnapshotsView(DocumentView):
    @operation(
        "Store what a selection says",
        id="store_snapshot",
        request=serializers.ReadDocument,
        answers={200: serializers.ShownSnapshot, 201: serializers.ShownSnapshot},
        errors={400: "The selection is faulty, or its text is longer than `max_chars`."},
    )
    def post(self, request: HttpRequest, document_id: str) -> HttpResponse:
        snapshot, is_new = services.store_snapshot(
            self.caller.project_id, document_id, **self.body, actor=self.caller.key_id
        )
        shown = presenters.stored_snapshot(snapshot)
        return self.created(shown, location=f"/v1/snapshots/{snapshot.reference}") if is_new else self.single(shown)


class OneSnapshotView(ApiView):
    @operation("Read a stored snapshot", id="get_snapshot", answers={200: serializers.ShownSnapshot})
    def get(self, request: HttpRequest, snapshot_id: str) -> HttpResponse:
        snapshot = queries.get_snapshot(self.caller.project_id, snapshot_id)
        return self.single(presenters.stored_snapshot(snapshot))


class PublishView(DocumentView):
    @operation(
        "Make several documents what the body says, all or none",
        id="publish_documents",
        request=serializers.PublishDocuments,
        query=serializers.WriteQuery,
        answers={200: serializers.ShownPublication},
        errors={400: _CONTENT_REFUSED, 409: _CONFLICT},
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        outcomes = services.publish(
            self.caller.project_id,
            [_wish(fields["id"], fields) for fields in self.body["documents"]],
            strict=self.query.get("strict", False),
            actor=self.caller.key_id,
        )
        documents = [outcome.document for outcome in outcomes]
        broken = [reference for document in documents for reference in queries.broken_references(document)]
        return self.answer(presenters.publication(documents, broken))


def _wish(document_id: str, fields: dict[str, Any]) -> Wish:
    return Wish(
        handle=document_id,
        revision=fields["revision"],
        title=fields.get("title", document_id),
        status=fields.get("status", DocumentStatus.PUBLISHED),
        body=fields["body"],
    )


def _check_id(document_id: str) -> None:
    if document_id in serializers.RESERVED_IDS:
        raise AppError(errors.DOCUMENT_ID_RESERVED, param="document_id", params={"document_id": document_id})
    if not re.fullmatch(HANDLE_PATTERN, document_id):
        raise AppError("invalid_format", param="document_id", params={"example": HANDLE_EXAMPLE})
