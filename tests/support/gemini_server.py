"""The Gemini API's generateContent on the loopback interface (see `model_server`).

Bodies follow the REST reference of `models.generateContent`: candidates with content parts and a
finishReason, promptFeedback for a refused prompt, usageMetadata, and google.rpc.Status errors.
"""

import re
from typing import Any

from tests.support.model_server import Fault, ModelRequest, ModelServer

_STATUS_NAMES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class GeminiServer(ModelServer):
    """`with GeminiServer(respond) as server:` then GOOGLE_GEMINI_BASE_URL = server.base_url."""

    def parse(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        found = re.fullmatch(r"/v1\w*/models/([^:]+):generateContent", path)
        assert found, f"not a call of the Gemini API: {path}"
        config = body.get("generationConfig", {})
        return {
            "model": found.group(1),
            "system": _text(body.get("systemInstruction", {})),
            "user": "\n".join(_text(content) for content in body["contents"]),
            "schema": config.get("responseSchema") or config.get("responseJsonSchema"),
            "max_output_tokens": config.get("maxOutputTokens"),
        }

    def reply(self, request: ModelRequest, text: str, ending: str, usage: tuple[int, int]) -> Any:
        body: dict[str, Any] = {
            "usageMetadata": {
                "promptTokenCount": usage[0],
                "candidatesTokenCount": usage[1],
                "totalTokenCount": sum(usage),
            },
            "modelVersion": request.model,
            "responseId": f"response-{request.number}",
        }
        kind, _, reason = ending.partition(":")
        if kind == "block_prompt":
            return body | {"promptFeedback": {"blockReason": reason}}
        if kind == "no_candidate":
            return body
        candidate: dict[str, Any] = {"index": 0, "finishReason": "STOP"}
        if kind == "block_answer":
            candidate["finishReason"] = reason
        elif kind == "empty":
            candidate["content"] = {"role": "model"}
        else:
            candidate["content"] = {"role": "model", "parts": [{"text": text}]}
            candidate["finishReason"] = "MAX_TOKENS" if kind == "truncate" else "STOP"
        return body | {"candidates": [candidate]}

    def error(self, fault: Fault) -> Any:
        name = _STATUS_NAMES.get(fault.status, "UNKNOWN")
        return {"error": {"code": fault.status, "message": fault.message, "status": name}}


def _text(content: dict[str, Any]) -> str:
    return "".join(part.get("text", "") for part in content.get("parts", []))
