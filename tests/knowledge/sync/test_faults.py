import re
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from apps.knowledge.sync.decide import WORKER_LOST
from apps.knowledge.sync.faults import CODES, Fault
from apps.knowledge.transform import TransformError
from apps.knowledge.transform.errors import SENTENCES as OF_TRANSFORMS
from apps.outbound import OutboundError
from apps.outbound.errors import SENTENCES as OF_TRANSPORT
from apps.vault.release import SecretRefusedError

GUIDE = Path(__file__).parents[3] / "docs" / "api-sources.md"
NAMED = {"name": "CATALOG_TOKEN", "host": "shop.example.com"}
FAULTS = [
    *(Fault.of_transport(OutboundError(*key.split(":"))) for key in OF_TRANSPORT),  # type: ignore[arg-type]
    *(Fault.of_transform(TransformError(code)) for code in OF_TRANSFORMS),
    *(Fault.of_secret(SecretRefusedError(code, NAMED)) for code in ("secret_missing", "secret_host_not_allowed")),
    Fault.unforeseen(),
    Fault(WORKER_LOST),
]


@pytest.mark.conformance("KA-104")
@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_every_fault_has_a_sentence_in_both_languages(fault: Fault) -> None:
    in_arabic, in_english = fault.message("ar"), fault.message("en")

    assert in_english.isascii()
    assert any("\u0600" < letter < "\u06ff" for letter in in_arabic)


@pytest.mark.conformance("KA-104")
def test_the_codes_are_those_of_the_contract() -> None:
    """A header that cannot be sent is told as a secret that cannot be used."""
    assert {fault.code for fault in FAULTS} - {"header_refused"} == set(CODES)


def test_a_text_that_grew_too_large_is_told_from_an_answer_that_is() -> None:
    of_text = Fault.of_transform(TransformError("too_large"))
    of_answer = Fault.of_transport(OutboundError("too_large"))

    assert of_text.message("en") != of_answer.message("en")


def test_the_guide_explains_every_code() -> None:
    assert re.findall(r"^\| `([a-z_]+)` \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE) == list(CODES)


def test_the_guide_names_every_metric() -> None:
    kept = {metric.name for metric in REGISTRY.collect() if metric.name.startswith("mawrid_sync_")}
    named = re.findall(r"`(mawrid_sync_\w+)`", GUIDE.read_text(encoding="utf-8"))

    assert {name.removesuffix("_total") for name in named} == kept
