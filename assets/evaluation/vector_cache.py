"""Vectors of texts outside the corpus, kept so that the next audit embeds only what is new."""

from collections.abc import Callable, Sequence

import numpy as np

from assets.increment import in_batches
from assets.parsing.records import text_sha
from assets.tables import vectors
from resources.encoder import Encoder, Vectors
from resources.lake import Lake, col

#: Texts embedded between two commits: some ten seconds of work on two cores.
BATCH = 192

Report = Callable[[int, int], None]


def cached_vectors(
    lake: Lake, encoder: Encoder, texts: Sequence[str], report: Report, *, queries: bool = False
) -> Vectors:
    """One vector a text, float32 of shape (n, d), in the order of `texts`.

    `queries` are embedded as such, for encoders that tell them from passages. Those that `lake`
    holds for this encoder are looked up; the others are made in batches that are committed as
    they finish. `report` is told how many of the missing ones are made.
    """
    table = vectors(encoder.dimension)
    encode = encoder.encode_queries if queries else encoder.encode
    shas = [text_sha(f"query: {text}" if queries else text) for text in texts]
    rows = lake.read(table, ["text_sha", "vector"], where=col("encoder") == encoder.id)
    known = dict(zip(rows["text_sha"].to_pylist(), rows["vector"].to_pylist(), strict=True))
    missing = {sha: text for sha, text in zip(shas, texts, strict=True) if sha not in known}
    report(0, len(missing))
    made = 0
    for batch in in_batches(list(missing), BATCH):
        fresh = encode([missing[sha] for sha in batch]).astype(np.float32).tolist()
        lake.merge(
            table,
            [
                {"text_sha": sha, "encoder": encoder.id, "vector": vector}
                for sha, vector in zip(batch, fresh, strict=True)
            ],
        )
        known.update(zip(batch, fresh, strict=True))
        made += len(batch)
        report(made, len(missing))
    return np.array([known[sha] for sha in shas], dtype=np.float32).reshape(-1, encoder.dimension)
