"""Record types of the answering stage: the plan, the evidence, the sentences, the answer."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

#: Of the way answers are made: another one gives the same question another answer.
VERSION = "2"
#: How it is judged whether citations carry a sentence, where no model of inference is configured.
OVERLAP_AND_ALIGNMENT = "overlap and alignment"


class QuestionType(StrEnum):
    """The four query types of arXiv:2606.10381."""

    PRECISE_FACT = "precise_fact"
    BROAD_SYNTHESIS = "broad_synthesis"
    REASONING = "reasoning"
    PARAPHRASE = "paraphrase"


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """What a person may turn.

    `m` passages at most go to the writer, `k` are retrieved for each subquery, and at most
    `max_subqueries` subqueries are added to the question. `neighbours_of` best passages are
    read together with the passage before and after them. `reranker` names the cross-encoder that
    searches were made with, "" for none: other passages are found with another; `entailment`
    likewise the model of inference that sentences are held to.
    `max_facts`, `max_reasons` and `max_synthesis` are sentences of an answer by the embedded
    writer, `focus` the log-odds that a passage it cites already is worth to it.
    """

    m: int = 16
    k: int = 20
    max_subqueries: int = 5
    neighbours_of: int = 3
    max_facts: int = 3
    max_reasons: int = 6
    max_synthesis: int = 12
    focus: float = 1.0
    second_round: bool = True
    abstain_below: float = 0.45
    near_miss_cosine: float = 0.5
    reranker: str = ""
    entailment: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens and US dollars of an answer's model calls; calls from the cache cost nothing."""

    calls: int = 0
    cached_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.calls + other.calls,
            self.cached_calls + other.cached_calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost_usd + other.cost_usd,
        )


NO_USAGE = Usage()


@dataclass(frozen=True, slots=True)
class Plan:
    """What is looked for. The first subquery is the question itself, word for word."""

    tags: tuple[str, ...]
    type: QuestionType
    subqueries: tuple[str, ...]
    planner: str
    notes: tuple[str, ...] = ()
    usage: Usage = NO_USAGE


@dataclass(frozen=True, slots=True)
class Evidence:
    """One passage that an answer may stand on; `key` ("E1", "E2", …) is how it is cited.

    `text` is the chunk's text with sentences that address a language model blanked out, length
    kept, so that character offsets stay those of the chunk. `cosine` is the passage's cosine with
    the question, 0 where dense retrieval did not return it. `found_by` are the indices of the
    subqueries that found it, () for a neighbour of a found passage.
    """

    key: str
    chunk_id: str
    paper_id: str
    title: str
    section: tuple[str, ...]
    kind: str
    page_start: int
    page_end: int
    score: float
    link: str
    text: str
    cosine: float = 0.0
    found_by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a sentence stands: the passage, the page, and the words there."""

    key: str
    chunk_id: str
    paper_id: str
    title: str
    page: int
    link: str
    quote: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checks of a sentence found; `score`, in [0, 1], is its support by its citations.

    `checks` maps each check's name to "ok" or to what is wrong. `entailment`, in [0, 1], is the
    probability that the cited sentences entail it, None where no model was asked.
    """

    grounded: bool
    score: float
    checks: Mapping[str, str]
    entailment: float | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer; `heading` groups the sentences of a synthesis."""

    text: str
    citations: tuple[Citation, ...]
    verdict: Verdict
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence as a writer proposes it: its words and, for each citation, key and quote."""

    text: str
    quotes: tuple[tuple[str, str], ...]
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence that a writer proposed and the checks kept out."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One quantity with different numbers in different papers, each side with its citation."""

    subject: str
    sides: tuple[tuple[str, Citation], ...]


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Something the corpus does say, offered where it does not say what was asked."""

    text: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class Drift:
    """What one subquery brought: passages found, passages nothing else found, passages cited."""

    subquery: str
    found: int
    added: int
    cited: int


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer or an abstention, with all it stands on: one row of the `answers` table.

    `grounding` names what judged whether citations carry a sentence.
    """

    answer_id: str
    question: str
    mode: str
    plan: Plan
    evidence: tuple[Evidence, ...]
    sentences: tuple[Sentence, ...]
    dropped: tuple[Dropped, ...]
    disagreements: tuple[Disagreement, ...]
    abstained: bool
    reason: str
    near_misses: tuple[NearMiss, ...]
    confidence: float
    signals: Mapping[str, float]
    drift: tuple[Drift, ...]
    notes: tuple[str, ...]
    release: str
    model: str
    usage: Usage = NO_USAGE
    timings: Mapping[str, float] = field(default_factory=dict)
    grounding: str = OVERLAP_AND_ALIGNMENT

    @property
    def text(self) -> str:
        """The sentences as one text, without citations; the reason where there are none."""
        return " ".join(sentence.text for sentence in self.sentences) or self.reason

    def as_row(self) -> dict[str, Any]:
        """The answer as plain values: what JSON and the `answers` table hold.

        Tokens and cost stand at the top level; nested records are dictionaries and lists.
        """
        row: dict[str, Any] = json.loads(json.dumps(asdict(self), ensure_ascii=False))
        usage = row.pop("usage")
        row["text"] = self.text
        row["tokens"] = {
            "input": usage["input_tokens"],
            "output": usage["output_tokens"],
            "calls": usage["calls"],
            "cached_calls": usage["cached_calls"],
        }
        row["cost_usd"] = usage["cost_usd"]
        return row


def answer_id(question: str, mode: str, release: str, model: str, settings: AnswerSettings) -> str:
    """Name of an answer, the same for the same question, mode, release, writer and settings."""
    key = [VERSION, question, mode, release, model, asdict(settings)]
    return hashlib.sha256(json.dumps(key, ensure_ascii=False).encode()).hexdigest()[:16]


def page_link(link: str, page: int) -> str:
    """A passage's link turned to another of its pages."""
    base, mark, _ = link.partition("#page=")
    return f"{base}{mark}{page}" if mark else link
