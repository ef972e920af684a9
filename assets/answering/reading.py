"""The sentences of the evidence, each measured against the question.

Everything embedded that follows (writing, disagreements, abstention, near misses) works on these
measures, so that a sentence is read once.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from assets.answering.parts import Encoder, Vectors
from assets.answering.quantities import (
    asked_dimensions,
    asks_a_number,
    find_quantities,
    fitting_quantities,
    same_quantity,
)
from assets.answering.records import Evidence, Plan, QuestionType
from assets.answering.terms import content_terms, coverage, names, names_in, stems
from assets.parsing.sentences import split_sentences

MOST_SENTENCES = 72  # embedded for one question: the passages' order decides which are left out
_SHORTEST, _LONGEST = 5, 90  # words

_REFERENCE_MARKS = re.compile(
    r"\s?\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*\](?:\s?[,–-]\s?(?=\[))?"
    r"|\s?\((?:see|cf\.?)?\s*(?:Figs?|Figure|Table|Tab|Eqs?|Sect?|Section|Ref)\.?\s[^()]{1,25}\)"
)
_OPENING = re.compile(
    r"^(?:However|Moreover|Furthermore|Therefore|Thus|Hence|In addition|Additionally|Also|Again"
    r"|Nevertheless|Nonetheless|Indeed|In fact|In particular|For example|For instance|Finally"
    r"|Consequently|As a consequence|As a result|On the other hand|Meanwhile|Similarly|Likewise"
    r"|As expected|As mentioned (?:above|before|earlier)|As can be seen|Note that|So|And|But),?\s+"
    r"(?=\S)"
)
_DANGLING = re.compile(
    r"^(?:It|This|These|Those|They|Such|Its|Their|He|She|Both"
    r"|The (?:latter|former|same|above|other)"
    r"|In (?:this|that|these|such)|For (?:this|these|that)|At (?:this|that)|With (?:this|these)"
    r"|From (?:this|these)|That|Here|There(?:fore)?)\b(?! (?:is|are|exists?) )",
)
_CAUSE = re.compile(
    r"\b(?:because|since|due to|owing to|as a (?:result|consequence)|therefore|thus|hence|so that"
    r"|in order to|caused?s?|leads? to|results? in|reason|allow(?:s|ing)?|enables?|prevents?"
    r"|which (?:reduces|increases|limits|makes)|to (?:avoid|reduce|limit|prevent|mitigate)"
    r"|advantage|drawback|disadvantage|requires?|mak(?:es|ing) it)\b",
    re.IGNORECASE,
)
_POINTS_AT_FIGURE = re.compile(
    r"\b(?:shown|seen|plotted|illustrated|depicted|listed|summari[sz]ed|presented|displayed|given)"
    r" in (?:the )?(?:Fig|Tab|Figure|Table)|^(?:Fig|Figure|Table|Tab)\b"
    r"|\b(?:Fig(?:ure)?|Table)\.? ?\d+ (?:shows|lists|presents|gives|illustrates|summari[sz]es)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Measures:
    """What a sentence is measured by; every field lies between 0 and 1.

    `cosine` with the question; `covered` is the weighted share of the question's terms in the
    sentence and `covered_around` in the sentence, the one before, its section and title; `named`
    the share of the question's names in the passage; `fits` whether a number is asked for and the
    sentence gives one of that kind that the question does not hold; `explains` whether a reason is
    asked for and the sentence gives one; `rank` falls from 1 with the passage's place;
    `points_at_figure` and `dangles` say that it tells little by itself.
    """

    cosine: float
    covered: float
    covered_around: float
    named: float
    fits: float
    explains: float
    rank: float
    points_at_figure: float
    dangles: float

    def as_array(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """The measures as one vector, in the order of the fields."""
        return np.array([getattr(self, field.name) for field in fields(self)], dtype=np.float64)


# Logistic regression of "belongs to a passage that answers" on the measures.
_WEIGHTS = np.array([6.0, 2.0, 2.0, 0.5, 1.2, 0.4, 1.0, -1.0, -0.5])
_BIAS = -6.0


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence of one passage: `evidence.text[start:end]` as it stands, `text` made presentable.

    `relevance`, in [0, 1], is the probability that it belongs to an answer.
    """

    evidence: Evidence
    start: int
    end: int
    text: str
    vector: Vectors
    measures: Measures
    relevance: float
    before: str

    @property
    def quote(self) -> str:
        """The sentence verbatim."""
        return self.evidence.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Reading:
    """All sentences that were read, most relevant first, and the question's vector."""

    question: str
    vector: Vectors
    sentences: tuple[ReadSentence, ...]

    @property
    def best(self) -> float:
        """Relevance of the best sentence, 0 where there is none."""
        return self.sentences[0].relevance if self.sentences else 0.0


def read(question: str, plan: Plan, evidence: Sequence[Evidence], encoder: Encoder) -> Reading:
    """Read the evidence sentence by sentence."""
    spans = [
        (item, place, start, end, spans[index - 1] if index else None)
        for place, item in enumerate(evidence)
        for spans in [_sentences(item.text)]
        for index, (start, end) in enumerate(spans)
    ]
    spans = [span for span in spans if _readable(span[0].text[span[2] : span[3]])]
    spans = _without_repeats(spans)[:MOST_SENTENCES]
    question_vector = encoder.encode_queries([question])[0]
    if not spans:
        return Reading(question, question_vector, ())
    texts = [presentable(item.text[start:end]) for item, _, start, end, _ in spans]
    vectors = encoder.encode(texts)
    scale = _Scale(question, plan)
    sentences = []
    for (item, place, start, end, previous), text, vector in zip(
        spans, texts, vectors, strict=True
    ):
        before = item.text[previous[0] : previous[1]] if previous else ""
        measures = scale.measure(item, place, text, before, float(vector @ question_vector))
        sentences.append(
            ReadSentence(item, start, end, text, vector, measures, relevance(measures), before)
        )
    sentences.sort(key=lambda sentence: -sentence.relevance)
    return Reading(question, question_vector, tuple(sentences))


def relevance(measures: Measures) -> float:
    """Probability that a sentence with these measures belongs to an answer."""
    return float(1 / (1 + np.exp(-(_WEIGHTS @ measures.as_array() + _BIAS))))


def presentable(text: str) -> str:
    """A sentence without reference marks and its opening connective, on one line."""
    text = " ".join(_REFERENCE_MARKS.sub("", text).split())
    opened = _OPENING.sub("", text)
    if opened != text and opened[:1].islower():
        opened = opened[0].upper() + opened[1:]
    return re.sub(r"\s+([.,;:])(?=\s|$)", r"\1", opened)


def dangles(text: str) -> bool:
    """Whether a sentence begins with a word that points back to another sentence."""
    return bool(_DANGLING.match(text))


class _Scale:
    """What one question's sentences are measured against."""

    def __init__(self, question: str, plan: Plan) -> None:
        self.terms = content_terms(question)
        self.names = names(question)
        self.numbers = find_quantities(question)
        self.asks_number = asks_a_number(question)
        self.wanted = asked_dimensions(question)
        self.asks_reason = plan.type is QuestionType.REASONING

    def measure(
        self, item: Evidence, place: int, text: str, before: str, cosine: float
    ) -> Measures:
        around = f"{item.title} {' '.join(item.section)} {before} {text}"
        passage = f"{item.title} {' '.join(item.section)} {item.text}"
        named = [name for name in self.names if names_in(passage, name)]
        return Measures(
            cosine=max(0.0, cosine),
            covered=coverage(self.terms, stems(text)),
            covered_around=coverage(self.terms, stems(around)),
            named=len(named) / len(self.names) if self.names else 1.0,
            fits=float(self._fits(text)),
            explains=float(self.asks_reason and bool(_CAUSE.search(text))),
            rank=1 / (1 + place / 4),
            points_at_figure=float(bool(_POINTS_AT_FIGURE.search(text))),
            dangles=float(dangles(text)),
        )

    def _fits(self, text: str) -> bool:
        if not self.asks_number:
            return False
        return any(
            not any(same_quantity(quantity, known) for known in self.numbers)
            for quantity in fitting_quantities(text, self.wanted)
        )


_Span = tuple[Evidence, int, int, int, tuple[int, int] | None]


def _sentences(text: str) -> list[tuple[int, int]]:
    return split_sentences(text)


def _readable(text: str) -> bool:
    """Prose of a usable length: no table row, no formula, no fragment."""
    words = text.split()
    if not _SHORTEST <= len(words) <= _LONGEST or "|" in text:
        return False
    letters = sum(character.isalpha() for character in text)
    worded = sum(len(re.sub(r"\W", "", word)) > 2 and word.isascii() for word in words)
    return letters >= 0.55 * len(text.replace(" ", "")) and worded >= 0.35 * len(words)


def _without_repeats(spans: list[_Span]) -> list[_Span]:
    """Overlapping chunks share sentences; the first reading of each is kept."""
    seen = set()
    kept = []
    for span in spans:
        key = (span[0].paper_id, " ".join(span[0].text[span[2] : span[3]].split()).lower())
        if key not in seen:
            seen.add(key)
            kept.append(span)
    return kept
