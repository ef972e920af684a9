"""The command line in small batches, that writes down what it writes and dies where it is told.

`python -m tests.support.killed LOG POINT refresh …`: before every write of rows or files a line a
row or file is added to LOG; at POINT (`after documents 2`: when the second write to that table is
done; `before …`: when it is about to be) the process kills itself as the system would, with
nothing flushed, closed or said. An empty POINT lets it live. Vectors are letter counts.
"""

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import assets.corpus.fetching
import assets.factuality.extractors
import assets.parsing.assets
import assets.retrieval.building
import pipelines.parts
from pipelines.cli import main
from resources.files import Files
from resources.lake import Lake
from tests.support.letter_encoder import LetterEncoder


class Diary:
    """Notes every write in a file, and ends the process at the point that was named."""

    def __init__(self, log: Path, point: str) -> None:
        self._log = log
        self._moment, self._what, self._number = point.split() if point else ("", "", "0")
        self._seen: Counter[str] = Counter()

    def noted(self, what: str, lines: list[str], write: Callable[[], Any]) -> Any:
        with self._log.open("a", encoding="utf-8") as log:
            log.writelines(f"{what} {line}\n" for line in lines)
        self._seen[what] += 1
        self._end_if("before", what)
        result = write()
        self._end_if("after", what)
        return result

    def _end_if(self, moment: str, what: str) -> None:
        if (moment, what, str(self._seen[what])) == (self._moment, self._what, self._number):
            os.kill(os.getpid(), signal.SIGKILL)


def keep(diary: Diary) -> None:
    """Let a diary note what the lake and the files are asked to write."""
    merge, replace, put_file, put_folder, write_bytes = (
        Lake.merge,
        Lake.replace,
        Files.put_file,
        Files.put_folder,
        Files.write_bytes,
    )

    def keys(table: Any, rows: Any) -> list[str]:
        return ["|".join(row[name] for name in table.key) for row in rows]

    def noted_merge(self: Lake, table: Any, rows: Any) -> Any:
        return diary.noted(table.name, keys(table, rows), lambda: merge(self, table, rows))

    def noted_replace(self: Lake, table: Any, rows: Any, within: Any) -> Any:
        write = lambda: replace(self, table, rows, within)  # noqa: E731 - as its neighbours
        return diary.noted(table.name, keys(table, rows), write)

    def noted_file(self: Files, source: Path, path: str) -> Any:
        return diary.noted("file", [path], lambda: put_file(self, source, path))

    def noted_folder(self: Files, source: Path, path: str) -> Any:
        return diary.noted("folder", [path], lambda: put_folder(self, source, path))

    def noted_bytes(self: Files, path: str, data: bytes) -> Any:
        what = path.split("/", maxsplit=1)[0]
        return diary.noted(what, [path], lambda: write_bytes(self, path, data))

    Lake.merge, Lake.replace = noted_merge, noted_replace  # type: ignore[method-assign]
    Files.put_file, Files.put_folder = noted_file, noted_folder  # type: ignore[method-assign]
    Files.write_bytes = noted_bytes  # type: ignore[method-assign]


def make_small_batches() -> None:
    """So few rows a commit that a small corpus takes several."""
    assets.corpus.fetching.BATCH = 2
    assets.parsing.assets.DOCUMENT_BATCH = 1
    assets.parsing.assets.CHUNK_BATCH = 2
    assets.factuality.extractors.BATCH = 10
    assets.retrieval.building.BATCH = 15


if __name__ == "__main__":
    keep(Diary(Path(sys.argv[1]), sys.argv[2]))
    make_small_batches()
    pipelines.parts.open_encoder = lambda *_: LetterEncoder()  # type: ignore[attr-defined]
    sys.argv = ["muon-evidence", *sys.argv[3:]]
    main()
