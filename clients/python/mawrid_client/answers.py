"""From an answer to a result: the one status that is success, and a check of what came with it."""

from collections.abc import Callable
from typing import TypeVar

from mawrid_client.errors import broken_answer, error_of_answer
from mawrid_client.fields import NotAsPublishedError
from mawrid_client.messages import Answer

T = TypeVar("T")


def accept(operation: str, answer: Answer, check: Callable[[], T], *, status: int = 200) -> T:
    """What `check` makes of an answer with exactly this status; everything else is an `AgentError`."""
    if answer.status != status:
        raise error_of_answer(operation, answer.status, answer.body)
    try:
        return check()
    except NotAsPublishedError as error:
        raise broken_answer(str(error), operation=operation) from error
    except ValueError as error:
        raise broken_answer("it is no JSON", operation=operation) from error
