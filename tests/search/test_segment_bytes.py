"""The bytes of a segment stay the same for the same chunks: stored segments are only told apart by their format."""

from hashlib import sha256
from itertools import product

import pytest

from apps.search.chunks import Chunk, lines
from apps.search.runs import TooMuchTextError
from apps.search.segment import compile_segment
from apps.search.tokens import Limits

LETTERS = "ابتجحدرسعفقكلمنهوي"
NAMES = ["".join(letters) for letters in product(LETTERS, "اوي", LETTERS)]
MIXED = "٥ كجم. 1,200.50 g 5g ل.ل ½ ﷴ㏡ Café aaaah رااائع 1.2.3 \u0640\u064e 😀 -"

# Chunks, and the digest of the segment that the first compiler of this format made of them.
CASES = {
    "nothing": (
        [],
        "825fb29b621eebd487223d95c8754279d24091e5d117ec7a301d2ac1606c75ad",
    ),
    "lines": (
        lines("\n".join(f"{name} {at} ريال" for at, name in enumerate(NAMES * 30))),
        "8f4fa48b6e3acfb0473f07a7a4a8d516228c4125ee44b378913c91628bbe3ff5",
    ),
    "all kinds of characters": (
        [Chunk(MIXED[at % 40 :] + MIXED[: at % 50]) for at in range(9_000)],
        "b2202d67302d6c2d32c851d4887293bbd36086fa7548271cd623aaebb4d649ed",
    ),
    "groups and cells": (
        [Chunk(f"{name} — {at}", None, {"name": name, "price": str(at)}) for at, name in enumerate(NAMES)]
        + [Chunk(name, name[0]) for name in NAMES],
        "b51020a279562ac93a5d895b2cd5edf9bd9b6e966153efcd336a5fdc0956bc1f",
    ),
    "a giant text between others": (
        [Chunk("5"), Chunk(f"{MIXED}g" * 9_000), Chunk("g 5 g")],
        "31de88e48880aacdbb79dcc9274a248ec1dc90a7660aba46c824dcfa980f6905",
    ),
    "texts that nothing separates": (
        [Chunk("ب" * 200_000 + "1" * 200_000 + "." * 200_000 + "g"), Chunk("ﷴ" * 150_000), Chunk("1.2," * 40_000)],
        "3ccae2d23d85a78c7ce8372efc7fa12d2e6db544e584e26be1e030c91b9a011d",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_chunks_always_give_the_same_bytes(case: str) -> None:
    chunks, digest = CASES[case]
    assert sha256(compile_segment(chunks)).hexdigest() == digest


def test_chunks_may_come_one_by_one() -> None:
    chunks = lines("\n".join(NAMES))
    assert compile_segment(iter(chunks)) == compile_segment(chunks)


@pytest.mark.parametrize(
    "text", ["a b c d", "1.2.3.4", "a1b2", "a" * 400_000, "a " * 9 + "ـ" * 400_000], ids=lambda text: text[:7]
)
def test_more_or_longer_words_than_the_limits_are_refused(text: str) -> None:
    with pytest.raises(TooMuchTextError):
        compile_segment([Chunk(text)], Limits(words=3, stretch=1 << 16))


def test_texts_within_the_limits_pass() -> None:
    chunks = [Chunk("a b 1.2"), Chunk("-" * 400_000)]
    assert compile_segment(chunks, Limits(words=4, stretch=1 << 16)) == compile_segment(chunks)
