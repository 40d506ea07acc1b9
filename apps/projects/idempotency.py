"""Where answers to POSTs with an Idempotency-Key are kept: claims commit alone, answers with their work."""

from datetime import timedelta

from django.utils import timezone

from apps.kernel.ids import new_id
from apps.projects.models import IdempotencyRecord
from apps.projects.scoping import project_scope
from apps.rest.caller import Caller
from apps.rest.idempotency import (
    KEEPING_SECONDS,
    LEASE_SECONDS,
    Claimed,
    Conflict,
    Outcome,
    Replay,
    Running,
)


class IdempotencyStore:
    """The store that `apps.rest.idempotency` asks for, in PostgreSQL."""

    def claim(self, caller: Caller, *, method: str, path: str, key_hash: bytes, body_hash: bytes) -> Outcome:
        place = {"api_key_id": caller.key_id, "method": method, "path": path, "key_hash": key_hash}
        fresh = _fresh_claim(body_hash)
        with project_scope(caller.project_id):
            records = IdempotencyRecord.objects.for_project(caller.project_id)
            # Insert first and look only on a clash: two requests at once cannot both find nothing.
            inserted = records.bulk_create(
                [IdempotencyRecord(project_id=caller.project_id, **place, **fresh)], ignore_conflicts=True
            )
            record = records.select_for_update().get(**place)
            if record.claim == inserted[0].claim:
                return Claimed(record.claim)
            outcome = _outcome(record, body_hash)
            if isinstance(outcome, Claimed):
                records.filter(pk=record.pk).update(**{**fresh, "claim": outcome.claim, "sealed_answer": None})
        return outcome

    def complete(self, caller: Caller, claim: str, sealed_answer: bytes) -> bool:
        records = IdempotencyRecord.objects.for_project(caller.project_id)
        return records.filter(claim=claim, sealed_answer=None).update(sealed_answer=sealed_answer) == 1

    def abandon(self, caller: Caller, claim: str) -> None:
        with project_scope(caller.project_id):
            records = IdempotencyRecord.objects.for_project(caller.project_id)
            records.filter(claim=claim, sealed_answer=None).delete()


def _fresh_claim(body_hash: bytes) -> dict[str, object]:
    now = timezone.now()
    return {
        "claim": new_id("run"),
        "claimed_until": now + timedelta(seconds=LEASE_SECONDS),
        "created_at": now,
        "body_hash": body_hash,
    }


def _outcome(record: IdempotencyRecord, body_hash: bytes) -> Outcome:
    """What a request finds when the key has a record already; `Claimed` when that record counts no more."""
    now = timezone.now()
    if record.created_at <= now - timedelta(seconds=KEEPING_SECONDS):
        return Claimed(new_id("run"))
    if bytes(record.body_hash) != body_hash:
        return Conflict()
    if record.sealed_answer is not None:
        return Replay(bytes(record.sealed_answer))
    return Running() if record.claimed_until > now else Claimed(new_id("run"))
