"""The parts an answer is made with, as narrow as this stage uses them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assets.retrieval.records import Hit, Mode, Passage
from resources.blocks import Box

Vectors = NDArray[np.float32]
Floats = NDArray[np.float64]
OnStep = Callable[[str, Mapping[str, Any]], None]
"""Called with a step's name and what there is to tell about it."""
BoxesOf = Callable[[str], Sequence[Box]]
"""Places of a chunk's text, by chunk id; their offsets count in the chunk's text."""
Clock = Callable[[], float]
"""Seconds, from any fixed point."""


class Encoder(Protocol):
    """Texts to unit vectors of shape (n, dimension)."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages."""

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions."""


class Searcher(Protocol):
    """Passages of the current release."""

    @property
    def encoder(self) -> Encoder:
        """The encoder that the release was embedded with."""

    def search(self, query: str, mode: Mode, k: int) -> list[Hit]:
        """The `k` best passages for a query."""

    def neighbours(self, chunk_id: str, before: int, after: int) -> list[Passage]:
        """A passage and those around it in its paper, in reading order."""


class Profile(Protocol):
    """What the corpus is about."""

    @property
    def tags(self) -> Mapping[str, str]:
        """Domain tags with their descriptions: the closed vocabulary."""

    @property
    def acronyms(self) -> Mapping[str, str]:
        """Acronyms with what they stand for."""
