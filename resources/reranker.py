"""A cross-encoder: scores a question and a passage together, more exactly and far more slowly.

Two kinds of folder are understood: a sentence-transformers CrossEncoder, and an ONNX export
(`*.onnx` beside a `tokenizer.json`), which needs no deep-learning framework.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from resources.cross_encoder import BATCH, onnx_export, onnx_network
from resources.encoder import model_folder
from resources.encoder_export import quiet_loading
from resources.errors import UsageError

_WINDOW = 512  # wordpieces of question and passage together


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
    try:
        export = onnx_export(folder)
        if export is not None:
            return OnnxReranker(export, folder)
        return CrossEncoderReranker(folder)
    except Exception as problem:
        raise UsageError(
            f"The reranker {name_or_folder} cannot be loaded ({type(problem).__name__}): "
            "name a CrossEncoder or ONNX folder in MUON_RERANKER, or leave it empty."
        ) from problem


class OnnxReranker:
    """A cross-encoder exported to ONNX; implements `Reranker`."""

    def __init__(self, model: Path, folder: Path) -> None:
        from tokenizers import Tokenizer  # noqa: PLC0415 - only where a reranker is configured

        self._network = onnx_network(model)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        # A long question never crowds out the passage, and a cut falls on the passage's tail.
        self._tokenizer.enable_truncation(_WINDOW, strategy="only_second")
        self.id = folder.name

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Scores of passages for one question, float32 of shape (n,); higher is better."""
        short = query[: 2 * _WINDOW]
        pairs = self._tokenizer.encode_batch([(short, text) for text in texts])
        return self._network.outputs(pairs)[:, -1]


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
        scores = self._model.predict([(query, text) for text in texts], batch_size=BATCH)
        return np.asarray(scores, dtype=np.float32).reshape(len(texts), -1)[:, -1]
