"""Who is calling: an API key in the Authorization header, and nothing else."""

import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from apps.kernel.errors import AppError
from apps.projects import errors, keys
from apps.projects.models import ApiKey
from apps.projects.scoping import across_projects
from apps.projects.services import Grant, grant_of
from apps.rest import throttles
from apps.rest.addresses import client_address

CHALLENGE: Final = "Bearer"
# How old the shown time of last use may be; writing it on every request would make each of them write.
LAST_USED_PRECISION: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ApiCaller:
    """A request's key, as `request.auth`."""

    project_id: str
    key_id: str
    grant: Grant

    @property
    def scopes(self) -> frozenset[str]:
        return self.grant.scopes

    @property
    def source_ids(self) -> frozenset[str] | None:
        return None if self.grant.source_ids is None else frozenset(self.grant.source_ids)


class KeyAuthentication(BaseAuthentication):
    """Finds the key's row by its look-up part and compares hashes; every bad key gets the same answer."""

    def authenticate(self, request: Request) -> tuple[None, ApiCaller]:
        text = bearer_of(request.META.get("HTTP_AUTHORIZATION", ""))
        key = None if text is None else find_key(text, now=timezone.now())
        if key is None:
            lookup = None if text is None else keys.lookup_of(text)
            throttles.count_bad_credential(address=client_address(request), lookup=lookup)
            raise AppError(errors.INVALID_API_KEY, headers={"WWW-Authenticate": CHALLENGE})
        return None, ApiCaller(key.project_id, key.id, grant_of(key))

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 -- the framework's signature
        return CHALLENGE


def bearer_of(header: str) -> str | None:
    """The credential of ``Bearer <credential>``; the scheme's case does not matter, anything else is None."""
    scheme, space, credential = header.partition(" ")
    if scheme.lower() != "bearer" or not space:
        return None
    return credential.strip(" ")


def find_key(text: str, *, now: datetime) -> ApiKey | None:
    """The live key with this text. A malformed one costs no query."""
    lookup = keys.lookup_of(text)
    if lookup is None:
        return None
    with across_projects():
        key = ApiKey.objects.all_projects().filter(lookup=lookup).first()
        if key is None or not _is_live(key, now) or not hmac.compare_digest(key.digest, keys.digest_of(text)):
            return None
        _note_use(key, now)
    return key


def _is_live(key: ApiKey, now: datetime) -> bool:
    return key.revoked_at is None and (key.expires_at is None or now < key.expires_at)


def _note_use(key: ApiKey, now: datetime) -> None:
    """Write the time of last use when it is a minute old; a request never waits for whoever holds the row."""
    stale = now - LAST_USED_PRECISION
    if key.last_used_at is not None and key.last_used_at > stale:
        return
    unlocked: Any = (
        ApiKey.objects.all_projects()
        .select_for_update(skip_locked=True)
        .filter(Q(last_used_at=None) | Q(last_used_at__lte=stale), id=key.id)
        .values("id")
    )
    ApiKey.objects.all_projects().filter(id__in=unlocked).update(last_used_at=now)
