"""The agent's ranking of passages: one list from all the searches that it plans."""

from assets.answering.evidence import pooled, second_subquery, uncovered
from assets.answering.parts import Profile, Searcher
from assets.answering.planning import make_plan
from assets.answering.records import AnswerSettings
from assets.retrieval.records import Hit, Mode
from resources.language_model import LanguageModel


def agentic_hits(  # noqa: PLR0913 - every part is injected
    question: str,
    searcher: Searcher,
    profile: Profile,
    model: LanguageModel | None,
    k: int,
    settings: AnswerSettings = AnswerSettings(),
) -> list[Hit]:
    """The `k` best passages over all subqueries of the question's plan, best first."""
    plan = make_plan(question, profile, searcher.encoder, model, settings)
    lists = [searcher.search(subquery, Mode.HYBRID, k) for subquery in plan.subqueries]
    if settings.second_round:
        missing = uncovered(question, [hit for hits in lists for hit in hits])
        if missing:
            lists.append(searcher.search(second_subquery(question, missing), Mode.HYBRID, k))
    return pooled(lists, k)
