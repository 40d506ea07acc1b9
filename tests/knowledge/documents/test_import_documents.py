"""Bringing a folder of texts in: what would change is shown first, and published all or nothing."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.api_client import ApiClient
from tests.factories import Tenant
from tests.knowledge.documents.conftest import DOCUMENTS, GUIDE, Put, Read, Saved

pytestmark = pytest.mark.django_db

Run = Callable[..., list[str]]
Files = dict[str, str | bytes]


@pytest.fixture
def run(shop: Tenant, tmp_path: Path) -> Run:
    """Write files into a folder and import it; what the command prints, line by line."""

    def write_and_import(files: Files, *options: str) -> list[str]:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        out = StringIO()
        call_command("import_documents", str(tmp_path), "--project", shop.id, *options, stdout=out)
        return out.getvalue().splitlines()

    return write_and_import


def documents(api: ApiClient) -> dict[str, Any]:
    return {document["id"]: document for document in api.get(DOCUMENTS).json()["data"]}


def test_without_apply_the_changes_are_shown_and_nothing_is_changed(run: Run, api: ApiClient) -> None:
    assert run({"guide.md": GUIDE, "prices.txt": "بخور — 95"}) == [
        "new       guide",
        "new       prices",
        "2 new, 0 changed, 0 unchanged, 0 broken references.",
        "Nothing was published. Add --apply to do it.",
    ]
    assert documents(api) == {}


@pytest.mark.conformance("KK-053", "KK-055")
def test_with_apply_all_of_it_is_published(run: Run, api: ApiClient, read: Read) -> None:
    printed = run({"guide.md": GUIDE, "shop/prices.txt": "بخور — 95"}, "--apply", "--locale", "ar")
    assert printed[-1] == "Published."
    assert {name: document["locale"] for name, document in documents(api).items()} == {
        "guide": "ar",
        "shop:prices": "ar",
    }
    assert read("self", "returns")["content"] == "خلال أسبوع."


def test_what_was_imported_again_is_unchanged(run: Run, api: ApiClient) -> None:
    run({"guide.md": GUIDE}, "--apply")
    before = documents(api)
    assert run({"guide.md": f"\ufeff\n{GUIDE}\n\n".replace("\n", "\r\n")}, "--apply")[:2] == [
        "unchanged guide",
        "0 new, 0 changed, 1 unchanged, 0 broken references.",
    ]
    assert documents(api) == before


def test_a_changed_file_says_which_sections_came_and_went(run: Run, api: ApiClient) -> None:
    run({"guide.md": GUIDE, "same.md": "x"}, "--apply")
    first = documents(api)["guide"]["revision"]
    printed = run({"guide.md": GUIDE.replace("agent-section:returns", "agent-section:refunds")}, "--apply")
    assert printed[:2] == ["changed   guide  +refunds -returns", "unchanged same"]
    assert len({first, documents(api)["guide"]["revision"]}) == 2


@pytest.mark.conformance("KK-001")
def test_only_the_id_comes_from_the_name_of_a_file(run: Run, api: ApiClient) -> None:
    run({"a.b/guide.en.md": "# Title\n\n## Section"}, "--apply")
    shown = documents(api)["a.b:guide.en"]
    assert (shown["title"], shown["section_ids"], shown["locale"]) == ("a.b:guide.en", [], None)


def test_a_document_keeps_its_title_and_becomes_public(run: Run, put: Put, api: ApiClient) -> None:
    put(title="Our guide", status="draft")
    assert run({"guide.md": GUIDE}, "--apply")[0] == "changed   guide"
    shown = documents(api)["guide"]
    assert (shown["title"], shown["status"]) == ("Our guide", "published")


def test_documents_that_are_no_files_are_left_alone(run: Run, put: Put, api: ApiClient) -> None:
    put("other")
    run({"guide.md": GUIDE}, "--apply")
    assert set(documents(api)) == {"guide", "other"}


@pytest.mark.conformance("KK-027", "KK-054")
def test_broken_references_are_shown_before_anything_is_published(run: Run, saved: Saved) -> None:
    run({"guide.md": GUIDE}, "--apply")
    saved.save("guide", "self", "returns")
    printed = run({"guide.md": "All new."})
    assert printed[1:3] == [
        "broken    guide: Adviser (agt_1) names returns",
        "0 new, 1 changed, 0 unchanged, 1 broken references.",
    ]


@pytest.mark.conformance("KK-054")
def test_a_strict_import_breaks_nothing(run: Run, saved: Saved, read: Read) -> None:
    run({"guide.md": GUIDE}, "--apply")
    saved.save("guide", "self", "returns")
    with pytest.raises(CommandError, match=r"Nothing was changed.*Adviser"):
        run({"guide.md": "All new."}, "--apply", "--strict")
    assert read("self", "returns")["content"] == "خلال أسبوع."


def test_hidden_files_links_and_other_kinds_are_left_out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "link.md").symlink_to(__file__)
    files: Files = {"guide.md": "x", ".hidden.md": "x", ".git/a.md": "x", "picture.png": b"\x89", "a.MARKDOWN": "x"}
    assert run(files)[:2] == ["new       a", "new       guide"]


FAULTY: dict[str, tuple[Files, str]] = {
    "a faulty marker": ({"a.md": "x\n <!-- agent-section:a -->"}, "a.md: Line 2 looks like a section marker"),
    "a section twice": (
        {"a.md": "<!-- agent-section:s -->\n<!-- /agent-section:s -->\n" * 2},
        "a.md: The section s stands twice, at text:1 and at text:3",
    ),
    "an impossible id": ({"my guide.md": "x"}, "my guide.md: the path is the document's id"),
    "a reserved id": ({"publish.md": "x"}, "publish.md: the path is the document's id"),
    "one id twice": ({"a.md": "x", "a.txt": "y"}, "a.txt: another file gives the id a too"),
    "no UTF-8": ({"a.md": "دليل".encode("cp1256")}, "a.md: it is not UTF-8"),
    "a NUL": ({"a.md": "a\0b"}, "a.md: it holds a NUL character"),
    "too long": ({"a.md": "x" * 200_001}, "a.md: This holds more than 200000 characters"),
    "much too long": ({"a.md": "x" * 900_000}, "a.md: it holds more than 200,000 characters"),
}


@pytest.mark.parametrize(("files", "sentence"), FAULTY.values(), ids=FAULTY)
def test_a_faulty_file_is_named_and_nothing_is_published(
    run: Run, api: ApiClient, files: Files, sentence: str
) -> None:
    with pytest.raises(CommandError) as refused:
        run({"good.md": "x", **files}, "--apply")
    assert sentence in str(refused.value)
    assert documents(api) == {}


def test_all_faulty_files_are_named_at_once(run: Run) -> None:
    with pytest.raises(CommandError) as refused:
        run({"a b.md": "x", "c.md": "<!-- /agent-section:a -->", "d.md": b"\xff"})
    assert [line.partition(":")[0] for line in str(refused.value).splitlines()[1:]] == ["a b.md", "c.md", "d.md"]


def test_a_folder_without_texts_is_a_mistake(run: Run) -> None:
    with pytest.raises(CommandError, match="holds no file"):
        run({"picture.png": b"\x89"})


@pytest.mark.parametrize(
    ("folder", "options", "sentence"),
    [
        ("no such folder", [], "is no folder"),
        (".", ["--project", "prj_unknown"], "There is no project prj_unknown"),
        (".", ["--locale", "a b"], "no language"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    shop: Tenant, tmp_path: Path, folder: str, options: list[str], sentence: str
) -> None:
    (tmp_path / "a.md").write_text("x")
    with pytest.raises(CommandError, match=sentence):
        call_command("import_documents", str(tmp_path / folder), "--project", shop.id, *options)
