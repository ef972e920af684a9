# Everything a newcomer needs: `make demo` and `make test` set themselves up.

# The first of these that is a Python we support.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null \
	&& echo $$p && break; done)
VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready
TORCH := $(shell grep '^torch==' constraints.txt)

# The index that holds PyTorch's CPU builds, for machines where the default would be a CUDA build.
TORCH_INDEX ?=

.PHONY: setup demo test lint ui stress bench bench-scale bench-corpus bench-parsing bench-claims bench-health bench-retrieval bench-scifact bench-answers bench-ask fuzz clean

setup: $(READY)

# The CPU build of PyTorch first: from the index named, by uv where it is there, else by pip.
$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "No Python 3.11, 3.12 or 3.13 was found: install one, or name it with PYTHON=…"; exit 1; }
	@echo "Setting up $(VENV) with $(PYTHON): some minutes, about 3 GB of disk."
	@$(PYTHON) -m venv $(VENV)
	@if [ -n "$(TORCH_INDEX)" ]; then $(RUN) -m pip install -q --index-url "$(TORCH_INDEX)" "$(TORCH)"; \
	elif command -v uv >/dev/null && uv pip install -q --python $(RUN) --torch-backend cpu "$(TORCH)" 2>/dev/null; then :; \
	else $(RUN) -m pip install -q -c constraints.txt "$(TORCH)"; fi
	@$(RUN) -m pip install -q -c constraints.txt -e '.[dev]'
	@touch $(READY)

demo: setup
	@$(VENV)/bin/muon-evidence demo

test: setup
	@$(RUN) -m pytest -n 2

lint: setup
	@$(RUN) -m ruff format --check .
	@$(RUN) -m ruff check .
	@$(RUN) -m mypy

ui: setup
	@$(VENV)/bin/muon-evidence ui

# A reader beside every writer for so many seconds.
STRESS_SECONDS ?= 300
stress: setup
	@$(RUN) -m tests.support.stress --seconds $(STRESS_SECONDS)

# Passages of the made-up corpora; the last of these takes most of the time.
SIZES ?= 6000 100000 1000000
bench: setup
	@$(RUN) -m benchmarks.bench_pipeline
	@$(RUN) -m benchmarks.bench_corpus --sizes 1000 5000 50000 --alone --papers 500
	@$(RUN) -m benchmarks.bench_scale --sizes $(SIZES)

bench-scale: setup
	@$(RUN) -m benchmarks.bench_scale --sizes $(SIZES)

bench-corpus: setup
	@$(RUN) -m benchmarks.bench_corpus

bench-parsing: setup
	@$(RUN) -m benchmarks.bench_parsing

bench-claims: setup
	@$(RUN) -m benchmarks.bench_claims

bench-health: setup
	@$(RUN) -m benchmarks.bench_health

bench-retrieval: setup
	@$(RUN) -m benchmarks.bench_retrieval

bench-scifact: setup
	@$(RUN) -m benchmarks.bench_scifact

bench-answers: setup
	@$(RUN) -m benchmarks.bench_answers

bench-ask: setup
	@$(RUN) -m benchmarks.bench_ask

# SECONDS of looking for input that breaks the parsers.
SECONDS ?= 600
fuzz: setup
	@$(RUN) -m benchmarks.fuzz_parsing --seconds $(SECONDS)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
