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
        "31cedac212b4c556c8d237d771aeffd983d32f17507725dee35bc821e24ef1aa",
    ),
    "lines": (
        lines("\n".join(f"{name} {at} ريال" for at, name in enumerate(NAMES * 30))),
        "836fc004ebd36e0fcc4b5dd77ce895590d15797d04c13289ed58d0ec6028f031",
    ),
    "all kinds of characters": (
        [Chunk(MIXED[at % 40 :] + MIXED[: at % 50]) for at in range(9_000)],
        "c1c31ca03829b91ed735a2542e287cb903fb37d4c5a5c27dad13d3328f07a745",
    ),
    "groups and cells": (
        [Chunk(f"{name} — {at}", None, {"name": name, "price": str(at)}) for at, name in enumerate(NAMES)]
        + [Chunk(name, name[0]) for name in NAMES],
        "2ca8c15cd13b633d0f866ec309aca1281260c28e2ab0656e3ae589e1c021916a",
    ),
    "a giant text between others": (
        [Chunk("5"), Chunk(f"{MIXED}g" * 9_000), Chunk("g 5 g")],
        "6c82728cdfb1bcdd4308f188d0db573a44f79afa855b9d64088d4252abdf4b23",
    ),
    "texts that nothing separates": (
        [Chunk("ب" * 200_000 + "1" * 200_000 + "." * 200_000 + "g"), Chunk("ﷴ" * 150_000), Chunk("1.2," * 40_000)],
        "e227269aead302e1ba1b3cc5c8f31f7f62954ea514f4c4ca055d308aa13e27d0",
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
