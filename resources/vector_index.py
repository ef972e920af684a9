"""An approximate index of a table's vectors: LanceDB's inverted lists with product quantisation.

Vectors are put into lists by their nearest of many centres, and held in a sixteenth or less of
their size (IVF_PQ; Jégou, Douze and Schmid, IEEE TPAMI 33, 2011). A search reads some lists and
may miss what lies in another; how much it misses is for the caller to measure.
"""

from dataclasses import dataclass
from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from resources.lake import Lake, Table

COLUMN = "vector"

#: Components of a vector that share one byte of its compressed form.
COMPONENTS_A_BYTE = 8

# Training is most of a build and gains nothing past this: recall on 100,000 vectors was the same
# with five times the rounds and four times the samples, at seventeen times the seconds.
_ROUNDS = 10
_SAMPLES_A_CENTRE = 64

#: Longer than any version of a table has been kept.
_FOR_EVER = timedelta(days=36_500)


@dataclass(frozen=True, slots=True)
class IndexState:
    """Rows that an index knows, and rows of the table that it does not know yet."""

    indexed: int
    unindexed: int


def build_vector_index(lake: Lake, table: Table, dimension: int) -> None:
    """Index all vectors of a table's newest version anew; readers of older ones keep theirs."""
    from lancedb.index import IvfPq  # noqa: PLC0415 - as heavy as lancedb itself

    config = IvfPq(
        distance_type="cosine",
        num_sub_vectors=max(1, dimension // COMPONENTS_A_BYTE),
        max_iterations=_ROUNDS,
        sample_rate=_SAMPLES_A_CENTRE,
    )
    with lake.writing(table) as handle:
        handle.create_index(COLUMN, config=config, replace=True)


def index_new_rows(lake: Lake, table: Table) -> None:
    """Add the rows to an index that it does not know yet, without training it again."""
    with lake.writing(table) as handle:
        handle.optimize(cleanup_older_than=_FOR_EVER)


def index_state(lake: Lake, table: Table, version: int) -> IndexState | None:
    """What the index of a table's version holds; None where there is no index.

    Building an index of too few rows succeeds with nothing in it, so this is asked for always.
    """
    handle = lake.at(table, version)
    if not any(COLUMN in one.columns for one in handle.list_indices()):
        return None
    stats = handle.index_stats(f"{COLUMN}_idx")
    return IndexState(int(stats.num_indexed_rows), int(stats.num_unindexed_rows))


class NearestRows:
    """Searches the index of one version of a table.

    `addresses` are LanceDB's addresses of the caller's rows, in the caller's order, as
    `Lake.read(…, addresses=True)` gives them. One may serve many threads.
    """

    def __init__(
        self,
        lake: Lake,
        table: Table,
        version: int,
        addresses: NDArray[np.uint64],
        lists: int,
    ) -> None:
        self._handle = lake.at(table, version)
        self._places = np.argsort(addresses)
        self._sorted = addresses[self._places]
        self._lists = lists

    def __call__(self, query: NDArray[np.float32], most: int) -> NDArray[np.int64]:
        """Rows of about the `most` nearest vectors by cosine, nearest first; int64."""
        found = (
            self._handle.search(query, vector_column_name=COLUMN)
            .distance_type("cosine")
            .nprobes(self._lists)
            .limit(most)
            .with_row_id(True)
            .select(["_rowid", "_distance"])
            .to_arrow()
        )
        addresses = found["_rowid"].to_numpy()
        rows: NDArray[np.int64] = self._places[np.searchsorted(self._sorted, addresses)]
        return rows
