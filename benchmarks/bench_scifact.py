"""Measures retrieval on SciFact (BEIR), a set on which nothing here was chosen.

    python -m benchmarks.bench_scifact [--folder DIR] [--split test|train]

The same code as for papers searches 5,183 abstracts for the evidence of claims: nDCG@10, with the
field's tokenizer and with plain words. `fusion` is the share of the cosine in the default mode.
Published: BM25 .665 to .679, all-MiniLM-L6-v2 about .645. Vectors are kept in this machine's
cache; the first run makes them (about 4 minutes on two cores).
"""

import argparse
import csv
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import numpy as np

from assets.evaluation.metrics import ndcg, recall
from assets.evaluation.significance import paired_difference
from assets.evaluation.vector_cache import cached_vectors
from assets.parsing.records import passage_text
from assets.retrieval.dense import cosines
from assets.retrieval.fusion import standardised
from assets.retrieval.ranking import Scores, id_order, top_rows
from assets.retrieval.records import Mode, Passage
from assets.retrieval.search import Searcher, SearchIndex, SearchSettings
from assets.retrieval.sparse import K1, B, SparseIndex
from benchmarks.shared import only_figures, shared_folder
from benchmarks.textbook import PlainBm25
from pipelines.parts import cache_folder
from resources.encoder import Encoder, Vectors, open_encoder
from resources.lake import Lake

_CUT = 10
_DEPTH = 100
_SHARES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True)
class SciFact:
    """Abstracts as passages of one paper each, claims, and which abstracts bear on a claim."""

    passages: list[Passage]
    claims: dict[str, str]
    relevant: dict[str, dict[str, int]]

    @property
    def texts(self) -> list[str]:
        """Title and text of each abstract, as a release indexes them."""
        return [passage_text(one.title, one.section, one.text) for one in self.passages]


def read_scifact(folder: Path, split: str = "test") -> SciFact:
    """The set as BEIR publishes it: corpus.jsonl, queries.jsonl, qrels/<split>.tsv."""
    passages = [
        Passage(
            chunk_id=row["_id"],
            paper_id=row["_id"],
            ordinal=0,
            title=row["title"],
            section=(),
            kind="abstract",
            page_start=1,
            page_end=1,
            text=row["text"],
        )
        for row in map(json.loads, _lines(folder / "corpus.jsonl"))
    ]
    relevant: dict[str, dict[str, int]] = {}
    with (folder / "qrels" / f"{split}.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if int(row["score"]) > 0:
                relevant.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
    texts = {row["_id"]: row["text"] for row in map(json.loads, _lines(folder / "queries.jsonl"))}
    return SciFact(passages, {claim: texts[claim] for claim in relevant}, relevant)


class KnownQueries:
    """An encoder that looks its questions' vectors up; implements `Encoder` for a `Searcher`."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._known: dict[str, Vectors] = {}
        self.id = encoder.id
        self.dimension = encoder.dimension
        self.window = encoder.window
        self.runtime = encoder.runtime

    def count_tokens(self, text: str) -> int:
        """As the encoder does."""
        return self._encoder.count_tokens(text)

    def encode(self, texts: Sequence[str], batch: int = 8) -> Vectors:
        """As the encoder does."""
        return self._encoder.encode(texts, batch)

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """As the encoder does, each text once."""
        for text in texts:
            if text not in self._known:
                self._known[text] = self._encoder.encode_queries([text])[0]
        return np.array([self._known[text] for text in texts], dtype=np.float32)


def figures(
    data: SciFact, ranking: Callable[[str], Sequence[str]]
) -> tuple[list[float], list[float]]:
    """nDCG@10 and recall@100 of every claim."""
    found = {claim: list(ranking(text)) for claim, text in data.claims.items()}
    return (
        [ndcg(found[claim], data.relevant[claim], _CUT) for claim in found],
        [recall(found[claim], data.relevant[claim], _DEPTH) for claim in found],
    )


def main() -> int:
    """The command line."""
    only_figures()
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--folder", type=Path, help="the SciFact folder; default: the shared one")
    options.add_argument("--split", choices=("test", "train"), default="test")
    options.add_argument("--encoder", default="", help="another encoder than the packaged one")
    chosen = options.parse_args()
    shared = shared_folder()
    folder = chosen.folder or (shared / "fixtures" / "scifact" if shared else None)
    if folder is None:
        print("no SciFact here: name its folder with --folder, or set MUON_SHARED")
        return 2
    data = read_scifact(folder, chosen.split)
    encoder = KnownQueries(open_encoder(chosen.encoder, cache_folder()))
    vectors = cached_vectors(Lake(str(cache_folder() / "benchmarks")), encoder, data.texts, _report)
    ids = [one.chunk_id for one in data.passages]
    order = id_order(ids)
    index = SearchIndex(data.passages, vectors, SparseIndex.build(ids, data.texts), encoder.id)
    plain = PlainBm25(data.texts, K1, B)

    def by_mode(mode: Mode, settings: SearchSettings) -> Callable[[str], Sequence[str]]:
        searcher = Searcher(index, encoder, settings)
        return lambda claim: [hit.chunk_id for hit in searcher.search(claim, mode, _DEPTH)]

    default = SearchSettings()

    def fused(claim: str) -> Scores:
        cosine = standardised(cosines(vectors, encoder.encode_queries([claim])[0]))
        share = default.dense_share
        scores: Scores = share * cosine + (1 - share) * standardised(plain.scores(claim))
        return scores

    rows = {
        "hybrid (default)": by_mode(Mode.HYBRID, default),
        "BM25, field tokenizer": by_mode(Mode.SPARSE, default),
        "BM25, plain words": lambda claim: [
            ids[row] for row in top_rows(plain.scores(claim), _DEPTH, order, above=0.0)
        ],
        "cosine": by_mode(Mode.DENSE, default),
        "paper": by_mode(Mode.PAPER, default),
        "fusion, plain words": lambda claim: [
            ids[row] for row in top_rows(fused(claim), _DEPTH, order)
        ],
    }
    for share in _SHARES:
        rows[f"hybrid, fusion {share:.1f}"] = by_mode(
            Mode.HYBRID, replace(default, dense_share=share)
        )
    print(
        f"SciFact {chosen.split}: {len(data.claims)} claims, {len(ids):,} abstracts, "
        f"encoder {encoder.id} on {encoder.runtime}\n"
    )
    print(f"{'':24}   nDCG@10   recall@100   default's nDCG@10 above it")
    best: list[float] = []
    for name, ranking in rows.items():
        gains, found = figures(data, ranking)
        best = best or gains
        above = paired_difference(best, gains)
        print(
            f"{name:24}{fmean(gains):10.3f}{fmean(found):13.3f}"
            f"   {above.mean:+.3f} [{above.low:+.3f}, {above.high:+.3f}]"
        )
    return 0


def _lines(path: Path) -> list[str]:
    # Not splitlines: an abstract may hold one of the separators that it also cuts at.
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line]


def _report(done: int, total: int) -> None:
    if total:
        print(f"\rembedded {done:,} of {total:,}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
