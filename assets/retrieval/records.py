"""Record types of the retrieval stage: what a search returns."""

from dataclasses import dataclass, field
from enum import StrEnum


class Mode(StrEnum):
    """How passages are found: one of the two indexes, both, both with density, or the agent."""

    AGENTIC = "agentic"
    HYBRID = "hybrid"
    DENSE = "dense"
    SPARSE = "sparse"
    DENSITY = "density"


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
