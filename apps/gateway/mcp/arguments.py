"""The arguments of a tool, checked by the shapes of the other doors; what the door itself decides is not taken."""

from typing import Any

from apps.rest.fields import StrictSerializer


def checked(shape: type[StrictSerializer], arguments: dict[str, Any], **decided: Any) -> dict[str, Any]:
    """The arguments in their shape, together with what this door decides. Raises a validation error."""
    serializer = shape(data={**arguments, **decided})
    serializer.is_valid(raise_exception=True)
    body: dict[str, Any] = serializer.validated_data
    return body
