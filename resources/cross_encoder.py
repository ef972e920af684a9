"""A network that reads two texts together: what reranking and the entailment check share.

Pairs come encoded by a `tokenizers.Tokenizer`; here they are put into batches of like lengths,
padded, and run.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tokenizers import Encoding

Feed = dict[str, NDArray[np.int64]]
"""Rows of whole numbers by the name of the input, each of shape (pairs, wordpieces)."""

BATCH = 8  # on a CPU larger batches only add padding


@dataclass(frozen=True)
class PairNetwork:
    """A network by its inputs' names, how it is run, and the wordpiece it is padded with.

    `run` takes a feed and gives one row of raw outputs (logits) for each of its rows.
    """

    inputs: tuple[str, ...]
    run: Callable[[Feed], NDArray[np.float32]]
    padding: int = 0

    def outputs(self, pairs: Sequence["Encoding"]) -> NDArray[np.float32]:
        """Raw outputs for encoded pairs, float32 of shape (n, outputs), in the order given."""
        if not pairs:
            return np.empty((0, 1), dtype=np.float32)
        order = sorted(range(len(pairs)), key=lambda i: len(pairs[i].ids))
        blocks = [
            self._block([pairs[i] for i in order[start : start + BATCH]])
            for start in range(0, len(order), BATCH)
        ]
        sorted_rows = np.concatenate(blocks)
        rows = np.empty_like(sorted_rows)
        rows[order] = sorted_rows
        return rows

    def _block(self, pairs: Sequence["Encoding"]) -> NDArray[np.float32]:
        width = max(len(pair.ids) for pair in pairs)
        feed = {name: np.zeros((len(pairs), width), dtype=np.int64) for name in self.inputs}
        if "input_ids" in feed:
            feed["input_ids"][:] = self.padding
        for line, pair in enumerate(pairs):
            columns = {
                "input_ids": pair.ids,
                "attention_mask": pair.attention_mask,
                "token_type_ids": pair.type_ids,
            }
            for name in self.inputs:
                feed[name][line, : len(pair.ids)] = columns[name]
        return np.asarray(self.run(feed), dtype=np.float32).reshape(len(pairs), -1)


def onnx_export(folder: Path) -> Path | None:
    """The ONNX export of a folder (any depth, first by name) that has its tokenizer, or None."""
    exports = sorted(folder.rglob("*.onnx"))
    return exports[0] if exports and (folder / "tokenizer.json").is_file() else None


def onnx_network(model: Path, padding: int = 0) -> PairNetwork:
    """An exported network; its first output is what counts."""
    import onnxruntime  # noqa: PLC0415 - only where a cross-encoder is configured

    session = onnxruntime.InferenceSession(
        str(model), providers=onnxruntime.get_available_providers()
    )

    def run(feed: Feed) -> NDArray[np.float32]:
        first: NDArray[np.float32] = session.run(None, feed)[0]
        return first

    return PairNetwork(tuple(entry.name for entry in session.get_inputs()), run, padding)
