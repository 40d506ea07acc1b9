"""The search package keeps the relevance it has reached on our own queries, held-out ones included."""

import pytest

from bench.relevance.corpora import QUERIES, load_corpora
from bench.relevance.engines import LineByLine, Mawrid, Tantivy
from bench.relevance.scoring import Answer, load_queries, mark, row
from bench.relevance_own import ask

SHOP = {1: "عسل سدر — 120 ريال", 3: "عسل طلح — 90 ريال", 4: "بخور معمول — 35 ريال"}
SPLITS = {"open", "held_out"}
FLOORS = {
    "recall": 0.97,
    "reciprocal_rank": 0.96,
    "full_hit": 0.9,
    "full_precision": 0.97,
    "no_answer": 0.95,
}


@pytest.fixture(scope="module")
def means() -> dict[str, dict[str, float | None]]:
    queries = load_queries(QUERIES)
    answers = ask(Mawrid, load_corpora(), queries)
    marks = {split: [mark(q, answers[q.id]) for q in queries if q.split == split] for split in SPLITS}
    return {split: dict(row(split, marks[split]).means) for split in SPLITS}


@pytest.mark.parametrize("split", sorted(SPLITS))
@pytest.mark.parametrize(("measure", "floor"), FLOORS.items(), ids=list(FLOORS))
def test_relevance_does_not_fall(
    means: dict[str, dict[str, float | None]], split: str, measure: str, floor: float
) -> None:
    reached = means[split][measure]
    assert reached is not None
    assert reached >= floor


@pytest.mark.parametrize("engine", [Mawrid, Tantivy, LineByLine])
def test_every_engine_answers_with_line_numbers_and_knows_a_full_match(
    engine: type[Mawrid] | type[Tantivy] | type[LineByLine],
) -> None:
    assert engine(SHOP, text=False).answer("عسل طلج") == Answer((3, 1), (True, False))


def test_a_corpus_whose_lines_are_not_chunks_is_refused() -> None:
    with pytest.raises(ValueError, match="not one chunk"):
        Mawrid({1: "كلمة " * 400}, text=True)
