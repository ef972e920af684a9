"""Answers as Markdown and their sources as BibTeX."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.answering.bibtex import cited_papers, entry, key, to_bibtex
from assets.answering.bibtex import escaped as latex
from assets.answering.grounding import cite
from assets.answering.markdown import escaped, safe_link, to_markdown
from assets.answering.records import (
    Answer,
    Disagreement,
    NearMiss,
    Sentence,
    Verdict,
    page_link,
)
from tests.support.answering import evidence, plan

OK = Verdict(True, 0.9, {"numbers": "ok"})
ONE = evidence("The field is 8 T.", "E1", "2001.00001", page=3)
TWO = evidence("The field is 10 T.", "E2", "hep-ph/9909255", page=5)


def cited(item: object) -> tuple:  # type: ignore[type-arg]
    return tuple(cite(item, 0, len(item.text), None))  # type: ignore[attr-defined, arg-type]


def made(**changes: object) -> Answer:
    base = Answer(
        answer_id="a1", question="What is the field?", mode="agentic", plan=plan("q"),
        evidence=(ONE, TWO),
        sentences=(Sentence(ONE.text, cited(ONE), OK), Sentence(TWO.text, cited(TWO), OK)),
        dropped=(), disagreements=(), abstained=False, reason="", near_misses=(), confidence=0.9,
        signals={}, drift=(), notes=(), release="r1", model="embedded extractive writer 1",
    )  # fmt: skip
    return replace(base, **changes)  # type: ignore[arg-type]


def test_sentences_carry_numbered_links_to_their_pages() -> None:
    text = to_markdown(made())
    assert "The field is 8 T. [[1]](https://arxiv.org/pdf/2001.00001#page=3)" in text
    assert "1. Paper 2001.00001 (2001.00001), [page 3]" in text
    assert "2. Paper hep-ph/9909255 (hep-ph/9909255), [page 5]" in text


def test_the_score_is_shown_and_what_a_model_of_inference_found() -> None:
    first, second = made().sentences
    judged = replace(second, verdict=replace(OK, entailment=0.876))
    text = to_markdown(made(sentences=(first, judged), grounding="overlap and nli_small@1"))
    assert "#page=3) (support 0.90)" in text
    assert "#page=5) (support 0.90, entailed 0.88)" in text
    assert r", checked by overlap and nli\_small@1, release r1" in text
    assert "checked by" not in to_markdown(made())


def test_a_page_is_numbered_once() -> None:
    again = made(sentences=(made().sentences[0], made().sentences[0]))
    assert to_markdown(again).count("[page 3]") == 1


def test_a_synthesis_has_its_headings() -> None:
    sentences = tuple(
        replace(sentence, heading=heading)
        for sentence, heading in zip(made().sentences, ("Old", "New"), strict=True)
    )
    text = to_markdown(made(sentences=sentences))
    assert text.index("### Old") < text.index("8 T") < text.index("### New") < text.index("10 T")


def test_an_abstention_says_why_and_what_the_corpus_does_say() -> None:
    miss = NearMiss("The field is 8 T.", cited(ONE)[0])
    text = to_markdown(made(sentences=(), abstained=True, reason="No cost.", near_misses=(miss,)))
    assert "*Not answered.* No cost." in text
    assert "What the corpus does say" in text
    assert "[page 3]" in text


def test_a_disagreement_shows_both_sides() -> None:
    sides = (("8 T", cited(ONE)[0]), ("10 T", cited(TWO)[0]))
    text = to_markdown(made(disagreements=(Disagreement("field", sides),)))
    assert re.search(r"papers differ .*8 T \[\[1\]\].* against 10 T \[\[2\]\]", text)


@pytest.mark.parametrize(
    "text",
    ["![x](http://evil/a.png)", "[click](javascript:alert(1))", "<img src=x>", "# Title", "| a |",
     "`code`", "**bold**", "<script>alert(1)</script>"],
)  # fmt: skip
def test_papers_cannot_write_markup(text: str) -> None:
    shown = escaped(text)
    assert not re.search(r"(?<!\\)[\[\]<>`*#|]", shown)


@given(st.text(max_size=100))
def test_escaped_text_is_one_line_with_the_same_words(text: str) -> None:
    shown = escaped(text)
    assert "\n" not in shown
    assert re.sub(r"\\", "", shown).split() == re.sub(r"\\", "", text).split()


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "vbscript:x", ""])
def test_other_schemes_are_no_links(link: str) -> None:
    assert safe_link(link) == ""


def test_links_cannot_end_early() -> None:
    assert safe_link("file:///a b(c).pdf#page=2") == "file:///a%20b%28c%29.pdf#page=2"


def test_a_link_is_turned_to_another_page() -> None:
    assert page_link("https://x/a.pdf#page=3", 7) == "https://x/a.pdf#page=7"
    assert page_link("", 7) == ""


def test_every_cited_paper_gets_one_entry() -> None:
    papers = {
        "2001.00001": {
            "title": "On {Fields} & 100% more",
            "authors": ["A. One", "B. Two"],
            "published": "2020-01-02",
            "doi": "10.1/x",
            "journal_ref": "J. Test 1",
        }
    }
    text = to_bibtex(made(), papers)
    assert text.count("@") == 2
    assert "@article{2001.00001," in text
    assert r"title = {{On \{Fields\} \& 100\% more}}," in text
    assert "author = {A. One and B. Two}," in text
    assert "eprint = {2001.00001}," in text
    assert "@misc{hep-ph-9909255," in text
    assert cited_papers(made()) == ["2001.00001", "hep-ph/9909255"]


@pytest.mark.parametrize(
    ("paper_id", "year"),
    [
        ("2001.00001", "2020"),
        ("hep-ph/9909255", "1999"),
        ("hep-ex/0112076", "2001"),
        ("local:a", ""),
    ],
)
def test_the_year_is_the_identifiers_where_no_date_is_known(paper_id: str, year: str) -> None:
    text = entry(paper_id, {"title": "T"})
    assert (f"year = {{{year}}}," in text) is bool(year)
    assert "year = {2024}" in entry(paper_id, {"title": "T", "published": "2024-05-06"})


def test_near_misses_and_disagreements_are_cited_too() -> None:
    miss = NearMiss("x", cited(TWO)[0])
    assert cited_papers(made(sentences=(), near_misses=(miss,))) == ["hep-ph/9909255"]


def test_a_local_paper_is_named_by_its_id() -> None:
    text = entry("local:abc", {"title": "T", "authors": "A. One; B. Two"})
    assert text.startswith("@misc{local-abc,")
    assert "A. One and B. Two" in text
    assert "eprint" not in text


@given(st.text(max_size=60))
def test_braces_stay_balanced_and_keys_clean(text: str) -> None:
    plain = re.sub(r"\\textbackslash\{\}|\\textascii\w+\{\}|\\[{}]", "", latex(text))
    assert "{" not in plain
    assert "}" not in plain
    assert re.fullmatch(r"[A-Za-z0-9.-]*", key(text))


def test_groups_and_others_are_authors_as_bibtex_takes_them() -> None:
    text = entry("local:abc", {"title": "T", "authors": ["The A and B Collaborations", "C. D"]})
    assert "author = {{The A and B Collaborations} and C. D}," in text
    assert "author = {A. One and others}," in entry("x", {"authors": ["A. One", "et al."]})
