"""Measures the sections library: reading in ten megabytes, and reading one section of large and small documents.

python -m bench.sections

Reading in is compared with what nothing can do without: finding the markers with one regular expression and cutting
the text there. Both are measured in turn, in the time on the processor.
"""

import random
import re
import time
from collections.abc import Callable
from statistics import median

from apps.sections import KnowledgeCatalog, define_knowledge_catalog, parse_knowledge_document

BYTES = 10_000_000
ROUNDS = 5
READS = 2_000
WORDS = (
    "بخور",
    "عود",
    "مسك",
    "عنبر",
    "توصيل",
    "إرجاع",
    "خلال",
    "يومين",
    "المدن",
    "delivery",
    "price",
    "95",
    "ريال",
)
MARKER = re.compile(r"^<!-- /?agent-section:([A-Za-z0-9_.:-]+) -->$", re.MULTILINE)


def main() -> None:
    for words in (150, 12):
        report_reading_in(words)
    report_reading_one()


def report_reading_in(words_of_a_section: int) -> None:
    text, sections = anchored(BYTES, words_of_a_section)
    rounds = [(seconds_of(lambda: read_in(text)), seconds_of(lambda: MARKER.split(text))) for _ in range(ROUNDS)]
    ours = median(one for one, _ in rounds)
    ratio = median(one / other for one, other in rounds)
    print(
        f"{len(text.encode()) / 1e6:.0f} MB in {sections:,} sections: parsed and compiled in {ours:.2f} s, "
        f"{ratio:.1f} times cutting at the markers"
    )


def report_reading_one() -> None:
    """Sections of one size, in a document of ten and in one of a thousand."""
    small, large = of_sections(10), of_sections(1_000)
    ratios = [
        seconds_of(lambda: read_often(*large)) / seconds_of(lambda: read_often(*small)) for _ in range(ROUNDS)
    ]
    each = seconds_of(lambda: read_often(*large)) / READS
    print(
        f"one section of 1,000 against one of 10: {median(ratios):.2f} times "
        f"(rounds {min(ratios):.2f} to {max(ratios):.2f}), {each * 1e6:.1f} µs"
    )


def anchored(size: int, words_of_a_section: int) -> tuple[str, int]:
    """A text of so many bytes, every third section inside of the one before it."""
    dice = random.Random(7)
    pieces: list[str] = []
    total = number = 0
    while total < size:
        inner = "" if number % 3 else section(f"s{number}.inner", dice, words_of_a_section, "")
        piece = section(f"s{number}", dice, words_of_a_section, inner)
        pieces.append(piece)
        total += len(piece.encode())
        number += 1
    text = "".join(pieces)
    return text, text.count("<!-- agent-section:")


def section(section_id: str, dice: random.Random, words: int, inner: str) -> str:
    body = " ".join(dice.choices(WORDS, k=words))
    return f"<!-- agent-section:{section_id} -->\n{body}\n\n{inner}<!-- /agent-section:{section_id} -->\n"


def read_in(text: str) -> None:
    define_knowledge_catalog([parse_knowledge_document(id="document", revision="1", text=text)])


def of_sections(count: int) -> tuple[KnowledgeCatalog, list[str]]:
    dice = random.Random(count)
    text = "".join(section(f"s{number}", dice, 150, "") for number in range(count))
    catalog = define_knowledge_catalog([parse_knowledge_document(id="document", revision="1", text=text)])
    return catalog, [f"s{dice.randrange(count)}" for _ in range(READS)]


def read_often(catalog: KnowledgeCatalog, section_ids: list[str]) -> None:

    for section_id in section_ids:
        catalog.read(document_id="document", selection={"mode": "subtree", "section_ids": [section_id]})


def seconds_of(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
