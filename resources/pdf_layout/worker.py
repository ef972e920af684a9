"""Parsing in processes of its own, so that no file can hang, crash or exhaust the caller.

A worker is a bare interpreter that imports nothing but the parser and talks over two pipes:
length-prefixed messages, one task at a time. It ends when its input closes, which the system does
for it when the parent dies in whatever way.
"""

import contextlib
import os
import selectors
import struct
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO

from resources.blocks import ParsedDocument
from resources.errors import Permanent, ServiceDown
from resources.pdf_layout.limits import Limits
from resources.pdf_layout.messages import (
    dump_document,
    dump_request,
    load_document,
    load_request,
)

_HEADER = struct.Struct(">cI")  # what the message is, and its length in bytes
_READY, _TASK, _DOCUMENT, _REFUSED, _MEMORY = b"r", b"t", b"d", b"p", b"m"
_ROOT = Path(__file__).resolve().parents[2]
_START_SECONDS = 60.0
_FILES_A_WORKER = 500  # then a fresh one, so that no library's leak adds up


class _Worker:
    """One worker process, from the parent's side."""

    def __init__(self) -> None:
        environment = dict(os.environ)
        environment["PYTHONPATH"] = os.pathsep.join(
            p for p in (str(_ROOT), environment.get("PYTHONPATH", "")) if p
        )
        self.process = subprocess.Popen(
            [sys.executable, "-m", "resources.pdf_layout.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.input: IO[bytes] = self.process.stdin
        self.output: IO[bytes] = self.process.stdout
        self.buffer = bytearray()
        self.ready = False
        self.done = 0
        self.path: Path | None = None
        self.deadline = time.monotonic() + _START_SECONDS

    def give(self, path: Path, limits: Limits) -> None:
        """Sends one task; a dead worker shows itself when its answer is read."""
        self.path = path
        self.deadline = time.monotonic() + limits.seconds
        with contextlib.suppress(OSError):
            _send(self.input, _TASK, dump_request(path, limits))

    def receive(self) -> tuple[bytes, bytes] | None:
        """A whole message, or None while it is coming; raises EOFError when the worker died."""
        chunk = os.read(self.output.fileno(), 1 << 20)
        if not chunk:
            raise EOFError
        self.buffer += chunk
        if len(self.buffer) < _HEADER.size:
            return None
        kind, length = _HEADER.unpack_from(self.buffer)
        if len(self.buffer) < _HEADER.size + length:
            return None
        message = bytes(self.buffer[_HEADER.size : _HEADER.size + length])
        del self.buffer[: _HEADER.size + length]
        return kind, message

    def kill(self) -> None:
        """Ends the process at once and waits for it."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.input, self.output):
            with contextlib.suppress(OSError):
                pipe.close()


class ParserPool:
    """Worker processes that parse many files; one bad file never stops the rest.

    A worker that exceeds the time limit or dies is killed and replaced, and its file gives a
    `Permanent`. Use as a context manager, from one thread.
    """

    def __init__(self, workers: int = 2, limits: Limits | None = None) -> None:
        self._count = max(1, workers)
        self._limits = limits or Limits()
        self._workers: list[_Worker] = []

    def __enter__(self) -> "ParserPool":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends all workers."""
        for worker in self._workers:
            worker.kill()
        self._workers.clear()

    def worker_pids(self) -> list[int]:
        """Process ids of the workers there are."""
        return [worker.process.pid for worker in self._workers]

    def busy_pids(self) -> list[int]:
        """Process ids of the workers that are at a file."""
        return [worker.process.pid for worker in self._workers if worker.path]

    def parse_many(
        self, paths: Iterable[Path]
    ) -> Iterator[tuple[Path, ParsedDocument | Permanent]]:
        """Each path with its document or the reason why there is none, as they finish.

        Raises `ServiceDown` where worker processes cannot be started at all.
        """
        waiting = deque(Path(p) for p in paths)
        try:
            while waiting or any(w.path for w in self._workers):
                self._hand_out(waiting)
                yield from self._collect()
        finally:
            for worker in [w for w in self._workers if w.path]:
                self._discard(worker)

    def _hand_out(self, waiting: deque[Path]) -> None:
        busy = sum(1 for w in self._workers if w.path)
        while len(self._workers) < min(self._count, busy + len(waiting)):
            self._workers.append(_Worker())
        for worker in self._workers:
            if waiting and worker.ready and worker.path is None:
                worker.give(waiting.popleft(), self._limits)

    def _collect(self) -> Iterator[tuple[Path, ParsedDocument | Permanent]]:
        """Waits until a worker says something or runs out of time, and deals with it."""
        with selectors.DefaultSelector() as selector:
            watched = [w for w in self._workers if w.path or not w.ready]
            for worker in watched:
                selector.register(worker.output, selectors.EVENT_READ, worker)
            wait = min(w.deadline for w in watched) - time.monotonic()
            events = selector.select(max(0.0, wait))
        for key, _ in events:
            yield from self._hear(key.data)
        if not events:
            now = time.monotonic()
            for worker in [w for w in watched if w.deadline <= now]:
                self._discard(worker)
                if worker.path is None:
                    raise ServiceDown(
                        f"A parser process did not start within {_START_SECONDS:.0f} s; "
                        "free some memory or CPU and run again."
                    )
                yield (
                    worker.path,
                    Permanent(
                        f"{worker.path.name}: parsing took longer than the limit of "
                        f"{self._limits.seconds:g} s; raise the limit or leave the file out."
                    ),
                )

    def _hear(self, worker: _Worker) -> Iterator[tuple[Path, ParsedDocument | Permanent]]:
        try:
            message = worker.receive()
        except EOFError:
            self._discard(worker)
            if worker.path is None:
                raise ServiceDown(
                    "A parser process ended as it started; check that this Python runs "
                    "`import pypdfium2, numpy` and run again."
                ) from None
            yield (
                worker.path,
                Permanent(
                    f"{worker.path.name}: the PDF library crashed on this file; "
                    "repair the PDF or leave it out."
                ),
            )
            return
        if message is None:
            return
        kind, data = message
        if kind == _READY:
            worker.ready = True
            return
        path, worker.path = worker.path, None
        assert path is not None
        worker.done += 1
        if kind == _MEMORY or worker.done >= _FILES_A_WORKER:
            self._discard(worker)
        if kind == _DOCUMENT:
            yield path, load_document(data)
        elif kind == _MEMORY:
            yield (
                path,
                Permanent(
                    f"{path.name}: parsing needs more than the limit of "
                    f"{self._limits.megabytes_of_memory:,} MB of memory; raise the limit or leave "
                    "the file out."
                ),
            )
        else:
            yield path, Permanent(data.decode())

    def _discard(self, worker: _Worker) -> None:
        worker.kill()
        self._workers.remove(worker)


def parse_pdf_isolated(path: Path, limits: Limits | None = None) -> ParsedDocument:
    """`parse_pdf` in a process of its own, killed when the time limit passes.

    Raises `Permanent` with one sentence for an unusable file, one over a limit, or one that
    crashes the PDF library.
    """
    with ParserPool(1, limits) as pool:
        for _, result in pool.parse_many([path]):
            if isinstance(result, Permanent):
                raise result
            return result
    raise AssertionError("a pool answers for every path")


def _send(pipe: IO[bytes], kind: bytes, data: bytes) -> None:
    pipe.write(_HEADER.pack(kind, len(data)) + data)
    pipe.flush()


def _serve() -> None:
    """The worker's side: parse what comes in, until the input ends."""
    from resources.pdf_layout.parser import parse_pdf  # noqa: PLC0415  (only a worker needs it)

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing but answers may reach the pipe
    tasks: deque[bytes] = deque()
    arrived = threading.Semaphore(0)
    threading.Thread(target=_listen, args=(tasks, arrived), daemon=True).start()
    _send(answers, _READY, b"")
    while True:
        arrived.acquire()
        path, limits = load_request(tasks.popleft())
        _limit_memory(limits)
        try:
            kind, data = _DOCUMENT, dump_document(parse_pdf(path, limits))
        except Permanent as refusal:
            kind, data = _REFUSED, str(refusal).encode()
        except MemoryError:
            kind, data = _MEMORY, b""
        _send(answers, kind, data)


def _listen(tasks: deque[bytes], arrived: threading.Semaphore) -> None:
    """Reads tasks; ends the process, whatever it is doing, when the parent is gone."""
    pipe = sys.stdin.buffer
    while True:
        header = pipe.read(_HEADER.size)
        if len(header) < _HEADER.size:
            os._exit(0)
        tasks.append(pipe.read(_HEADER.unpack(header)[1]))
        arrived.release()


def _limit_memory(limits: Limits) -> None:
    try:
        import resource  # noqa: PLC0415  (POSIX only)

        size = limits.megabytes_of_memory * 1_000_000
        resource.setrlimit(resource.RLIMIT_AS, (size, resource.getrlimit(resource.RLIMIT_AS)[1]))
    except (ImportError, ValueError, OSError):
        return


if __name__ == "__main__":
    _serve()
