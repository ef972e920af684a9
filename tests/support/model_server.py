"""A model server on the loopback interface: real HTTP, scripted answers, a log of what was asked.

A responder, `respond(request)`, decides each answer: a dict becomes the model's JSON text, a str
its text as it is, and a `Fault` a way to misbehave. `gemini_server` and `openai_server` wrap the
answer as the two APIs do. Responders run in the server's threads; `Script` is safe there.
"""

import json
import re
import socket
import struct
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class ModelRequest:
    """One call as the server saw it; `number` counts calls from 0 in order of arrival."""

    number: int
    path: str
    headers: Mapping[str, str]
    json: dict[str, Any]
    model: str
    system: str
    user: str
    schema: dict[str, Any] | None
    max_output_tokens: int | None


@dataclass(frozen=True)
class Fault:
    """Misbehaviour instead of a plain answer.

    "truncate": the answer (of `answer`) cut off in the middle at the token limit;
    "block_prompt", "block_answer": the filter speaks, with `reason`;
    "empty": a reply without an answer; "no_candidate": without even a place for one;
    "status": HTTP `status` with `headers` and an error body in the API's form;
    "html": a web page with status 200; "stall": nothing until the server closes;
    "reset": the connection is reset.
    """

    kind: str
    status: int = 500
    reason: str = "SAFETY"
    message: str = "scripted failure"
    headers: Mapping[str, str] = field(default_factory=dict)
    answer: Any = None


Answer = dict[str, Any] | str | Fault
Respond = Callable[[ModelRequest], Answer]


def truncated(answer: dict[str, Any] | str) -> Fault:
    return Fault("truncate", answer=answer)


def blocked(reason: str = "SAFETY", *, prompt: bool = False) -> Fault:
    return Fault("block_prompt" if prompt else "block_answer", reason=reason)


def status(code: int, message: str = "scripted failure", **headers: str) -> Fault:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Fault("status", status=code, message=message, headers=named)


EMPTY = Fault("empty")
NO_CANDIDATE = Fault("no_candidate")
HTML = Fault("html")
STALL = Fault("stall")
RESET = Fault("reset")


class Script:
    """Answers in order of arrival: each item an answer or a responder; then `then` for ever."""

    def __init__(self, answers: Iterable[Answer | Respond], then: Answer | Respond) -> None:
        self._answers = iter(list(answers))
        self._then = then
        self._lock = threading.Lock()

    def __call__(self, request: ModelRequest) -> Answer:
        with self._lock:
            answer = next(self._answers, self._then)
        return answer(request) if callable(answer) else answer


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A client that has gone (its timeout is part of the tests) is no error of the server."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(*_)


class ModelServer(ABC):
    """Base of the two servers; a context manager with `base_url`, `requests` and token totals."""

    def __init__(self, respond: Answer | Respond) -> None:
        self.requests: list[ModelRequest] = []
        self.input_tokens = 0
        self.output_tokens = 0
        self.answered = 0
        self._respond = respond
        self._lock = threading.RLock()
        self._closing = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                server._answer(self)

            def do_GET(self) -> None:
                server._answer(self)

            def do_DELETE(self) -> None:
                server._answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._http = _Http(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def request(self, path: str, headers: Mapping[str, str], body: Any) -> ModelRequest:
        """One question to the model, entered into the log."""
        number = len(self.requests)
        request = ModelRequest(number, path, headers, body, **self.parse(path, body))
        self.requests.append(request)
        return request

    # What the two APIs do each in their way.

    def other(self, method: str, path: str, body: Any) -> tuple[int, Any] | None:
        """Status and body where a request is something else than a question to the model."""
        return None

    @abstractmethod
    def parse(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The request's `model`, `system`, `user`, `schema` and `max_output_tokens`."""

    @abstractmethod
    def reply(self, request: ModelRequest, text: str, ending: str, usage: tuple[int, int]) -> Any:
        """The body of a 200; `ending` is stop, truncate, empty, no_candidate or block_…:REASON."""

    @abstractmethod
    def error(self, fault: Fault) -> Any:
        """The body of an error status."""

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("content-length", 0))
        body = json.loads(handler.rfile.read(length) or b"{}")
        with self._lock:
            other = self.other(handler.command, handler.path, body)
        if other is not None:
            _send_json(handler, *other, {})
            return
        headers = {name.lower(): value for name, value in handler.headers.items()}
        with self._lock:
            request = self.request(handler.path, headers, body)
        answer = self.answer_to(request)
        spoken = text_and_ending(answer)
        if spoken is not None:
            _send_json(handler, 200, self.counted_reply(request, *spoken), {})
        elif answer.kind == "status":
            _send_json(handler, answer.status, self.error(answer), answer.headers)
        elif answer.kind == "html":
            _send(handler, 200, "text/html", b"<!doctype html><p>Sign in to continue</p>", {})
        elif answer.kind == "stall":
            self._closing.wait(30)
            handler.close_connection = True
        elif answer.kind == "reset":
            linger = struct.pack("ii", 1, 0)  # closing with no linger time sends a reset
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            handler.close_connection = True
            handler.connection.close()
        else:
            raise AssertionError(answer.kind)

    def answer_to(self, request: ModelRequest) -> Answer:
        return self._respond(request) if callable(self._respond) else self._respond

    def counted_reply(self, request: ModelRequest, text: str, ending: str) -> Any:
        """The body of a 200, its tokens added to the totals."""
        usage = (tokens_of(request.system + request.user), tokens_of(text))
        with self._lock:
            self.answered += 1
            self.input_tokens += usage[0]
            self.output_tokens += usage[1]
        return self.reply(request, text, ending, usage)


def text_and_ending(answer: Answer) -> tuple[str, str] | None:
    """What the model says and how it ends; None for a fault of the service below it."""
    if not isinstance(answer, Fault):
        return _text(answer), "stop"
    if answer.kind == "truncate":
        text = _text(answer.answer)
        return text[: max(1, 2 * len(text) // 3)], "truncate"
    if answer.kind in {"block_prompt", "block_answer"}:
        return "", f"{answer.kind}:{answer.reason}"
    return ("", answer.kind) if answer.kind in {"empty", "no_candidate"} else None


def tokens_of(text: str) -> int:
    """How this server counts tokens: words and signs, so not as the product estimates them."""
    return len(re.findall(r"\w+|[^\w\s]", text))


def _text(answer: dict[str, Any] | str) -> str:
    return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def _send_json(
    handler: BaseHTTPRequestHandler, code: int, body: Any, headers: Mapping[str, str]
) -> None:
    _send(handler, code, "application/json; charset=UTF-8", json.dumps(body).encode(), headers)


def _send(
    handler: BaseHTTPRequestHandler, code: int, kind: str, body: bytes, headers: Mapping[str, str]
) -> None:
    handler.send_response(code)
    for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)
