"""A model judge's scores of answers, mode by mode, and how far it agrees with the code.

An abstention on an answerable question makes no key point, asserts nothing and is not good; the
judge is not asked about it. Where some answers could not be judged, those that were stand for all
that were given, so that a judge which stops half-way does not make abstentions weigh more.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assets.answering.records import Answer
from assets.evaluation.agreement import cohens_kappa, equal_share
from assets.evaluation.judging import Question
from assets.evaluation.model_judge import (
    JUDGING_VERSION,
    Case,
    Judged,
    Judging,
    ModelJudge,
    case_of,
)
from resources.counts import counted

#: Whether a text, read as an answer to a question (the last), makes each of some statements.
Made = Callable[[Sequence[str], str, str], list[bool]]


@dataclass(frozen=True, slots=True)
class JudgeScores:
    """What a model judge adds to a report on answers.

    `modes` holds each mode's scores, `questions` each mode's verdicts in the questions' order (None
    where nothing was judged), and `about` the judge's name, its agreement with the code over all
    modes, tokens, cost, and notes in words.
    """

    modes: dict[str, dict[str, Any]]
    questions: dict[str, list[dict[str, Any] | None]]
    about: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Item:
    """One answer of a mode: its question, and what the judge is shown of it."""

    mode: str
    question: Question
    case: Case | None
    text: str


def judge_scores(
    questions: Sequence[Question],
    answers: Mapping[str, Sequence[Answer]],
    judge: ModelJudge,
    made: Made,
) -> JudgeScores:
    """Judge the answers of every mode, given in the order of the questions."""
    items = {
        mode: [
            _Item(mode, question, case_of(answer, question), answer.text)
            for question, answer in zip(questions, given, strict=True)
        ]
        for mode, given in answers.items()
    }
    every = [item for own in items.values() for item in own]
    judging = judge.judge_all(item.case for item in every if item.case is not None)
    pairs = {mode: _pairs(own, judging, made) for mode, own in items.items()}
    return JudgeScores(
        modes={mode: _scores(own, judging, pairs[mode]) for mode, own in items.items()},
        questions={mode: [_verdict(one, judging) for one in own] for mode, own in items.items()},
        about=_about(every, judging, judge, [pair for own in pairs.values() for pair in own]),
    )


def _scores(
    items: Sequence[_Item], judging: Judging, pairs: Sequence[tuple[bool, bool]]
) -> dict[str, Any]:
    answerable = [item for item in items if item.question.answerable]
    with_points = [item for item in answerable if item.question.fields.get("key_points")]
    with_claims = [item for item in items if item.question.fields.get("unsupported_claims")]
    return {
        "judge_key_points": _mean(with_points, judging, lambda one: _share(one.key_points)),
        "judge_wrong_claims": _mean(with_claims, judging, lambda one: _share(one.wrong_claims)),
        "judge_good": _mean(answerable, judging, lambda one: float(one.grade == "good")),
        "judge_satisfactory": _mean(answerable, judging, lambda one: float(one.grade != "poor")),
        "judged": sum(_judged(item, judging) is not None for item in items),
        **_agreement(pairs),
    }


def _mean(
    items: Sequence[_Item], judging: Judging, score: Callable[[Judged], float]
) -> float | None:
    """Mean score of items; those that were not given to the judge score 0."""
    given = [item for item in items if item.case is not None]
    if not given:
        return 0.0 if items else None
    verdicts = [_judged(item, judging) for item in given]
    known = [score(verdict) for verdict in verdicts if verdict is not None]
    return round(len(given) / len(items) * sum(known) / len(known), 4) if known else None


def _pairs(items: Sequence[_Item], judging: Judging, made: Made) -> list[tuple[bool, bool]]:
    """For each key point of each judged answer, what the code decides and what the judge does."""
    pairs: list[tuple[bool, bool]] = []
    for item in items:
        verdict = _judged(item, judging)
        if verdict is not None and item.case is not None and item.case.key_points:
            by_code = made(item.case.key_points, item.text, item.case.question)
            pairs += zip(by_code, verdict.key_points, strict=True)
    return pairs


def _agreement(pairs: Sequence[tuple[bool, bool]]) -> dict[str, float | None]:
    code, model = [one for one, _ in pairs], [other for _, other in pairs]
    return {
        "judge_agreement": _rounded(equal_share(code, model)),
        "judge_kappa": _rounded(cohens_kappa(code, model)),
    }


def _about(
    items: Sequence[_Item],
    judging: Judging,
    judge: ModelJudge,
    pairs: Sequence[tuple[bool, bool]],
) -> dict[str, Any]:
    """The judge, what it did and what that took; `cost_usd` is None where it is not known."""
    given = [item for item in items if item.case is not None]
    faults = [
        (item, judging.faults[item.case])
        for item in given
        if item.case is not None and item.case in judging.faults
    ]
    judged = sum(_judged(item, judging) is not None for item in given)
    notes = [judge.note] if judge.note else []
    if faults:
        first, why = faults[0]
        notes.append(
            f"{len(faults)} of {counted(len(given), 'answer')} could not be judged; the first, to "
            f"{first.question.id} by {first.mode}: {why}"
        )
    if judging.stopped:
        left = len(given) - judged - len(faults)
        notes.append(
            f"Judging ended with {left} of {counted(len(given), 'answer')} left: {judging.stopped}"
        )
    usage = judging.usage
    return {
        "name": judge.name,
        "prompt": JUDGING_VERSION,
        "answers": len(given),
        "judged": judged,
        "key_points_compared": len(pairs),
        **_agreement(pairs),
        "calls": usage.calls,
        "cached_calls": usage.cached_calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": None if usage.unpriced_calls else round(usage.cost_usd, 6),
        "notes": notes,
    }


def _judged(item: _Item, judging: Judging) -> Judged | None:
    return judging.verdicts.get(item.case) if item.case is not None else None


def _verdict(item: _Item, judging: Judging) -> dict[str, Any] | None:
    verdict = _judged(item, judging)
    return None if verdict is None else asdict(verdict)


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
