"""Record types of the retrieval stage: what a search returns."""

from dataclasses import dataclass, field
from enum import StrEnum


class Mode(StrEnum):
    """How passages are found.

    By one of the two indexes, by both (`hybrid`, the default), by both as published (`paper`), by
    cosine reranked by density, or by the agent's several searches.
    """

    AGENTIC = "agentic"
    HYBRID = "hybrid"
    DENSE = "dense"
    SPARSE = "sparse"
    DENSITY = "density"
    PAPER = "paper"


@dataclass(frozen=True, slots=True)
class Hit:
    """One retrieved passage. `rank` counts from 1; `scores` holds what each ranker gave it
    (`dense` cosine, `sparse` BM25, `fused`, …); a ranker that did not return it has no entry."""

    rank: int
    score: float
    chunk_id: str
    paper_id: str
    title: str
    section: tuple[str, ...]
    kind: str
    page_start: int
    page_end: int
    text: str
    link: str
    scores: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Passage:
    """One chunk as a search index holds it: what a hit shows and what a filter asks.

    `ordinal` is the chunk's place in its paper; `year` that of the paper's first version, None
    where unknown.
    """

    chunk_id: str
    paper_id: str
    ordinal: int
    title: str
    section: tuple[str, ...]
    kind: str
    page_start: int
    page_end: int
    text: str
    link: str = ""
    year: int | None = None
    categories: tuple[str, ...] = ()
    tier: str = ""

    def as_hit(self, rank: int, score: float, scores: dict[str, float] | None = None) -> Hit:
        """The passage as a search returns it."""
        return Hit(
            rank=rank,
            score=score,
            chunk_id=self.chunk_id,
            paper_id=self.paper_id,
            title=self.title,
            section=self.section,
            kind=self.kind,
            page_start=self.page_start,
            page_end=self.page_end,
            text=self.text,
            link=self.link,
            scores=scores or {},
        )
