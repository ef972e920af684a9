"""The sentences of the evidence, each measured against the question.

Everything embedded that follows (writing, disagreements, abstention, near misses) works on these
measures, so that a sentence is read once.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from assets.answering.asked_numbers import asked_dimensions, asks_a_number, fitting_quantities
from assets.answering.parts import Encoder, Floats, Vectors
from assets.answering.quantities import find_quantities, same_quantity
from assets.answering.records import Evidence, Plan, QuestionType
from assets.answering.terms import Term, content_terms, coverage, is_present, stems
from assets.parsing.sentences import split_sentences

MOST_SENTENCES = 72  # embedded for one question; which, their words and passages decide
_SHORTEST, _LONGEST = 5, 90  # words
_HYPHENS = "-‐‑–−"

_BIBLIOGRAPHY = re.compile(
    r"(?:\b[A-Z]\.[ -]?(?:[A-Z]\.[ -]?)?[A-Z][\w’'-]+,? (?:and|et al|[A-Z]\.)[^.]{0,80}){2}"
    r"|\b(?:Phys|Nucl|Supercond|IEEE Trans|JHEP|JINST|arXiv:)\b[^.]*\.? .*\(\d{4}\)|\bdoi:\s?10\."
)
_REFERENCE_MARKS = re.compile(
    r"\s?\[\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*\](?:\s?[,–-]\s?(?=\[))?"
    r"|\s?\((?:see|cf\.?)?\s*(?:Figs?|Figure|Table|Tab|Eqs?|Sect?|Section|Ref)\.?\s[^()]{1,25}\)"
)
_NEEDS_WHAT_FOLLOWS = re.compile(  # "as described in [3], then", "In Ref. [3] it is"
    r"(?:\b(?:in|of|on|by|to|at|see|from|with|than|and|references?)|(?P<pointer>\b[Rr]efs?\.))\s?$"
)
_LIST_MARK = re.compile(  # or the number of the equation before
    r"^(?:[•▪◦*–—-]|\(?(?:[a-z]|[ivx]{2,4}|\d{1,2})\)|\([A-Z]?\.?\d{1,2}(?:\.\d{1,2})?[a-z]?\)(?=\s[A-Z])"
    r"|\d{1,2}\.(?=\s[A-Z]))\s+"
)
_EMPTY_POINTER = re.compile(  # "in Ref." whose mark was taken out
    r"\s(?:in|from|of|by|see)\s(?:[Rr]efs?|[Ff]igs?|[Tt]abs?|[Ee]qs?|[Ss]ecs?|[Ss]ects?)\."
    r"(?=\s?[,;:)]|\s?\.?$)"
)
_OPENING = re.compile(
    r"^(?:However|Moreover|Furthermore|Therefore|Thus|Hence|In addition|Additionally|Also|Again"
    r"|Nevertheless|Nonetheless|Indeed|In fact|In particular|For example|For instance|Finally"
    r"|Consequently|As a consequence|As a result|On the other hand|Meanwhile|Similarly|Likewise"
    r"|As expected|As mentioned (?:above|before|earlier)|As can be seen|Note that|So|And|But),?\s+"
    r"(?=\S)"
)
_DANGLING = re.compile(
    # "It is known that" points at what follows; "It is cooled" points back.
    r"^(?:It(?! (?:(?:is|was|has been|may be|should be|would|therefore|can be|also) ){1,2}(?:\w+ )?"
    r"(?:shown|found|seen|known|noted|believed|expected|assumed|clear|important|possible|necessary"
    r"|difficult|interesting|worth|likely|unlikely|reasonable|concluded|demonstrated|seem|appear"
    r"|evident|essential|crucial|desirable|advantageous|estimated|observed|hoped)\b)"
    r"(?! (?:is|was|has been) \w+ (?:that|to)\b(?! \d))|This|These|Those|They|Such|Its|Their|He|She"
    r"|Both|That|Here(?!,? we\b)|The (?:latter|former|same|above|other)"
    r"|(?:In|For) (?:this|that|these|such)|(?:At|With|From) (?:this|that|these))\b"
)
_CAUSE = re.compile(
    r"\b(?:because|since|due to|owing to|as a (?:result|consequence)|therefore|thus|hence|so that"
    r"|in order to|caused?s?|leads? to|results? in|reason|allow(?:s|ing)?|enables?|prevents?"
    r"|which (?:reduces|increases|limits|makes)|to (?:avoid|reduce|limit|prevent|mitigate)"
    r"|advantage|drawback|disadvantage|requires?|mak(?:es|ing) it)\b",
    re.IGNORECASE,
)
_ABOUT_THE_PAPER = re.compile(
    r"\b(?:this|the present|our) (?:white ?paper|paper|article|work|study|report|letter|note"
    r"|chapter|section|lecture|review|contribution|survey|thesis)\b|\bet al\b.*\b\d{4}\b"
    r"|^(?:we|here we|in the following|in section) (?:\w+ ){0,2}(?:present|describe|discuss|review"
    r"|report|summari[sz]e|study|consider|propose|outline|investigate)\b"
    r"|\b(?:will be|is|are) (?:discussed|described|presented|outlined) (?:in|below|later)\b",
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

    `cosine` is the best with the question and the plan's subqueries, `cosine_around` that of the
    question with the sentence and its neighbours together. `covered` is the share of the
    question's terms in the sentence, each term weighted by its rarity among the sentences read,
    and `covered_around` in the sentence, the one before, its section and title. `place` falls
    from 1 to 0 with the passage's score. `fits`: a number is asked for, and the sentence gives one
    of that kind which the question does not hold. `explains`: a reason is asked for, and the
    sentence gives one. `points_at_figure` and `about_paper`: it tells of a figure or of the paper
    rather than of the matter.
    """

    cosine: float
    cosine_around: float
    covered: float
    covered_around: float
    place: float
    fits: float
    explains: float
    points_at_figure: float
    about_paper: float

    def as_array(self) -> Floats:
        """The measures as one vector, in the order of the fields."""
        return np.array([getattr(self, field.name) for field in fields(self)], dtype=np.float64)


# Logistic regression of "belongs to a passage that answers" on the measures, by
# `python -m benchmarks.fit_answers`, which also cross-validates it, on pools of 12 passages.
# A fit on 16 differs by less than its folds do, and wrote no better answers.
WEIGHTS = np.array([1.88, 1.68, 2.52, 2.83, 1.63, 1.43, 1.32, -1.56, -1.55])
BIAS = -7.04


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
    after: str = ""

    @property
    def around(self) -> str:
        """The sentence between its neighbours."""
        return f"{self.before} {self.text} {self.after}"

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


@dataclass(frozen=True, slots=True)
class Found:
    """A sentence of a passage, `evidence.text[start:end]`, before it is measured.

    `text` is it made presentable; `before` and `after` stand beside it in its passage.
    """

    evidence: Evidence
    start: int
    end: int
    before: str
    text: str
    after: str = ""

    @property
    def around(self) -> str:
        """Title, section, the sentence before and the sentence."""
        return f"{head_of(self.evidence)} {self.before} {self.text}"


def read(plan: Plan, evidence: Sequence[Evidence], encoder: Encoder) -> Reading:
    """Read the evidence sentence by sentence."""
    question = plan.subqueries[0]
    asked = encoder.encode_queries(list(plan.subqueries))
    found = _without_repeats([sentence for item in evidence for sentence in sentences_of(item)])
    if not found:
        return Reading(question, asked[0], ())
    scale = _Scale(plan, found, evidence)
    found = scale.promising(found)
    vectors = encoder.encode([sentence.text for sentence in found])
    around = _around(found, vectors)
    read_ones = []
    for sentence, vector, together in zip(found, vectors, around, strict=True):
        measures = scale.measure(
            sentence, float(np.max(asked @ vector)), float(asked[0] @ together)
        )
        read_ones.append(
            ReadSentence(
                sentence.evidence, sentence.start, sentence.end, sentence.text, vector, measures,
                relevance(measures), sentence.before, sentence.after,
            )
        )  # fmt: skip
    read_ones.sort(key=lambda one: -one.relevance)
    return Reading(question, asked[0], tuple(read_ones))


def relevance(measures: Measures) -> float:
    """Probability that a sentence with these measures belongs to an answer."""
    return float(1 / (1 + np.exp(-(WEIGHTS @ measures.as_array() + BIAS))))


def presentable(text: str) -> str:
    """A sentence without reference marks, list mark and opening connective, on one line."""
    text = " ".join(_REFERENCE_MARKS.sub(lambda mark: _kept(mark, text), text).split())
    text = _LIST_MARK.sub("", text)
    pointed = _EMPTY_POINTER.sub("", text)
    text = pointed if pointed == text or pointed.endswith((".", "!", "?")) else f"{pointed}."
    opened = _OPENING.sub("", text)
    if opened != text and opened[:1].islower():
        opened = opened[0].upper() + opened[1:]
    return re.sub(r"\s+([.,;:])(?=\s|$)", r"\1", opened)


def _kept(mark: re.Match[str], text: str) -> str:
    """A reference mark that its sentence cannot do without, else nothing."""
    needs = _NEEDS_WHAT_FOLLOWS.search(text[: mark.start()])
    if not needs or not mark.group().strip().startswith("["):
        return ""
    # "As in Ref. [3], it falls" can do without both.
    follows = r"\s?[\w(]" if needs["pointer"] else r"\s?[\w(,]"
    return mark.group() if re.match(follows, text[mark.end() :]) else ""


def dangles(text: str) -> bool:
    """Whether a sentence begins with a word that points back to another sentence."""
    return bool(_DANGLING.match(text))


def head_of(item: Evidence) -> str:
    """Title and section of a passage."""
    return f"{item.title} {' '.join(item.section)}"


class _Scale:
    """What one question's sentences are measured against."""

    def __init__(self, plan: Plan, found: Sequence[Found], evidence: Sequence[Evidence]) -> None:
        question = plan.subqueries[0]
        self._terms = reweighted(content_terms(question), [stems(one.text) for one in found])
        self._numbers = find_quantities(question)
        self._asks_number = asks_a_number(question)
        self._wanted = asked_dimensions(question)
        self._asks_reason = plan.type is QuestionType.REASONING
        scores = [item.score for item in evidence if item.found_by] or [0.0]
        self._top, self._low = max(scores), min(scores)

    def promising(self, found: list[Found]) -> list[Found]:
        """The sentences worth embedding, in reading order: all, unless they are too many."""
        if len(found) <= MOST_SENTENCES:
            return found
        cheap = [
            coverage(self._terms, stems(one.around)) + self._place(one.evidence) for one in found
        ]
        best = sorted(range(len(found)), key=lambda i: -cheap[i])[:MOST_SENTENCES]
        return [found[i] for i in sorted(best)]

    def measure(self, sentence: Found, cosine: float, cosine_around: float) -> Measures:
        text = sentence.text
        return Measures(
            cosine=max(0.0, cosine),
            cosine_around=max(0.0, cosine_around),
            covered=coverage(self._terms, stems(text)),
            covered_around=coverage(self._terms, stems(sentence.around)),
            place=self._place(sentence.evidence),
            fits=float(self._fits(text)),
            explains=float(self._asks_reason and bool(_CAUSE.search(text))),
            points_at_figure=float(bool(_POINTS_AT_FIGURE.search(text))),
            about_paper=float(bool(_ABOUT_THE_PAPER.search(text))),
        )

    def _place(self, item: Evidence) -> float:
        if self._top == self._low:
            return 1.0 if item.found_by else 0.0
        return min(1.0, max(0.0, (item.score - self._low) / (self._top - self._low)))

    def _fits(self, text: str) -> bool:
        if not self._asks_number:
            return False
        return any(
            not any(same_quantity(quantity, known) for known in self._numbers)
            for quantity in fitting_quantities(text, self._wanted)
        )


def reweighted(terms: tuple[Term, ...], sentences: Sequence[frozenset[str]]) -> tuple[Term, ...]:
    """Terms weighted by their rarity among the sentences: what all of them hold tells nothing."""
    n = len(sentences)
    if not n:
        return terms
    weighted = []
    for term in terms:
        holding = sum(is_present(term, held) for held in sentences)
        rarity = math.log((n + 1) / (holding + 0.5)) / math.log(n + 1)
        weighted.append(replace(term, weight=max(0.0, rarity)))
    return tuple(weighted)


def _around(found: Sequence[Found], vectors: Vectors) -> Vectors:
    """Unit vectors of each sentence with the ones before and after it in its passage."""
    together = vectors.copy()
    for i in range(len(found) - 1):
        if found[i].evidence.key == found[i + 1].evidence.key:
            together[i] += vectors[i + 1]
            together[i + 1] += vectors[i]
    normed: Vectors = together / np.linalg.norm(together, axis=1, keepdims=True)
    return normed


def sentences_of(item: Evidence) -> list[Found]:
    """The sentences of a passage that state something."""
    spans = _mended(item.text, split_sentences(item.text))
    found = []
    for index, (start, end) in enumerate(spans):
        text = item.text[start:end]
        if readable(text):
            before = item.text[slice(*spans[index - 1])] if index else ""
            after = item.text[slice(*spans[index + 1])] if index + 1 < len(spans) else ""
            found.append(Found(item, start, end, before, presentable(text), after))
    return found


def _mended(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans, those that end in a hyphen joined to the next: "13 fb-" and "1." are one unit."""
    mended: list[tuple[int, int]] = []
    for start, end in spans:
        if mended and text[mended[-1][1] - 1] in _HYPHENS:
            mended[-1] = (mended[-1][0], end)
        else:
            mended.append((start, end))
    return mended


def readable(text: str) -> bool:
    """Prose of a usable length that states something: no question, no table row, no formula, no
    fragment, no bibliography."""
    words = text.split()
    if text.rstrip(' \n"”’)').endswith("?"):
        return False
    if not _SHORTEST <= len(words) <= _LONGEST or "|" in text or _BIBLIOGRAPHY.search(text):
        return False
    letters = sum(character.isalpha() for character in text)
    worded = sum(len(re.sub(r"\W", "", word)) > 2 and word.isascii() for word in words)
    return letters >= 0.55 * len(text.replace(" ", "")) and worded >= 0.35 * len(words)


def _without_repeats(found: Sequence[Found]) -> list[Found]:
    """Overlapping chunks share sentences; the first reading of each is kept."""
    seen = set()
    kept = []
    for sentence in found:
        key = (sentence.evidence.paper_id, sentence.text.lower())
        if key not in seen:
            seen.add(key)
            kept.append(sentence)
    return kept
