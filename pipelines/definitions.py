"""The graph as Dagster loads it: every asset, check, job and schedule, and their resources."""

from collections.abc import Mapping
from typing import Any

import dagster as dg

import assets.answering.assets
import assets.corpus.assets
import assets.corpus.checks
import assets.evaluation.assets
import assets.evaluation.audits
import assets.factuality.assets
import assets.factuality.checks
import assets.parsing.assets
import assets.parsing.checks
import assets.retrieval.assets
import assets.retrieval.checks
from pipelines.jobs import IN_ONE_PROCESS_ALONE, JOBS
from pipelines.parts import Parts, as_resources
from pipelines.schedules import SCHEDULES
from pipelines.sensors import SENSORS
from pipelines.settings import read_settings
from pipelines.upkeep import maintenance, rollback

_MODULES = [
    assets.corpus.assets,
    assets.corpus.checks,
    assets.parsing.assets,
    assets.parsing.checks,
    assets.factuality.assets,
    assets.factuality.checks,
    assets.retrieval.assets,
    assets.retrieval.checks,
    assets.answering.assets,
    assets.evaluation.assets,
    assets.evaluation.audits,
]

#: The world outside, so that lineage shows where everything comes from.
OUTSIDE = [
    dg.AssetSpec(
        "arxiv",
        group_name="outside",
        kinds={"arxiv"},
        description="arXiv's listing and PDFs; in its place the embedded samples or a folder.",
    ),
    dg.AssetSpec(
        "grobid",
        group_name="outside",
        kinds={"grobid"},
        description="A GROBID server; without one the embedded layout parser stands in.",
    ),
    dg.AssetSpec(
        "gemini",
        group_name="outside",
        kinds={"gemini"},
        description=(
            "Gemini, or any OpenAI-compatible server; without one the embedded claim rules, "
            "planner and extractive writer stand in."
        ),
    ),
]


def build_defs(
    parts: Parts | None = None, resource_overrides: Mapping[str, Any] | None = None
) -> dg.Definitions:
    """The definitions over some parts: by default those that the environment's settings ask for.

    `resource_overrides` replaces resources by name.
    """
    parts = parts or Parts(read_settings())
    return dg.Definitions(
        assets=[*OUTSIDE, *dg.load_assets_from_modules(_MODULES)],
        asset_checks=dg.load_asset_checks_from_modules(_MODULES),
        jobs=[*JOBS, rollback, maintenance],
        schedules=SCHEDULES,
        sensors=SENSORS,
        resources={**as_resources(parts), **(resource_overrides or {})},
        executor=IN_ONE_PROCESS_ALONE,
    )


defs = build_defs()
