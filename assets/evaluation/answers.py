"""How good answers are, by a judge that is code: the same verdict for the same answer.

A statement (a key point, or a wrong claim that an answer must not make) is *made* by an answer when

* every number of the statement stands in the answer, to the digits written and in its unit, and
* its words do: the mean of the weighted share of its terms that stand in the answer's best window
  of one to three sentences (or in the question) and the cosine of the two texts reaches a
  threshold, a lower one where a number already ties the statement down.

For a wrong claim the window is a single sentence, the threshold is higher, the question's words do
not count, and the sentence must deny exactly when the claim does: sharing words with a claim is not
making it.

The thresholds were set on 73 reference answers and the quotes behind them, and revised, with the
matching of numbers, after two early runs of this project's own answers had been seen. Reference
answers are found to make 92% of their own key points with numbers and 89% of the others, and 2% and
14% once the sentence that makes the point is taken out; the verbatim quotes behind them make 90%
and 87%; of the wrong claims the references make 2%.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assets.answering.parts import Encoder
from assets.answering.quantities import Quantity, find_quantities, stands_in
from assets.answering.records import Answer, Citation
from assets.answering.terms import content_terms, coverage, stems
from assets.evaluation.judge_scores import judge_scores
from assets.evaluation.judging import Judge, Question, covers, statements
from assets.evaluation.model_judge import ModelJudge
from assets.parsing.sentences import split_sentences

MADE_WITH_NUMBERS = 0.35
MADE_WITHOUT_NUMBERS = 0.55
CLAIM_WITH_NUMBERS = 0.70
CLAIM_WITHOUT_NUMBERS = 0.80
_WINDOW = 3  # sentences that may make a key point together

_BRACKETED = re.compile(r"\([^()]*\)")
_DENIES = re.compile(
    r"\b(?:not|no|never|neither|nor|none|cannot|without)\b|n[’']t\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """One answer against one question. Shares lie in [0, 1]; None where there is nothing to share.

    `key_points` is 0 for an abstention on an answerable question. `citation_precision` is the
    share of citations whose passage holds a gold quote or whose quote makes a key point,
    `citation_precision_strict` counts gold passages alone; `citation_recall` is the share of the
    best gold quotes (grade 3) that a cited passage holds. `ungrounded_numbers` counts numbers of
    the answer that stand in none of the passages its sentence cites. `confidence` is the answer's
    own, and `kept_back` says that it was not given for another reason than a low confidence.
    """

    question: str
    answerable: bool
    kind: str
    abstained: bool
    key_points: float | None
    wrong_claims: float | None
    citation_precision: float | None
    citation_precision_strict: float | None
    citation_recall: float | None
    ungrounded_numbers: int
    grounded: float | None
    confidence: float = 1.0
    kept_back: bool = False


class StatementJudge:
    """Decides whether a text makes a statement."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def key_points_made(self, points: Sequence[str], text: str, question: str) -> list[bool]:
        """Whether a text, read as an answer to the question, makes each of the points."""
        windows = _windows(text, _WINDOW)
        strengths = self.strengths(points, windows, question)
        return [
            numbers_made(point, text)
            and max(strength, default=0.0)
            >= (MADE_WITH_NUMBERS if find_quantities(point) else MADE_WITHOUT_NUMBERS)
            for point, strength in zip(points, strengths, strict=True)
        ]

    def claims_made(self, claims: Sequence[str], text: str) -> list[bool]:
        """Whether a text makes each of the wrong claims, in one sentence."""
        windows = _windows(text, 1)
        strengths = self.strengths(claims, windows, "")
        return [
            any(
                value >= (CLAIM_WITH_NUMBERS if find_quantities(claim) else CLAIM_WITHOUT_NUMBERS)
                and numbers_made(claim, window)
                and bool(_DENIES.search(claim)) == bool(_DENIES.search(window))
                for value, window in zip(strength, windows, strict=True)
            )
            for claim, strength in zip(claims, strengths, strict=True)
        ]

    def strengths(
        self, statements: Sequence[str], windows: Sequence[str], question: str
    ) -> list[list[float]]:
        """For each statement, how far each window makes it: mean of terms shared and cosine.

        What the question says already need not be said again: its words count as shared.
        """
        if not statements or not windows:
            return [[] for _ in statements]
        vectors = self._encoder.encode([*statements, *windows])
        cosines = vectors[: len(statements)] @ vectors[len(statements) :].T
        asked = stems(question)
        held = [stems(window) | asked for window in windows]
        return [
            [
                (coverage(content_terms(statement), own) + max(0.0, float(cosine))) / 2
                for own, cosine in zip(held, row, strict=True)
            ]
            for statement, row in zip(statements, cosines, strict=True)
        ]


def numbers_made(statement: str, text: str) -> bool:
    """Whether a text gives every number of a statement, to the digits the statement writes.

    Numbers in brackets are elaborations and count only where there are no others. Units must
    measure the same thing; one may say more than the other ("fb−1" for "fb−1 per year").
    """
    outside = find_quantities(_BRACKETED.sub(" ", statement))
    given = find_quantities(text)
    return all(
        any(_agree(wanted, other) for other in given)
        for wanted in outside or find_quantities(statement)
    )


def _agree(wanted: Quantity, given: Quantity) -> bool:
    own, other = dict(wanted.unit.dimensions), dict(given.unit.dimensions)
    if own and other:
        if not (own.items() <= other.items() or other.items() <= own.items()):
            return False
        one, two, unit = wanted.size, given.size, wanted.unit.factor
    else:
        one, two, unit = wanted.value, given.value, 1.0
    return abs(one - two) <= _half_digit(wanted) * unit * (1 + 1e-9)


def _half_digit(quantity: Quantity) -> float:
    """Half a unit in the last digit that a number is written with."""
    literal = re.match(r"[-+]?\s?([\d,]*\.?\d*)", quantity.text)
    digits = literal.group(1).replace(",", "") if literal else ""
    if not digits or float(digits) == 0:
        return 0.0
    decimals = len(digits.partition(".")[2])
    return float(0.5 * 10.0**-decimals * abs(quantity.value / float(digits)))


def score_answer(
    answer: Answer,
    question: Question,
    grades: Mapping[str, int],
    texts: Mapping[str, tuple[str, str]],
    judge: StatementJudge,
) -> AnswerScore:
    """Score one answer.

    `grades` are the gold grades of passages for the question, `texts` maps chunk ids of the whole
    corpus to (paper id, text).
    """
    text = answer.text if not answer.abstained else ""
    points = statements(question, "key_points") if question.answerable else []
    claims = statements(question, "unsupported_claims")
    citations = [citation for sentence in answer.sentences for citation in sentence.citations]
    strict = [grades.get(citation.chunk_id, 0) > 0 for citation in citations]
    right = [
        gold or any(judge.key_points_made(points, citation.quote, question.question))
        for gold, citation in zip(strict, citations, strict=True)
    ]
    judged = question.answerable and not answer.abstained
    return AnswerScore(
        question=question.id,
        answerable=question.answerable,
        kind=str(question.fields.get("kind", "")),
        abstained=answer.abstained,
        key_points=_share(judge.key_points_made(points, text, question.question))
        if points
        else None,
        wrong_claims=_share(judge.claims_made(claims, text)) if claims else None,
        citation_precision=_share(right) if judged else None,
        citation_precision_strict=_share(strict) if judged else None,
        citation_recall=_recall(citations, question, texts) if judged else None,
        ungrounded_numbers=ungrounded_numbers(answer, texts),
        grounded=_share([sentence.verdict.grounded for sentence in answer.sentences])
        if answer.sentences
        else None,
        confidence=answer.confidence,
        kept_back=bool(answer.signals.get("kept_back", 0.0)),
    )


def ungrounded_numbers(answer: Answer, texts: Mapping[str, tuple[str, str]]) -> int:
    """Numbers in an answer's sentences that stand in no passage which the sentence cites."""
    missing = 0
    for sentence in answer.sentences:
        cited = tuple(texts[c.chunk_id][1] for c in sentence.citations if c.chunk_id in texts)
        missing += sum(
            not stands_in(quantity, cited) for quantity in find_quantities(sentence.text)
        )
    return missing


def summary(scores: Sequence[AnswerScore]) -> dict[str, Any]:
    """Means over a set of scored answers.

    Citation scores are means over the answers that were given to answerable questions;
    `correct_abstention` is the share of unanswerable questions that were not answered and
    `false_abstention` that of answerable ones that were not.
    """
    answerable = [score for score in scores if score.answerable]
    unanswerable = [score for score in scores if not score.answerable]
    kinds = sorted({score.kind for score in unanswerable})
    return {
        "key_points": _mean(score.key_points for score in answerable),
        "wrong_claims": _mean(score.wrong_claims for score in scores),
        "citation_precision": _mean(score.citation_precision for score in answerable),
        "citation_precision_strict": _mean(s.citation_precision_strict for s in answerable),
        "citation_recall": _mean(score.citation_recall for score in answerable),
        "ungrounded_numbers": sum(score.ungrounded_numbers for score in scores),
        "grounded": _mean(score.grounded for score in scores),
        "correct_abstention": _mean(float(score.abstained) for score in unanswerable),
        "correct_abstention_by_kind": {
            kind: _mean(float(s.abstained) for s in unanswerable if s.kind == kind)
            for kind in kinds
        },
        "false_abstention": _mean(float(score.abstained) for score in answerable),
        "answerable": len(answerable),
        "unanswerable": len(unanswerable),
    }


def risk_coverage(scores: Sequence[AnswerScore]) -> dict[str, list[float]]:
    """What a threshold on the confidence does: risk against coverage, greatest confidence first.

    `coverage` is the share of all questions that are answered where answers of at least
    `threshold` are given, `risk` the share of those that have no answer in the corpus. What was
    kept back for another reason than its confidence is answered at no threshold.
    """
    given = sorted((s for s in scores if not s.kept_back), key=lambda s: -s.confidence)
    curve: dict[str, list[float]] = {"threshold": [], "coverage": [], "risk": []}
    wrong = 0
    for number, score in enumerate(given, start=1):
        wrong += not score.answerable
        if number < len(given) and given[number].confidence == score.confidence:
            continue
        curve["threshold"].append(score.confidence)
        curve["coverage"].append(round(number / len(scores), 4))
        curve["risk"].append(round(wrong / number, 4))
    return curve


def answers_report(  # noqa: PLR0913 - what is asked, what answers, and what judges
    questions: Sequence[Question],
    answerers: Mapping[str, Callable[[Question], Answer]],
    passages: Judge,
    texts: Mapping[str, tuple[str, str]],
    judge: StatementJudge,
    model_judge: ModelJudge | None = None,
) -> dict[str, Any]:
    """Every mode's summary on the same questions, with the scores of each question.

    A model judge adds its scores to those of the modes and of the questions, and `model_judge`
    with its name, its agreement with the code and its cost. It begins when all answers are there,
    so that it spends nothing that writing them needs.
    """
    grades = {question.id: passages.grades(question) for question in questions}
    answers: dict[str, list[Answer]] = {}
    modes: dict[str, Any] = {}
    details: dict[str, Any] = {}
    curves: dict[str, Any] = {}
    for mode, answer in answerers.items():
        answers[mode] = [answer(question) for question in questions]
        scores = [
            score_answer(made, question, grades[question.id], texts, judge)
            for made, question in zip(answers[mode], questions, strict=True)
        ]
        modes[mode] = summary(scores)
        curves[mode] = risk_coverage(scores)
        details[mode] = [asdict(score) for score in scores]
    report: dict[str, Any] = {
        "n": len(questions),
        "judge": "deterministic 1",
        "modes": modes,
        "risk_coverage": curves,
        "questions": details,
    }
    if model_judge is not None:
        judged = judge_scores(questions, answers, model_judge, judge.key_points_made)
        report["model_judge"] = judged.about
        for mode, added in judged.modes.items():
            modes[mode] |= added
            for row, verdict in zip(details[mode], judged.questions[mode], strict=True):
                row["model_judge"] = verdict
    return report


def _recall(
    citations: Sequence[Citation], question: Question, texts: Mapping[str, tuple[str, str]]
) -> float | None:
    cited = {c.chunk_id: texts[c.chunk_id][1] for c in citations if c.chunk_id in texts}
    best = [evidence.quote for evidence in question.evidence if evidence.grade == 3]
    return _share([any(covers(text, quote) for text in cited.values()) for quote in best])


def _windows(text: str, most: int) -> list[str]:
    """All runs of one to `most` sentences of a text."""
    spans = split_sentences(text)
    return [
        text[spans[first][0] : spans[last][1]]
        for first in range(len(spans))
        for last in range(first, min(first + most, len(spans)))
    ]


def _share(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(sum(known) / len(known), 4) if known else None
