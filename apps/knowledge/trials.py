"""Tries a transform on a sample, with the code that a sync runs and the refusals that saving and syncing have."""

import json
from collections.abc import Mapping
from typing import Any

from apps.kernel.errors import AppError
from apps.knowledge.sync.config import faults_of_transform
from apps.knowledge.transform import Transform, TransformError, TransformResult, apply, decode_body
from apps.knowledge.transform.apply import MAX_TEXT_BYTES
from apps.outbound.policy import MIB


def read_sample(text: str) -> Any:
    """JSON that somebody pasted, as a sync would read it. Raises `too_large` and `invalid_json` on ``sample``."""
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) > MIB:
        raise AppError("too_large", param="sample", params={"limit": MIB})
    try:
        return decode_body(raw)
    except TransformError as error:
        raise AppError(error.code, param="sample", params=error.place._asdict()) from error


def check_size(sample: Any) -> None:
    """What a feed could not answer cannot be tried either. Raises `too_large` on ``sample``."""
    if len(json.dumps(sample, ensure_ascii=False, separators=(",", ":")).encode()) > MIB:
        raise AppError("too_large", param="sample", params={"limit": MIB})


def try_transform(sample: Any, config: Mapping[str, Any] | None) -> TransformResult:
    """What a sync would make of a sample; a config of None is that of a source without a transform.

    Raises the faults of the config on ``transform``, and on ``sample`` what a sync would fail of.
    """
    faults = [] if config is None else faults_of_transform(config, "transform")
    if faults:
        raise AppError.of_fields(faults)
    try:
        return apply(sample, None if config is None else Transform.parse(config))
    except TransformError as error:
        raise AppError(error.code, param="sample", params={"limit": MAX_TEXT_BYTES}) from error
