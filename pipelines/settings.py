"""The settings: one object, read from the environment.

Names follow the services they configure where those have names of their own.
"""

from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from resources.errors import UsageError
from resources.wrong_values import wrong_value


class Settings(BaseSettings):
    """Everything that can be set, with its default; the README's table documents it."""

    model_config = SettingsConfigDict(extra="ignore", env_ignore_empty=True)

    data: str = Field(default="./data", alias="MUON_DATA")
    source: Literal["sample", "folder", "arxiv"] = Field(default="sample", alias="MUON_SOURCE")
    folder: str = Field(default="", alias="MUON_FOLDER")
    profile: str = Field(default="muon_collider", alias="MUON_PROFILE")
    arxiv_url: str = Field(default="", alias="MUON_ARXIV_URL")
    arxiv_pace: float = Field(default=3.0, ge=0, alias="MUON_ARXIV_PACE")
    contact: str = Field(default="", alias="MUON_CONTACT")
    grobid_url: str = Field(default="", alias="GROBID_URL")
    grobid_stand_in: bool = Field(default=False, alias="MUON_GROBID_STAND_IN")
    model: str = Field(default="", alias="MUON_MODEL")
    model_tokens: int = Field(default=8192, ge=16, alias="MUON_MODEL_TOKENS")
    model_timeout: float = Field(default=120.0, gt=0, alias="MUON_MODEL_TIMEOUT")
    judge: str = Field(default="", alias="MUON_JUDGE")
    encoder: str = Field(default="", alias="MUON_ENCODER")
    reranker: str = Field(default="", alias="MUON_RERANKER")
    nli: str = Field(default="", alias="MUON_NLI")
    bm25_k1: float | None = Field(default=None, ge=0, le=10, alias="MUON_BM25_K1")
    bm25_b: float | None = Field(default=None, ge=0, le=1, alias="MUON_BM25_B")
    budget_usd: float = Field(default=5.0, ge=0, alias="MUON_BUDGET_USD")
    batch: bool = Field(default=False, alias="MUON_BATCH")
    density: Literal["published", "robust"] = Field(default="published", alias="MUON_DENSITY")
    notice_url: str = Field(default="", alias="MUON_NOTICE_URL")
    workers: int = Field(default=2, ge=1, le=64, alias="MUON_WORKERS")

    @cached_property
    def location(self) -> str:
        """The data location: an absolute folder, or an object-store URI."""
        if "://" in self.data:
            return self.data.rstrip("/")
        return str(Path(self.data).expanduser().absolute())


def read_settings() -> Settings:
    """The settings of this process; a value that cannot be is one sentence naming it."""
    try:
        return Settings()
    except ValidationError as error:
        raise UsageError(f"The setting {wrong_value(error)}.") from error
