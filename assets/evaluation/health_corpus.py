"""The medical corpus of the density audit, read from a folder of published data sets.

The folder holds `cochrane_abstracts/data/results/{original,reference}/*.json` (abstracts of
Cochrane reviews, and the plain-language summaries of the same reviews), `pubmedqa/data/
ori_pqal.json` (questions, each with the PubMed abstract that answers it) and
`healthfc/Datensatz.csv` (claims that medical experts checked).
"""

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.parsing.chunking import ChunkSize, CountTokens, chunk_document
from assets.parsing.records import Block, Chunk, PageEntry, ParsedDocument
from resources.blocks import BlockKind
from resources.errors import UsageError

REVIEW = "systematic review"
STUDY = "PubMed abstract"
SUMMARY = "plain-language summary"

AUTHORITY = {REVIEW: 1.0, STUDY: 0.95, SUMMARY: 0.90}
"""The three authorities of arXiv:2605.31506, given by the hierarchy of evidence: a systematic
review appraises all studies of its question; an abstract reports one study, refereed; a
plain-language summary retells a review to lay readers, with fewer of its figures."""

_REVIEWS = "cochrane_abstracts/data/results/original"
_SUMMARIES = "cochrane_abstracts/data/results/reference"
_PUBMEDQA = "pubmedqa/data/ori_pqal.json"
_HEALTHFC = "healthfc/Datensatz.csv"

_VERDICTS = {"0": "supported", "1": "not enough information", "2": "refuted"}


@dataclass(frozen=True, slots=True)
class HealthDocument:
    """One abstract or summary: paragraphs of text, without its title.

    Titles are left out of all tiers alike: a PubMedQA question is its abstract's title, so that
    with it the question would only have to find itself. `pair` is the Cochrane review's id, which
    a review's abstract shares with its plain-language summary.
    """

    document_id: str
    tier: str
    paragraphs: tuple[str, ...]
    pair: str = ""

    @property
    def text(self) -> str:
        """All of it, a paragraph a line."""
        return "\n".join(self.paragraphs)


@dataclass(frozen=True, slots=True)
class HealthQuestion:
    """A PubMedQA question and the abstract it was asked of."""

    question_id: str
    text: str
    document_id: str
    conclusion: str


@dataclass(frozen=True, slots=True)
class HealthClaim:
    """A HealthFC claim, put as a question, and the experts' verdict on it."""

    claim_id: str
    text: str
    verdict: str


@dataclass(frozen=True, slots=True)
class HealthData:
    """Everything in the folder."""

    documents: tuple[HealthDocument, ...]
    questions: tuple[HealthQuestion, ...]
    claims: tuple[HealthClaim, ...]


def read_health(folder: Path) -> HealthData:
    """The three data sets of a folder; a UsageError names what is missing or cannot be read."""
    try:
        reviews = _cochrane(folder / _REVIEWS, REVIEW, "review")
        summaries = _cochrane(folder / _SUMMARIES, SUMMARY, "summary")
        abstracts = json.loads(_text(folder / _PUBMEDQA))
        with (folder / _HEALTHFC).open(encoding="utf-8-sig", newline="") as lines:
            claims = list(csv.DictReader(lines))
        return HealthData(
            documents=(
                *reviews,
                *summaries,
                *(_abstract(key, fields) for key, fields in abstracts.items()),
            ),
            questions=tuple(_question(key, fields) for key, fields in abstracts.items()),
            claims=tuple(_claim(number, fields) for number, fields in enumerate(claims, 1)),
        )
    except OSError as problem:
        raise UsageError(
            f"{problem.filename} cannot be read ({problem.strerror}): name the folder that holds "
            "cochrane_abstracts, pubmedqa and healthfc."
        ) from problem
    except (ValueError, KeyError, TypeError) as problem:
        raise UsageError(
            f"The data sets in {folder} have another form than the published one "
            f"({type(problem).__name__}: {problem})."
        ) from problem


def health_chunks(document: HealthDocument, count_tokens: CountTokens, window: int) -> list[Chunk]:
    """A document's passages, cut as those of papers are.

    A whole abstract has 100 to 2,000 wordpieces; embedded in one piece all but its beginning
    would be cut off at the encoder's window.
    """
    blocks = tuple(Block(BlockKind.PARAGRAPH, text, page=1) for text in document.paragraphs)
    page = PageEntry(page=1, width=0, height=0, characters=len(document.text), blocks=len(blocks))
    parsed = ParsedDocument(parser="plain text", title="", blocks=blocks, pages=(page,))
    size = ChunkSize(window=window)
    return chunk_document(document.document_id, "", parsed, count_tokens, size)


def _cochrane(folder: Path, tier: str, kind: str) -> list[HealthDocument]:
    paths = sorted(folder.iterdir())
    return [
        HealthDocument(
            document_id=f"{kind}:{path.stem}",
            tier=tier,
            paragraphs=_lines(_without_title(json.loads(_text(path))["text"])),
            pair=path.stem,
        )
        for path in paths
        if path.suffix == ".json"
    ]


def _without_title(text: str) -> str:
    """What stands below the title; all of it where the title is not set apart."""
    return text.partition("\n\n")[2].strip() or text


def _abstract(key: str, fields: Mapping[str, Any]) -> HealthDocument:
    return HealthDocument(
        document_id=f"pubmed:{key}",
        tier=STUDY,
        paragraphs=_lines("\n".join([*fields["CONTEXTS"], fields["LONG_ANSWER"]])),
    )


def _question(key: str, fields: Mapping[str, Any]) -> HealthQuestion:
    return HealthQuestion(
        question_id=key,
        text=str(fields["QUESTION"]).strip(),
        document_id=f"pubmed:{key}",
        conclusion=str(fields["LONG_ANSWER"]),
    )


def _claim(number: int, fields: Mapping[str, Any]) -> HealthClaim:
    verdict = _VERDICTS.get(fields["label"], "unknown")
    return HealthClaim(f"healthfc:{number}", str(fields["en_claim"]).strip(), verdict)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
