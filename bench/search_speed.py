"""Measures the search package on generated catalogs against tantivy and a loop over lines, in one run.

python -m bench.search_speed [LINES ...]      default 100000 200000 1000000

All rules are on. Queries are three neighbouring words of a line with one typo. Tantivy gets the same folded words,
indexed by one thread, and the same terms as a disjunction of fuzzy terms with transpositions; both return the
texts of the top 25.

Searches are measured in time on the processor. First comes the hardest way: the engines in turn query by query, so
that each finds the processor's caches full of the other's data, and all that the search remembers of words emptied
before each query. Then each engine over all queries by itself, as a server runs one. Of each query the shortest
time over all rounds counts, for what is longer was disturbed by others on the machine; the ratios of single rounds
are told beside. Before the first round the memory of both engines is moved into large pages once, as a web process
moves its own. The first answer of a fresh process is measured from its stored bytes on, the package imported.
"""

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, TypeVar

import numpy as np
import tantivy
from rapidfuzz.distance import OSA

from apps.kernel import large_pages
from apps.search.chunks import lines
from apps.search.costs import scale_for
from apps.search.engine import Part, search
from apps.search.query import Term, read_query
from apps.search.segment import Segment, compile_segment
from apps.search.tokens import tokens_of
from apps.search.words import is_number, words_of

MAKER = Path(__file__).resolve().parents[2] / "shared" / "tools" / "make_catalog.py"
SIZES = (100_000, 200_000, 1_000_000)
ROUNDS = 5
QUERIES = 200
LOOPED_QUERIES = 2
LOOPED_LINES = 100_000
TOP = 25
LETTERS = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
# Whatever in the package remembers what it worked out for words; scales do not depend on them.
REMEMBERING = [
    function
    for name, module in sys.modules.items()
    if name.startswith("apps.search")
    for function in vars(module).values()
    if hasattr(function, "cache_clear") and function is not scale_for
]

T = TypeVar("T")

FIRST_ANSWER = """
import sys, time
from apps.search.engine import Part, search
from apps.search.segment import Segment
stored = open(sys.argv[1], "rb").read()
start = time.perf_counter()
search([Part(Segment(stored), (0,))], sys.argv[2])
print(time.perf_counter() - start)
"""


class Measured(NamedTuple):
    """Seconds of one size of catalog."""

    ours: float
    tantivy: float


# Seconds of every query.
Times = list[float]


class Round(NamedTuple):
    """What every query took in one round: ours in several ways, and tantivy's."""

    in_turn: Times
    tantivy_in_turn: Times
    new_words: Times
    as_they_come: Times
    again: Times
    tantivy: Times


def main(sizes: Sequence[int]) -> None:
    if not MAKER.exists():
        print("Skipped: the catalog maker is not beside the project.")
        return
    measured = {size: measure(size) for size in sizes}
    for smaller, larger in pairwise(sizes):
        growth = measured[larger].ours / measured[smaller].ours
        print(f"{smaller:,} -> {larger:,} lines ({larger / smaller:g} times): median search {growth:.2f} times")


def measure(size: int) -> Measured:
    text = make_catalog(size)
    chunks = lines(text)
    texts = [chunk.text for chunk in chunks]
    print(f"\n{size:,} lines, {len(text.encode()) / 1e6:.1f} MB")

    stored, compiling = timed(lambda: compile_segment(chunks))
    index, indexing = timed(lambda: index_with_tantivy(texts))
    ratio("compiling", compiling, indexing, "tantivy's indexing, both from raw text")
    print(f"segment / text: {len(stored) / len(text.encode()):.2f}")

    segment = Segment(stored)
    queries = list(make_queries(texts, random.Random(size)))
    report_first_answer(stored, queries[0])
    searcher, schema = index
    asked = [read_query(query, lambda _: True).terms for query in queries]
    # The first round builds what stays in memory, and does not count.
    one_round(segment, searcher, schema, queries, asked)
    large_pages.move()
    rounds = [one_round(segment, searcher, schema, queries, asked) for _ in range(ROUNDS)]
    theirs = [one.tantivy for one in rounds]
    report("search of new words, in turn", [one.in_turn for one in rounds], [one.tantivy_in_turn for one in rounds])
    report("search of new words", [one.new_words for one in rounds], theirs)
    report("search of queries as they come", [one.as_they_come for one in rounds], theirs)
    report("search of words just sought", [one.again for one in rounds], theirs)
    ours = undisturbed([one.new_words for one in rounds])
    if size <= LOOPED_LINES:
        line_words = [[word.text for word in words_of(text)] for text in texts]
        looped = median(
            timed(partial(loop, line_words, terms), time.thread_time)[1] for terms in asked[:LOOPED_QUERIES]
        )
        ratio("search of new words, median", ours, looped, "a rapidfuzz loop over lines")
    return Measured(ours, undisturbed(theirs))


def one_round(
    segment: Segment, searcher: Any, schema: Any, queries: Sequence[str], asked: Sequence[Sequence[Term]]
) -> Round:
    """Ask every query, in turn query by query and each engine over all queries by itself."""

    def our(query: str) -> float:
        return timed(partial(search, [Part(segment, (0,))], query), time.thread_time)[1]

    def fresh(query: str) -> float:
        forget_words(segment)
        return our(query)

    def their(terms: Sequence[Term]) -> float:
        return timed(partial(search_tantivy, searcher, schema, terms), time.thread_time)[1]

    in_turn = [(fresh(query), their(terms)) for query, terms in zip(queries, asked, strict=True)]
    forget_words(segment)
    return Round(
        in_turn=[ours for ours, _ in in_turn],
        tantivy_in_turn=[theirs for _, theirs in in_turn],
        as_they_come=[*map(our, queries)],
        again=[min(our(query), our(query)) for query in queries],
        new_words=[*map(fresh, queries)],
        tantivy=[*map(their, asked)],
    )


def make_catalog(size: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "catalog.txt"
        subprocess.run(
            [sys.executable, str(MAKER), "--lines", str(size), "--seed", "7", "--out", str(path)], check=True
        )
        return path.read_text(encoding="utf-8")


def timed(work: Callable[[], T], clock: Callable[[], float] = time.perf_counter) -> tuple[T, float]:
    start = clock()
    result = work()
    return result, clock() - start


def forget_words(segment: Segment) -> None:
    """Empty everything that remembers words of earlier queries."""
    segment.index.remembered.clear()
    for remembering in REMEMBERING:
        remembering.cache_clear()


def undisturbed(rounds: Sequence[Times]) -> float:
    """Return the median of the shortest times of every query."""
    shortest: list[float] = [min(times) for times in zip(*rounds, strict=True)]
    return median(shortest)


def report(what: str, ours: Sequence[Times], theirs: Sequence[Times]) -> None:
    """Print the ratio of the undisturbed medians, and the lowest and highest of single rounds."""
    our, their = undisturbed(ours), undisturbed(theirs)
    ratios = [median(one) / median(other) for one, other in zip(ours, theirs, strict=True)]
    print(
        f"{what}, median: {our * 1000:,.2f} ms = {our / their:.3f} of tantivy "
        f"({their * 1000:,.2f} ms), rounds {min(ratios):.2f} to {max(ratios):.2f}"
    )


def ratio(what: str, ours: float, theirs: float, peer: str) -> None:
    print(f"{what}: {ours * 1000:,.2f} ms = {ours / theirs:.3f} of {peer} ({theirs * 1000:,.2f} ms)")


def make_queries(texts: Sequence[str], chance: random.Random) -> list[str]:
    queries: list[str] = []
    while len(queries) < QUERIES:
        name = chance.choice(texts).partition("—")[0]
        name_words = [word.text for word in words_of(name)]
        at = chance.randrange(max(1, len(name_words) - 2))
        taken = name_words[at : at + 3]
        long = [number for number, word in enumerate(taken) if len(word) > 3 and not is_number(word)]
        if len(taken) == 3 and long:
            number = chance.choice(long)
            taken[number] = misspelt(taken[number], chance)
            queries.append(" ".join(taken))
    return queries


def misspelt(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word) - 1)
    left, letter, following, rest = word[:at], word[at], word[at + 1], word[at + 2 :]
    return chance.choice(
        (
            left + following + rest,
            left + letter * 2 + following + rest,
            left + following + letter + rest,
            left + chance.choice(LETTERS) + following + rest,
        )
    )


def index_with_tantivy(texts: Sequence[str]) -> tuple[Any, Any]:
    """Index the folded words of raw texts with one thread."""
    tokens = tokens_of(texts)
    written = np.array(tokens.words, dtype=object)[tokens.word]
    edges = np.searchsorted(tokens.chunk, np.arange(len(texts) + 1)).tolist()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("words", stored=False, tokenizer_name="whitespace")
    builder.add_bytes_field("text", stored=True, indexed=False)
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(heap_size=512_000_000, num_threads=1)
    for text, (start, end) in zip(texts, pairwise(edges), strict=True):
        document = tantivy.Document(words=" ".join(written[start:end]))
        document.add_bytes("text", text.encode())
        writer.add_document(document)
    writer.commit()
    index.reload()
    return index.searcher(), schema


def search_tantivy(searcher: Any, schema: Any, terms: Sequence[Term]) -> Any:
    clauses = [(tantivy.Occur.Should, tantivy_clause(schema, term)) for term in terms]
    hits = searcher.search(tantivy.Query.boolean_query(clauses), TOP).hits
    return [bytes(searcher.doc(address)["text"][0]).decode() for _, address in hits]


def tantivy_clause(schema: Any, term: Term) -> Any:
    if not term.max_edits:
        return tantivy.Query.term_query(schema, "words", term.folded)
    return tantivy.Query.fuzzy_term_query(
        schema, "words", term.folded, distance=term.max_edits, transposition_cost_one=True
    )


def loop(lines_of_words: Sequence[Sequence[str]], terms: Sequence[Term]) -> int:
    """Match every word of every line, as a search without an index would."""
    return sum(
        any(OSA.distance(term.folded, word, score_cutoff=term.max_edits) <= term.max_edits for word in words)
        for words in lines_of_words
        for term in terms
    )


def report_first_answer(stored: bytes, query: str) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(stored)
        file.flush()
        command = [sys.executable, "-c", FIRST_ANSWER, file.name, query]
        answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    print(f"stored segment to first answer in a fresh process: {float(answer) * 1000:.1f} ms")


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or SIZES)
