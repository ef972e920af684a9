"""What an answer cites, as BibTeX entries.

Keys are made of the paper's id and never of text that a model wrote; metadata that speaks to a
language model is left out, since a bibliography too may be read by one.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from assets.answering.records import Answer
from assets.parsing.injection import addresses_a_model

_ARXIV = re.compile(r"^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})$")
_LAST_YEAR_OF_TWO_DIGITS = 90  # arXiv began in 1991
_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$",
    "#": r"\#", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def cited_papers(answer: Answer) -> list[str]:
    """Ids of the papers that an answer cites, in order of their first citation."""
    cited = [c for sentence in answer.sentences for c in sentence.citations]
    cited += [citation for d in answer.disagreements for _, citation in d.sides]
    cited += [miss.citation for miss in answer.near_misses]
    return list(dict.fromkeys(citation.paper_id for citation in cited))


def to_bibtex(answer: Answer, papers: Mapping[str, Mapping[str, Any]]) -> str:
    """One entry for each cited paper.

    `papers` maps ids to rows of the `papers` table (title, authors, published, doi, journal_ref);
    a paper that is not among them gets an entry with its id and the title that was cited.
    """
    titles = {c.paper_id: c.title for sentence in answer.sentences for c in sentence.citations} | {
        miss.citation.paper_id: miss.citation.title for miss in answer.near_misses
    }
    entries = [
        entry(paper_id, {"title": titles.get(paper_id, paper_id), **papers.get(paper_id, {})})
        for paper_id in cited_papers(answer)
    ]
    return "\n".join(entries)


def entry(paper_id: str, paper: Mapping[str, Any]) -> str:
    """One paper as an `@article` where a journal is known, else as `@misc`."""
    journal = str(paper.get("journal_ref") or "")
    title = str(paper.get("title") or paper_id)
    fields = {
        "title": f"{{{escaped(paper_id if addresses_a_model(title) else title)}}}",
        "author": " and ".join(_author(name) for name in _authors(paper.get("authors"))),
        "year": str(paper.get("published") or "")[:4] or _year_of(paper_id),
        "journal": escaped(journal),
        "doi": str(paper.get("doi") or ""),
    }
    if _ARXIV.match(paper_id):
        fields |= {"eprint": paper_id, "archivePrefix": "arXiv"}
    else:
        fields["note"] = escaped(paper_id)
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    kind = "article" if journal else "misc"
    return "\n".join([f"@{kind}{{{key(paper_id)},", *lines, "}", ""])


def _year_of(paper_id: str) -> str:
    """The year in an arXiv identifier, which says when a paper was first submitted; else none."""
    digits = re.search(r"(?:^|/)(\d\d)\d\d", paper_id) if _ARXIV.match(paper_id) else None
    if digits is None:
        return ""
    year = int(digits.group(1))
    return str(1900 + year if year > _LAST_YEAR_OF_TWO_DIGITS else 2000 + year)


def key(paper_id: str) -> str:
    """A BibTeX key of a paper id: letters, digits, points and hyphens."""
    return re.sub(r"[^A-Za-z0-9.-]", "-", paper_id)


def escaped(text: str) -> str:
    """Text in which BibTeX and LaTeX see nothing but words."""
    return "".join(_ESCAPES.get(character, character) for character in " ".join(text.split()))


def _author(name: str) -> str:
    """A name as BibTeX takes it: "others" for "et al.", a group with "and" in braces."""
    if re.fullmatch(r"(?:and )?(?:et\.? al\.?|others)", name, re.IGNORECASE):
        return "others"
    group = re.search(r"\b(?:and|collaborations?|group|team|consortium)\b", name, re.IGNORECASE)
    return f"{{{escaped(name)}}}" if group else escaped(name)


def _authors(authors: Sequence[str] | str | None) -> list[str]:
    if isinstance(authors, str):
        authors = authors.split(";")
    names = [name.strip() for name in authors or ()]
    return [name for name in names if name and not addresses_a_model(name)]
