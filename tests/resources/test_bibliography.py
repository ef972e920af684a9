"""Ids that a person names, and the eprints of BibTeX files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.bibliography import eprint_of, named_papers, read_bibtex
from resources.errors import UsageError

INSPIRE = r"""
% INSPIRE's export
@comment{nothing here: @article{no, eprint = "9999.99999"}}
@string{prd = "Phys. Rev. D"}

@article{Accettura:2023ked,
    author = "Accettura, Carlotta and others",
    title = "{Towards a muon collider}",
    eprint = "2303.08533",
    archivePrefix = "arXiv",
    primaryClass = "physics.acc-ph",
    doi = "10.1140/epjc/s10052-023-11889-x",
    note = "[Erratum: Eur.Phys.J.C 84, 36 (2024)]",
    year = "2023"
}

@article{Davoudiasl:1999jd,
    author = {Davoudiasl, H. and Hewett, J. L. and Rizzo, T. G.},
    title = {Bulk gauge fields in the {Randall-Sundrum} model},
    eprint = {hep-ph/9911262},
    archivePrefix = {arXiv},
    journal = prd # " {\bf 63}",
    year = 2000
}

@inproceedings{Old:1999, title = "Old {\"o}",
  eprint = "9909255", archivePrefix="arXiv", primaryClass = "hep-ph"}
@misc{Older, eprint = 9601290, eprinttype = "hep-ph"}
@misc(parens, doi = {10.48550/arXiv.2203.07964}, year = 2022)
@misc{linked, howpublished = {\url{https://arxiv.org/abs/2407.12450v2}}}
@book{Textbook, title = "A book"}
@article{Broken, title = {never closed
@article{After, eprint = {2401.00001}}
"""


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_eprints_of_a_bibtex_file(tmp_path: Path) -> None:
    papers = named_papers(write(tmp_path, "muons.bib", INSPIRE))
    assert papers.ids == (
        "2303.08533",
        "hep-ph/9911262",
        "hep-ph/9909255",
        "hep-ph/9601290",
        "2203.07964",
        "2407.12450v2",
        "2401.00001",
    )


def test_entries_that_name_no_paper_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, "muons.bib", INSPIRE)
    assert named_papers(path).problems == (
        f"The entry Textbook of {path} names no arXiv paper.",
        f"The entry Broken of {path} names no arXiv paper.",
    )


def test_values_are_read_braced_quoted_bare_and_joined() -> None:
    entries = {entry.key: entry for entry in read_bibtex(INSPIRE)}
    assert entries["Davoudiasl:1999jd"].fields["title"] == (
        "Bulk gauge fields in the {Randall-Sundrum} model"
    )
    assert entries["Davoudiasl:1999jd"].fields["journal"] == "prd {\\bf 63}"
    assert entries["Davoudiasl:1999jd"].fields["year"] == "2000"
    assert entries["Old:1999"].fields["title"] == 'Old {\\"o}'
    assert entries["Accettura:2023ked"].kind == "article"


def test_an_eprint_of_another_archive_is_not_arxivs() -> None:
    (entry,) = read_bibtex('@article{x, eprint = "1234.5678", archivePrefix = "bioRxiv"}')
    assert eprint_of(entry) is None


@given(st.text(alphabet='@{}(),="#\\ \nabceprint0123456789./', max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    for entry in read_bibtex(text):
        eprint_of(entry)


def test_ids_stand_between_commas_and_blanks() -> None:
    papers = named_papers("2303.08533, hep-ph/9909255v1 2303.08533")
    assert papers.ids == ("2303.08533", "hep-ph/9909255v1")


def test_a_text_file_may_hold_comments(tmp_path: Path) -> None:
    text = "# ours\n2303.08533  # the review\nhttps://arxiv.org/pdf/2203.07964v2#page=2\n\n"
    papers = named_papers(write(tmp_path, "ids.txt", text))
    assert papers.ids == ("2303.08533", "https://arxiv.org/pdf/2203.07964v2#page=2")


@pytest.mark.parametrize("name", ["ids.txt", "ids.bib"])
def test_a_file_that_is_missing_is_wrong_use(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="There is no file"):
        named_papers(str(tmp_path / name))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("ids.txt", "# nothing\n", "names no arXiv ids"),
        ("ids.bib", "@book{Textbook, title = {A book}}", "holds no BibTeX entry that names"),
    ],
)
def test_a_file_without_ids_is_wrong_use(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        named_papers(write(tmp_path, name, text))


def test_a_file_that_is_no_text_is_wrong_use(tmp_path: Path) -> None:
    path = tmp_path / "ids.bib"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="cannot be read as UTF-8"):
        named_papers(str(path))


def test_no_ids_are_wrong_use() -> None:
    with pytest.raises(UsageError, match="No arXiv ids were given"):
        named_papers("  ,  ")


def test_all_that_are_no_ids_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^'2303\.1' is no arXiv id: nothing was fetched\. An id"):
        named_papers("2303.08533,2303.1")
    path = write(tmp_path, "ids.txt", "2303.08533\nmuon  # not one\ncollider\n")
    with pytest.raises(UsageError) as raised:
        named_papers(path)
    assert str(raised.value) == (
        f"'muon', 'collider' are no arXiv ids (in {path}): nothing was fetched. "
        "An id looks like 2303.08533 or hep-ph/9909255."
    )
    with pytest.raises(UsageError, match=r"'w49' and 12 more are no arXiv ids"):
        named_papers(" ".join(f"w{number}" for number in range(62)))
