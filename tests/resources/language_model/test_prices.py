"""Prices, by hand; what is local; tokens without a call."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.language_model import FREE, PRICES, Price, estimate_tokens, price_of
from resources.language_model.prices import is_local


def test_cost_by_hand():
    # 200,000 tokens in at $0.30 and 10,000 out at $2.50 a million: 6 cents and 2.5 cents
    assert price_of("gemini/gemini-2.5-flash").cost(200_000, 10_000) == pytest.approx(0.085)
    assert Price(2.0, 8.0).cost(0, 0) == 0.0


def test_output_never_costs_less_than_input():
    assert all(price.output >= price.input > 0 for price in PRICES.values())


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8000/v1",
        "http://127.0.0.1:11434/v1",
        "http://[::1]:8000/v1",
        "http://10.1.2.3/v1",
        "http://192.168.0.7:8000/v1",
        "http://gpu-box:8000/v1",
        "http://gpu.local/v1",
    ],
)
def test_a_server_nearby_is_local_and_free(url):
    assert is_local(url)
    assert price_of("openai/gpt-oss-120b", url) == FREE


@pytest.mark.parametrize(
    "url", ["https://api.openai.com/v1", "https://8.8.8.8/v1", "https://llm.example.org/v1"]
)
def test_a_server_far_away_is_not(url):
    assert not is_local(url)
    assert price_of("openai/gpt-oss-120b", url) is None
    assert price_of("openai/gpt-5.4", url) == PRICES["openai/gpt-5.4"]


@given(st.text(), st.text())
def test_tokens_are_counted_up_and_add_up(one, other):
    assert estimate_tokens("") == 0
    assert estimate_tokens(one + other) <= estimate_tokens(one) + estimate_tokens(other)
    assert estimate_tokens(one) <= estimate_tokens(one + other)
    assert (estimate_tokens(one) == 0) == (one == "")


def test_four_letters_are_a_token():
    assert estimate_tokens("muon" * 25) == 25
    assert estimate_tokens("muons") == 2
