"""A limit that calls running together keep, and totals that add up."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from resources.errors import UsageError
from resources.language_model import Budget, BudgetExhausted, Price
from tests.support.asking import Ask
from tests.support.model_server import EMPTY, Script, truncated

FIELD = {"magnet": "dipole", "tesla": 16}


def test_a_budget_of_nothing_makes_no_paid_call(asking: Ask, provider):
    asked = asking(FIELD, budget=Budget(0))
    if provider == "openai":  # a model on one's own machine costs nothing
        assert asked.ask().cost_usd == 0.0
        return
    with pytest.raises(BudgetExhausted, match=r"budget of \$0\.00 is used up.*MUON_BUDGET_USD"):
        asked.ask()
    assert asked.server.requests == []


@pytest.mark.parametrize("limit", [-1, float("nan")])
def test_a_limit_that_is_none_is_refused(limit):
    with pytest.raises(UsageError, match="MUON_BUDGET_USD"):
        Budget(limit)


def test_what_is_spent_is_what_the_tokens_cost(asking: Ask, provider):
    if provider != "gemini":
        pytest.skip("the local model is free")
    budget = Budget(1.0)
    asked = asking(Script([EMPTY, FIELD, truncated(FIELD)], then=FIELD), budget=budget)
    reply = asked.ask()
    with pytest.raises(Exception, match="cut off"):
        asked.ask("another")
    # gemini-2.5-flash: $0.30 in, $2.50 out a million tokens; the empty and the cut-off answer too
    cost = (asked.server.input_tokens * 0.30 + asked.server.output_tokens * 2.50) / 1e6
    assert budget.spent_usd == pytest.approx(cost, rel=1e-12)
    assert asked.model.usage.cost_usd == pytest.approx(cost, rel=1e-12)
    assert reply.cost_usd is not None
    assert 0 < reply.cost_usd < cost


def test_the_worst_case_is_held_while_a_call_runs():
    budget = Budget(1.0)
    with budget.reserve(0.7) as held:
        with pytest.raises(BudgetExhausted), Budget(0.5).reserve(0.7):
            pass
        held.cost_usd = 0.1
        assert budget.spent_usd == 0.0
    assert budget.spent_usd == 0.1
    with budget.reserve(0.9):
        pass
    with pytest.raises(BudgetExhausted), budget.reserve(0.91):
        pass


def test_a_call_that_fails_gives_its_money_back():
    budget = Budget(1.0)
    with pytest.raises(ValueError, match="lost"), budget.reserve(1.0):
        raise ValueError("lost")
    assert budget.spent_usd == 0.0
    with budget.reserve(1.0):
        pass


def test_a_call_waits_for_money_that_a_running_call_may_free():
    budget = Budget(1.0)
    running, may_end, got_it = threading.Event(), threading.Event(), threading.Event()

    def first():
        with budget.reserve(0.8) as held:
            running.set()
            may_end.wait(5)
            held.cost_usd = 0.1

    def second():
        running.wait(5)
        with budget.reserve(0.8):
            got_it.set()

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    for thread in threads:
        thread.start()
    running.wait(5)
    assert not got_it.wait(0.005)
    may_end.set()
    assert got_it.wait(5)
    for thread in threads:
        thread.join()


def test_calls_running_together_never_overrun():
    budget, price = Budget(0.01), Price(1.0, 10.0)
    worst, real = price.cost(100, 100), price.cost(100, 80)
    made = []

    def call(_):
        try:
            with budget.reserve(worst) as held:
                held.cost_usd = real
                made.append(1)
        except BudgetExhausted:
            return

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(call, range(100)))
    assert budget.spent_usd == pytest.approx(len(made) * real)
    assert budget.spent_usd <= 0.01
    assert budget.spent_usd + worst > 0.01
