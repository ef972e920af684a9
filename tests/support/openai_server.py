"""OpenAI's chat completions on the loopback interface (see `model_server`).

Bodies follow the API reference: choices with a message and a finish_reason, usage, and errors
under "error". A filter's refusal is finish_reason content_filter, or a message with `refusal`.
"""

from typing import Any

from tests.support.model_server import Fault, ModelRequest, ModelServer


class OpenAIServer(ModelServer):
    """`with OpenAIServer(respond) as server:` then OPENAI_BASE_URL = server.base_url."""

    @property
    def base_url(self) -> str:
        return f"{super().base_url}/v1"

    def parse(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        assert path == "/v1/chat/completions", f"not a call of chat completions: {path}"
        said = dict.fromkeys(("system", "user"), "")
        for message in body["messages"]:
            said[message["role"]] += message["content"]
        return {
            "model": body["model"],
            "system": said["system"],
            "user": said["user"],
            "schema": body.get("response_format", {}).get("json_schema", {}).get("schema"),
            "max_output_tokens": body.get("max_tokens") or body.get("max_completion_tokens"),
        }

    def reply(self, request: ModelRequest, text: str, ending: str, usage: tuple[int, int]) -> Any:
        kind, _, _ = ending.partition(":")
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
        if kind == "block_prompt":
            message |= {"content": None, "refusal": "I cannot help with that."}
        elif kind in {"block_answer", "empty"}:
            message["content"] = None
        reasons = {"truncate": "length", "block_answer": "content_filter"}
        choice = {"index": 0, "message": message, "finish_reason": reasons.get(kind, "stop")}
        return {
            "id": f"chatcmpl-{request.number}",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": request.model,
            "choices": [] if kind == "no_candidate" else [choice | {"logprobs": None}],
            "usage": {
                "prompt_tokens": usage[0],
                "completion_tokens": usage[1],
                "total_tokens": sum(usage),
            },
        }

    def error(self, fault: Fault) -> Any:
        kind = "rate_limit_error" if fault.status == 429 else "invalid_request_error"
        return {"error": {"message": fault.message, "type": kind, "param": None, "code": None}}
