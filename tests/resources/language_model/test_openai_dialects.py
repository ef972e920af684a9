"""Servers that call themselves compatible and accept less than OpenAI does."""

import pytest

from resources.errors import Permanent
from resources.language_model import TooLong
from tests.support.asking import Ask
from tests.support.model_server import ModelRequest, status

FIELD = {"magnet": "dipole", "tesla": 16}


@pytest.fixture
def provider():
    return "openai"


def rejecting(*fields: str):
    """A server that answers 400 as long as one of these stands in the request."""

    def respond(request: ModelRequest):
        form = request.json.get("response_format", {}).get("type")
        for field in fields:
            if field in request.json or form == field:
                return status(400, f"Unsupported parameter: '{field}' is not supported here.")
        return FIELD

    return respond


def test_the_schema_is_asked_for_strictly_and_stands_in_the_prompt(asking: Ask):
    asked = asking(FIELD)
    asked.ask()
    sent = asked.server.requests[0]
    form = sent.json["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["strict"] is True
    assert sent.schema["additionalProperties"] is False
    assert sent.schema["required"] == ["magnet", "tesla"]
    assert '"tesla"' in sent.system


def test_a_server_that_ignores_the_schema_still_finds_it_in_the_prompt(asking: Ask):
    def respond(request: ModelRequest):
        return FIELD if '"tesla"' in request.system else "I would rather chat."

    assert asking(respond).ask().value.tesla == 16


@pytest.mark.parametrize(
    ("rejected", "then"),
    [
        (["json_schema"], {"response_format": {"type": "json_object"}}),
        (["json_schema", "json_object"], {"response_format": None}),
        (["response_format"], {"response_format": None}),
        (["max_tokens"], {"max_tokens": None, "max_completion_tokens": 8192}),
        (["max_tokens", "max_completion_tokens"], {"max_completion_tokens": None}),
        (["temperature"], {"temperature": None}),
        (["json_schema", "max_tokens", "temperature"], {"max_completion_tokens": 8192}),
    ],
)
def test_a_rejected_field_is_left_out_and_stays_out(asking: Ask, rejected, then):
    asked = asking(rejecting(*rejected))
    assert asked.ask("one").value.tesla == 16
    calls = len(asked.server.requests)
    assert asked.ask("two").value.tesla == 16
    assert len(asked.server.requests) == calls + 1
    last = asked.server.requests[-1].json
    assert all(last.get(name) == value for name, value in then.items())


def test_a_complaint_about_something_else_is_the_items_fault(asking: Ask):
    asked = asking(status(400, "The roles of messages must alternate."))
    with pytest.raises(Permanent, match="must alternate"):
        asked.ask()
    assert len(asked.server.requests) == 1


def test_the_client_adds_no_retries_of_its_own(asking: Ask):
    asked = asking(status(500))
    with pytest.raises(Exception, match="500"):
        asked.ask()
    assert len(asked.server.requests) == 3
    assert {request.headers["x-stainless-retry-count"] for request in asked.server.requests} == {
        "0"
    }


@pytest.mark.parametrize("code", [400, 422, 500, 501])
def test_a_schema_is_left_out_whatever_status_its_refusal_has(asking: Ask, code: int):
    def respond(request: ModelRequest):
        if request.json.get("response_format", {}).get("type") == "json_schema":
            return status(
                code, "{'loc': ('body', 'response_format', 'type'), 'msg': 'no such type'}"
            )
        return FIELD

    asked = asking(respond)
    assert asked.ask().value.tesla == 16
    assert len(asked.server.requests) == 2


OVER = "This model's maximum context length is 2048 tokens. However, you requested 3000 tokens."


def test_where_only_the_answers_limit_is_over_the_context_it_is_left_out_once(asking: Ask):
    def respond(request: ModelRequest):
        limited = {"max_tokens", "max_completion_tokens"} & set(request.json)
        return status(400, OVER) if limited and "long" in request.user else FIELD

    asked = asking(respond)
    assert asked.ask("a long one").value.tesla == 16
    assert asked.ask("a short one").value.tesla == 16
    assert asked.server.requests[-1].max_output_tokens == 8192, "the limit holds for all others"


def test_a_request_longer_than_the_context_is_said_to_be(asking: Ask):
    asked = asking(status(400, OVER))
    with pytest.raises(TooLong, match=r"longer than the context of openai/.* \(--m\)\.$"):
        asked.ask()
    assert len(asked.server.requests) == 2
