"""Cuts texts of many kinds into samples for calibrating the token estimate, and writes them as JSON lines.

    python -m bench.tokens.samples > SAMPLES

Each line: kind, source, text. The fit leaves out one source at a time: the stated error is of texts never seen.
Sources beside the project are used when they are there and only measured: their text goes no further than SAMPLES.
"""

from __future__ import annotations

import csv
import json
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.relevance.corpora import FOLDER as OWN

BESIDE = Path(__file__).resolve().parents[3] / "shared"
SIZES = (200, 600, 2_000, 6_000)  # Characters in a sample, taken in turn.
PER_SOURCE = 48  # More would let the longest source decide.


@dataclass(frozen=True)
class Source:
    kind: str
    path: Path
    column: str = ""


@dataclass(frozen=True)
class Sample:
    kind: str
    source: str
    text: str


SOURCES = (
    Source("catalog, Arabic", OWN / "menu_eg.txt"),
    Source("catalog, Arabic", OWN / "oud_sa.txt"),
    Source("catalog, Arabic", OWN / "workshop_iq.txt"),
    Source("catalog, Arabic", OWN / "sweets_sham.txt"),
    Source("catalog, Arabic", OWN / "clinic_ae.txt"),
    Source("catalog, Arabic", BESIDE / "data/grocery_sa.txt"),
    Source("catalog, Arabic", BESIDE / "data/bakhoor_shop_made_up.txt"),
    Source("catalog, mixed", OWN / "pharmacy_maghreb.txt"),
    Source("catalog, mixed", OWN / "electronics_gulf.txt"),
    Source("catalog, mixed", BESIDE / "data/perfumes_ar_en.txt"),
    Source("catalog, mixed", BESIDE / "data/delivery_zones_dz.txt"),
    Source("catalog, mixed", BESIDE / "data/menu_lb.txt"),
    Source("catalog, mixed", BESIDE / "data/drugs_eg_a-f.csv"),
    Source("catalog, English", BESIDE / "data/drugs_eg_a-f.csv", column="name_en"),
    Source("catalog, English", BESIDE / "data/drugs_eg_a-f.csv", column="active"),
    Source("prose, Arabic", OWN / "policies.txt"),
    Source("prose, Arabic", BESIDE / "data/text_guide_how-to-contribute.txt"),
    Source("prose, Arabic", BESIDE / "data/text_guide_starting-a-project.txt"),
    Source("prose, Arabic", BESIDE / "data/text_guide_legal.txt"),
    Source("prose, Arabic", BESIDE / "data/text_udhr.txt"),
    Source("prose, Arabic", BESIDE / "data/text_shop_policy_made_up.txt"),
    Source("prose, English", BESIDE / "contract.md"),
    Source("prose, English", BESIDE / "style-examples.md"),
    Source("prose, English", BESIDE / "security.md"),
)


def read(source: Source) -> list[str]:
    with source.path.open(encoding="utf-8", newline="") as file:
        if source.column:
            return [value for row in csv.DictReader(file) if (value := row[source.column])]
        return file.read().splitlines()


def cut(lines: list[str]) -> Iterator[str]:
    """Neighbouring lines joined to samples of the sizes in turn; what is left over at the end is one more."""
    gathered: list[str] = []
    length = turn = 0
    for line in lines:
        gathered.append(line)
        length += len(line) + 1
        if length >= SIZES[turn % len(SIZES)]:
            yield "\n".join(gathered)
            gathered, length, turn = [], 0, turn + 1
    if gathered:
        yield "\n".join(gathered)


def from_source(source: Source, rng: random.Random) -> list[Sample]:
    texts = list(cut(read(source)))
    chosen = texts if len(texts) <= PER_SOURCE else rng.sample(texts, PER_SOURCE)
    name = source.path.name + (f":{source.column}" if source.column else "")
    return [Sample(source.kind, name, text) for text in chosen]


def vocalised(text: str, rng: random.Random) -> str:
    """Every second Arabic letter or so with a mark, as in a text for learners."""
    return re.sub("[ء-غف-ي]", lambda match: match[0] + rng.choice(["َ", "ُ", "ِ", "ْ", "", "", ""]), text)


def price_list(rng: random.Random, digits: str) -> str:
    """Lines of numbers alone: codes, quantities, prices."""
    table = str.maketrans("0123456789", digits)
    rows = (
        f"{rng.randint(1, 99_999)} {rng.randint(1, 500)} {rng.randint(1, 9_999)}.{rng.randint(0, 99):02}"
        for _ in range(40)
    )
    return "\n".join(rows).translate(table)


def made(rng: random.Random) -> Iterator[Sample]:
    """Texts that no source holds enough of: marks, digits, emoji, names with commas and rules, other scripts."""
    policies = read(Source("", OWN / "policies.txt"))
    menu = read(Source("", OWN / "menu_eg.txt"))
    names = [re.split(" — | [0-9٠-٩]", line)[0] for line in menu + read(Source("", OWN / "sweets_sham.txt"))]
    for turn in range(24):
        part = f"made up, part {turn % 3 + 1}"
        paragraphs = "\n".join(rng.sample(policies, 8))
        yield Sample("prose, Arabic with marks", part, vocalised(paragraphs, rng))
        yield Sample("numbers", part, price_list(rng, "0123456789"))
        yield Sample("numbers, Arabic digits", part, price_list(rng, "٠١٢٣٤٥٦٧٨٩"))
        yield Sample("chat with emoji", part, "\n".join(with_emoji(line, rng) for line in rng.sample(menu, 12)))
        yield Sample("list with rules, Arabic", part, ruled(rng.sample(names, 20), rng))
        yield Sample("list in a sentence, Arabic", part, "، ".join(rng.sample(names, 30)) + ".")
        yield Sample("other scripts", part, "\n".join(rng.sample(OTHER_SCRIPTS, 6)))


def ruled(names: list[str], rng: random.Random) -> str:
    """Names with bullets between headings that stand in rows of dashes."""
    rows = [f"• {name}…" if rng.random() < 0.7 else f"{rule(rng)} {name} {rule(rng)}" for name in names]
    return "\n".join([rule(rng) * 3, *rows])


def rule(rng: random.Random) -> str:
    return rng.choice("—–─•=*") * rng.randint(3, 12)


def with_emoji(line: str, rng: random.Random) -> str:
    return line + " " + "".join(rng.choices("😀🙏🌹🔥😍👍🍯🥭❤✨", k=3))


OTHER_SCRIPTS = (
    "Доставка по городу занимает два дня, оплата при получении.",
    "Возврат товара возможен в течение семи дней.",
    "यह दुकान सुबह नौ बजे खुलती है और रात दस बजे बंद होती है।",
    "हम कुवैत और ओमान भेजते हैं।",
    "এই দোকানে মধু এবং খেজুর পাওয়া যায়।",
    "本店提供免费送货服务，满两百元起送。",
    "お支払いは現金またはカードでお願いします。",
    "매장은 아침 아홉 시에 문을 엽니다.",
    "Η παράδοση γίνεται σε τρεις ημέρες.",
    "המשלוח מגיע תוך שלושה ימים.",
    "La livraison à domicile coûte deux euros, même à l'étranger où ça dépend.",
    "Teslimat üç iş günü içinde yapılır, ödeme kapıda.",
    "ﺍﻟﺴﻼﻡ ﻋﻠﻴﻜﻢ ﻭﺭﺣﻤﺔ ﺍﻟﻠﻪ",
    "ร้านเปิดเวลาเก้าโมงเช้า",
)


def main() -> None:
    rng = random.Random(5)
    for source in SOURCES:
        if not source.path.exists():
            print(f"left out, not there: {source.path.name}", file=sys.stderr)
            continue
        for sample in from_source(source, rng):
            print(json.dumps(asdict(sample), ensure_ascii=False))
    for sample in made(rng):
        print(json.dumps(asdict(sample), ensure_ascii=False))


if __name__ == "__main__":
    main()
