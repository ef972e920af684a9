"""Natural language inference: does a premise entail a hypothesis, as a model trained on it holds.

Two kinds of folder are understood, as for the reranker: a sequence-classification model of Hugging
Face or a sentence-transformers CrossEncoder, and an ONNX export (`*.onnx` beside `tokenizer.json`
and `config.json`), which needs no deep-learning framework. Any model will do whose `config.json`
names one of its outputs "entailment" (of two: entailment or not; of three: also neutral and
contradiction; in any order).
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from resources.cross_encoder import Feed, PairNetwork, onnx_export, onnx_network
from resources.encoder import json_file, model_folder, sha256_of
from resources.encoder_export import quiet_loading
from resources.errors import UsageError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_WINDOW = 512  # wordpieces of a pair at most, also where a model would take more
_LABELS = frozenset({"entailment", "entails"})


class Entailment(Protocol):
    """A model that says whether one text follows from another."""

    @property
    def id(self) -> str:
        """Name and weights of the model, as `name@hash`."""

    def entailed(self, premises: Sequence[str], hypotheses: Sequence[str]) -> NDArray[np.float32]:
        """Probability that each premise entails its hypothesis, float32 of shape (n,) in [0, 1]."""


def open_entailment(name_or_folder: str) -> Entailment | None:
    """The entailment model of a name or folder, or None for an empty name.

    Raises UsageError where there is no such model on this machine, it cannot be loaded, or none of
    its outputs is called entailment.
    """
    if not name_or_folder.strip():
        return None
    folder = model_folder(name_or_folder)
    try:
        export = onnx_export(folder)
        return EntailmentModel(name_or_folder, folder, export)
    except UsageError:
        raise
    except Exception as problem:
        raise UsageError(
            f"The entailment model {name_or_folder} cannot be loaded ({type(problem).__name__}): "
            "name a sequence-classification or ONNX folder in MUON_NLI, or leave it empty."
        ) from problem


class EntailmentModel:
    """An NLI cross-encoder, exported or as its framework saved it; implements `Entailment`.

    A pair that is longer than the model's window (512 wordpieces at most) is read in pieces: the
    premise is cut into overlapping parts, each is read with the whole hypothesis, and the best
    probability counts, since what a part entails the whole entails (so SummaC, arXiv:2111.09525,
    reads documents by parts). A hypothesis of more than half the window is not read: 0.
    """

    def __init__(self, name: str, folder: Path, export: Path | None) -> None:
        config = json_file(folder / "config.json")
        labels = _labels(config)
        self._entails = _entailment(labels, name)
        if export is not None:
            self._tokenizer, self._network = _exported(folder, export, config)
        else:
            self._tokenizer, self._network = _classifier(folder, name)
        self._window = _window(folder, config)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(
            self._window, stride=self._window // 8, strategy="only_first"
        )
        given = self._network.outputs([self._tokenizer.encode("one", "one")]).shape[1]
        if given != len(labels) or self._entails >= given:
            raise UsageError(
                f"The entailment model {name} in MUON_NLI has {given} outputs and names "
                f"{len(labels)} in its config.json: correct id2label there, or name another model."
            )
        self.id = f"{Path(name).absolute().name}@{_fingerprint(folder, export)}"

    def entailed(self, premises: Sequence[str], hypotheses: Sequence[str]) -> NDArray[np.float32]:
        """Probability that each premise entails its hypothesis, float32 of shape (n,) in [0, 1]."""
        best = np.zeros(len(hypotheses), dtype=np.float32)
        lengths = self._tokenizer.encode_batch(list(hypotheses), add_special_tokens=False)
        read, owners = [], []
        for row, pair in enumerate(zip(premises, hypotheses, strict=True)):
            if len(lengths[row].ids) > self._window // 2:
                continue
            encoded = self._tokenizer.encode(*pair)
            parts = [encoded, *encoded.overflowing]
            read += parts
            owners += [row] * len(parts)
        np.maximum.at(best, owners, self._probabilities(self._network.outputs(read)))
        return best

    def _probabilities(self, logits: NDArray[np.float32]) -> NDArray[np.float32]:
        """Of entailment: the softmax over all outputs, the logistic function of a single one."""
        from scipy.special import expit, softmax  # noqa: PLC0415 - only where a model is configured

        if not len(logits):
            return np.empty(0, dtype=np.float32)
        if logits.shape[1] == 1:
            found = expit(logits[:, 0])
        else:
            found = softmax(logits, axis=1)[:, self._entails]
        # An output that is no number speaks for nothing.
        return np.nan_to_num(np.asarray(found, dtype=np.float32), nan=0.0)


def _labels(config: dict[str, Any]) -> dict[int, str]:
    return {int(place): str(label) for place, label in (config.get("id2label") or {}).items()}


def _entailment(labels: dict[int, str], name: str) -> int:
    """The output that stands for entailment."""
    found = [place for place, label in labels.items() if label.strip().lower() in _LABELS]
    if len(found) != 1:
        named = ", ".join(labels.values()) or "none"
        raise UsageError(
            f"The model {name} in MUON_NLI has no output called entailment in its config.json "
            f"(its id2label: {named}): name a model of natural language inference, or leave "
            "MUON_NLI empty."
        )
    return found[0]


def _exported(
    folder: Path, export: Path, config: dict[str, Any]
) -> tuple["Tokenizer", PairNetwork]:
    from tokenizers import Tokenizer  # noqa: PLC0415 - only where a model is configured

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return tokenizer, onnx_network(export, int(config.get("pad_token_id") or 0))


def _classifier(folder: Path, name: str) -> tuple["Tokenizer", PairNetwork]:
    import torch  # noqa: PLC0415 - seconds to import, and only where such a model is configured
    from sentence_transformers.util import get_device_name  # noqa: PLC0415
    from transformers import AutoModelForSequenceClassification, AutoTokenizer  # noqa: PLC0415

    quiet_loading()
    tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    model, report = AutoModelForSequenceClassification.from_pretrained(
        str(folder), local_files_only=True, dtype=torch.float32, output_loading_info=True
    )
    if report["missing_keys"]:
        # The framework would make them up.
        raise UsageError(
            f"The entailment model {name} in MUON_NLI lacks weights "
            f"({', '.join(sorted(report['missing_keys'])[:3])}): name a whole model."
        )
    device = get_device_name()
    model.to(device).eval()

    def run(feed: Feed) -> NDArray[np.float32]:
        with torch.inference_mode():
            rows = {key: torch.from_numpy(value).to(device) for key, value in feed.items()}
            logits: NDArray[np.float32] = model(**rows).logits.float().cpu().numpy()
        return logits

    wanted = ("input_ids", "attention_mask", "token_type_ids")
    inputs = tuple(key for key in wanted if key in tokenizer.model_input_names)
    return tokenizer.backend_tokenizer, PairNetwork(inputs, run, tokenizer.pad_token_id or 0)


def _window(folder: Path, config: dict[str, Any]) -> int:
    """The longest pair in wordpieces, special ones included, as far as a model's files state it."""
    stated = [
        json_file(folder / "tokenizer_config.json").get("model_max_length"),
        config.get("max_position_embeddings"),
    ]
    return min([_WINDOW, *(int(value) for value in stated if value and value > 0)])


def _fingerprint(folder: Path, export: Path | None) -> str:
    """Hash of a model's configuration, tokenizer and weights, as 12 hexadecimal digits."""
    if export is not None:
        weights = export.parent.glob(f"{export.name}*")  # large ones have a file beside the graph
    else:
        weights = (path for path in folder.iterdir() if path.suffix in {".safetensors", ".bin"})
    digest = hashlib.sha256()
    for path in [folder / "config.json", folder / "tokenizer.json", *sorted(weights)]:
        if path.is_file():
            digest.update(path.name.encode() + sha256_of(path).encode())
    return digest.hexdigest()[:12]
