"""What makes a corpus this corpus: its arXiv query, tags, acronyms and source tiers.

A profile is a TOML file; the shipped ones lie in `profiles/`.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from resources.errors import UsageError
from resources.identifiers import parse_arxiv_id
from resources.named_files import refuse_folder
from resources.source import ListedPaper
from resources.wrong_values import wrong_value

TAGS = ("higgs", "multiboson", "vbs", "aqgc", "bsm", "detector", "machine", "general")

_FOLDER = Path(__file__).resolve().parent / "profiles"


def _arxiv_id(text: str) -> str:
    found = parse_arxiv_id(text)
    if found is None:
        raise ValueError(f"{text!r} is not an arXiv id")
    return found.paper_id


def _day(text: str) -> str:
    try:
        return text and date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise ValueError(f"{text!r} is not a day written as 2026-01-31") from error


def _pattern(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"{text!r} is not a regular expression ({error})") from error
    return text


_Id = Annotated[str, AfterValidator(_arxiv_id)]
_Day = Annotated[str, AfterValidator(_day)]
_Pattern = Annotated[str, AfterValidator(_pattern)]
_Word = Annotated[str, Field(min_length=1, pattern=r'^[^"\\]+$')]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ArxivQuery(_Table):
    """Which papers to ask arXiv for: any of the phrases in any of the categories.

    `include_ids` are listed whatever the search says, `exclude_ids` never. The days bound the
    date of the first version, both included; `max_papers` keeps the newest so many (0 = all).
    """

    phrases: tuple[_Word, ...] = Field(min_length=1)
    categories: tuple[_Word, ...] = ()
    include_ids: tuple[_Id, ...] = ()
    exclude_ids: tuple[_Id, ...] = ()
    submitted_from: _Day = ""
    submitted_to: _Day = ""
    max_papers: int = Field(default=0, ge=0, le=30_000)


@dataclass(frozen=True, slots=True)
class Tier:
    """A kind of source: how far it is to be trusted with a figure, in [0, 1], and why."""

    name: str
    authority: float
    reason: str


class _TierEntry(_Table):
    authority: float = Field(ge=0, le=1)
    reason: str = Field(min_length=1)


class _TierRule(_Table):
    """A tier and what a paper must be to fall into it; what is left out always holds."""

    tier: str
    source: str = ""
    paper_id: _Pattern = ""
    title: _Pattern = ""
    comment: _Pattern = ""
    category: _Pattern = ""
    journal_ref: _Pattern = ""
    doi: _Pattern = ""
    not_doi: _Pattern = ""

    def holds(self, paper: ListedPaper) -> bool:
        """Whether a paper meets every rule."""
        rules = (
            (self.paper_id, paper.paper_id),
            (self.title, paper.title),
            (self.comment, paper.comment),
            (self.category, " ".join(paper.categories)),
            (self.journal_ref, paper.journal_ref),
            (self.doi, paper.doi),
        )
        return (
            self.source in ("", paper.source)
            and all(_found(pattern, text) for pattern, text in rules if pattern)
            and not (self.not_doi and _found(self.not_doi, paper.doi))
        )


class Profile(_Table):
    """A corpus: what it is asked from arXiv, and what is known of its field."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")
    arxiv: ArxivQuery
    tags: Mapping[str, str]
    acronyms: Mapping[str, str] = {}
    tiers: Mapping[str, _TierEntry]
    tier_rules: tuple[_TierRule, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _closed_vocabulary(self) -> Self:
        if set(self.tags) != set(TAGS):
            raise ValueError(f"tags must be exactly {', '.join(TAGS)}")
        return self

    @model_validator(mode="after")
    def _every_paper_has_a_tier(self) -> Self:
        for rule in self.tier_rules:
            if rule.tier not in self.tiers:
                raise ValueError(f"tier_rules name {rule.tier!r}, which is not among the tiers")
        if not self.tier_rules[-1].holds(ListedPaper(paper_id="", title="")):
            raise ValueError("the last of tier_rules must hold for every paper")
        return self

    def tier(self, paper: ListedPaper) -> Tier:
        """The tier of the first rule that a paper meets."""
        return self.tier_named(next(rule.tier for rule in self.tier_rules if rule.holds(paper)))

    def tier_named(self, name: str) -> Tier:
        """A tier by its name; raises KeyError where the profile has no such tier."""
        entry = self.tiers[name]
        return Tier(name, entry.authority, entry.reason)


def load_profile(name_or_path: str | Path) -> Profile:
    """A shipped profile by name, or one from a TOML file.

    Raises UsageError, in one sentence, where there is no such profile or it is malformed.
    """
    path = _path(name_or_path)
    try:
        return Profile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The profile {path} cannot be read as UTF-8 text.") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"The profile {path} is not TOML: {error}.") from error
    except ValidationError as error:
        raise UsageError(f"The profile {path} is malformed: {wrong_value(error)}.") from error


def _path(name_or_path: str | Path) -> Path:
    shipped = sorted(path.stem for path in _FOLDER.glob("*.toml"))
    if str(name_or_path) in shipped:
        return _FOLDER / f"{name_or_path}.toml"
    path = Path(name_or_path).expanduser()
    if path.is_file():
        return path
    refuse_folder(path, f"name a TOML file, or one of {', '.join(shipped)}")
    raise UsageError(
        f"There is no profile {name_or_path}: name a TOML file, or one of {', '.join(shipped)}."
    )


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
