"""Waits: bounded, jittered, and never shorter than the server asks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.errors import Permanent, ServiceDown, Transient
from resources.language_model import RetryPolicy
from resources.language_model.http import readable, retry_after, server_name
from resources.language_model.retry import Unreachable


class Failing:
    """Raises the given errors one after the other, then returns "done"."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


@pytest.fixture
def waits(monkeypatch):
    taken: list[float] = []
    monkeypatch.setattr("tenacity.nap.time.sleep", taken.append)
    return taken


def nothing() -> None:
    pass


def test_waits_grow_within_their_bounds(waits):
    policy = RetryPolicy(attempts=8, backoff_seconds=1.0, longest_wait_seconds=20.0)
    for _ in range(50):
        policy.run(Failing(*[Transient("busy")] * 7), nothing)
    by_attempt = [waits[n::7] for n in range(7)]
    for n, taken in enumerate(by_attempt):
        assert all(0 <= wait <= min(2.0**n, 20.0) for wait in taken)
        assert len(set(taken)) > 25  # jittered, so that many clients do not return together
    assert max(by_attempt[4]) > 8.0


def test_the_last_error_surfaces_when_the_attempts_are_used_up(waits):
    call = Failing(Transient("first"), Transient("second"), Transient("third"))
    with pytest.raises(Transient, match="third"):
        RetryPolicy(attempts=3).run(call, nothing)
    assert call.calls == 3
    assert len(waits) == 2


@pytest.mark.parametrize("error", [Permanent("bad"), ServiceDown("gone"), ValueError("a bug")])
def test_nothing_else_is_tried_again(waits, error):
    call = Failing(error)
    with pytest.raises(type(error)):
        RetryPolicy().run(call, nothing)
    assert call.calls == 1
    assert waits == []


def test_no_connection_is_a_dead_service_only_after_the_last_attempt(waits):
    assert RetryPolicy(attempts=2).run(Failing(Unreachable("refused")), nothing) == "done"
    with pytest.raises(ServiceDown, match="refused"):
        RetryPolicy(attempts=2).run(Failing(*[Unreachable("refused")] * 2), nothing)


@given(st.floats(0, 59))
def test_asked_waits_are_kept(seconds):
    taken: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tenacity.nap.time.sleep", taken.append)
        RetryPolicy(backoff_seconds=0.5).run(Failing(Transient("busy", seconds)), nothing)
    assert taken[0] >= seconds
    assert taken[0] <= max(seconds, 0.5)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 0.5 "}, 0.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, None),
        (
            {
                "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT",
                "date": "Wed, 21 Oct 2026 07:27:30 GMT",
            },
            30.0,
        ),
    ],
)
def test_retry_after_in_all_its_forms(headers, seconds):
    assert retry_after(headers) == seconds


def test_a_servers_words_are_short_and_without_the_key():
    assert readable("a\n b\tsecret", "secret") == "a b [key]"
    assert len(readable("x" * 5000, "secret")) == 200
    assert readable(None, "") == ""


def test_a_servers_name_leaves_out_what_an_address_may_carry():
    assert server_name("https://user:word@llm.example.org:8443/v1?key=x") == "llm.example.org:8443"
