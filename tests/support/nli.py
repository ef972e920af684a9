"""Tiny models that read two texts together: a network whose outputs are known, and a random one."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "muons", "decay", "magnets", "bend", "not", "cold")
THREE = ("contradiction", "entailment", "neutral")


def tokenizer() -> Tokenizer:
    """Whole words of a small vocabulary, pairs as BERT takes them."""
    made = Tokenizer(WordLevel({word: row for row, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.normalizer = Lowercase()
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    # As published files do; whoever opens one must undo it.
    made.enable_truncation(7)
    made.enable_padding(length=7)
    return made


def write_config(folder: Path, labels: Sequence[str], **settings: object) -> None:
    """A model's config.json with its labels in order."""
    named = {str(place): label for place, label in enumerate(labels)}
    config = {"id2label": named, **settings} if labels else settings
    (folder / "config.json").write_text(json.dumps(config))


def onnx_folder(
    folder: Path,
    labels: Sequence[str] = THREE,
    outputs: Mapping[str, Sequence[float]] | None = None,
    **settings: object,
) -> Path:
    """An export whose outputs are sums over a pair's words: `outputs` gives what each word adds.

    Words without an entry add nothing; padding would add 100 to everything were it not masked.
    """
    folder.mkdir(parents=True, exist_ok=True)
    width = len(next(iter(outputs.values()))) if outputs else len(labels)
    table = np.zeros((len(WORDS), width), dtype=np.float32)
    table[0] = 100
    for word, row in (outputs or {}).items():
        table[WORDS.index(word)] = row
    shape = ["pairs", "words"]
    graph = helper.make_graph(
        [
            helper.make_node("Gather", ["table", "input_ids"], ["each"]),
            helper.make_node("Cast", ["attention_mask"], ["real"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["real", "last"], ["column"]),
            helper.make_node("Mul", ["each", "column"], ["kept"]),
            helper.make_node("ReduceSum", ["kept", "middle"], ["logits"], keepdims=0),
        ],
        "sums",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, shape)
            for name in ("input_ids", "attention_mask")
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["pairs", width])],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(np.array([-1], dtype=np.int64), "last"),
            numpy_helper.from_array(np.array([1], dtype=np.int64), "middle"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer().save(str(folder / "tokenizer.json"))
    write_config(folder, labels, **settings)
    return folder


def random_bert(folder: Path, labels: Sequence[str], window: int = 64) -> Path:
    """A sequence-classification folder of a one-layer BERT with random weights."""
    import torch  # noqa: PLC0415 - seconds to import
    from transformers import (  # noqa: PLC0415
        BertConfig,
        BertForSequenceClassification,
        PreTrainedTokenizerFast,
    )

    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=window, initializer_range=1.0,
        id2label=dict(enumerate(labels)), label2id={name: i for i, name in enumerate(labels)},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(str(folder))
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer(), pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", model_max_length=window,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    ).save_pretrained(str(folder))  # fmt: skip
    return folder
