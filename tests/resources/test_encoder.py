"""The packaged encoder: tokens, vectors, its export, and what it refuses."""

from pathlib import Path

import numpy as np
import pytest

from resources import encoder, encoder_export
from resources.encoder import (
    PACKAGED,
    Encoder,
    open_encoder,
    open_tokenizer,
    packaged_folder,
)
from resources.errors import UsageError
from resources.reranker import open_reranker

PAIRS = [
    ("How is a muon beam cooled?", "Ionisation cooling shrinks the emittance of muons."),
    ("What does tungsten shield?", "Heavy-metal nozzles protect the detector from decays."),
    ("Which superconductor reaches 16 T?", "Nb3Sn dipoles achieve fields of sixteen tesla."),
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("encoder")


@pytest.fixture(scope="module")
def packaged(cache: Path) -> Encoder:
    return open_encoder("", cache)


def test_counts_wordpieces_with_the_special_ones() -> None:
    counter = open_tokenizer()
    assert counter.window == 256
    assert counter.count("") == 2
    assert counter.count("muon") == 2 + len(counter.offsets("muon"))


def test_counts_past_the_length_at_which_the_file_truncates() -> None:
    assert open_tokenizer(PACKAGED).count("word " * 1000) == 1002


def test_offsets_are_those_of_the_text() -> None:
    text = "beam-induced √s"
    pieces = [text[start:end] for start, end in open_tokenizer().offsets(text)]
    assert "".join(pieces) == text.replace(" ", "")


def test_vectors_have_unit_length_and_stay_in_order(packaged: Encoder) -> None:
    texts = [long for _, long in PAIRS] + ["", "word " * 400]
    vectors = packaged.encode(texts)
    assert vectors.shape == (5, packaged.dimension) == (5, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    for row, text in enumerate(texts):
        assert packaged.encode([text])[0] @ vectors[row] > 0.9999


def test_a_question_is_nearest_to_its_answer(packaged: Encoder) -> None:
    questions = packaged.encode_queries([question for question, _ in PAIRS])
    answers = packaged.encode([answer for _, answer in PAIRS])
    assert (questions @ answers.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_nothing_gives_no_vectors(packaged: Encoder) -> None:
    assert packaged.encode([]).shape == (0, 384)


def test_the_window_ends_at_256_wordpieces(packaged: Encoder) -> None:
    whole = " ".join(["word"] * 254)
    assert packaged.count_tokens(whole) == packaged.window == 256
    one, other = packaged.encode([whole + " photon", whole + " quench detection"])
    assert one @ other == pytest.approx(1, abs=1e-5)


def test_names_its_weights_and_its_runtime(packaged: Encoder) -> None:
    assert packaged.id == "all-MiniLM-L6-v2@53aa51172d14"
    assert packaged.runtime.startswith("onnxruntime ")


def test_vectors_are_those_of_sentence_transformers(packaged: Encoder) -> None:
    reference = open_encoder(str(packaged_folder()), Path("unused"))
    texts = [text for pair in PAIRS for text in pair] + ["", "√s = 10 TeV " * 90]
    assert (packaged.encode(texts) * reference.encode(texts)).sum(axis=1).min() > 0.9999
    assert reference.runtime.startswith("sentence-transformers ")
    assert reference.window == 256


def test_a_second_opening_uses_the_kept_export(
    packaged: Encoder, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoder_export, "_export", None)
    assert open_encoder(PACKAGED, cache).runtime == packaged.runtime
    assert [path.suffix for path in cache.iterdir() if path.suffix != ".lock"] == [".onnx"]


def test_without_an_export_the_same_weights_run_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("no exporter here")

    monkeypatch.setattr(encoder_export, "_export", fails)
    opened = open_encoder("", tmp_path)
    assert opened.id == "all-MiniLM-L6-v2@53aa51172d14"
    assert opened.runtime.startswith("sentence-transformers ")
    assert "no ONNX export: RuntimeError" in opened.runtime
    assert not list(tmp_path.glob("*.onnx"))


def test_refuses_weights_that_are_not_the_published_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.setattr(encoder, "packaged_folder", lambda: tmp_path)
    with pytest.raises(UsageError, match=r"not the published file .* reinstall"):
        open_encoder("", tmp_path)


@pytest.mark.parametrize("name", ["no/such-model", "nonsense name", "/no/such/folder"])
def test_refuses_a_model_that_is_not_here(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not on this machine"):
        open_encoder(name, tmp_path)
    with pytest.raises(UsageError, match="not on this machine"):
        open_tokenizer(name)


def test_refuses_a_folder_without_a_model(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(UsageError, match="cannot be loaded"):
        open_encoder(str(tmp_path), tmp_path)
    with pytest.raises(UsageError, match="cannot be loaded"):
        open_reranker(str(tmp_path))


def test_no_reranker_without_a_name() -> None:
    assert open_reranker("") is None
