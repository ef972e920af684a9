"""Dagster's view of the evaluation stage: scores on a questions file, pinned to a release."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import dagster as dg

from assets.answering.agentic import agentic_hits
from assets.answering.answer_question import ORACLE, answer_from, answer_question
from assets.answering.grounding import checker
from assets.answering.markdown import escaped
from assets.answering.records import Answer, AnswerSettings
from assets.evaluation.answers import StatementJudge, answers_report
from assets.evaluation.judging import Judge, Question, gold_module, load_questions
from assets.evaluation.model_judge import ModelJudge
from assets.evaluation.plots import data_uri, risk_plot, weights_plot
from assets.evaluation.retrieval import retrieval_report
from assets.evaluation.tables import JUDGE_COLUMNS, answers_table, judge_told, scores_table
from assets.evaluation.weight_sweep import weight_sweep
from assets.increment import fingerprint
from assets.reporting import OWNERS, Progress, plain_failures, reporter
from assets.retrieval.assets import release
from assets.retrieval.reader import open_searcher
from assets.retrieval.records import Hit, Mode
from assets.retrieval.release import require_current
from assets.retrieval.search import Searcher, SearchSettings
from resources import sample_corpus
from resources.encoder import Encoder
from resources.entailment import Entailment
from resources.files import Files
from resources.lake import Lake
from resources.language_model import LanguageModel
from resources.named_files import require_file
from resources.profile import Profile
from resources.reranker import Reranker

FOLDER = "evaluations"
DEFAULT_MODE = Mode.HYBRID

#: The order of a table's rows, from the simplest ranking to the agent's.
MODES = (Mode.SPARSE, Mode.DENSE, Mode.PAPER, Mode.DENSITY, Mode.HYBRID, Mode.AGENTIC)


ANSWERING_MODES = (Mode.SPARSE, Mode.DENSE, Mode.HYBRID, Mode.AGENTIC)


class EvaluationConfig(dg.Config):
    """Which questions are asked: a JSONL file (empty: those about the sample papers), and which
    of its sets, `retrieval` or `answer` (empty: all)."""

    questions: str = ""
    set: str = ""


@dg.asset(
    group_name="evaluation",
    kinds={"python"},
    owners=OWNERS,
    code_version="1",
    deps=[release],
    description=(
        "Every mode of retrieval on a questions file with gold passages, at chunk and at paper "
        "level, with paired comparisons against the default mode. All chunks of the release are "
        "judged, so that nDCG and recall know the best ranking there is."
    ),
)
def retrieval_scores(
    config: EvaluationConfig,
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
    encoder: dg.ResourceParam[Encoder],
    reranker: dg.ResourceParam[Reranker],
    profile: dg.ResourceParam[Profile],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Score every mode on the current release."""
    with plain_failures():
        path = questions_file(config.questions)
        questions = load_questions(path, config.set)
        current = require_current(files)
        searcher = open_searcher(lake, files, current, encoder, reranker)
        texts = _texts(searcher)
        judge = Judge(texts, gold_module(path))
        report = retrieval_report(
            questions,
            {mode.value: _search(mode, searcher, profile) for mode in MODES},
            judge,
            {key: paper for key, (paper, _) in texts.items()},
            DEFAULT_MODE.value,
            current.release_id,
            progress=lambda items: _told(list(items), progress),
        )
        sweep = weight_sweep(questions, judge, searcher)
        report["weight_sweep"] = sweep
        plot = data_uri(weights_plot(sweep, SearchSettings().dense_weight))
        files.write_json(report_path("retrieval", current.release_id, path, config.set), report)
        return dg.MaterializeResult(
            metadata={
                "release": current.release_id,
                "questions": report["n"],
                "judge": report["judge"],
                "chunk_level": dg.MetadataValue.md(scores_table(report["modes"], "chunk")),
                "paper_level": dg.MetadataValue.md(scores_table(report["modes"], "paper")),
                "weight_sweep": dg.MetadataValue.md(f"![dense weight from 0 to 1]({plot})"),
            }
        )


@dg.asset(
    group_name="evaluation",
    kinds={"python"},
    owners=OWNERS,
    code_version="1",
    deps=[release],
    description=(
        "Whole answers on a questions file, for every mode and for an oracle that is handed the "
        "gold passages: key points made, citations that hold, numbers without ground, and "
        "abstentions right and wrong, by a judge that is code, and by a language model beside it "
        "where one is configured."
    ),
)
def answer_scores(
    config: EvaluationConfig,
    lake: dg.ResourceParam[Lake],
    files: dg.ResourceParam[Files],
    encoder: dg.ResourceParam[Encoder],
    reranker: dg.ResourceParam[Reranker],
    entailment: dg.ResourceParam[Entailment],
    profile: dg.ResourceParam[Profile],
    model: dg.ResourceParam[LanguageModel],
    judge_model: dg.ResourceParam[LanguageModel],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[None]:
    """Answer every question in every mode on the current release, and judge the answers."""
    with plain_failures():
        path = questions_file(config.questions)
        questions = load_questions(path, config.set)
        current = require_current(files)
        searcher = open_searcher(lake, files, current, encoder, reranker)
        texts = _texts(searcher)
        judge = Judge(texts, gold_module(path))
        answerers = _answerers(searcher, profile, model, entailment, judge)
        counted = _Counted(progress, len(questions) * len(answerers))
        report = {
            "default_mode": Mode.AGENTIC.value,
            "release": current.release_id,
            "grounding": checker(entailment),
            **answers_report(
                questions,
                {mode: counted.each(answer) for mode, answer in answerers.items()},
                judge,
                texts,
                StatementJudge(encoder),
                ModelJudge(judge_model, report=reporter(progress, "judging"))
                if judge_model
                else None,
            ),
        }
        searched = {m: c for m, c in report["risk_coverage"].items() if m != ORACLE}
        curves = data_uri(risk_plot(searched))
        files.write_json(report_path("answer", current.release_id, path, config.set), report)
        return dg.MaterializeResult(
            metadata={
                "release": current.release_id,
                "questions": report["n"],
                "judge": report["judge"],
                "grounding": report["grounding"],
                "scores": dg.MetadataValue.md(answers_table(report["modes"])),
                "risk_coverage": dg.MetadataValue.md(f"![risk against coverage]({curves})"),
                **_judged(report),
            }
        )


def _judged(report: Mapping[str, Any]) -> dict[str, Any]:
    """What a model judge found, where there was one."""
    about = report.get("model_judge")
    if about is None:
        return {}
    return {
        "model_judge": about["name"],
        "judge_scores": dg.MetadataValue.md(answers_table(report["modes"], JUDGE_COLUMNS)),
        "judging": dg.MetadataValue.md("\n\n".join(escaped(one) for one in judge_told(about))),
        "judged": about["judged"],
        "judge_input_tokens": about["input_tokens"],
        "judge_output_tokens": about["output_tokens"],
        "judge_calls": about["calls"],
        "judge_cached_calls": about["cached_calls"],
        "judge_cost_usd": about["cost_usd"],
    }


def _answerers(
    searcher: Searcher,
    profile: Profile,
    model: LanguageModel | None,
    entailment: Entailment | None,
    judge: Judge,
) -> dict[str, Callable[[Question], Answer]]:
    """How each mode answers a question; the oracle is given the passages that hold the quotes."""

    index = searcher.index

    def by_mode(mode: Mode) -> Callable[[Question], Answer]:
        return lambda question: answer_question(
            question.question, mode, searcher, profile, model, entailment=entailment
        )

    def oracle(question: Question) -> Answer:
        grades = judge.grades(question)
        best = sorted(grades, key=lambda key: (-grades[key], key))[: AnswerSettings().m]
        hits = [
            index.passages[index.row_of[chunk_id]].as_hit(rank, float(grades[chunk_id]))
            for rank, chunk_id in enumerate(best, 1)
        ]
        return answer_from(question.question, hits, searcher, model, entailment=entailment)

    return {**{mode.value: by_mode(mode) for mode in ANSWERING_MODES}, ORACLE: oracle}


class _Counted:
    """Tells the progress of calls that are spread over several functions."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0
        progress.report("answer_scores", 0, total)

    def each(self, answer: Callable[[Question], Answer]) -> Callable[[Question], Answer]:
        def counted(question: Question) -> Answer:
            made = answer(question)
            self._done += 1
            self._progress.report("answer_scores", self._done, self._total)
            return made

        return counted


def _texts(searcher: Searcher) -> dict[str, tuple[str, str]]:
    return {
        passage.chunk_id: (passage.paper_id, passage.text) for passage in searcher.index.passages
    }


def questions_file(name: str) -> Path:
    """The questions file of a name; empty means the one about the sample papers."""
    path = Path(name).expanduser() if name else sample_corpus.folder() / "questions.jsonl"
    require_file(path, "name a JSONL file of questions")
    return path


def report_path(kind: str, release_id: str, questions: Path, only_set: str) -> str:
    """Where a report on a release and a questions file is kept."""
    name = fingerprint(str(questions.absolute()), only_set)[:8]
    return f"{FOLDER}/{kind}-{release_id}-{name}.json"


def _search(
    mode: Mode, searcher: Searcher, profile: Profile
) -> Callable[[str, int], Sequence[Hit]]:
    if mode is Mode.AGENTIC:
        # With the embedded planner: scores must not depend on a model's mood.
        return lambda question, k: agentic_hits(question, searcher, profile, None, k)
    return lambda question, k: searcher.search(question, mode, k)


def _told(questions: list[Question], progress: Progress) -> Iterator[Question]:
    for done, question in enumerate(questions):
        progress.report("retrieval_scores", done, len(questions))
        yield question
    progress.report("retrieval_scores", len(questions), len(questions))
