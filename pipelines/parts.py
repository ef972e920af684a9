"""The settings turned into the parts that the stages are handed.

Each part is a Dagster resource that is made when a step first needs it, so that a step pays only
for what it uses; `Parts` gives the same parts to callers outside a run.
"""

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import dagster as dg

from assets.answering.parts import OnStep
from assets.factuality.extractors import EmbeddedClaims, Extractor, ModelClaims
from assets.factuality.model_extractor import ModelExtractor, extractor_name
from assets.parsing.parsers import EmbeddedParser, Parser, grobid_or_stand_in
from assets.reporting import LoggedProgress, Progress
from assets.retrieval.building import Bm25
from pipelines.settings import Settings
from pipelines.sources import ConfiguredSources
from resources.encoder import Encoder, WordpieceCounter, open_encoder, open_tokenizer
from resources.entailment import Entailment, open_entailment
from resources.errors import UsageError
from resources.files import Files
from resources.grobid import Grobid
from resources.lake import Lake
from resources.language_model import (
    Budget,
    FileCache,
    LanguageModel,
    ModelSettings,
    Unread,
    open_language_model,
)
from resources.profile import Profile, load_profile
from resources.reranker import Reranker, open_reranker

#: The model's name that stands for no model.
EMBEDDED = "none"


class Parts:
    """Everything that the stages use, made from the settings at first use."""

    def __init__(self, settings: Settings, progress: Progress | None = None) -> None:
        self.settings = settings
        self.progress: Progress = progress or LoggedProgress()
        self.follow: OnStep = _nobody_follows

    @cached_property
    def lake(self) -> Lake:
        """Every table."""
        return Lake(f"{self.settings.location}/lake")

    @cached_property
    def files(self) -> Files:
        """PDFs, index folders, releases."""
        return Files(self.settings.location)

    @cached_property
    def profile(self) -> Profile:
        """What makes this corpus this corpus."""
        return load_profile(self.settings.profile)

    @cached_property
    def sources(self) -> ConfiguredSources:
        """Where papers come from."""
        return ConfiguredSources(self.settings, self.profile, self.progress)

    @cached_property
    def parser(self) -> Parser:
        """GROBID where a server is configured, else the embedded layout parser."""
        if self.settings.grobid_url:
            grobid = Grobid(self.settings.grobid_url, concurrency=self.settings.workers)
            return grobid_or_stand_in(grobid, self.settings.workers, self.settings.grobid_stand_in)
        return EmbeddedParser(workers=self.settings.workers)

    @cached_property
    def counter(self) -> WordpieceCounter:
        """The encoder's wordpieces, without its weights."""
        return open_tokenizer(self.settings.encoder)

    @cached_property
    def encoder(self) -> Encoder:
        """Text to vectors."""
        return open_encoder(self.settings.encoder, cache_folder())

    @cached_property
    def reranker(self) -> Reranker | None:
        """The cross-encoder, or None: ranking does without."""
        return open_reranker(self.settings.reranker)

    @cached_property
    def entailment(self) -> Entailment | None:
        """The model of inference, or None: grounding judges by overlap and alignment alone."""
        return open_entailment(self.settings.nli)

    @property
    def bm25(self) -> Bm25:
        """The parameters of the next sparse index; what is not set is as it is there."""
        given = {"k1": self.settings.bm25_k1, "b": self.settings.bm25_b}
        return Bm25(**{name: value for name, value in given.items() if value is not None})

    @cached_property
    def model(self) -> LanguageModel | None:
        """The language model, or None: the embedded parts do without."""
        return self.open_model()

    def open_model(
        self, name: str = "", budget_usd: float = -1.0, *, fresh: bool = False
    ) -> LanguageModel | None:
        """The model named, "" for the configured one, "none" for the embedded parts.

        A budget below 0 is the configured one; `fresh` asks anew where a reply is cached.
        """
        chosen = name or self.settings.model
        return open_language_model(
            "" if chosen == EMBEDDED else chosen,
            cache=Unread(self._model_cache) if fresh else self._model_cache,
            settings=self._model_settings,
            budget=Budget(budget_usd if budget_usd >= 0 else self.settings.budget_usd),
        )

    @cached_property
    def judge(self) -> LanguageModel | None:
        """The language model that judges answers beside the code, or None: the code alone does.

        It spends from the budget of the model that writes. Raises UsageError where it is the same
        model: nobody judges its own answers.
        """
        name = self.settings.judge
        if name in {"", EMBEDDED}:
            return None
        if name.casefold() == self.settings.model.casefold():
            raise UsageError(
                f"MUON_JUDGE is {name}, which also writes the answers (MUON_MODEL): name another "
                "model to judge them, or leave MUON_JUDGE empty."
            )
        return open_language_model(
            name,
            cache=self._model_cache,
            settings=self._model_settings,
            budget=self.model.budget if self.model else Budget(self.settings.budget_usd),
            setting="MUON_JUDGE",
        )

    @cached_property
    def extractor(self) -> Extractor:
        """The language model where one is configured, else the embedded rules."""
        if self.model is None:
            return EmbeddedClaims()
        return ModelClaims(ModelExtractor(self.model, ahead=self.settings.batch))

    @property
    def extractor_name(self) -> str:
        """The extractor's fingerprint, known without opening a model."""
        name = self.settings.model
        return extractor_name(name) if name else EmbeddedClaims().fingerprint

    @property
    def _model_cache(self) -> FileCache:
        return FileCache(self._local / "cache" / "model")

    @property
    def _model_settings(self) -> ModelSettings:
        return ModelSettings(
            max_output_tokens=self.settings.model_tokens,
            timeout_seconds=self.settings.model_timeout,
        )

    @property
    def _local(self) -> Path:
        """A folder of this machine that belongs to the data location."""
        return Path(self.settings.location) if self.files.is_local else cache_folder()


def _nobody_follows(step: str, told: Mapping[str, Any]) -> None:
    """Steps that nobody watches are told to nobody."""


def cache_folder() -> Path:
    """Where what is derived from a model's weights is kept, for all data locations."""
    base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    return Path(base) / "muon-evidence"


def as_resources(parts: Parts) -> dict[str, dg.ResourceDefinition]:
    """The parts under the names that assets ask for, each made when first needed."""
    makers: dict[str, Callable[[], Any]] = {
        "lake": lambda: parts.lake,
        "files": lambda: parts.files,
        "profile": lambda: parts.profile,
        "sources": lambda: parts.sources,
        "parser": lambda: parts.parser,
        "counter": lambda: parts.counter,
        "encoder": lambda: parts.encoder,
        "reranker": lambda: parts.reranker,
        "entailment": lambda: parts.entailment,
        "bm25": lambda: parts.bm25,
        "extractor": lambda: parts.extractor,
        "model": lambda: parts.model,
        "models": lambda: parts.open_model,
        "judge_model": lambda: parts.judge,
        "density_variant": lambda: parts.settings.density,
        "progress": lambda: parts.progress,
        "follow": lambda: parts.follow,
    }
    return {name: _resource(make) for name, make in makers.items()}


def _resource(make: Callable[[], Any]) -> dg.ResourceDefinition:
    return dg.ResourceDefinition(resource_fn=lambda _context: make())
