"""Many prompts answered by a provider's batch service: half the price, within a day.

The answers go into the cache, where the ordinary calls find them; whatever the service leaves out
is asked for in the ordinary way. A job is named after the questions it holds, so that a run which
was killed while it waited finds its job again instead of paying for a second one.

Gemini's service returns answers in any order, sometimes without the key they were sent with, and
has been seen to return them under another's (googleapis/python-genai issues 1909 and 2008). So an
answer itself must show which prompt it belongs to; the key decides only for answers without text.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar

from pydantic import BaseModel

from resources.errors import UsageError
from resources.language_model.failures import Malformed
from resources.language_model.interface import BatchAnswer, BatchService, Prompt, RawReply
from resources.language_model.model import LanguageModel, validated

T = TypeVar("T", bound=BaseModel)

BATCH_PRICE_FACTOR = 0.5
"""Google's price of a batch answer as a part of the ordinary one."""

# Far below the 20 MB that a job may have, and a worst case that a small budget can hold.
_JOB_PROMPTS = 200


def answer_ahead(
    model: LanguageModel,
    prompts: Iterable[Prompt],
    schema: type[T],
    belongs: Callable[[T, Prompt], bool],
    *,
    poll_seconds: float = 30.0,
) -> int:
    """Have those `prompts` that are not cached answered by the batch service; how many were.

    Waits for the service, asking every `poll_seconds`. `belongs` says whether an answer is one to
    a prompt. Raises UsageError where the model has no batch service or no cache, ServiceDown
    where a job failed, BudgetExhausted before a job whose worst case is more than what is left;
    the answers of jobs before it are kept.
    """
    service = model.backend.batch_service()
    if service is None or model.cache is None:
        msg = f"{model.name} has no batch service or no cache to put its answers in: do without."
        raise UsageError(msg)
    waiting = {
        key: prompt
        for key, prompt in ((model.key(prompt, schema), prompt) for prompt in prompts)
        if model.cache.get(key) is None
    }
    answered = 0
    for job in _jobs(waiting):
        answers = _run(model, service, job, schema, poll_seconds)
        for key, reply in _matched(model.name, answers, job, schema, belongs).items():
            model.cache.put(key, reply)
            answered += 1
    return answered


def _jobs(prompts: Mapping[str, Prompt]) -> Iterator[dict[str, Prompt]]:
    keys = list(prompts)
    for start in range(0, len(keys), _JOB_PROMPTS):
        yield {key: prompts[key] for key in keys[start : start + _JOB_PROMPTS]}


def _run(
    model: LanguageModel,
    service: BatchService,
    prompts: Mapping[str, Prompt],
    schema: type[BaseModel],
    poll_seconds: float,
) -> list[BatchAnswer]:
    """The answers of one job, paid for and counted."""
    digest = hashlib.sha256(" ".join(sorted(prompts)).encode()).hexdigest()
    name = f"muon-evidence-{digest[:24]}"
    worst = BATCH_PRICE_FACTOR * sum(
        model.worst_cost(prompt, schema) for prompt in prompts.values()
    )
    limit = model.settings.max_output_tokens
    with model.budget.reserve(worst) as held:
        job = model.retrying(lambda: service.find(name))
        if job is None:
            job = model.retrying(lambda: service.submit(name, prompts, schema, limit))
        while (answers := model.retrying(partial(service.answers, job))) is None:
            time.sleep(poll_seconds)
        held.cost_usd = sum(model.account(one.reply, BATCH_PRICE_FACTOR) or 0.0 for one in answers)
    model.retrying(partial(service.forget, job))
    return answers


def _matched(
    name: str,
    answers: Iterable[BatchAnswer],
    prompts: Mapping[str, Prompt],
    schema: type[T],
    belongs: Callable[[T, Prompt], bool],
) -> dict[str, RawReply]:
    """Answers by the key of the one prompt that each belongs to; the rest is left out."""
    found: dict[str, RawReply] = {}
    for answer in answers:
        if answer.reply.finish == "stop":
            try:
                value = validated(name, answer.reply.text, schema)
            except Malformed:
                continue
            keys = [key for key, prompt in prompts.items() if belongs(value, prompt)]
        else:
            keys = [key for key in prompts if key == answer.key and answer.reply.finish != "empty"]
        if len(keys) == 1:
            found.setdefault(keys[0], answer.reply)
    return found
