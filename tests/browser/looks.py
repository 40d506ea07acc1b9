"""Looking at a page on each size of screen: what axe-core finds, what is too wide or says nothing, a picture."""

from typing import Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import PICTURES, SIZES

SERIOUS: Final = frozenset({"serious", "critical"})
# On a phone each cell of a table stands on a line with its label.
LABELS_ALONE: Final = """
    [...document.querySelectorAll("td[data-label]")]
        .filter((cell) => getComputedStyle(cell, "::before").content !== "none" && cell.checkVisibility())
        .filter((cell) => !cell.innerText.trim() && !cell.querySelector("svg, input, select, button, progress"))
        .map((cell) => cell.dataset.label)
"""


def faults(page: Page, name: str) -> str:
    """What is wrong with a page on each size of screen; its pictures are taken."""
    return "".join(_faults_on(page, size, name) for size in SIZES)


def _faults_on(page: Page, size: str, name: str) -> str:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    language = page.locator("html").get_attribute("lang")
    page.screenshot(path=PICTURES / f"{name}-{size}-{language}.png", full_page=True)
    excess = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    wide = f"{excess} pixels wider than the {size}\n" if excess > 0 else ""
    return _findings(page) + wide + "".join(f"a label alone: {label}\n" for label in page.evaluate(LABELS_ALONE))


def _findings(page: Page) -> str:
    """What axe-core reports as serious, with the elements it is about."""
    found = Axe().run(page)
    grave = [violation for violation in found.response["violations"] if violation["impact"] in SERIOUS]
    return "".join(found.generate_report(violation["id"]) for violation in grave)
