"""Who is asking: the little that REST endpoints need to know of a caller, whatever issued the credential."""

from typing import Protocol


class Caller(Protocol):
    """`request.auth` of every request that needs a credential."""

    @property
    def project_id(self) -> str: ...

    @property
    def key_id(self) -> str: ...

    @property
    def scopes(self) -> frozenset[str]: ...

    @property
    def source_ids(self) -> frozenset[str] | None:
        """The only sources this caller may touch; None means all of the project."""
