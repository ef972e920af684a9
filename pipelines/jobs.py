"""What can be run: jobs as selections of the graph."""

import dagster as dg

from assets.retrieval.assets import DenseConfig, SparseConfig
from pipelines.alone import TO_RELEASE
from pipelines.executing import alone_executor

IN_ONE_PROCESS_ALONE = alone_executor.configured({"processes": 1}, name="alone_in_one_process")

_DENSE_ANEW = {"dense_index": DenseConfig(rebuild=True)}
_SPARSE_ANEW = {"sparse_index": SparseConfig(rebuild=True)}

refresh = dg.define_asset_job(
    "refresh",
    selection=dg.AssetSelection.assets(*TO_RELEASE),
    description=(
        "Papers to release: lists the source, makes what is missing or changed in every stage, "
        "and publishes. With nothing new it makes nothing."
    ),
    executor_def=alone_executor,
)

rebuild_dense_index = dg.define_asset_job(
    "rebuild_dense_index",
    selection=dg.AssetSelection.assets("dense_index", "release"),
    description="Write the dense index anew from the chunks there are, and release it.",
    config=dg.RunConfig(ops=_DENSE_ANEW),
    executor_def=IN_ONE_PROCESS_ALONE,
)

rebuild_sparse_index = dg.define_asset_job(
    "rebuild_sparse_index",
    selection=dg.AssetSelection.assets("sparse_index", "release"),
    description="Build the BM25 index anew from the chunks there are, and release it.",
    config=dg.RunConfig(ops=_SPARSE_ANEW),
    executor_def=IN_ONE_PROCESS_ALONE,
)

rebuild_indices = dg.define_asset_job(
    "rebuild_indices",
    selection=dg.AssetSelection.assets("dense_index", "sparse_index", "release"),
    description="Build both indexes anew from the chunks there are, and release them together.",
    config=dg.RunConfig(ops={**_DENSE_ANEW, **_SPARSE_ANEW}),
    executor_def=IN_ONE_PROCESS_ALONE,
)

reextract_claims = dg.define_asset_job(
    "reextract_claims",
    selection=dg.AssetSelection.assets("claims", "factual_density", "release"),
    description=(
        "Extract the claims that the configured extractor has not read yet, compute the factual "
        "density anew, and release it."
    ),
    executor_def=IN_ONE_PROCESS_ALONE,
)

ask = dg.define_asset_job(
    "ask",
    selection=dg.AssetSelection.assets("answer"),
    description="Answer a question from the current release; in the launchpad, give the question.",
    executor_def=dg.in_process_executor,
)

evaluate = dg.define_asset_job(
    "evaluate",
    selection=dg.AssetSelection.groups("evaluation"),
    description="Score every mode of retrieval and answering on a questions file.",
    executor_def=dg.in_process_executor,
)

audit = dg.define_asset_job(
    "audit",
    selection=dg.AssetSelection.assets("density_audit"),
    description=(
        "Audit claims and factual density of the current release: spread, length confound, "
        "coverage of a questions file, and whether reranking by density helps."
    ),
    executor_def=dg.in_process_executor,
)

JOBS = [
    refresh,
    rebuild_dense_index,
    rebuild_sparse_index,
    rebuild_indices,
    reextract_claims,
    ask,
    evaluate,
    audit,
]
