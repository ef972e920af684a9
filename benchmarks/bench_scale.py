"""What searching costs as the corpus grows, beside the bare libraries in the same run.

    python -m benchmarks.bench_scale [--sizes 6000 100000 1000000] [--queries 100]

The corpora are made up: texts of Zipf-distributed words and random vectors in clusters
(`benchmarks.synthetic`), so the figures speak of time, memory and recall, not of relevance. Each
size is built and released by the product's own functions in one process, and opened and searched
in another, whose memory is given. A question's vector is drawn, not embedded; what embedding one
takes is measured apart, with the packaged encoder, and is part of both sides of the last figure.
A million passages take some twenty minutes and 10 GB of memory on two cores.
"""

import argparse
import logging
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import bm25s
import numpy as np

from assets.retrieval.building import build_sparse
from assets.retrieval.nearest import EXACT_UP_TO, approximate, exact_nearest, recall_of
from assets.retrieval.reader import open_searcher
from assets.retrieval.records import Mode
from assets.retrieval.release import Release, publish, require_current
from assets.tables import PACKAGED_DIMENSION, dense_index
from benchmarks.synthetic import Clusters, questions, texts
from pipelines.parts import cache_folder
from resources.encoder import Vectors, open_encoder
from resources.files import Files
from resources.lake import MERGE_ROWS, Lake, Row

T = TypeVar("T")

PASSAGES_A_PAPER = 73  # the mean of a corpus of real papers
PASSAGES_A_SECTION = 5
SIZES = (6_000, 100_000, 1_000_000)
TOP = 10

#: How LanceDB is searched alone: lists read, and how many times TOP are fetched from disk.
BARE_LISTS = 20
BARE_REFINE = 10


class DrawnVectors:
    """An encoder that embeds nothing: each question has the vector that was drawn for it."""

    id = "drawn@1"
    dimension = PACKAGED_DIMENSION
    window = 256
    runtime = "none"

    def __init__(self, asked: Sequence[str], vectors: Vectors) -> None:
        self._vectors = dict(zip(asked, vectors, strict=True))

    def count_tokens(self, text: str) -> int:
        """Words."""
        return len(text.split())

    def encode(self, texts: Sequence[str], batch: int = 8) -> Vectors:
        """The vectors drawn for these texts."""
        del batch
        return np.stack([self._vectors[text] for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """The same."""
        return self.encode(texts)


def main() -> None:
    """Print a table a size."""
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    parser.add_argument("--stage", choices=["build", "search"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stage == "build":
        build(Path(options.data), options.sizes[0])
    elif options.stage == "search":
        search(Path(options.data), options.sizes[0], options.queries)
    else:
        print("made-up corpora: Zipf words, clustered random vectors\n", flush=True)
        for size in options.sizes:
            one_size(size, options.queries)


def one_size(size: int, queries: int) -> None:
    """Build and search one corpus, each in a process of its own."""
    with tempfile.TemporaryDirectory() as data:
        for stage in ("build", "search"):
            subprocess.run(  # noqa: S603 - this module itself
                [
                    *[sys.executable, "-m", "benchmarks.bench_scale", "--stage", stage],
                    *["--data", data, "--sizes", str(size), "--queries", str(queries)],
                ],
                check=True,
            )


def build(data: Path, size: int) -> None:
    """Write, index and release a corpus; print what that took."""
    print(f"{size:,} passages", flush=True)
    lake, files = Lake(str(data / "lake")), Files(str(data))
    table = dense_index()
    clusters = Clusters(size, PACKAGED_DIMENSION)
    seconds, _ = timed(lambda: write_rows(lake, size, clusters))
    print(f"  dense rows written   {seconds:8.1f} s {megabytes(data / 'lake'):10,.0f} MB on disk")
    # Below the size where search is approximate the index is made for comparison alone.
    seconds, nearest = timed(
        lambda: approximate(
            lake, files, table, PACKAGED_DIMENSION, exact_up_to=min(EXACT_UP_TO, size - 1)
        )
    )
    told = (
        "no number of lists finds enough"
        if nearest is None
        else (
            f"{nearest.lists} lists, {nearest.fetched} fetched: recall@10 {nearest.recall:.3f} on "
            f"{nearest.sample} sample queries"
        )
    )
    print(f"  IVF_PQ and its recall{seconds:8.1f} s {megabytes(data / 'lake'):10,.0f} MB; {told}")
    chunks = [
        {"chunk_id": chunk_id(row), "passage_sha": "", "title": "", "section": [], "text": text}
        for row, text in enumerate(texts(size))
    ]
    seconds, (folder, _) = timed(lambda: build_sparse(files, chunks, {}, "bench", rebuild=False))
    print(f"  sparse index built   {seconds:8.1f} s {megabytes(data / folder):10,.0f} MB on disk")
    release = Release(
        release_id="bench",
        created=datetime.now(UTC).isoformat(),
        content="bench",
        versions={},
        sparse_index=folder,
        encoder=DrawnVectors.id,
        dimension=PACKAGED_DIMENSION,
        tokenizer="bench",
        density_variant="robust",
        counts={"papers": size // PASSAGES_A_PAPER + 1, "chunks": size},
        nearest={} if nearest is None or size <= EXACT_UP_TO else vars_of(nearest),
    )
    publish(lake, files, release, [table])


def search(data: Path, size: int, n: int) -> None:
    """Open the release and time its searches beside the bare libraries; print the table."""
    lake, files = Lake(str(data / "lake")), Files(str(data))
    asked = questions(n)
    vectors = Clusters(size, PACKAGED_DIMENSION).draw(n, seed=11)
    encoder = DrawnVectors(asked, vectors)
    release = require_current(files)
    release = Release(
        **{**vars_of(release), "versions": {"factual_density": 0, **release.versions}}
    )
    before = resident()
    seconds, searcher = timed(lambda: open_searcher(lake, files, release, encoder))
    searcher.search(asked[0], Mode.HYBRID, TOP)
    how = f"approximate, {release.nearest['lists']} lists" if release.nearest else "exact"
    print(
        f"  opened               {seconds:8.1f} s {resident() - before:10,.0f} MB in memory "
        f"(at most {peak() - before:,.0f}); dense search is {how}"
    )
    table = dense_index()
    handle = lake.at(table, release.versions[table.name])
    bm25 = bm25s.BM25.load(data / release.sparse_index, mmap=True)
    terms = [searcher.index.sparse.tokenizer.terms(question) for question in asked]
    matrix = searcher.index.vectors
    packaged = open_encoder("", cache_folder())
    took = in_turn(
        {
            "bm25s alone": lambda i: bm25.retrieve([terms[i]], k=TOP, show_progress=False),
            "numpy product alone": lambda i: np.argpartition(matrix @ vectors[i], -TOP)[-TOP:],
            "LanceDB IVF_PQ alone": lambda i: ann(handle, vectors[i]),
            "search sparse": lambda i: searcher.search(asked[i], Mode.SPARSE, TOP),
            "search dense": lambda i: searcher.search(asked[i], Mode.DENSE, TOP),
            "search hybrid": lambda i: searcher.search(asked[i], Mode.HYBRID, TOP),
            "embedding a question": lambda i: packaged.encode_queries([asked[i]]),
        },
        n,
    )
    # A scan of the whole table from disk, so few of them.
    took |= in_turn({"LanceDB flat alone": lambda i: flat(handle, vectors[i])}, min(n, 10))
    exact = exact_nearest(matrix, vectors, TOP)
    places = searcher.index.row_of
    by_index = [np.array([places[one] for one in ann(handle, vector)]) for vector in vectors]
    by_search = [
        np.array([places[hit.chunk_id] for hit in searcher.search(one, Mode.DENSE, TOP)])
        for one in asked
    ]
    recalls = {
        "LanceDB IVF_PQ alone": recall_of(by_index, exact),
        "search dense": recall_of(by_search, exact),
    }
    for name, one in took.items():
        row(name, one, recalls.get(name))
    told_against(
        {name: one.wall for name, one in took.items()},
        "LanceDB IVF_PQ alone" if release.nearest else "numpy product alone",
    )


def told_against(took: Mapping[str, Sequence[float]], dense: str) -> None:
    """How much more a hybrid search costs than the two bare searches that it needs."""
    bare = median(took["bm25s alone"]) + median(took[dense])
    hybrid, embedding = median(took["search hybrid"]), median(took["embedding a question"])
    whole = (hybrid + embedding) / (bare + embedding)
    print(
        f"  hybrid against bm25s and the {dense.removesuffix(' alone')}: {hybrid / bare:.2f} "
        f"times, {hybrid - bare:.1f} ms more; with embedding the question on both sides: "
        f"{whole:.2f} times\n",
        flush=True,
    )


def write_rows(lake: Lake, size: int, clusters: Clusters) -> None:
    """The dense index's rows, in merges of the product's size."""
    words = texts(size)
    for start in range(0, size, MERGE_ROWS):
        vectors = clusters.draw(min(MERGE_ROWS, size - start), seed=100 + start)
        lake.merge(dense_index(), list(index_rows(start, islice(words, len(vectors)), vectors)))


def index_rows(start: int, words: Iterator[str], vectors: Vectors) -> Iterator[Row]:
    """Rows as the dense index holds them, some passages a section and a paper."""
    for place, (text, vector) in enumerate(zip(words, vectors, strict=True), start):
        paper, ordinal = divmod(place, PASSAGES_A_PAPER)
        yield {
            "chunk_id": chunk_id(place),
            "paper_id": f"paper-{paper:06}",
            "ordinal": ordinal,
            "title": f"Paper {paper}",
            "section": [str(ordinal // PASSAGES_A_SECTION)],
            "kind": "paragraph",
            "page_start": 1 + ordinal // 5,
            "page_end": 1 + ordinal // 5,
            "text": text,
            "link": "",
            "year": 2000 + paper % 25,
            "categories": ["hep-ex"],
            "tier": "preprint",
            "encoder": DrawnVectors.id,
            "vector": vector.tolist(),
            "fingerprint": "",
        }


def chunk_id(place: int) -> str:
    """The id of a passage."""
    return f"c{place:07}"


def flat(handle: Any, query: Vectors) -> list[str]:
    """LanceDB's exact search."""
    found = handle.search(query, vector_column_name="vector").bypass_vector_index()
    return ids_of(found.distance_type("cosine"))


def ann(handle: Any, query: Vectors) -> list[str]:
    """LanceDB's search of its index."""
    found = handle.search(query, vector_column_name="vector").distance_type("cosine")
    return ids_of(found.nprobes(BARE_LISTS).refine_factor(BARE_REFINE))


def ids_of(query: Any) -> list[str]:
    """Ids of the first hits."""
    ids: list[str] = (
        query.limit(TOP).select(["chunk_id", "_distance"]).to_arrow()["chunk_id"].to_pylist()
    )
    return ids


@dataclass(frozen=True, slots=True)
class Took:
    """Milliseconds of some calls: on the clock, and of the processor, which is what they cost
    where other programs are at work too."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)


def in_turn(calls: Mapping[str, Callable[[int], object]], n: int) -> dict[str, Took]:
    """What `n` calls of each took, one after the other in turn.

    What else the machine does meanwhile then falls on all of them alike.
    """
    took = {name: Took() for name in calls}
    for i in range(-1, n):
        for name, call in calls.items():
            before = time.process_time()
            seconds, _ = timed(partial(call, max(i, 0)))
            if i >= 0:  # the first round warms up
                took[name].wall.append(1000 * seconds)
                took[name].processor.append(1000 * (time.process_time() - before))
    return took


def row(name: str, took: Took, recall: float | None = None) -> None:
    """A line of the table."""
    told = "" if recall is None else f"   recall@10 {recall:.3f}"
    p50, p95 = np.percentile(took.wall, [50, 95])
    processor = median(took.processor)
    print(
        f"  {name:<22} p50 {p50:8.2f} ms   p95 {p95:8.2f} ms   processor {processor:8.2f} ms{told}",
        flush=True,
    )


def median(took: Sequence[float]) -> float:
    """The median."""
    return float(np.median(took))


def timed(call: Callable[[], T]) -> tuple[float, T]:
    """Seconds that a call took, and what it returned."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def resident() -> float:
    """Megabytes of memory that this process has now (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def peak() -> float:
    """Megabytes that it had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def megabytes(folder: Path) -> float:
    """Size of all files under a folder."""
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file()) / 1e6


def vars_of(record: Any) -> dict[str, Any]:
    """A record's fields by name."""
    return {name: getattr(record, name) for name in record.__slots__}


if __name__ == "__main__":
    main()
