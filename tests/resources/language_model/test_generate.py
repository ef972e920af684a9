"""Every way an answer can go wrong, through both providers' clients over real HTTP."""

import json
import threading
from email.utils import formatdate

import pytest

from resources.errors import Permanent, ServiceDown, Transient
from resources.language_model import Blocked, Malformed, ModelSettings, Truncated
from tests.support.asking import IMPATIENT, Ask
from tests.support.model_server import (
    EMPTY,
    HTML,
    NO_CANDIDATE,
    RESET,
    STALL,
    Script,
    blocked,
    status,
    truncated,
)

FIELD = {"magnet": "dipole", "tesla": 16}


def test_a_truncated_answer_is_permanent_and_its_tokens_count(asking: Ask):
    asked = asking(truncated(FIELD))
    with pytest.raises(Truncated, match="cut off after"):
        asked.ask()
    assert len(asked.server.requests) == 1
    assert asked.model.usage.output_tokens == asked.server.output_tokens > 0


def test_a_truncated_answer_is_not_trusted_even_where_it_parses(asking: Ask):
    cut_after_the_object = json.dumps(FIELD) + " " * 30
    asked = asking(truncated(cut_after_the_object))
    with pytest.raises(Truncated):
        asked.ask()


@pytest.mark.parametrize("prompt", [True, False], ids=["prompt refused", "answer withheld"])
def test_a_blocked_answer_is_permanent(asking: Ask, prompt):
    asked = asking(blocked("PROHIBITED_CONTENT", prompt=prompt))
    with pytest.raises(Blocked, match="refused to answer"):
        asked.ask()
    assert len(asked.server.requests) == 1


@pytest.mark.parametrize(
    "text",
    ["The dipole has 16 T.", "", '{"magnet": "dipole"', "[1, 2]"],
    ids=["prose", "blank", "half an object", "a list"],
)
def test_what_is_not_the_schema_is_malformed(asking: Ask, text):
    asked = asking(text or " {} ")
    with pytest.raises(Malformed, match="does not fit Field"):
        asked.ask()
    assert len(asked.server.requests) == 1


def test_a_value_of_the_wrong_type_is_malformed_and_not_shown(asking: Ask):
    asked = asking({"magnet": "dipole", "tesla": "a great deal"})
    with pytest.raises(Malformed, match="tesla") as caught:
        asked.ask()
    assert "a great deal" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{json.dumps(FIELD)}\n```",
        f"<think>{{a brace}} and thoughts</think>{json.dumps(FIELD)}",
        f"Here you are: {json.dumps(FIELD)} I hope it helps.",
    ],
    ids=["fenced", "reasoning aloud", "with pleasantries"],
)
def test_json_is_found_in_its_wrapping(asking: Ask, text):
    assert asking(text).ask().value.tesla == 16


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504])
def test_a_passing_status_is_tried_again(asking: Ask, code):
    asked = asking(Script([status(code), status(code)], then=FIELD))
    assert asked.ask().value.magnet == "dipole"
    assert len(asked.server.requests) == 3
    usage = asked.model.usage
    assert (usage.calls, usage.retries) == (1, 2)


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (status(429), "status 429"),
        (status(500), "status 500"),
        (status(503), "status 503"),
        (RESET, "broke the connection off"),
        (HTML, "no answer of a model"),
        (EMPTY, "empty answer"),
        (NO_CANDIDATE, "empty answer"),
    ],
    ids=["429", "500", "503", "reset", "html", "empty", "no candidate"],
)
def test_what_does_not_pass_surfaces_as_transient_after_the_last_attempt(asking: Ask, fault, says):
    asked = asking(fault)
    with pytest.raises(Transient, match=says):
        asked.ask()
    assert len(asked.server.requests) == 3


@pytest.mark.parametrize("fault", [RESET, HTML, EMPTY, NO_CANDIDATE])
def test_what_passes_does_no_harm(asking: Ask, fault):
    asked = asking(Script([fault], then=FIELD))
    assert asked.ask().value.tesla == 16
    assert asked.model.usage.input_tokens == asked.server.input_tokens
    assert asked.model.usage.calls == asked.server.answered


def test_a_stalled_server_is_left_after_the_timeout(asking: Ask):
    asked = asking(STALL, settings=IMPATIENT)
    with pytest.raises(Transient, match="did not answer in time: give it longer"):
        asked.ask()
    assert len(asked.server.requests) == 2, "a slow server gets a second chance and no third"


def test_a_stall_that_passes_does_no_harm(asking: Ask):
    patient = ModelSettings(timeout_seconds=1, retry=IMPATIENT.retry)
    assert asking(Script([STALL], then=FIELD), settings=patient).ask().value.tesla == 16


def test_retry_after_in_seconds_is_waited_for_and_not_less(asking: Ask, monkeypatch):
    waits = _record_waits(monkeypatch)
    asked = asking(Script([status(429, Retry_After="4")], then=FIELD))
    asked.ask()
    assert waits == [pytest.approx(4.0)]


def test_retry_after_as_a_date_counts_from_the_servers_clock(asking: Ask, monkeypatch):
    waits = _record_waits(monkeypatch)
    long_ago = 1_000_000_000
    fault = status(503, Retry_After=formatdate(long_ago + 3, usegmt=True))
    monkeypatch.setattr(
        "http.server.BaseHTTPRequestHandler.date_time_string",
        lambda *_: formatdate(long_ago, usegmt=True),
    )
    asked = asking(Script([fault], then=FIELD))
    asked.ask()
    assert waits == [pytest.approx(3.0)]


def test_a_server_that_asks_for_an_hour_is_not_waited_for(asking: Ask, monkeypatch):
    waits = _record_waits(monkeypatch)
    asked = asking(status(429, Retry_After="3600"))
    with pytest.raises(Transient, match="asks to wait 3600 s") as caught:
        asked.ask()
    assert caught.value.retry_after == 3600
    assert waits == []
    assert len(asked.server.requests) == 1


def test_googles_retry_delay_in_the_body_is_honoured(asking: Ask, provider, monkeypatch):
    if provider != "gemini":
        pytest.skip("a form of Google's")
    waits = _record_waits(monkeypatch)
    asked = asking(Script([status(429)], then=FIELD))
    monkeypatch.setattr(
        asked.server,
        "error",
        lambda fault: {
            "error": {
                "code": 429,
                "status": "RESOURCE_EXHAUSTED",
                "message": "quota",
                "details": [
                    {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "2.5s"}
                ],
            }
        },
    )
    asked.ask()
    assert waits == [pytest.approx(2.5)]


@pytest.mark.parametrize("code", [401, 403])
def test_a_refused_key_stops_at_once_and_is_not_printed(asking: Ask, code):
    asked = asking(status(code, "the key key-of-the-tests is wrong"))
    with pytest.raises(ServiceDown, match="_API_KEY") as caught:
        asked.ask()
    assert "key-of-the-tests" not in str(caught.value)
    assert len(asked.server.requests) == 1


def test_a_server_that_repeats_the_key_does_not_get_it_printed(asking: Ask):
    asked = asking(status(400, "bad request with key-of-the-tests in it"))
    with pytest.raises(Permanent, match=r"with \[key\] in it"):
        asked.ask()


def test_googles_invalid_key_is_a_400_and_stops_too(asking: Ask, provider):
    if provider != "gemini":
        pytest.skip("a form of Google's")
    asked = asking(status(400, "API key not valid. Please pass a valid API key."))
    with pytest.raises(ServiceDown, match="GEMINI_API_KEY"):
        asked.ask()


def test_an_unknown_model_stops_at_once(asking: Ask):
    asked = asking(status(404))
    with pytest.raises(ServiceDown, match=r"knows no model (gemini|openai)/.*MUON_MODEL"):
        asked.ask()
    assert len(asked.server.requests) == 1


def test_a_refused_request_is_the_items_fault(asking: Ask):
    asked = asking(status(400, "the prompt is too long"))
    with pytest.raises(Permanent, match="the prompt is too long"):
        asked.ask()
    assert len(asked.server.requests) == 1


def test_a_server_that_is_not_there_is_down_after_the_retries(asking: Ask):
    asked = asking(FIELD)
    asked.server.__exit__()
    with pytest.raises(ServiceDown, match="cannot be reached"):
        asked.ask()
    assert asked.model.usage.retries == 2


def test_an_account_without_credit_stops_at_once(asking: Ask, provider, monkeypatch):
    if provider != "openai":
        pytest.skip("a form of OpenAI's")
    asked = asking(status(429))
    monkeypatch.setattr(
        asked.server,
        "error",
        lambda fault: {"error": {"message": "quota", "code": "insufficient_quota", "type": "x"}},
    )
    with pytest.raises(ServiceDown, match="no credit left"):
        asked.ask()
    assert len(asked.server.requests) == 1


def test_tokens_are_what_the_server_says_reasoning_included(asking: Ask, provider, monkeypatch):
    asked = asking(FIELD)
    plain = asked.server.reply

    def thinking(request, text, ending, usage):
        body = plain(request, text, ending, usage)
        if provider == "gemini":
            body["usageMetadata"]["thoughtsTokenCount"] = 100
        else:
            body["usage"]["completion_tokens"] += 100  # OpenAI counts reasoning among them
        return body

    monkeypatch.setattr(asked.server, "reply", thinking)
    reply = asked.ask()
    assert reply.output_tokens == asked.server.output_tokens + 100
    assert reply.input_tokens == asked.server.input_tokens


def test_many_threads_count_every_token_once(asking: Ask):
    asked = asking(FIELD)
    threads = [threading.Thread(target=asked.ask, args=(f"Magnet {i}?",)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    usage = asked.model.usage
    assert usage.calls == 12
    assert usage.input_tokens == asked.server.input_tokens
    assert usage.output_tokens == asked.server.output_tokens


def _record_waits(monkeypatch):
    waits: list[float] = []
    monkeypatch.setattr("tenacity.nap.time.sleep", waits.append)
    return waits
