"""Benchmarks print figures, and nothing that a library logs."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.pipeline import CHECKOUT

LOUD = """
import logging
from benchmarks.shared import only_figures
logging.basicConfig(level=logging.INFO)
only_figures()
logging.getLogger("onnxscript").info("Optimised the model.")
logging.getLogger("bm25s").warning("Building the index.")
print("3 s")
"""

#: What loads a model or builds an index, and so brings libraries that log.
LOADS = ("Parts(", "open_encoder(", "SparseIndex")


def test_what_libraries_log_is_kept_off_the_screen() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LOUD], capture_output=True, text=True, check=True, cwd=CHECKOUT
    )
    assert (ended.stdout, ended.stderr) == ("3 s\n", "")


@pytest.mark.parametrize(
    "benchmark", sorted((CHECKOUT / "benchmarks").glob("bench_*.py")), ids=lambda path: path.stem
)
def test_every_benchmark_that_loads_a_model_is_quiet(benchmark: Path) -> None:
    source = benchmark.read_text(encoding="utf-8")
    if any(name in source for name in LOADS):
        assert "only_figures()" in source or "logging." in source
