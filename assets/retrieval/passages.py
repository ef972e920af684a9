"""The passages of a release as the columns of one Arrow table, each a `Passage` when asked for.

A search looks at a handful of passages and asks the rest only for their ids and for what a filter
names: columns answer that at once, and a hundred thousand objects need not be made to open a
release.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assets.retrieval.records import Passage
from resources.blocks import BlockKind

_strings = pa.list_(pa.string())

#: What a release holds of every passage; a year of 0 is not known.
COLUMNS = pa.schema(
    [
        ("chunk_id", pa.string()),
        ("paper_id", pa.string()),
        ("ordinal", pa.int32()),
        ("title", pa.string()),
        ("section", _strings),
        ("kind", pa.string()),
        ("page_start", pa.int32()),
        ("page_end", pa.int32()),
        ("text", pa.large_string()),  # that of a million passages passes two gigabytes
        ("link", pa.string()),
        ("year", pa.int32()),
        ("categories", _strings),
        ("tier", pa.string()),
    ]
)

SECTION_SIGN = " > "
_BETWEEN_HEADINGS = "\x1f"  # stands in no heading

_CAPTION = BlockKind.CAPTION.value

_SLICE = 1000  # passages made at once where all are wanted


class StoredPassages(Sequence[Passage]):
    """The rows of a table with the columns of `COLUMNS`, as passages in the same order."""

    def __init__(self, rows: pa.Table) -> None:
        self.rows = rows.select(COLUMNS.names).cast(COLUMNS).combine_chunks()

    @classmethod
    def of(cls, passages: Sequence[Passage]) -> "StoredPassages":
        """Passages that are objects already, as columns."""
        if isinstance(passages, cls):
            return passages
        rows = [{**asdict(one), "year": one.year or 0} for one in passages]
        return cls(pa.Table.from_pylist(rows, schema=COLUMNS))

    def __len__(self) -> int:
        return int(self.rows.num_rows)

    @overload
    def __getitem__(self, place: int) -> Passage: ...
    @overload
    def __getitem__(self, place: slice) -> list[Passage]: ...
    def __getitem__(self, place: int | slice) -> Passage | list[Passage]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(f"there are {len(self)} passages, none at {place}")
        row = int(place) % len(self)
        return _passage({name: column[row].as_py() for name, column in self._columns.items()})

    def __iter__(self) -> Iterator[Passage]:
        for start in range(0, len(self), _SLICE):
            for row in self.rows.slice(start, _SLICE).to_pylist():
                yield _passage(row)

    @cached_property
    def chunk_ids(self) -> list[str]:
        """Ids in the order of the passages."""
        ids: list[str] = self.rows["chunk_id"].to_pylist()
        return ids

    @cached_property
    def codes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """A number for the paper and one for the section of each passage, equal for equal ones."""
        papers = self._columns["paper_id"]
        sections = pc.binary_join(self._columns["section"], _BETWEEN_HEADINGS)
        both = pc.binary_join_element_wise(papers, sections, _BETWEEN_HEADINGS)
        return _codes(papers), _codes(both)

    @cached_property
    def section_lines(self) -> pa.Array:
        """Each section path as one line in lower case."""
        return pc.utf8_lower(pc.binary_join(self._columns["section"], SECTION_SIGN))

    @cached_property
    def _columns(self) -> dict[str, pa.Array]:
        empty = {field.name: pa.array([], field.type) for field in COLUMNS}
        if not len(self):
            return empty
        return {name: self.rows[name].chunk(0) for name in empty}


def chunk_ids_of(passages: Sequence[Passage]) -> list[str]:
    """Chunk ids in the order of the passages."""
    if isinstance(passages, StoredPassages):
        return passages.chunk_ids
    return [passage.chunk_id for passage in passages]


def rows_by_paper(passages: Sequence[Passage]) -> dict[str, list[int]]:
    """Rows of every paper's passages, in reading order."""
    if isinstance(passages, StoredPassages):
        papers = passages.rows["paper_id"].to_pylist()
        ordinals = passages.rows["ordinal"].to_pylist()
    else:
        papers = [passage.paper_id for passage in passages]
        ordinals = [passage.ordinal for passage in passages]
    rows: dict[str, list[int]] = {}
    for row, paper in enumerate(papers):
        rows.setdefault(paper, []).append(row)
    for own in rows.values():
        own.sort(key=ordinals.__getitem__)
    return rows


def surroundings(
    passages: Sequence[Passage], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A number for the paper and one for the section of some rows, equal for equal ones."""
    if isinstance(passages, StoredPassages):
        papers, sections = passages.codes
        return papers[rows], sections[rows]
    some = StoredPassages.of([passages[row] for row in rows.tolist()])
    return some.codes


def words_of(passages: Sequence[Passage]) -> NDArray[np.float32]:
    """Number of words of each passage; float32 of shape (n,)."""
    texts = (passage.text for passage in passages)
    if isinstance(passages, StoredPassages):
        texts = (text.as_py() for text in passages.rows["text"])
    return np.fromiter((len(text.split()) for text in texts), np.float32, len(passages))


def are_captions(passages: Sequence[Passage]) -> NDArray[np.bool_]:
    """Which passages are captions; bool of shape (n,)."""
    if isinstance(passages, StoredPassages):
        found: NDArray[np.bool_] = np.asarray(pc.equal(passages.rows["kind"], _CAPTION))
        return found
    return np.array([passage.kind == _CAPTION for passage in passages], dtype=np.bool_)


def _codes(values: pa.Array) -> NDArray[np.int64]:
    codes: NDArray[np.int64] = values.dictionary_encode().indices.to_numpy().astype(np.int64)
    return codes


def _passage(row: dict[str, Any]) -> Passage:
    return Passage(
        **{
            **row,
            "section": tuple(row["section"]),
            "categories": tuple(row["categories"]),
            "year": row["year"] or None,
        }
    )
