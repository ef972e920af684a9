"""Fits the two regressions of the embedded answering, and says how well they do out of sample.

    python -m benchmarks.fit_answers [--data DIR] [--questions FILE]

The relevance of a sentence (`assets.answering.reading`) is fitted on the sentences of answerable
questions: one belongs to an answer when it shares most of its word trigrams with a gold quote of
grade 2 or 3. The confidence in an answer (`assets.answering.abstention`) is fitted on questions
with and without an answer. Both are cross-validated over questions, in seven folds, and the
abstentions are shown for several thresholds, with what the rules keep back (a denied premise,
something plainly missing). The rules were written, not fitted: no fold shows how well they carry
over. The constants in the two modules are this program's output.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize

from assets.answering.abstention import SIGNALS, plainly_missing, signals
from assets.answering.evidence import gather
from assets.answering.parts import Floats
from assets.answering.planning import make_plan
from assets.answering.premises import denial
from assets.answering.reading import Reading, read, sentences_of
from assets.answering.records import AnswerSettings
from assets.evaluation.judging import Question, load_questions, trigrams
from assets.retrieval.records import Mode
from assets.retrieval.search import Searcher
from benchmarks.bench_answers import arguments, opened
from benchmarks.shared import only_figures
from pipelines.parts import Parts

FOLDS = 7
RIDGE = 1.0
THRESHOLDS = (0.0, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7)


@dataclass(frozen=True, slots=True)
class Sample:
    """What was read for one question."""

    question: Question
    reading: Reading
    signals: dict[str, float]
    kept_back: bool


def main() -> None:
    """Print both fits with their figures."""
    only_figures()
    options = arguments(__doc__)
    parts, searcher = opened(options.data)
    questions = load_questions(options.questions, options.set)
    samples = [sample(question, parts, searcher) for question in questions]
    fit_relevance([one for one in samples if one.question.answerable])
    fit_confidence(samples)


def sample(question: Question, parts: Parts, searcher: Searcher) -> Sample:
    """Read the agentic evidence of one question, with the embedded planner."""
    settings = AnswerSettings()
    plan = make_plan(question.question, parts.profile, searcher.encoder, None, settings)
    pool = gather(plan, Mode.AGENTIC, searcher, settings)
    plan = replace(plan, subqueries=pool.subqueries)
    found = [one for item in (*pool.evidence, *pool.wider) for one in sentences_of(item)]
    reading = read(plan, pool.evidence, searcher.encoder)
    return Sample(
        question,
        reading,
        signals(reading, pool.evidence, pool.nearest),
        bool(denial(question.question, found) or plainly_missing(plan, reading, pool.evidence)),
    )


def fit_relevance(samples: Sequence[Sample]) -> None:
    """Weights of the measures, and how the best sentences rank out of sample."""
    rows = [
        (place, sentence.measures.as_array(), grade(one.question, sentence.quote))
        for place, one in enumerate(samples)
        for sentence in one.reading.sentences
    ]
    groups = np.array([place for place, _, _ in rows])
    inputs = np.array([measures for _, measures, _ in rows])
    grades = np.array([found for _, _, found in rows])
    weights, bias = fitted(inputs, grades >= 2)
    print(f"relevance: {len(rows)} sentences, {int((grades >= 2).sum())} of them in gold quotes")
    print("  WEIGHTS", np.round(weights, 2).tolist(), "BIAS", round(bias, 2))
    odds = out_of_sample(inputs, grades >= 2, groups)
    first, reciprocal = [], []
    for place in np.unique(groups):
        ranked = grades[groups == place][np.argsort(-odds[groups == place])]
        if (ranked >= 2).any():
            first.append(ranked[0] > 0)
            reciprocal.append(1 / (1 + int(np.argmax(ranked >= 2))))
    print(
        f"  out of sample, {len(first)} questions with a gold sentence in the evidence: "
        f"P@1 {np.mean(first):.3f}, MRR {np.mean(reciprocal):.3f}"
    )


def fit_confidence(samples: Sequence[Sample]) -> None:
    """Weights of the signals, and the abstentions, right and wrong, at several thresholds."""
    inputs = np.array([[one.signals[name] for name in SIGNALS] for one in samples])
    answerable = np.array([one.question.answerable for one in samples])
    kept = np.array([one.kept_back for one in samples])
    weights, bias = fitted(inputs, answerable)
    print(f"confidence: {len(samples)} questions, {int((~answerable).sum())} without an answer")
    print("  WEIGHTS", np.round(weights, 2).tolist(), "BIAS", round(bias, 2))
    odds = out_of_sample(inputs, answerable, np.arange(len(samples)))
    chance = 1 / (1 + np.exp(-odds))
    print(f"  {'abstain below':>14} {'correct':>8} {'false':>8}   (out of sample)")
    for threshold in THRESHOLDS:
        abstains = kept | (chance < threshold)
        right, wrong = abstains[~answerable].mean(), abstains[answerable].mean()
        print(f"  {threshold:>14.2f} {right:>8.3f} {wrong:>8.3f}")


def grade(question: Question, quote: str) -> int:
    """Best grade of the gold quotes that a sentence shares most of its trigrams with."""
    own = set(trigrams(quote))
    best = 0
    for evidence in question.evidence:
        gold = set(trigrams(evidence.quote))
        shared = len(own & gold)
        if shared >= 4 and shared >= 0.6 * min(len(own), len(gold)):
            best = max(best, evidence.grade)
    return best


def fitted(inputs: Floats, right: np.ndarray) -> tuple[Floats, float]:
    """Ridge logistic regression on standardised inputs; weights and bias for the raw ones."""
    mean, spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-9
    standard = (inputs - mean) / spread
    sign = np.where(right, 1.0, -1.0)

    def loss(parameters: Floats) -> float:
        odds = standard @ parameters[:-1] + parameters[-1]
        return float(np.logaddexp(0, -sign * odds).sum() + RIDGE * (parameters[:-1] ** 2).sum())

    found = minimize(loss, np.zeros(inputs.shape[1] + 1), method="L-BFGS-B").x
    weights = found[:-1] / spread
    return weights, float(found[-1] - weights @ mean)


def out_of_sample(inputs: Floats, right: np.ndarray, groups: np.ndarray) -> Floats:
    """Log-odds of every row from a fit that has not seen its group."""
    odds = np.zeros(len(right))
    shuffled = np.random.default_rng(0).permutation(np.unique(groups))
    for fold in range(FOLDS):
        held_out = np.isin(groups, shuffled[fold::FOLDS])
        weights, bias = fitted(inputs[~held_out], right[~held_out])
        odds[held_out] = inputs[held_out] @ weights + bias
    return odds


if __name__ == "__main__":
    main()
