"""The sample papers are what `papers.jsonl` says, are marked as samples, and can be made again."""

import json
import re
import unicodedata
from functools import cache
from typing import Any

import pypdfium2
import pytest

from resources.sample_corpus import folder
from resources.sample_corpus.typeset import LARGEST, SOURCE, sources, typeset

TAGS = {"higgs", "multiboson", "vbs", "aqgc", "bsm", "detector", "machine", "general"}
IDENTIFIER = re.compile(r"arXiv:(\d{4}\.\d{4,5}|[a-z-]+/\d{7})|doi:10\.\d{4,}/")


def _lines(name: str) -> list[dict[str, Any]]:
    with (folder() / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


PAPERS = _lines("papers.jsonl")
QUESTIONS = _lines("questions.jsonl")
FILES = {paper["paper_id"]: paper["file"] for paper in PAPERS}

each_paper = pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper["paper_id"])


@cache
def _pages(file: str) -> tuple[str, ...]:
    document = pypdfium2.PdfDocument(folder() / file)
    try:
        return tuple(page.get_textpage().get_text_range() for page in document)
    finally:
        document.close()


def _plain(text: str) -> str:
    """Lower-case words alone: a hyphen goes together with the line break that it may stand at."""
    text = unicodedata.normalize("NFKC", text).lower()
    text = re.sub(r"(?<=\w)(?:[-\u2010\u2011]\s*|[\x02\ufffe]\s*)(?=\w)", "", text)
    return " ".join(re.sub(r"[^\w]+", " ", text).split())


def test_every_pdf_is_listed_once_and_every_line_has_its_pdf() -> None:
    on_disk = sorted(path.name for path in folder().glob("*.pdf"))
    assert sorted(paper["file"] for paper in PAPERS) == on_disk
    assert len(FILES) == len(PAPERS) >= 12
    assert [source.with_suffix(".pdf").name for source in sources()] == on_disk


def test_both_column_styles_are_there_in_about_equal_number() -> None:
    styles = [paper["style"] for paper in PAPERS]
    assert set(styles) == {"one-column", "two-column"}
    assert abs(styles.count("one-column") - styles.count("two-column")) <= 2


def test_the_folder_stays_small() -> None:
    sizes = [(folder() / paper["file"]).stat().st_size for paper in PAPERS]
    assert max(sizes) <= LARGEST
    assert sum(sizes) < 1_500_000


@each_paper
def test_a_line_has_what_a_source_needs(paper: dict[str, Any]) -> None:
    assert re.fullmatch(r"sample-[a-z0-9-]+", paper["paper_id"])
    assert paper["source"] == SOURCE
    assert paper["title"]
    assert paper["authors"] == ["muon-evidence sample authors"]
    assert len(paper["abstract"].split()) >= 40
    assert paper["licence"]
    assert paper["categories"]
    assert paper["tags"]
    assert set(paper["tags"]) <= TAGS


@each_paper
def test_the_pdf_is_the_paper_of_its_line(paper: dict[str, Any]) -> None:
    pages = _pages(paper["file"])
    assert 2 <= len(pages) <= 4
    assert _plain(paper["title"]) in _plain(pages[0])
    assert _plain(" ".join(paper["abstract"].split()[:12])) in _plain(pages[0])
    document = pypdfium2.PdfDocument(folder() / paper["file"])
    metadata = document.get_metadata_dict()
    document.close()
    assert metadata["Title"] == paper["title"]
    assert metadata["Author"] == paper["authors"][0]
    assert SOURCE in metadata["Keywords"]


@each_paper
def test_every_page_says_that_it_is_a_sample(paper: dict[str, Any]) -> None:
    pages = _pages(paper["file"])
    for page in pages:
        assert _plain(f"{SOURCE} — written for demonstration") in _plain(page)
    assert _plain("Sample paper, written for the demonstration corpus") in _plain(pages[0])


@each_paper
def test_references_name_their_sources(paper: dict[str, Any]) -> None:
    text = "\n".join(_pages(paper["file"]))
    body, _, references = text.rpartition("REFERENCES" if "REFERENCES" in text else "References")
    entries = re.findall(r"^\[(\d+)\]", references, flags=re.MULTILINE)
    assert entries
    parts = re.split(r"^\[\d+\]", references, flags=re.MULTILINE)[1:]
    unnamed = [part for part in parts if not IDENTIFIER.search("".join(part.split()))]
    assert unnamed == []
    cited = {int(n) for group in re.findall(r"\[([\d,]+)\]", body) for n in group.split(",")}
    assert cited == {int(entry) for entry in entries}


@each_paper
def test_the_text_layer_reads_as_text(paper: dict[str, Any]) -> None:
    text = "".join(_pages(paper["file"]))
    assert "\ufffd" not in text
    assert not re.search(r"[\ue000-\uf8ff]", text)
    assert not re.search(r"\^[−+]?\d", text), "a superscript was left unset"


@pytest.mark.parametrize("name", ["mdi", "tracker-bib"])
def test_typesetting_again_gives_the_same_bytes(name: str) -> None:
    pytest.importorskip("typst", reason="Typst is a development dependency")
    source = folder() / "sources" / f"{name}.typ"
    pdf, line = typeset(source)
    assert pdf == (folder() / f"{name}.pdf").read_bytes()
    assert line in PAPERS


def test_questions_cover_both_sets_and_every_kind() -> None:
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS) == 12
    answerable = [question for question in QUESTIONS if question["answerable"]]
    assert {question["set"] for question in answerable} == {"retrieval", "answer"}
    kinds = {question["kind"] for question in QUESTIONS if not question["answerable"]}
    assert kinds == {"off_topic", "near_miss", "false_premise"}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_a_question_is_of_the_format_and_its_quotes_are_verbatim(question: dict[str, Any]) -> None:
    assert question["type"] in {"precise_fact", "reasoning", "broad_synthesis"}
    assert set(question["tags"]) <= TAGS
    assert 2 <= len(question["key_points"]) <= 5
    assert 1 <= len(question["unsupported_claims"]) <= 3
    if not question["answerable"]:
        assert question["evidence"] == []
        assert question["why"]
        return
    assert any(evidence["grade"] == 3 for evidence in question["evidence"])
    for evidence in question["evidence"]:
        assert 12 <= len(evidence["quote"].split()) <= 60
        text = "\n".join(_pages(FILES[evidence["paper_id"]]))
        assert _plain(evidence["quote"]) in _plain(text)
