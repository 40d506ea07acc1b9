"""Everything that changes documents and stores snapshots."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from psycopg.types.json import Jsonb

from apps.kernel import hooks
from apps.kernel.errors import AppError, FieldError
from apps.knowledge.binary import binary_cursor
from apps.knowledge.documents import corpus, errors, queries
from apps.knowledge.documents.body import Body, of_parts
from apps.knowledge.documents.models import Document, DocumentRevision, Snapshot
from apps.knowledge.documents.queries import BrokenReference
from apps.projects import audit
from apps.sections import Selection

KEPT_EARLIER_REVISIONS: Final = 50


@dataclass(frozen=True)
class Wish:
    """What a caller wants a document to be, in full: what is not said is as by default, whatever it was before."""

    handle: str
    revision: str
    title: str
    status: str
    body: Body


class Change(Enum):
    """What a wish makes of a document."""

    NEW = "new"
    CHANGED = "changed"
    # Its title or status only, or an earlier revision that is the present one again.
    MOVED = "moved"
    UNCHANGED = "unchanged"


@dataclass(frozen=True)
class Outcome:
    """A document after a wish, and what the wish changed."""

    document: Document
    change: Change


@dataclass(frozen=True)
class Known:
    """What decides about a wish: the document's present state, and the hash under which its revision is known."""

    title: str | None
    status: str | None
    revision: str | None
    sha256: str | None

    def change_by(self, wish: Wish) -> Change:
        """Raises `revision_conflict`."""
        if self.sha256 is not None and self.sha256 != wish.body.sha256:
            raise AppError(errors.REVISION_CONFLICT, param="revision", params={"revision": wish.revision})
        if self.revision is None:
            return Change.NEW
        if self.sha256 is None:
            return Change.CHANGED
        stands = (self.title, self.status, self.revision) == (wish.title, wish.status, wish.revision)
        return Change.UNCHANGED if stands else Change.MOVED


# --- putting and publishing ---------------------------------------------------------------------------------


@transaction.atomic
def put_document(project_id: str, wish: Wish, *, strict: bool, actor: str) -> Outcome:
    """Make one document as wished; raises `revision_conflict`, and `broken_references` when strict."""
    return _put(project_id, [wish], [""], strict=strict, actor=actor)[0]


@transaction.atomic
def publish(project_id: str, wishes: Sequence[Wish], *, strict: bool, actor: str) -> list[Outcome]:
    """Make all documents as wished, or none of them.

    Raises what `put_document` raises, for every document whose revision is taken.
    """
    inside = [f"documents[{position}]." for position in range(len(wishes))]
    return _put(project_id, wishes, inside, strict=strict, actor=actor)


@transaction.atomic
def change_document(
    document: Document,
    *,
    actor: str,
    strict: bool,
    title: str | None = None,
    status: str | None = None,
    revision: str | None = None,
) -> Outcome:
    """Change what is given of a locked document and leave its texts; `revision` is one that is to be read again.

    Raises `revision_not_found` when the text of that is not kept, and `broken_references` when strict.
    """
    kept = queries.get_revision(document.project_id, document.handle, revision)
    wish = Wish(
        handle=document.handle,
        revision=kept.revision,
        title=document.title if title is None else title,
        status=document.status if status is None else status,
        body=of_parts(kept.parts, kept.locale),
    )
    return put_document(document.project_id, wish, strict=strict, actor=actor)


def _put(
    project_id: str, wishes: Sequence[Wish], inside: Sequence[str], *, strict: bool, actor: str
) -> list[Outcome]:
    documents = _locked(project_id, [wish.handle for wish in wishes])
    changes = _decide(project_id, wishes, documents, inside)
    for wish, change in zip(wishes, changes, strict=True):
        if change is not Change.UNCHANGED:
            _apply(documents[wish.handle], wish, change, actor=actor)
    if strict:
        _refuse_broken(documents.values())
    return [Outcome(documents[wish.handle], change) for wish, change in zip(wishes, changes, strict=True)]


def _locked(project_id: str, handles: Iterable[str]) -> dict[str, Document]:
    """The documents of these handles, locked; those that are new are there without a revision.

    In the order of their handles, so that two publications wait for each other and never both. Those that are there
    are written as they are, which locks them with the same statement: none can be deleted before it is read.
    """
    ordered = sorted(handles)
    now = timezone.now()
    rows = Document.objects.for_project(project_id)
    fresh = [
        Document(project_id=project_id, handle=handle, title="", created_at=now, updated_at=now)
        for handle in ordered
    ]
    rows.bulk_create(fresh, update_conflicts=True, unique_fields=["project", "handle"], update_fields=["handle"])
    locked = list(rows.filter(handle__in=ordered))
    revisions = DocumentRevision.objects.for_project(project_id).defer("parts", "segment")
    present = revisions.in_bulk([row.revision_id for row in locked if row.revision_id is not None])
    for row in locked:
        row.revision = None if row.revision_id is None else present[row.revision_id]
    return {row.handle: row for row in locked}


def _decide(
    project_id: str, wishes: Sequence[Wish], documents: Mapping[str, Document], inside: Sequence[str]
) -> list[Change]:
    known = _known_hashes(project_id, wishes)
    changes: list[Change] = []
    faults: list[FieldError] = []
    for wish, prefix in zip(wishes, inside, strict=True):
        document = documents[wish.handle]
        present = document.revision.revision if document.revision else None
        state = Known(document.title, document.status, present, known.get((wish.handle, wish.revision)))
        try:
            changes.append(state.change_by(wish))
        except AppError as refusal:
            faults += [FieldError(fault.code, f"{prefix}{fault.param}", fault.params) for fault in refusal.errors]
    if faults:
        raise AppError.of_fields(faults)
    return changes


def _known_hashes(project_id: str, wishes: Sequence[Wish]) -> dict[tuple[str, str], str]:
    """The hash of every body that one of the wished revisions stands for.

    A snapshot keeps its revision's name after the document is deleted, so it counts too.
    """
    asked = {"handle": [wish.handle for wish in wishes], "revision": [wish.revision for wish in wishes]}
    kept = Snapshot.objects.for_project(project_id).filter(
        handle__in=asked["handle"], revision__in=asked["revision"]
    )
    given = DocumentRevision.objects.for_project(project_id).filter(
        document__handle__in=asked["handle"], revision__in=asked["revision"]
    )
    rows = [
        *kept.values_list("handle", "revision", "sha256"),
        *given.values_list("document__handle", "revision", "sha256"),
    ]
    return {(handle, revision): sha256 for handle, revision, sha256 in rows}


def _apply(document: Document, wish: Wish, change: Change, *, actor: str) -> None:
    before = document.revision
    if before is None or before.revision != wish.revision:
        _make_current(document, wish)
    document.title, document.status = wish.title, wish.status
    document.save()
    audit.record(
        document.project_id,
        actor=actor,
        action="document.created" if change is Change.NEW else "document.changed",
        target=f"document:{document.pk}",
        document_id=wish.handle,
        revision=wish.revision,
        status=wish.status,
    )


def _make_current(document: Document, wish: Wish) -> None:
    """Read the wished revision from now on: one that is new, or an earlier one again."""
    if document.revision is None:
        document.revision = _insert_revision(document, wish, now=document.created_at)
    else:
        document.updated_at = timezone.now()
        document.revision = _replace_revision(document, wish)
    corpus.keep(document, document.revision, wish.body.segment)


def _replace_revision(document: Document, wish: Wish) -> DocumentRevision:
    revisions = DocumentRevision.objects.for_project(document.project_id).filter(document=document)
    current = revisions.filter(revision=wish.revision).defer("parts", "segment").first()
    if current is None:
        current = _insert_revision(document, wish, now=document.updated_at)
    else:
        # Its text may not have been kept.
        revisions.filter(id=current.id).update(parts=wish.body.parts, segment=wish.body.segment)
    revisions.filter(segment__isnull=False).exclude(id=current.id).update(segment=None)
    _forget_earlier_revisions(document, current)
    return current


_INSERT_REVISION: Final = """
INSERT INTO documents_documentrevision (project_id, document_id, revision, locale, parts, sha256, section_ids,
                                        char_count, chunk_count, token_estimate, segment, created_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id
"""


def _insert_revision(document: Document, wish: Wish, *, now: Any) -> DocumentRevision:
    body = wish.body
    revision = DocumentRevision(
        project_id=document.project_id,
        document=document,
        revision=wish.revision,
        locale=body.locale,
        parts=body.parts,
        sha256=body.sha256,
        section_ids=list(body.compiled.section_ids),
        char_count=body.compiled.char_count,
        chunk_count=len(body.chunks),
        token_estimate=body.token_estimate,
        created_at=now,
    )
    values = [
        revision.project_id,
        document.id,
        revision.revision,
        revision.locale,
        Jsonb(revision.parts),
        revision.sha256,
        Jsonb(revision.section_ids),
        revision.char_count,
        revision.chunk_count,
        revision.token_estimate,
        body.segment,
        now,
    ]
    with binary_cursor() as cursor:
        cursor.execute(_INSERT_REVISION, values)
        (revision.id,) = cursor.fetchall()[0]
    return revision


def _forget_earlier_revisions(document: Document, current: DocumentRevision) -> None:
    """Let go of the texts past the last ones that are kept, but for those that something names."""
    revisions = DocumentRevision.objects.for_project(document.project_id).filter(document=document)
    earlier = revisions.filter(parts__isnull=False).exclude(id=current.id).order_by("-id")
    surplus = list(earlier.values_list("id", "revision")[KEPT_EARLIER_REVISIONS:])
    if not surplus:
        return
    named = _named_revisions(document)
    unnamed = [row_id for row_id, revision in surplus if revision not in named]
    revisions.filter(id__in=unnamed).update(parts=None)


def _named_revisions(document: Document) -> set[str]:
    kept = Snapshot.objects.for_project(document.project_id).filter(handle=document.handle)
    used = {name for find in hooks.document_revision_users for name in find(document.project_id, document.handle)}
    return used | set(kept.values_list("revision", flat=True))


def _refuse_broken(documents: Iterable[Document]) -> None:
    broken = [reference for document in documents for reference in queries.broken_references(document)]
    if broken:
        raise AppError(errors.BROKEN_REFERENCES, params={"broken": "; ".join(map(_told, broken))})


def _told(reference: BrokenReference) -> str:
    gone = ", ".join(reference.section_ids) or reference.code
    return f"{reference.user.name} ({reference.user.id}): {reference.handle} {gone}"


# --- deleting -----------------------------------------------------------------------------------------------


@transaction.atomic
def delete_document(document: Document, *, detach: bool, actor: str) -> None:
    """Remove a locked document with all its revisions; raises `document_in_use` unless told to `detach` it.

    Snapshots stay: they are what somebody has worked with.
    """
    users = queries.users_of_document(document.project_id, document.handle)
    if users and not detach:
        named = ", ".join(dict.fromkeys(f"{user.name} ({user.id})" for user in users))
        raise AppError(errors.DOCUMENT_IN_USE, params={"users": named})
    for take_out in hooks.document_detachers:
        take_out(document.project_id, document.handle)
    # Its revisions go with it, by the database.
    Document.objects.for_project(document.project_id).filter(id=document.id).delete()
    audit.record(
        document.project_id,
        actor=actor,
        action="document.deleted",
        target=f"document:{document.pk}",
        document_id=document.handle,
    )


# --- snapshots ----------------------------------------------------------------------------------------------


@transaction.atomic
def store_snapshot(
    project_id: str,
    handle: str,
    *,
    selection: Selection,
    actor: str,
    max_chars: int | None = None,
    revision: str | None = None,
) -> tuple[Snapshot, bool]:
    """Keep what a selection says; and whether it was not kept before. Raises what `queries.read` raises."""
    # Locked, so that the revision's name cannot come to stand for another text meanwhile.
    queries.get_document(project_id, handle, lock=True)
    read_of, read = queries.read(project_id, handle, selection=selection, max_chars=max_chars, revision=revision)
    kept = Snapshot.objects.for_project(project_id).filter(reference=read.id).first()
    if kept is not None:
        return kept, False
    stored = Snapshot.objects.add(
        project_id=project_id,
        reference=read.id,
        handle=handle,
        revision=read.revision,
        locale=read.locale,
        selection=read.selection.as_mapping(),
        content=read.content,
        sha256=read_of.sha256,
    )
    audit.record(project_id, actor=actor, action="snapshot.stored", target=f"snapshot:{stored.pk}")
    return stored, True
