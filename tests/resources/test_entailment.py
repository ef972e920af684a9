"""Natural language inference: which output counts, how pairs are read, what is refused."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.special import expit, softmax

from resources.entailment import Entailment, open_entailment
from resources.errors import UsageError
from resources.reranker import open_reranker
from tests.support.nli import THREE, WORDS, onnx_folder, random_bert, tokenizer, write_config

ADDS = {
    "[CLS]": (0.1, -0.2, 0.3),
    "[SEP]": (-0.1, 0.2, 0.05),
    "muons": (0.5, 1.5, -0.5),
    "decay": (-1.0, 0.5, 0.25),
    "magnets": (1.0, -2.0, 0.75),
    "not": (2.0, -1.0, 0.0),
}
PAIRS = [
    ("Muons decay", "muons decay"),
    ("magnets bend muons", "muons do not decay"),
    ("", "muons"),
    ("magnets", "magnets not not cold"),
    ("muons muons muons muons decay bend cold", "magnets bend"),
]


def opened(folder: Path) -> Entailment:
    model = open_entailment(str(folder))
    assert model is not None
    return model


def summed(*texts: str) -> np.ndarray:
    """What the words of a pair add up to, as the tiny export is made."""
    words = ["[CLS]", *texts[0].lower().split(), "[SEP]", *texts[1].lower().split(), "[SEP]"]
    return np.sum([ADDS.get(word, (0, 0, 0)) for word in words], axis=0)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Entailment:
    return opened(onnx_folder(tmp_path_factory.mktemp("nli"), THREE, ADDS))


def test_no_model_without_a_name() -> None:
    assert open_entailment("") is None
    assert open_entailment("  ") is None


def test_the_probability_is_the_softmax_of_the_entailment_output(exported: Entailment) -> None:
    found = exported.entailed(*zip(*PAIRS, strict=True))
    wanted = [softmax(summed(*pair))[1] for pair in PAIRS]
    assert found.dtype == np.float32
    assert found.tolist() == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize(
    ("labels", "place"),
    [
        (("ENTAILMENT", "neutral", "contradiction"), 0),
        (("Contradiction", "Neutral", "Entails"), 2),
        (("entailment", "not_entailment"), 0),
        (("not_entailment", "entailment"), 1),
    ],
)
def test_the_config_says_which_output_is_entailment(
    tmp_path: Path, labels: Sequence[str], place: int
) -> None:
    adds = {word: row[: len(labels)] for word, row in ADDS.items()}
    model = opened(onnx_folder(tmp_path, labels, adds))
    found = model.entailed(["muons"], ["magnets decay"])
    assert found[0] == pytest.approx(
        softmax(summed("muons", "magnets decay")[: len(labels)])[place], abs=1e-5
    )


def test_a_single_output_is_a_logit(tmp_path: Path) -> None:
    model = opened(
        onnx_folder(tmp_path, ["entailment"], {word: row[:1] for word, row in ADDS.items()})
    )
    found = model.entailed(["muons"], ["magnets decay"])
    assert found[0] == pytest.approx(expit(summed("muons", "magnets decay")[0]), abs=1e-5)


def test_nothing_asked_is_nothing_said(exported: Entailment) -> None:
    assert exported.entailed([], []).shape == (0,)


def test_every_hypothesis_needs_its_premise(exported: Entailment) -> None:
    with pytest.raises(ValueError, match="zip"):
        exported.entailed(["muons"], ["muons", "magnets"])


_TEXT = st.lists(st.sampled_from(WORDS[4:]), max_size=12).map(" ".join)


@given(pairs=st.lists(st.tuples(_TEXT, _TEXT), min_size=1, max_size=20))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_pair_is_judged_alike_alone_and_among_others(
    exported: Entailment, pairs: list[tuple[str, str]]
) -> None:
    together = exported.entailed(*zip(*pairs, strict=True))
    alone = [float(exported.entailed([one], [other])[0]) for one, other in pairs]
    assert together.tolist() == pytest.approx(alone, abs=1e-6)
    assert all(0 <= one <= 1 for one in together)


def test_no_cited_word_is_lost_of_a_premise_longer_than_the_window(tmp_path: Path) -> None:
    # Only "decay" speaks for entailment; it stands at the far end of the premise.
    model = opened(onnx_folder(tmp_path, THREE, {"decay": (0, 4, 0)}, max_position_embeddings=64))
    long = " ".join(["magnets"] * 200)
    found = model.entailed(
        [f"{long} decay", f"decay {long}", f"{long} decay {long}", long], ["muons bend"] * 4
    )
    wanted = softmax([0, 4, 0])[1]
    assert found.tolist() == pytest.approx([wanted, wanted, wanted, 1 / 3], abs=1e-5)


def test_the_hypothesis_is_read_whole_with_every_part_of_the_premise(tmp_path: Path) -> None:
    model = opened(onnx_folder(tmp_path, THREE, {"cold": (1, 0, 0)}, max_position_embeddings=64))
    long = " ".join(["magnets"] * 200)
    found = model.entailed([long], ["cold " * 32])
    assert found[0] == pytest.approx(softmax([32, 0, 0])[1], abs=1e-6)


def test_a_hypothesis_too_long_to_be_read_is_not_entailed(tmp_path: Path) -> None:
    model = opened(onnx_folder(tmp_path, THREE, {"decay": (0, 9, 0)}, max_position_embeddings=64))
    found = model.entailed(["muons"] * 2, ["decay " * 32, "decay " * 33])
    assert found.tolist() == pytest.approx([1, 0], abs=1e-6)


def test_an_output_that_is_no_number_speaks_for_nothing(tmp_path: Path) -> None:
    model = opened(onnx_folder(tmp_path, THREE, {"decay": (0, float("nan"), 0)}))
    assert model.entailed(["muons"], ["decay"]).tolist() == [0]


def test_the_id_tells_the_weights_apart(tmp_path: Path) -> None:
    one = opened(onnx_folder(tmp_path / "a" / "nli", THREE, ADDS))
    same = opened(onnx_folder(tmp_path / "b" / "nli", THREE, ADDS))
    other = opened(onnx_folder(tmp_path / "c" / "nli", THREE, {**ADDS, "bend": (1, 1, 2)}))
    assert one.id == same.id != other.id
    assert one.id.startswith("nli@")


@pytest.mark.parametrize(
    "labels", [("negative", "positive"), ("not_entailment", "other"), (), ("entails", "entailment")]
)
def test_a_model_without_one_entailment_label_is_refused(
    tmp_path: Path, labels: Sequence[str]
) -> None:
    folder = onnx_folder(tmp_path, THREE)
    write_config(folder, labels)
    with pytest.raises(UsageError, match=r"no output called entailment .*MUON_NLI"):
        open_entailment(str(folder))


def test_labels_that_do_not_fit_the_outputs_are_refused(tmp_path: Path) -> None:
    folder = onnx_folder(tmp_path, THREE)
    write_config(folder, ("entailment", "not_entailment"))
    with pytest.raises(UsageError, match=r"3 outputs and names 2 .*id2label"):
        open_entailment(str(folder))


def test_a_model_that_is_not_here_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not on this machine"):
        open_entailment(str(tmp_path / "none"))


def test_a_folder_that_cannot_be_loaded_is_refused(tmp_path: Path) -> None:
    write_config(tmp_path, THREE)
    with pytest.raises(UsageError, match=r"cannot be loaded .*MUON_NLI"):
        open_entailment(str(tmp_path))
    (tmp_path / "config.json").write_text("no json")
    with pytest.raises(UsageError, match=r"cannot be loaded .*MUON_NLI"):
        open_entailment(str(tmp_path))


LABELS = ("entailment", "neutral", "contradiction")


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return random_bert(tmp_path_factory.mktemp("bert"), LABELS)


def raw_logits(folder: Path, premise: str, hypothesis: str) -> np.ndarray:
    """The network's own outputs for one pair, read without this project's code."""
    import torch  # noqa: PLC0415 - seconds to import
    from transformers import BertForSequenceClassification  # noqa: PLC0415

    model = BertForSequenceClassification.from_pretrained(str(folder)).eval()
    plain = tokenizer()
    plain.no_truncation()
    plain.no_padding()
    pair = plain.encode(premise, hypothesis)
    with torch.inference_mode():
        given = model(
            input_ids=torch.tensor([pair.ids]), token_type_ids=torch.tensor([pair.type_ids])
        )
    return given.logits[0].numpy()


def test_a_classification_folder_gives_the_softmax_of_its_logits(bert: Path) -> None:
    found = opened(bert).entailed(*zip(*PAIRS, strict=True))
    wanted = [softmax(raw_logits(bert, *pair))[0] for pair in PAIRS]
    assert found.tolist() == pytest.approx(wanted, abs=1e-5)
    assert np.ptp(found) > 0.01


def test_a_cross_encoder_folder_is_read_likewise(bert: Path, tmp_path: Path) -> None:
    from sentence_transformers import CrossEncoder  # noqa: PLC0415 - imports torch

    CrossEncoder(str(bert), local_files_only=True).save_pretrained(str(tmp_path))
    pairs = list(zip(*PAIRS, strict=True))
    assert opened(tmp_path).entailed(*pairs).tolist() == pytest.approx(
        opened(bert).entailed(*pairs).tolist(), abs=1e-6
    )


def test_a_classification_folder_reads_long_premises_in_parts(bert: Path) -> None:
    long = " ".join(["magnets bend"] * 100)
    (found,) = opened(bert).entailed([long], ["muons decay"])
    assert 0 <= found <= 1


def test_weights_that_are_not_there_are_not_made_up(bert: Path, tmp_path: Path) -> None:
    from transformers import BertModel  # noqa: PLC0415 - imports torch

    headless = BertModel.from_pretrained(str(bert))
    headless.save_pretrained(str(tmp_path))
    tokenizer().save(str(tmp_path / "tokenizer.json"))
    for name in ("config.json", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((bert / name).read_bytes())
    with pytest.raises(UsageError, match=r"MUON_NLI lacks weights \(classifier"):
        open_entailment(str(tmp_path))


ADDS_ONE = {"magnets": (2.0,), "decay": (-3.0,), "muons": (0.5,), "not": (-1.0,)}


def test_a_reranker_scores_by_the_last_output_of_its_export(tmp_path: Path) -> None:
    reranker = open_reranker(str(onnx_folder(tmp_path / "ranks", ["score"], ADDS_ONE)))
    assert reranker is not None
    assert reranker.id == "ranks"
    texts = ["magnets bend " * 5, "decay", "", *["muons"] * 9]
    wanted = [sum(ADDS_ONE.get(word, (0,))[0] for word in text.split()) - 1 for text in texts]
    assert reranker.score("not cold", texts).tolist() == pytest.approx(wanted)
    assert reranker.score("not", []).shape == (0,)
