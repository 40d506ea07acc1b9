"""Memory in large pages: what is worth moving, and that Linux moves it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from apps.kernel import large_pages
from apps.kernel.large_pages import LARGE_PAGE, Mapping, own_mappings

KIB = 1024
MAPPINGS = f"""\
55fc5ac00000-55fc5c600000 rw-p 00000000 00:00 0                          [heap]
Size:              26624 kB
Rss:               26000 kB
AnonHugePages:      2048 kB
VmFlags: rd wr mr mw me ac sd
7f3180600000-7f3180a00000 rw-p 00000000 00:00 0{" "}
Rss:                4096 kB
AnonHugePages:         0 kB
7f3180a00000-7f3180c00000 r--p 00000000 00:00 0{" "}
Rss:                2048 kB
AnonHugePages:         0 kB
7f3180c00000-7f3180e00000 rw-s 00000000 00:01 0{" "}
Rss:                2048 kB
AnonHugePages:         0 kB
7f3181000000-7f3181400000 rw-p 00100000 08:01 1234                       /usr/lib/libpython3.11.so
Rss:                4096 kB
AnonHugePages:         0 kB
"""


def page(number: int) -> int:
    return number * LARGE_PAGE


def test_only_memory_of_the_process_alone_and_of_no_file_is_looked_at() -> None:
    assert list(own_mappings(MAPPINGS.splitlines())) == [
        Mapping(0x55FC5AC00000, 0x55FC5C600000, 26000 * KIB, 2048 * KIB),
        Mapping(0x7F3180600000, 0x7F3180A00000, 4096 * KIB, 0),
    ]


@pytest.mark.parametrize(
    ("mapping", "pages"),
    [
        pytest.param(Mapping(page(3), page(5), page(2), 0), [3, 4], id="all in use"),
        pytest.param(Mapping(page(3) + 4096, page(5) + 4096, page(2), 0), [4], id="only whole large pages"),
        pytest.param(Mapping(page(3) + 4096, page(5) - 4096, page(2) - 8192, 0), [], id="no whole large page"),
        pytest.param(Mapping(page(3), page(7), page(3), 0), [3, 4, 5, 6], id="three quarters in use"),
        pytest.param(Mapping(page(3), page(7), page(3) - 4096, 0), [], id="mostly empty, as a thread's stack"),
        pytest.param(Mapping(page(3), page(5), page(2), page(1)), [3, 4], id="half of it large already"),
        pytest.param(Mapping(page(3), page(5), page(2), page(2)), [], id="large already"),
        pytest.param(Mapping(page(3), page(3), 0, 0), [], id="nothing"),
    ],
)
def test_whole_large_pages_are_moved_where_most_is_in_use(mapping: Mapping, pages: list[int]) -> None:
    assert [start // LARGE_PAGE for start in mapping.movable()] == pages


def test_where_the_system_lists_no_memory_nothing_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_pages, "_PROCESS", tmp_path)
    large_pages.move()
    assert large_pages.in_small() == 0


def test_where_the_system_tells_less_nothing_lies_in_small_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "smaps_rollup").write_text("Rss:  4096 kB\n")
    monkeypatch.setattr(large_pages, "_PROCESS", tmp_path)
    assert large_pages.in_small() == 0


def _are_given_on_demand() -> bool:
    setting = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    version = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) if sys.platform == "linux" else (0,)
    return version >= (6, 1) and setting.exists() and "[madvise]" in setting.read_text()


_on_demand = pytest.mark.skipif(
    not _are_given_on_demand(),
    reason="Only Linux from 6.1 on moves memory; where all is large, or nothing may be, there is none to move.",
)


def _small_megabytes(work: str) -> list[int]:
    """Run a program that fills 64 MiB of memory and does something; return what it printed."""
    program = f"""
import time
from apps.kernel import large_pages
held = [bytes(1000) for _ in range(66_000)]
print(large_pages.in_small() >> 20)
{work}
print(large_pages.in_small() >> 20)
"""
    printed = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    return [int(line) for line in printed.split()]


@_on_demand
def test_memory_is_moved() -> None:
    before, after = _small_megabytes("large_pages.move()")
    assert (before > 60, after < 30) == (True, True)


@_on_demand
def test_memory_of_a_process_that_has_grown_moves_by_itself() -> None:
    wait = """
large_pages._SECONDS_BETWEEN_LOOKS = 0.05
large_pages.keep_moving()
end = time.monotonic() + 30
while large_pages.in_small() > 30 << 20 and time.monotonic() < end:
    time.sleep(0.05)
"""
    before, after = _small_megabytes(wait)
    assert (before > 60, after <= 30) == (True, True)
