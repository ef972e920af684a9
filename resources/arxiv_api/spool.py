"""A listing on disk, so that its length costs no memory."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict

from resources.source import ListedPaper


class PaperSpool(Collection[ListedPaper]):
    """Papers in the order they came in, one a `paper_id`: the one with the highest version.

    They lie in a temporary file of SQLite's that disappears with the spool.
    """

    def __init__(self) -> None:
        # An empty name is SQLite's for a temporary database that goes to disk as it grows.
        self._database = sqlite3.connect("", check_same_thread=False)
        self._database.execute(
            "CREATE TABLE papers (place INTEGER PRIMARY KEY, paper_id TEXT UNIQUE, version INTEGER,"
            " record TEXT)"
        )

    def add(self, papers: Iterable[ListedPaper]) -> None:
        """Take papers in; a known id is replaced by a higher version only."""
        self._database.executemany(
            "INSERT INTO papers (paper_id, version, record) VALUES (?, ?, ?)"
            " ON CONFLICT (paper_id) DO UPDATE SET version = excluded.version,"
            " record = excluded.record WHERE excluded.version > version",
            ((p.paper_id, p.version, json.dumps(asdict(p))) for p in papers),
        )
        self._database.commit()

    def __len__(self) -> int:
        (count,) = self._database.execute("SELECT COUNT(*) FROM papers").fetchone()
        return int(count)

    def __iter__(self) -> Iterator[ListedPaper]:
        for (record,) in self._database.execute("SELECT record FROM papers ORDER BY place"):
            fields = json.loads(record)
            for name in ("authors", "categories"):
                fields[name] = tuple(fields[name])
            yield ListedPaper(**fields)

    def __contains__(self, paper: object) -> bool:
        if not isinstance(paper, ListedPaper):
            return False
        row = self._database.execute(
            "SELECT record FROM papers WHERE paper_id = ?", (paper.paper_id,)
        ).fetchone()
        return row is not None and row[0] == json.dumps(asdict(paper))
