"""The packaged encoder as an ONNX file, exported once from its weights and kept in a cache.

The export holds the whole of it: transformer, mean pooling over real tokens, unit length. It is
compared with sentence-transformers on texts of all lengths before it is kept; a wrong export
raises no error of its own (tensors shared between inputs give a garbage model, for one).
"""

import logging
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

_PARITY = 0.9999  # least cosine between a text's two vectors
_PROBES = (
    "",
    "muon",
    "What limits the field of a Nb3Sn dipole at 1.9 K?",
    "μ+μ− → H with √s = 10 TeV and 10^34 cm^-2 s^-1",
    "beam-induced background " * 20,
    "The tungsten nozzle shields the detector from decay electrons. " * 60,
)


class ExportError(Exception):
    """The export could not be made, or is not the same model."""


def exported_model(folder: Path, cache: Path, key: str, window: int) -> Path:
    """Path of the ONNX export of the sentence-transformers model in `folder`.

    Made on the first call, under a lock, and moved into place whole: concurrent processes and a
    killed one leave either no file or a good one. `key` names the weights. Raises ExportError.
    """
    target = cache / f"encoder-{key}.onnx"
    if target.is_file():
        return target
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with FileLock(str(target) + ".lock"):
            if not target.is_file():
                _export(folder, target, window)
    except ExportError:
        raise
    except Exception as problem:  # whatever fails, the same weights run without the export
        raise ExportError(f"no ONNX export: {type(problem).__name__}") from problem
    return target


def quiet_loading() -> None:
    """Keeps the model loader's own progress bars out of ours."""
    from transformers.utils.logging import disable_progress_bar  # noqa: PLC0415

    disable_progress_bar()  # type: ignore[no-untyped-call]


def _export(folder: Path, target: Path, window: int) -> None:
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - imports torch

    quiet_loading()
    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as work:
        draft = Path(work) / target.name
        _write(model, draft)
        _check(model, draft, window)
        draft.replace(target)


def _write(model: Any, path: Path) -> None:
    """Traces transformer, pooling and normalisation into one ONNX file."""
    import torch  # noqa: PLC0415

    class Whole(torch.nn.Module):
        def __init__(self, transformer: torch.nn.Module) -> None:
            super().__init__()
            self.transformer = transformer

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            hidden = self.transformer(
                input_ids=input_ids, attention_mask=attention_mask
            ).last_hidden_state
            weights = attention_mask.unsqueeze(-1).to(hidden.dtype)
            mean = (hidden * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, dim=-1)

    sample = model.tokenizer(list(_PROBES[:4]), padding=True, return_tensors="pt")
    axes = {0: torch.export.Dim("batch", min=1), 1: torch.export.Dim("tokens", min=2, max=512)}
    exporter_log = logging.getLogger("torch.onnx")
    level = exporter_log.level
    exporter_log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(
                Whole(model[0].model).eval(),
                (sample["input_ids"], sample["attention_mask"]),
                str(path),
                input_names=["input_ids", "attention_mask"],
                output_names=["vectors"],
                dynamic_shapes=(axes, axes),
                dynamo=True,
                external_data=False,
                verbose=False,
            )
    finally:
        exporter_log.setLevel(level)


def _check(model: Any, path: Path, window: int) -> None:
    """Raises ExportError unless the export gives the vectors of the original."""
    import onnxruntime  # noqa: PLC0415

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    expected = model.encode(list(_PROBES), normalize_embeddings=True, show_progress_bar=False)
    for text, vector in zip(_PROBES, expected, strict=True):
        inputs = model.tokenizer([text], truncation=True, max_length=window, return_tensors="np")
        feed = {name: inputs[name].astype(np.int64) for name in ("input_ids", "attention_mask")}
        cosine = float(session.run(None, feed)[0][0] @ vector)
        if cosine < _PARITY:
            raise ExportError(f"ONNX export differs from the original: cosine {cosine:.5f}")
