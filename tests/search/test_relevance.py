"""The search reaches what it promises on the public relevance benchmark."""

import pytest

from bench import relevance_public


@pytest.mark.shared
@pytest.mark.conformance("KA-122", "KA-123")
@pytest.mark.skipif(
    not relevance_public.is_here(), reason="the public relevance benchmark is not beside the project"
)
def test_every_target_of_the_public_benchmark_is_reached() -> None:
    assert relevance_public.shortfalls(relevance_public.scores(*relevance_public.ask())) == []
