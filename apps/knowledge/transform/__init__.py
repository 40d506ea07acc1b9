"""From the answer of a feed to lines of text: pure, and the same for previews and syncs."""

from apps.knowledge.transform.apply import TransformResult, apply
from apps.knowledge.transform.config import Transform
from apps.knowledge.transform.decode import decode_body
from apps.knowledge.transform.errors import TransformConfigError, TransformError
from apps.knowledge.transform.paging import headers_announce_more

__all__ = [
    "Transform",
    "TransformConfigError",
    "TransformError",
    "TransformResult",
    "apply",
    "decode_body",
    "headers_announce_more",
]
