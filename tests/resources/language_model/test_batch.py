"""Google's batch service: unordered, forgetful of keys, interrupted, and half the price."""

import pytest

from resources.errors import ServiceDown, UsageError
from resources.language_model import Budget, BudgetExhausted, FileCache, Prompt, answer_ahead
from tests.support.asking import Ask, Field
from tests.support.model_server import ModelRequest, Script, blocked, status, truncated

PROMPTS = [Prompt("You read papers.", f"Which field has magnet m{n}?", "1") for n in range(5)]


@pytest.fixture
def provider():
    return "gemini"


@pytest.fixture(autouse=True)
def pauses(monkeypatch):
    taken: list[float] = []
    monkeypatch.setattr("resources.language_model.batch.time.sleep", taken.append)
    return taken


def field(request: ModelRequest):
    name = request.user.split()[-1].rstrip("?")
    return {"magnet": name, "tesla": float(name[1:])}


def belongs(answer: Field, prompt: Prompt) -> bool:
    return prompt.user.endswith(f" {answer.magnet}?")


def ahead(asked, prompts=PROMPTS) -> int:
    return answer_ahead(asked.model, prompts, Field, belongs)


def ask_all(asked) -> list[float]:
    return [asked.model.generate(prompt, Field).value.tesla for prompt in PROMPTS]


@pytest.mark.parametrize("keys", [True, False], ids=["with keys", "without keys"])
def test_answers_in_any_order_find_their_prompts(asking: Ask, tmp_path, keys):
    asked = asking(field, cache=FileCache(tmp_path))
    asked.server.keep_keys = keys
    assert ahead(asked) == 5
    assert ask_all(asked) == [0, 1, 2, 3, 4]
    assert len(asked.server.requests) == 5
    assert asked.model.usage.cached_calls == 5


def test_an_answer_under_anothers_key_goes_where_it_belongs(asking: Ask, tmp_path, monkeypatch):
    asked = asking(field, cache=FileCache(tmp_path))
    plain = asked.server._batch_answer
    keys = []

    def mixed_up(path, one):
        keys.append(one["metadata"])
        return plain(path, one) | {"metadata": keys[-2] if len(keys) > 1 else {"key": "none"}}

    monkeypatch.setattr(asked.server, "_batch_answer", mixed_up)
    assert ahead(asked) == 5
    assert ask_all(asked) == [0, 1, 2, 3, 4]


def test_it_costs_half_and_every_token_counts_once(asking: Ask, tmp_path):
    budget = Budget(1.0)
    asked = asking(field, cache=FileCache(tmp_path), budget=budget)
    ahead(asked)
    usage = asked.model.usage
    assert usage.input_tokens == asked.server.input_tokens
    assert usage.output_tokens == asked.server.output_tokens
    full = asked.model.cost(usage.input_tokens, usage.output_tokens)
    assert usage.cost_usd == pytest.approx(full / 2)
    assert budget.spent_usd == pytest.approx(full / 2)


def test_it_waits_for_the_job_and_deletes_it(asking: Ask, tmp_path, pauses):
    asked = asking(field, cache=FileCache(tmp_path))
    asked.server.polls = 4
    ahead(asked)
    assert pauses == [30.0] * 4
    assert asked.server.jobs == {}


def test_what_is_cached_is_not_submitted(asking: Ask, tmp_path):
    asked = asking(field, cache=FileCache(tmp_path))
    assert ahead(asked, PROMPTS[:2]) == 2
    assert ahead(asked) == 3
    assert ahead(asked) == 0
    assert len(asked.server.requests) == 5


def test_a_run_killed_while_it_waited_finds_its_job_again(asking: Ask, tmp_path, monkeypatch):
    asked = asking(field, cache=FileCache(tmp_path))

    def killed(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("resources.language_model.batch.time.sleep", killed)
        with pytest.raises(KeyboardInterrupt):
            ahead(asked)
    assert len(asked.server.jobs) == 1
    assert ahead(asked) == 5
    assert len(asked.server.requests) == 5
    assert asked.server.jobs == {}


def test_useless_answers_are_left_out_or_kept_as_what_they_are(asking: Ask, tmp_path):
    answers = [blocked(), truncated({"magnet": "m1"}), status(500), "prose"]
    asked = asking(Script(answers, then=field), cache=FileCache(tmp_path))
    # The blocked and the truncated one are paid for and known by their keys.
    assert ahead(asked) == 3
    assert asked.model.is_cached(PROMPTS[0], Field)
    assert asked.model.is_cached(PROMPTS[1], Field)
    assert not asked.model.is_cached(PROMPTS[2], Field)
    assert not asked.model.is_cached(PROMPTS[3], Field)
    assert asked.model.usage.output_tokens == asked.server.output_tokens


def test_an_answer_that_belongs_to_no_prompt_or_to_two_is_left_out(asking: Ask, tmp_path):
    asked = asking({"magnet": "another", "tesla": 1}, cache=FileCache(tmp_path))
    assert ahead(asked) == 0
    asked = asking(field, cache=FileCache(tmp_path))
    assert answer_ahead(asked.model, PROMPTS, Field, lambda *_: True) == 0


@pytest.mark.parametrize(
    "state", ["BATCH_STATE_FAILED", "BATCH_STATE_EXPIRED", "BATCH_STATE_CANCELLED"]
)
def test_a_lost_job_is_said_and_not_found_again(asking: Ask, tmp_path, state):
    asked = asking(field, cache=FileCache(tmp_path))
    asked.server.job_ends_as = state
    with pytest.raises(ServiceDown, match=r"gave up the batch job batches/job-0.*run again"):
        ahead(asked)
    asked.server.job_ends_as = "BATCH_STATE_SUCCEEDED"
    assert ahead(asked) == 5


def test_a_budget_that_the_worst_case_exceeds_submits_nothing(asking: Ask, tmp_path):
    asked = asking(field, cache=FileCache(tmp_path), budget=Budget(0.01))
    with pytest.raises(BudgetExhausted):
        ahead(asked)
    assert asked.server.jobs == {}


def test_without_a_cache_there_is_nowhere_to_put_the_answers(asking: Ask):
    with pytest.raises(UsageError, match="no cache"):
        ahead(asking(field))
