"""Every table of the corpus, on LanceDB: a folder, or an object store (`s3://…`, `gs://…`).

Rows are merged by key and never blindly appended. Writes are serialised, because concurrent
merges of one key can both insert it; reads need no lock, and can be pinned to a version.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa
from filelock import FileLock

from resources.errors import MuonEvidenceError, UsageError

Row = dict[str, Any]

#: What was the newest version within this time stays readable for whoever just opened it.
GRACE = timedelta(hours=1)

#: The column of LanceDB's row addresses.
ADDRESS = "_rowid"

# LanceDB reads its own clock, some time after an age was computed here.
_MARGIN = timedelta(minutes=1)

#: Rows sent to LanceDB in one commit; larger merges are cut so that memory stays bounded.
MERGE_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class Table:
    """A table's name, the columns that identify a row, and its Arrow schema."""

    name: str
    key: tuple[str, ...]
    schema: pa.Schema


class VersionGone(MuonEvidenceError):
    """A version of a table that clean-up has removed."""


class Lake:
    """The tables under one location.

    Opening a lake touches nothing: tables are created at their first write, and reading a table
    that was never written gives no rows.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri

    def exists(self, table: Table) -> bool:
        """Whether the table was ever written."""
        return self._find(table) is not None

    def read(
        self,
        table: Table,
        columns: Sequence[str] | None = None,
        where: Any = None,
        version: int | None = None,
        addresses: bool = False,
    ) -> pa.Table:
        """Rows of a table, newest version unless one is named.

        `where` is a `lancedb.expr.Expr`; `columns` are read in the order given. With `addresses`
        there is one more column, `_rowid`: LanceDB's address of each row in this version.
        """
        wanted = list(columns) if columns is not None else table.schema.names
        handle = self._find(table)
        if handle is None:
            return pa.schema([table.schema.field(name) for name in wanted]).empty_table()
        if version is not None:
            _go_to(handle, table, version)
        if addresses:
            wanted = [*wanted, ADDRESS]
        query = handle.search().select(wanted).with_row_id(addresses)
        if where is not None:
            query = query.where(where)
        return query.to_arrow().select(wanted)

    def batches(
        self, table: Table, columns: Sequence[str], version: int
    ) -> Iterator[pa.RecordBatch]:
        """Columns of a version and the rows' addresses piece by piece, for what is read only once
        and large."""
        query = self.at(table, version).search().select(list(columns)).with_row_id(True)
        yield from query.to_batches()

    def rows(
        self,
        table: Table,
        columns: Sequence[str] | None = None,
        where: Any = None,
        version: int | None = None,
    ) -> list[Row]:
        """As `read`, as a list of dictionaries."""
        rows: list[Row] = self.read(table, columns, where, version).to_pylist()
        return rows

    def column_map(self, table: Table, key: str, value: str) -> dict[str, Any]:
        """One column of a table by another: `{row[key]: row[value]}`."""
        data = self.read(table, [key, value])
        return dict(zip(data[key].to_pylist(), data[value].to_pylist(), strict=True))

    def merge(self, table: Table, rows: Sequence[Mapping[str, Any]]) -> int:
        """Insert rows, or replace those of the same key; returns how many were written."""
        for start in range(0, len(rows), MERGE_ROWS):
            data = _arrow(table, rows[start : start + MERGE_ROWS])
            with self._write_lock:
                handle = self._create(table)
                result = (
                    handle.merge_insert(list(table.key))
                    .when_matched_update_all()
                    .when_not_matched_insert_all()
                    .execute(data)
                )
            _all_written(table, result, data.num_rows)
        return len(rows)

    def replace(self, table: Table, rows: Sequence[Mapping[str, Any]], within: Any) -> int:
        """Make `rows` all the rows that fulfil the expression `within`, in one commit."""
        data = _arrow(table, rows)
        with self._write_lock:
            handle = self._create(table)
            if not rows:
                handle.delete(within)
                return 0
            result = (
                handle.merge_insert(list(table.key))
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .when_not_matched_by_source_delete(within)
                .execute(data)
            )
        _all_written(table, result, data.num_rows)
        return len(rows)

    def delete(self, table: Table, where: Any) -> int:
        """Delete the rows that fulfil an expression; returns how many went."""
        if not self.exists(table):
            return 0
        with self._write_lock:
            return int(self._open(table).delete(where).num_deleted_rows)

    def count(self, table: Table) -> int:
        """Number of rows in the newest version."""
        handle = self._find(table)
        return 0 if handle is None else int(handle.count_rows())

    def version(self, table: Table) -> int:
        """The newest version's number; 0 for a table that was never written."""
        handle = self._find(table)
        return 0 if handle is None else int(handle.version)

    def at(self, table: Table, version: int) -> Any:
        """LanceDB's handle of one version, read only; for an index that `read` does not search.

        Raises VersionGone where the version is no longer kept.
        """
        handle = self._open(table)
        _go_to(handle, table, version)
        return handle

    @contextmanager
    def writing(self, table: Table) -> Iterator[Any]:
        """LanceDB's handle of the newest version, for the only writer there is meanwhile."""
        with self._write_lock:
            yield self._create(table)

    def pin(self, table: Table, tag: str, version: int = 0) -> int:
        """Tag a version, the newest unless one is named, so that no clean-up removes it.

        Returns its number; 0 for a table that was never written.
        """
        if not self.exists(table):
            return 0
        with self._write_lock:
            handle = self._open(table)
            pinned = version or int(handle.version)
            if tag in handle.tags.list():
                handle.tags.update(tag, pinned)
            else:
                handle.tags.create(tag, pinned)
        return pinned

    def unpin(self, table: Table, tag: str) -> None:
        """Drop a tag; unknown ones are ignored."""
        if not self.exists(table):
            return
        with self._write_lock:
            handle = self._open(table)
            if tag in handle.tags.list():
                handle.tags.delete(tag)

    def pins(self, table: Table) -> dict[str, int]:
        """The tags of a table and the version that each keeps."""
        handle = self._find(table)
        tags = {} if handle is None else handle.tags.list()
        return {name: int(tag["version"]) for name, tag in tags.items()}

    def compact(self, tables: Iterable[Table], keep: timedelta = GRACE) -> None:
        """Merge small files, and remove versions that nobody can need.

        Needed are tagged versions, and every one that was the newest within the time `keep`,
        however long ago it was written; with a `keep` of zero, nobody may be reading. LanceDB
        refuses to remove anything once a tagged version is old enough to go, so what is removed
        ends at the oldest tagged version.
        """
        for table in tables:
            if not self.exists(table):
                continue
            with self._write_lock:
                handle = self._open(table)
                handle.optimize(cleanup_older_than=_age_of_the_oldest_needed(handle, keep))

    @cached_property
    def _database(self) -> Any:
        import lancedb  # noqa: PLC0415 - two seconds that a step without tables should not pay

        return lancedb.connect(self.uri)

    def _open(self, table: Table) -> Any:
        return self._database.open_table(table.name)

    def _find(self, table: Table) -> Any:
        """The newest version's handle, or None where the table was never written."""
        if "://" not in self.uri and not _is_folder(Path(self.uri)):
            return None
        try:
            return self._open(table)
        except ValueError as error:
            # Also of the empty folder that a process leaves which is killed in `create_table`.
            if "not found" not in str(error):
                raise
            return None

    def _create(self, table: Table) -> Any:
        handle = self._find(table)
        if handle is not None:
            return handle
        return self._database.create_table(table.name, schema=table.schema)

    @property
    def _write_lock(self) -> AbstractContextManager[Any]:
        # Object stores have no file locks; there the single writer is the deployment's duty.
        if "://" in self.uri:
            return nullcontext()
        _usable_folder(Path(self.uri))
        return FileLock(f"{self.uri}.lock")


def col(name: str) -> Any:
    """A column, for the filter expressions of `Lake.read`, `replace` and `delete`."""
    import lancedb.expr  # noqa: PLC0415 - as heavy as lancedb itself

    return lancedb.expr.col(name)


def _go_to(handle: Any, table: Table, version: int) -> None:
    try:
        handle.checkout(version)
    except ValueError as error:
        raise VersionGone(
            f"Version {version} of the table {table.name} is no longer kept: "
            "use the current release, or run a refresh."
        ) from error


def _age_of_the_oldest_needed(handle: Any, keep: timedelta) -> timedelta:
    versions = handle.list_versions()
    now = datetime.now(versions[0]["timestamp"].tzinfo)
    ages: dict[int, timedelta] = {one["version"]: now - one["timestamp"] for one in versions}
    needed = [ages[tag["version"]] for tag in handle.tags.list().values()]
    # The newest of those written before that time was the one in use when it began.
    before = [age for age in ages.values() if age >= keep]
    if before and keep:
        needed.append(min(before))
    return max([keep, *(age + _MARGIN for age in needed)])


def _usable_folder(folder: Path) -> None:
    if _is_folder(folder):
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"The data location {folder} cannot be written ({error.strerror}): "
            "choose another with --data or MUON_DATA."
        ) from error


def _is_folder(folder: Path) -> bool:
    """Whether a folder is there; raises UsageError where one cannot be."""
    place = folder
    try:
        while not place.exists():
            place = place.parent
        if place.is_dir():
            return place == folder
        why: str | None = f"{place} is a file"
    except OSError as error:
        why = error.strerror
    raise UsageError(
        f"The data location {folder} cannot be used ({why}): "
        "choose another with --data or MUON_DATA."
    )


def _arrow(table: Table, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    keys = Counter(tuple(row[name] for name in table.key) for row in rows)
    # LanceDB refuses these only where the key is there already, and else inserts both.
    doubled = next((key for key, count in keys.items() if count > 1), None)
    if doubled is not None:
        raise ValueError(f"{table.name}: two rows of one write have the key {doubled}")
    return pa.Table.from_pylist([dict(row) for row in rows], schema=table.schema)


def _all_written(table: Table, result: Any, expected: int) -> None:
    written = result.num_inserted_rows + result.num_updated_rows
    if written != expected:
        raise MuonEvidenceError(
            f"Table {table.name}: {expected} rows were merged but {written} arrived; "
            "the store is damaged or another program is writing to it: run again."
        )
