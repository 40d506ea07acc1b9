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
        "f2d578aae2540b40c27a6e803a5dd1ffca102d011116e75cd7081304f25e5059",
    ),
    "lines": (
        lines("\n".join(f"{name} {at} ريال" for at, name in enumerate(NAMES * 30))),
        "3980073684bf5b12fbe30093ad41f285c8bfac73816db7ef51dcc6c11fc4f72d",
    ),
    "all kinds of characters": (
        [Chunk(MIXED[at % 40 :] + MIXED[: at % 50]) for at in range(9_000)],
        "0c54479717c396a8e9055cf0e29bb2c5d0c6392503a433514a4ada27a7e2b496",
    ),
    "groups and cells": (
        [Chunk(f"{name} — {at}", None, {"name": name, "price": str(at)}) for at, name in enumerate(NAMES)]
        + [Chunk(name, name[0]) for name in NAMES],
        "835b14fd3b41269734cc83a4865347db249fd1444617a8808a3c5ec1b5bd378e",
    ),
    "a giant text between others": (
        [Chunk("5"), Chunk(f"{MIXED}g" * 9_000), Chunk("g 5 g")],
        "c812dfc0eb1f4ee9434291c7fbe7c2959045039975f6b2e0169826cc5ad0c976",
    ),
    "texts that nothing separates": (
        [Chunk("ب" * 200_000 + "1" * 200_000 + "." * 200_000 + "g"), Chunk("ﷴ" * 150_000), Chunk("1.2," * 40_000)],
        "abfa252df815800db6a73719e4bec7c4183cbefad573b976b7f407864bbf68ff",
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
