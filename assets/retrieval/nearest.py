"""When the dense index is searched approximately, how, and what that costs in recall.

Up to some hundred thousand passages one matrix product over all of them is as fast as any index
and loses nothing. Past that LanceDB's index names the passages to look at. How many lists it reads
is the least that finds what the exact search finds, measured whenever the vectors have changed;
where no number of lists finds enough, search stays exact.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets.retrieval.ranking import Rows
from resources.encoder import Vectors
from resources.files import Files
from resources.lake import ADDRESS, Lake, Table
from resources.vector_index import (
    NearestRows,
    build_vector_index,
    index_new_rows,
    index_state,
)

#: Passages up to which a search looks at all of them.
EXACT_UP_TO = 200_000

#: Passages that the index names for a query; each gets its exact cosine. For ten hits that is what
#: LanceDB calls a refine factor of 100, without reading the vectors from disk.
FETCHED = 1000

#: Lists read for a query: the first number whose recall is as wanted, else the best of them if
#: that is enough.
LISTS = (20, 50, 100, 200)
WANTED_RECALL = 0.98
LEAST_RECALL = 0.95

SAMPLE = 200  # queries that recall is measured on
RECALL_AT = 10

#: Share of passages that the index may not know: they are searched exactly beside it.
MOST_UNINDEXED = 0.02

FOLDER = "indexes/dense"


@dataclass(frozen=True, slots=True)
class Approximation:
    """How one version of a dense index is searched: lists read, passages fetched, and the recall
    of the ten nearest that this was measured to have on `sample` queries."""

    lists: int
    fetched: int
    recall: float
    sample: int
    indexed: int


def approximate(
    lake: Lake, files: Files, table: Table, dimension: int, exact_up_to: int = EXACT_UP_TO
) -> Approximation | None:
    """Index a table's newest version if it is large, and say how to search it; None: exactly.

    An index that knows nearly all rows is kept, one that lacks more is given them, and one whose
    recall has become too low is made anew.
    """
    rows = lake.count(table)
    if rows <= exact_up_to:
        return None
    state = index_state(lake, table, lake.version(table))
    made = state is None or state.indexed == 0
    if state is None or state.indexed == 0:
        build_vector_index(lake, table, dimension)
    elif state.unindexed > MOST_UNINDEXED * rows:
        index_new_rows(lake, table)
    found = measured(lake, files, table, lake.version(table), exact_up_to)
    if found is None and not made:
        build_vector_index(lake, table, dimension)
        found = measured(lake, files, table, lake.version(table), exact_up_to)
    return found


def measured(
    lake: Lake, files: Files, table: Table, version: int, exact_up_to: int = EXACT_UP_TO
) -> Approximation | None:
    """How to search a version of a table, by a measurement that is kept; None: exactly."""
    kept = f"{FOLDER}/{table.name}.json"
    if files.exists(kept):
        known = files.read_json(kept)
        if known["version"] == version:
            return approximation(known["search"])
    state = index_state(lake, table, version)
    found = None
    if state is not None and state.indexed > exact_up_to * (1 - MOST_UNINDEXED):
        rows = lake.read(table, ["chunk_id"], version=version, addresses=True)
        addresses = rows.sort_by("chunk_id")[ADDRESS].to_numpy()
        vectors = vectors_at(lake, table, version, addresses)
        near = {lists: NearestRows(lake, table, version, addresses, lists) for lists in LISTS}
        found = best_of(vectors, near, state.indexed)
    files.write_json(kept, {"version": version, "search": asdict(found) if found else {}})
    return found


def best_of(
    vectors: Vectors, near: Mapping[int, Callable[[Vectors, int], Rows]], indexed: int
) -> Approximation | None:
    """The cheapest search that finds enough; `near` maps numbers of lists to their search.

    A query is half-way between two passages: like a question, it is a passage's neighbour and
    none itself, which is harder than looking for a passage that is there.
    """
    queries = sample_queries(vectors, SAMPLE)
    wanted = exact_nearest(vectors, queries, RECALL_AT)
    best: Approximation | None = None
    for lists, search in near.items():
        found = [_first(vectors, search(query, FETCHED), query) for query in queries]
        recall = recall_of(found, wanted)
        if best is None or recall > best.recall:
            best = Approximation(lists, FETCHED, round(recall, 4), len(queries), indexed)
        if recall >= WANTED_RECALL:
            break
    return best if best is not None and best.recall >= LEAST_RECALL else None


def sample_queries(vectors: Vectors, n: int) -> Vectors:
    """`n` unit vectors, each half-way between two passages; the same for the same passages."""
    pairs = np.random.default_rng(0).integers(0, len(vectors), (2, n))
    sums = vectors[pairs[0]] + vectors[pairs[1]]
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    halfway: Vectors = sums / np.maximum(lengths, np.float32(1e-6))
    return halfway


def exact_nearest(vectors: Vectors, queries: Vectors, k: int) -> NDArray[np.int64]:
    """Rows of the `k` nearest vectors of each query, in no order; int64 of shape (queries, k)."""
    rows = np.empty((len(queries), k), dtype=np.int64)
    # A few queries at a time, so that the cosines of a million passages take little memory.
    for start in range(0, len(queries), 20):
        scores = queries[start : start + 20] @ vectors.T
        rows[start : start + 20] = np.argpartition(-scores, k, axis=1)[:, :k]
    return rows


def recall_of(found: list[Rows], wanted: NDArray[np.int64]) -> float:
    """Mean share of the wanted rows that were found."""
    shares = [
        len(set(rows.tolist()) & set(best.tolist())) / len(best)
        for rows, best in zip(found, wanted, strict=True)
    ]
    return float(np.mean(shares))


def approximation(search: Mapping[str, Any]) -> Approximation | None:
    """From a manifest; empty means that search is exact."""
    return Approximation(**search) if search else None


def vectors_at(lake: Lake, table: Table, version: int, addresses: NDArray[np.uint64]) -> Vectors:
    """The vectors of all rows of a version as one array, float32 of shape (n, d), in the order of
    the rows' addresses; read piece by piece, so that a million of them are in memory once."""
    places = np.argsort(addresses)
    in_order = addresses[places]
    dimension = table.schema.field("vector").type.list_size
    vectors = np.empty((len(addresses), dimension), dtype=np.float32)
    if len(addresses):
        for batch in lake.batches(table, ["vector"], version):
            rows = places[np.searchsorted(in_order, batch[ADDRESS].to_numpy())]
            flat = batch["vector"].flatten().to_numpy(zero_copy_only=False)
            vectors[rows] = flat.reshape(-1, dimension)
    return vectors


def _first(vectors: Vectors, rows: Rows, query: Vectors) -> Rows:
    """The nearest of the rows that were fetched."""
    order = np.argsort(-(vectors[rows] @ query), kind="stable")
    nearest: Rows = rows[order[:RECALL_AT]]
    return nearest
