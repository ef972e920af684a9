"""A folder of PDFs as a source of papers."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest

from resources.errors import Permanent, UsageError
from resources.folder import FolderSource
from resources.source import ListedPaper, Listing
from tests.support.shared import require_shared
from tests.support.tiny_pdf import tiny_pdf

LINES = ["Muons decay within 2.2 microseconds.", "Their beams must be cooled at once."]


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def paper(heading: str, **more: str) -> bytes:
    return tiny_pdf([LINES, ["The second page."]], heading=heading, **more)


def describe(folder: Path, *rows: dict[str, object] | str) -> None:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    write(folder, "papers.jsonl", "\n".join(lines).encode())


def titles(listing: Listing) -> dict[str, str]:
    return {paper.paper_id: paper.title for paper in listing.papers}


def the_only(folder: Path) -> ListedPaper:
    (only,) = FolderSource(folder).list_papers().papers
    return only


def test_pdfs_are_found_below_the_folder_in_any_case(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.PDF", "deep/er/c.Pdf"):
        write(tmp_path, name, paper(f"A study of cooling in {Path(name).stem}"))
    write(tmp_path, "notes.txt", b"not a paper")
    listing = FolderSource(tmp_path).list_papers()
    assert sorted(titles(listing).values()) == [f"A study of cooling in {c}" for c in "abc"]
    assert listing.total_reported == 3
    assert (listing.complete, listing.full, listing.problems) == (True, True, ())


def test_hidden_files_and_folders_are_left_out(tmp_path: Path) -> None:
    write(tmp_path, "seen.pdf", paper("The one that is seen"))
    write(tmp_path, "._seen.pdf", b"a file manager's own")
    write(tmp_path, ".trash/old.pdf", paper("The one that was thrown away"))
    assert the_only(tmp_path).title == "The one that is seen"


def test_links_are_followed_but_never_in_circles(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    write(elsewhere, "linked.pdf", paper("The linked paper"))
    folder = tmp_path / "folder"
    write(folder, "own.pdf", paper("The paper of the folder itself"))
    (folder / "in").symlink_to(elsewhere)
    (elsewhere / "back").symlink_to(folder)
    (folder / "gone.pdf").symlink_to(tmp_path / "nothing.pdf")
    listing = FolderSource(folder).list_papers()
    assert sorted(titles(listing).values()) == [
        "The linked paper",
        "The paper of the folder itself",
    ]


def test_a_local_paper_is_named_after_its_bytes(tmp_path: Path) -> None:
    data = paper("A study of solenoids", author="A. Muon and B. Collider")
    path = write(tmp_path, "solenoids.pdf", data)
    sha256 = hashlib.sha256(data).hexdigest()
    only = the_only(tmp_path)
    assert only == ListedPaper(
        paper_id=f"local:{sha256[:12]}",
        title="A study of solenoids",
        authors=("A. Muon", "B. Collider"),
        source="folder",
        pdf_url_or_path=str(path),
        sha256=sha256,
    )
    assert only.page_link(2) == f"{path.as_uri()}#page=2"


def test_links_to_odd_names_are_escaped(tmp_path: Path) -> None:
    write(tmp_path, "a #1 µ.pdf", paper("A study of odd names"))
    link = the_only(tmp_path).page_link(1)
    assert link.endswith("a%20%231%20%C2%B5.pdf#page=1")


@pytest.mark.parametrize(
    ("name", "stamp", "paper_id", "version"),
    [
        ("2303.08533v3.pdf", "", "2303.08533", 3),
        ("hep-ph_9909255.pdf", "", "hep-ph/9909255", 1),
        ("paper.pdf", "arXiv:2303.08533v2 [physics.acc-ph] 14 Mar 2023", "2303.08533", 2),
        ("2303.08533v3.pdf", "arXiv:2303.08533", "2303.08533", 3),
        ("2303.08533.pdf", "arXiv:1901.06150v2 [hep-ex] 5 Mar 2019", "1901.06150", 2),
    ],
)
def test_an_arxiv_paper_is_known_by_its_stamp_or_name(
    tmp_path: Path, name: str, stamp: str, paper_id: str, version: int
) -> None:
    write(tmp_path, name, paper("Towards a muon collider", stamp=stamp))
    only = the_only(tmp_path)
    assert (only.paper_id, only.version) == (paper_id, version)
    assert only.title == "Towards a muon collider"


def test_a_title_in_the_document_information_goes_first(tmp_path: Path) -> None:
    write(tmp_path, "x.pdf", paper("PREPARED FOR SUBMISSION", title="Cooling of muon beams"))
    assert the_only(tmp_path).title == "Cooling of muon beams"


@pytest.mark.parametrize(
    "useless", ["Microsoft Word - draft3.doc", "untitled", "main.tex", "paper.dvi", "muon_v2", "x"]
)
def test_a_useless_title_in_the_document_information_does_not(tmp_path: Path, useless: str) -> None:
    write(tmp_path, "x.pdf", paper("Cooling of muon beams", title=useless))
    assert the_only(tmp_path).title == "Cooling of muon beams"


def test_a_paper_that_says_nothing_is_named_after_its_file(tmp_path: Path) -> None:
    write(tmp_path, "final cooling.pdf", tiny_pdf([[]]))
    assert the_only(tmp_path).title == "final cooling"


# papers.jsonl


def test_papers_jsonl_goes_before_the_pdf(tmp_path: Path) -> None:
    write(tmp_path, "in/x.pdf", paper("What the PDF says", author="Somebody Else"))
    row = {
        "paper_id": "arXiv:2303.08533v2",
        "file": "x.pdf",
        "title": "What the file says",
        "authors": ["A. Muon"],
        "abstract": "About muons.",
        "categories": ["physics.acc-ph"],
        "doi": "10.1140/epjc/x",
        "journal_ref": None,
        "licence": "CC BY 4.0",
        "pages": 2,
        "origin": "fields that are not known are no matter",
    }
    describe(tmp_path / "in", row)
    only = the_only(tmp_path)
    assert (only.paper_id, only.version) == ("2303.08533", 2)
    assert only.title == "What the file says"
    assert only.authors == ("A. Muon",)
    assert only.abstract == "About muons."
    assert only.categories == ("physics.acc-ph",)
    assert (only.doi, only.journal_ref, only.licence) == ("10.1140/epjc/x", "", "CC BY 4.0")
    assert only.source == "folder"


def test_papers_without_a_row_are_listed_too(tmp_path: Path) -> None:
    write(tmp_path, "a.pdf", paper("The first study"))
    write(tmp_path, "b.pdf", paper("The second study"))
    describe(tmp_path, {"paper_id": "first", "file": "a.pdf"}, "", "  ")
    assert sorted(titles(FolderSource(tmp_path).list_papers()).values()) == [
        "The first study",
        "The second study",
    ]


def test_a_row_whose_file_is_missing_is_a_problem(tmp_path: Path) -> None:
    write(tmp_path, "a.pdf", paper("The first study"))
    describe(tmp_path, {"paper_id": "gone", "file": "gone.pdf"})
    listing = FolderSource(tmp_path).list_papers()
    assert len(listing.papers) == 1
    assert listing.problems == (
        f"{tmp_path / 'gone.pdf'} is missing, though papers.jsonl names it as the file of gone.",
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{not json", "is not JSON"),
        ("[1, 2]", "is malformed"),
        ('{"file": "a.pdf"}', "is malformed: paper_id"),
        ('{"paper_id": "x"}', "is malformed: file"),
        ('{"paper_id": " ", "file": "a.pdf"}', "is malformed: paper_id"),
        ('{"paper_id": "x", "file": "a.pdf", "version": 0}', "is malformed: version"),
        ('{"paper_id": "x", "file": "a.pdf", "authors": "A. Muon"}', "is malformed: authors"),
        ('{"paper_id": "x", "file": "../outside.pdf"}', "lies outside"),
        ('{"paper_id": "x", "file": "/etc/passwd"}', "lies outside"),
        ('{"paper_id": "second", "file": "a.pdf"}', "a second time"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: str, words: str) -> None:
    write(tmp_path, "a.pdf", paper("The first study"))
    describe(tmp_path, {"paper_id": "first", "file": "a.pdf"}, "", line)
    with pytest.raises(UsageError) as raised:
        FolderSource(tmp_path).list_papers()
    assert str(raised.value).startswith(f"Line 3 of {tmp_path / 'papers.jsonl'}")
    assert words in str(raised.value)


# Duplicates


def test_the_same_bytes_twice_are_one_paper(tmp_path: Path) -> None:
    data = paper("The copied study")
    write(tmp_path, "a.pdf", data)
    write(tmp_path, "copies/b.pdf", data)
    describe(tmp_path / "copies", {"paper_id": "known", "file": "b.pdf", "title": "As described"})
    listing = FolderSource(tmp_path).list_papers()
    assert titles(listing) == {"known": "As described"}
    assert listing.problems == ()


def test_of_two_versions_the_later_counts(tmp_path: Path) -> None:
    for version in (1, 10, 2):
        write(tmp_path, f"2303.08533v{version}.pdf", paper(f"Towards muons, version {version}"))
    only = the_only(tmp_path)
    assert (only.version, only.title) == (10, "Towards muons, version 10")


def test_two_files_that_say_they_are_the_same_are_a_problem(tmp_path: Path) -> None:
    write(tmp_path, "a/2303.08533v1.pdf", paper("Towards muons"))
    write(tmp_path, "b/2303.08533v1.pdf", paper("Something else"))
    listing = FolderSource(tmp_path).list_papers()
    assert titles(listing) == {"2303.08533": "Towards muons"}
    (problem,) = listing.problems
    assert "differ but are both 2303.08533 version 1" in problem


# What cannot be used


def test_a_folder_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no folder"):
        FolderSource(tmp_path / "nowhere").list_papers()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = write(tmp_path, "a.pdf", paper("A study"))
    with pytest.raises(UsageError, match="is a file, not a folder"):
        FolderSource(path).list_papers()


def test_a_folder_without_pdfs_is_wrong_use(tmp_path: Path) -> None:
    write(tmp_path, "notes.txt", b"no paper")
    with pytest.raises(UsageError, match="holds no PDF files"):
        FolderSource(tmp_path).list_papers()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "an empty file"),
        (b"not a pdf", "is not a PDF (it does not start with %PDF)"),
        (b"%PDF-1.4\nand nothing else", "not a PDF, or is damaged"),
        (tiny_pdf([["x"]], locked=True), "encrypted and needs a password"),
        (tiny_pdf([]), "or has no pages"),
    ],
    ids=["empty", "text", "stump", "locked", "pageless"],
)
def test_an_unreadable_file_is_one_problem_and_the_others_go_on(
    tmp_path: Path, data: bytes, words: str
) -> None:
    bad = write(tmp_path, "bad.pdf", data)
    write(tmp_path, "good.pdf", paper("The good study"))
    listing = FolderSource(tmp_path).list_papers()
    assert list(titles(listing).values()) == ["The good study"]
    (problem,) = listing.problems
    assert problem.startswith(f"{bad} was left out: it ")
    assert words in problem
    assert problem.endswith(".")


def test_a_file_that_may_not_be_read_is_a_problem(tmp_path: Path) -> None:
    secret = write(tmp_path, "secret.pdf", paper("A secret study"))
    secret.chmod(0)
    if os.access(secret, os.R_OK):  # permissions do not bind a root with all its capabilities
        pytest.skip("root may read everything")
    (problem,) = FolderSource(tmp_path).list_papers().problems
    assert "check its permissions" in problem


def test_a_name_that_is_no_text_is_a_problem_that_can_be_printed(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.pdf")
    try:
        write(tmp_path, name, paper("A study in a caf"))
    except OSError:
        pytest.skip("this file system takes no such name")
    (problem,) = FolderSource(tmp_path).list_papers().problems
    assert "rename it" in problem
    assert problem.encode()


# Fetching


def test_the_file_is_copied_as_it_is(tmp_path: Path) -> None:
    data = paper("A study to fetch")
    write(tmp_path, "in/a.pdf", data)
    only = the_only(tmp_path / "in")
    target = tmp_path / "out" / "b.pdf"
    fetched = FolderSource(tmp_path / "in").fetch_pdf(only, target)
    assert target.read_bytes() == data
    assert (fetched.path, fetched.sha256, fetched.bytes) == (target, only.sha256, len(data))
    assert fetched.url == Path(only.pdf_url_or_path).as_uri()
    assert list(target.parent.iterdir()) == [target]


def test_a_file_that_has_gone_is_a_permanent_failure(tmp_path: Path) -> None:
    path = write(tmp_path, "in/a.pdf", paper("A study to fetch"))
    only = the_only(tmp_path / "in")
    path.unlink()
    with pytest.raises(Permanent, match="no longer there"):
        FolderSource(tmp_path / "in").fetch_pdf(only, tmp_path / "b.pdf")
    assert not (tmp_path / "b.pdf").exists()


# Real papers


def test_every_paper_of_the_shared_corpus_is_listed_as_it_is_described() -> None:
    folder = require_shared("corpus")
    rows = [json.loads(line) for line in (folder / "papers.jsonl").read_text().splitlines()]
    listing = FolderSource(folder).list_papers()
    assert titles(listing) == {row["paper_id"]: row["title"] for row in rows}
    assert listing.problems == ()


def test_without_descriptions_nearly_all_are_known_by_themselves(tmp_path: Path) -> None:
    """Ids from names or stamps; titles alike but for what a page cannot show (√s, e⁺e⁻)."""
    folder = require_shared("corpus")
    rows = {
        row["file"]: row
        for row in map(json.loads, (folder / "papers.jsonl").read_text().splitlines())
    }
    for path in folder.glob("*.pdf"):
        shutil.copy(path, tmp_path / path.name)
    listed = {Path(p.pdf_url_or_path).name: p for p in FolderSource(tmp_path).list_papers().papers}
    ids = [name for name, row in rows.items() if listed[name].paper_id == row["paper_id"]]
    assert len(ids) == len(rows) - 1
    assert listed["wepml008.pdf"].paper_id.startswith("local:")

    def letters(text: str) -> str:
        return "".join(filter(str.isalnum, text.lower()))

    alike = [n for n, row in rows.items() if letters(listed[n].title) == letters(row["title"])]
    assert len(alike) >= 0.9 * len(rows)


def test_awkward_files_never_stop_a_listing() -> None:
    folder = require_shared("fixtures", "awkward_pdf")
    listing = FolderSource(folder).list_papers()
    assert len(listing.papers) + len(listing.problems) == len(list(folder.glob("*.pdf")))
    assert any("garbage.pdf was left out" in problem for problem in listing.problems)


def test_the_samples_are_a_source_of_that_name() -> None:
    from resources.sample_corpus import folder  # noqa: PLC0415

    listing = FolderSource(folder(), "sample").list_papers()
    assert listing.problems == ()
    assert {paper.source for paper in listing.papers} == {"sample"}
