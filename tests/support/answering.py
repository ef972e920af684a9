"""Parts for answering without an index: passages by hand, a searcher over them, a word encoder."""

import hashlib
import re
from collections.abc import Mapping, Sequence

import numpy as np

from assets.answering.answer_question import answer_question
from assets.answering.parts import Encoder, Vectors
from assets.answering.records import (
    Answer,
    AnswerSettings,
    Evidence,
    Plan,
    QuestionType,
    Sentence,
)
from assets.retrieval.records import Hit, Mode, Passage


class WordEncoder:
    """Unit vectors of word counts, so that texts are as near as the words they share."""

    dimension = 512

    def encode(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                row[int(hashlib.sha256(word.encode()).hexdigest(), 16) % self.dimension] += 1
            row[0] += 1e-6
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    encode_queries = encode


class ListSearcher:
    """Searches a list of passages by shared words; neighbours stand beside each other in it."""

    def __init__(self, passages: Sequence[Passage], encoder: Encoder | None = None) -> None:
        self.passages = list(passages)
        self.encoder: Encoder = encoder or WordEncoder()
        self.asked: list[tuple[str, Mode]] = []

    def search(self, query: str, mode: Mode, k: int) -> list[Hit]:
        self.asked.append((query, mode))
        if not self.passages:
            return []
        cosines = (
            self.encoder.encode([one.text for one in self.passages])
            @ self.encoder.encode_queries([query])[0]
        )
        order = sorted(range(len(self.passages)), key=lambda i: (-cosines[i], i))[:k]
        return [
            hit(self.passages[i], rank, float(cosines[i])) for rank, i in enumerate(order, start=1)
        ]

    def neighbours(self, chunk_id: str, before: int, after: int) -> list[Passage]:
        place = [one.chunk_id for one in self.passages].index(chunk_id)
        paper = self.passages[place].paper_id
        around = self.passages[max(0, place - before) : place + after + 1]
        return [one for one in around if one.paper_id == paper]


class SmallProfile:
    """A profile of three tags and two acronyms."""

    tags: Mapping[str, str] = {
        "detector": "Detectors: trackers, calorimeters, beam-induced background",
        "machine": "The accelerator: magnets, cavities, cooling, collider ring",
        "general": "anything else",
    }
    acronyms: Mapping[str, str] = {
        "BIB": "beam-induced background",
        "RCS": "rapid cycling synchrotron",
    }


def passage(chunk_id: str, text: str, paper_id: str = "2001.00001", page: int = 3) -> Passage:
    return Passage(
        chunk_id=chunk_id,
        paper_id=paper_id,
        ordinal=0,
        title=f"Paper {paper_id}",
        section=("Results",),
        kind="paragraph",
        page_start=page,
        page_end=page,
        text=text,
        link=f"https://arxiv.org/pdf/{paper_id}#page={page}",
    )


def hit(one: Passage, rank: int = 1, score: float = 0.5) -> Hit:
    return Hit(
        rank=rank,
        score=score,
        chunk_id=one.chunk_id,
        paper_id=one.paper_id,
        title=one.title,
        section=one.section,
        kind=one.kind,
        page_start=one.page_start,
        page_end=one.page_end,
        text=one.text,
        link=one.link,
        scores={"dense": score},
    )


def evidence(text: str, key: str = "E1", paper_id: str = "2001.00001", page: int = 3) -> Evidence:
    return Evidence(
        key=key,
        chunk_id=f"chunk-{key}",
        paper_id=paper_id,
        title=f"Paper {paper_id}",
        section=("Results",),
        kind="paragraph",
        page_start=page,
        page_end=page,
        score=1.0,
        link=f"https://arxiv.org/pdf/{paper_id}#page={page}",
        text=text,
        found_by=(0,),
    )


RING = [
    passage("c1", "The dipole magnets of the ring reach a field of 10 T. They are cold."),
    passage("c2", "The dipole magnets of the ring reach a field of 16 T.", "2002.00002"),
]
EAGER = AnswerSettings(abstain_below=0.0)


def answered(question: str = "Which field do the dipole magnets of the ring reach?") -> Answer:
    """An answer of the embedded parts from two passages."""
    return answer_question(
        question,
        Mode.AGENTIC,
        ListSearcher(RING),
        SmallProfile(),
        None,
        EAGER,
        release="r1",
        clock=iter(range(100)).__next__,
    )


def plan(question: str, kind: QuestionType = QuestionType.PRECISE_FACT) -> Plan:
    return Plan((), kind, (question,), "by hand")


class TableEntailment:
    """A model of inference that knows some hypotheses, and gives all others one probability."""

    id = "table@1"

    def __init__(self, known: Mapping[str, float], others: float = 1.0) -> None:
        self._known = known
        self._others = others
        self.asked: list[list[tuple[str, str]]] = []

    def entailed(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Vectors:
        self.asked.append(list(zip(premises, hypotheses, strict=True)))
        found = [self._known.get(text, self._others) for text in hypotheses]
        return np.array(found, dtype=np.float32)


def answer_of(sentences: Sequence[Sentence], read: Sequence[Evidence]) -> Answer:
    """An answer of some sentences from what was read, with nothing else to tell."""
    return Answer(
        answer_id="a", question="q", mode="hybrid", plan=plan("q"), evidence=tuple(read),
        sentences=tuple(sentences), dropped=(), disagreements=(), abstained=not sentences,
        reason="" if sentences else "Nothing gives it.", near_misses=(), confidence=1.0,
        signals={}, drift=(), notes=(), release="", model="m",
    )  # fmt: skip
