"""A cross-encoder: scores a question and a passage together, more exactly and far more slowly.

Two kinds of folder are understood: a sentence-transformers CrossEncoder, and an ONNX export
(`*.onnx` beside a `tokenizer.json`), which needs no deep-learning framework.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from resources.encoder import model_folder
from resources.encoder_export import quiet_loading
from resources.errors import UsageError

_WINDOW = 512  # wordpieces of question and passage together
_BATCH = 8


class Reranker(Protocol):
    """A model that scores how well a passage answers a question."""

    @property
    def id(self) -> str:
        """Name of the model."""

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Scores of passages for one question, float32 of shape (n,); higher is better."""


def open_reranker(name_or_folder: str) -> Reranker | None:
    """The cross-encoder of a name or folder, or None for an empty name.

    Raises UsageError where there is no such model on this machine, or it cannot be loaded.
    """
    if not name_or_folder.strip():
        return None
    folder = model_folder(name_or_folder)
    exports = sorted(folder.rglob("*.onnx"))
    try:
        if exports and (folder / "tokenizer.json").is_file():
            return OnnxReranker(exports[0], folder)
        return CrossEncoderReranker(folder)
    except Exception as problem:
        raise UsageError(
            f"The reranker {name_or_folder} cannot be loaded ({type(problem).__name__}): "
            "name a CrossEncoder or ONNX folder in MUON_RERANKER, or leave it empty."
        ) from problem


class OnnxReranker:
    """A cross-encoder exported to ONNX; implements `Reranker`."""

    def __init__(self, model: Path, folder: Path) -> None:
        import onnxruntime  # noqa: PLC0415 - only where a reranker is configured
        from tokenizers import Tokenizer  # noqa: PLC0415

        self._session = onnxruntime.InferenceSession(
            str(model), providers=onnxruntime.get_available_providers()
        )
        self._inputs = [entry.name for entry in self._session.get_inputs()]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        # A long question never crowds out the passage, and a cut falls on the passage's tail.
        self._tokenizer.enable_truncation(_WINDOW, strategy="only_second")
        self.id = folder.name

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Scores of passages for one question, float32 of shape (n,); higher is better."""
        short = query[: 2 * _WINDOW]
        pairs = self._tokenizer.encode_batch([(short, text) for text in texts])
        by_length = sorted(range(len(pairs)), key=lambda i: len(pairs[i].ids))
        scores = np.empty(len(pairs), dtype=np.float32)
        for start in range(0, len(pairs), _BATCH):
            rows = by_length[start : start + _BATCH]
            width = len(pairs[rows[-1]].ids)
            feed = {name: np.zeros((len(rows), width), dtype=np.int64) for name in self._inputs}
            for line, row in enumerate(rows):
                pair = pairs[row]
                columns = {
                    "input_ids": pair.ids,
                    "attention_mask": pair.attention_mask,
                    "token_type_ids": pair.type_ids,
                }
                for name in self._inputs:
                    feed[name][line, : len(pair.ids)] = columns[name]
            logits = np.asarray(self._session.run(None, feed)[0])
            scores[rows] = logits.reshape(len(rows), -1)[:, -1]
        return scores


class CrossEncoderReranker:
    """A sentence-transformers CrossEncoder; implements `Reranker`."""

    def __init__(self, folder: Path) -> None:
        from sentence_transformers import CrossEncoder  # noqa: PLC0415 - imports torch

        quiet_loading()
        self._model = CrossEncoder(str(folder), local_files_only=True)
        self.id = folder.name

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Scores of passages for one question, float32 of shape (n,); higher is better."""
        if not texts:
            return np.empty(0, dtype=np.float32)
        scores = self._model.predict([(query, text) for text in texts], batch_size=_BATCH)
        return np.asarray(scores, dtype=np.float32).reshape(len(texts), -1)[:, -1]
