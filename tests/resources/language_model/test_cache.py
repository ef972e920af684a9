"""Answers are paid for once, kept whole, and told apart by everything that decides them."""

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from resources.language_model import (
    Blocked,
    FileCache,
    Malformed,
    ModelSettings,
    Prompt,
    Truncated,
)
from resources.language_model.cache import cache_key
from resources.language_model.interface import RawReply
from tests.support.asking import QUICK, Ask
from tests.support.model_server import Script, blocked, status, truncated

FIELD = {"magnet": "dipole", "tesla": 16}
REPLY = RawReply('{"µ": "√s"}', "stop", "STOP", 12, 34)
KEY = "ab" * 32


def test_the_second_answer_costs_nothing_and_says_so(asking: Ask, tmp_path):
    asked = asking(FIELD, cache=FileCache(tmp_path))
    first, second = asked.ask(), asked.ask()
    assert len(asked.server.requests) == 1
    assert (first.cached, second.cached) == (False, True)
    assert second.cost_usd == 0.0
    assert second.value == first.value
    assert second.text == first.text
    usage = asked.model.usage
    assert (usage.calls, usage.cached_calls) == (1, 1)
    assert usage.input_tokens == asked.server.input_tokens


def test_another_model_object_finds_it_too(asking: Ask, tmp_path):
    asking(FIELD, cache=FileCache(tmp_path)).ask()
    later = asking(status(500), cache=FileCache(tmp_path))
    assert later.ask().cached
    assert later.server.requests == []


def test_fresh_asks_anew_and_keeps_the_new_answer(asking: Ask, tmp_path):
    asked = asking(
        Script([FIELD], then={"magnet": "solenoid", "tesla": 40}), cache=FileCache(tmp_path)
    )
    assert asked.ask().value.tesla == 16
    assert asked.ask(fresh=True).value.tesla == 40
    assert asked.ask().value.tesla == 40
    assert len(asked.server.requests) == 2


@pytest.mark.parametrize(
    ("answer", "error"),
    [(truncated(FIELD), Truncated), (blocked(), Blocked), ("no JSON", Malformed)],
    ids=["truncated", "blocked", "malformed"],
)
def test_a_useless_answer_is_not_paid_for_twice_either(asking: Ask, tmp_path, answer, error):
    asked = asking(answer, cache=FileCache(tmp_path))
    for _ in range(2):
        with pytest.raises(error):
            asked.ask()
    assert len(asked.server.requests) == 1


def test_a_failed_call_is_not_kept(asking: Ask, tmp_path):
    asked = asking(Script([status(400)], then=FIELD), cache=FileCache(tmp_path))
    with pytest.raises(Exception, match="400"):
        asked.ask()
    assert asked.ask().value.tesla == 16


def test_is_cached_makes_no_call(asking: Ask, tmp_path):
    asked = asking(FIELD, cache=FileCache(tmp_path))
    prompt = Prompt("You read papers.", "Which field?", "1")
    schema: type[BaseModel] = type(asked.ask("another").value)
    assert not asked.model.is_cached(prompt, schema)
    asked.ask("Which field?")
    assert asked.model.is_cached(prompt, schema)
    assert len(asked.server.requests) == 2


def test_another_limit_is_another_answer(asking: Ask, tmp_path):
    cache = FileCache(tmp_path)
    with pytest.raises(Truncated):
        asking(truncated(FIELD), cache=cache).ask()
    roomier = ModelSettings(16_384, timeout_seconds=QUICK.timeout_seconds, retry=QUICK.retry)
    assert asking(FIELD, cache=cache, settings=roomier).ask().value.tesla == 16


def test_a_file_an_answer_in_two_levels(tmp_path):
    FileCache(tmp_path).put(KEY, REPLY)
    files = [
        path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()
    ]
    assert files == [f"ab/ab/{KEY}.json"]
    assert FileCache(tmp_path).get(KEY) == REPLY


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"text": "x"}', '{"another": "format"}', "\x00\xff"]
)
def test_a_damaged_file_counts_as_absent_and_is_replaced(tmp_path, content):
    cache = FileCache(tmp_path)
    cache.put(KEY, REPLY)
    next(tmp_path.rglob("*.json")).write_text(content)
    assert cache.get(KEY) is None
    cache.put(KEY, REPLY)
    assert cache.get(KEY) == REPLY


def test_a_write_that_fails_leaves_the_old_answer_and_no_litter(tmp_path, monkeypatch):
    cache = FileCache(tmp_path)
    cache.put(KEY, REPLY)

    def disk_full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(json, "dump", disk_full)
    with pytest.raises(OSError, match="No space"):
        cache.put(KEY, RawReply("new", "stop", "STOP", 1, 1))
    assert cache.get(KEY) == REPLY
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


def test_readers_beside_writers_always_see_a_whole_answer(tmp_path):
    cache = FileCache(tmp_path)
    replies = [RawReply(str(i) * 200_000, "stop", "STOP", i, i) for i in range(3)]
    cache.put(KEY, replies[0])
    seen: list[RawReply | None] = []

    def write(reply):
        for _ in range(15):
            cache.put(KEY, reply)

    def read():
        seen.extend(cache.get(KEY) for _ in range(60))

    threads = [threading.Thread(target=write, args=(reply,)) for reply in replies]
    threads.append(threading.Thread(target=read))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(reply in replies for reply in seen)


PARTS = st.tuples(
    st.text(max_size=4),
    st.text(max_size=4),
    st.text(max_size=4),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=2), st.floats(allow_nan=False), max_size=2),
)


@given(PARTS, PARTS)
def test_keys_are_equal_exactly_where_all_parts_are(one, other):
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (cache_key(*one) == cache_key(*other)) == same
    assert len(cache_key(*one)) == 64
