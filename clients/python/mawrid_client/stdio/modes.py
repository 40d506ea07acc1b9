"""What a credential opens: tools by name, each with what it does for one request of the host."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, TypeAlias

from mcp.types import Tool

# A host repeats it with a request that it repeats.
RequestId: TypeAlias = str | int | None
Run: TypeAlias = Callable[[RequestId, dict[str, Any]], Awaitable[dict[str, Any]]]
Tools: TypeAlias = Mapping[str, tuple[Tool, Run]]


class Mode(Protocol):
    """The tools of one credential."""

    @property
    def tools(self) -> Tools: ...

    async def close(self) -> None: ...
