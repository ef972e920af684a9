"""The maintenance job: the release stays readable, the records of old runs go."""

from pathlib import Path

import dagster as dg

from assets.retrieval.reader import open_searcher
from assets.retrieval.release import require_current
from pipelines.definitions import build_defs
from pipelines.instance import open_instance
from pipelines.upkeep import MaintenanceConfig
from resources.files import Files
from resources.lake import Lake
from tests.support.letter_encoder import LetterEncoder
from tests.support.pipeline import parts_at
from tests.support.releases import released
from tests.support.rows import chunk, paper


@dg.job
def nothing() -> None:
    """A job without steps."""


def test_old_runs_are_forgotten_and_the_release_is_kept(tmp_path: Path) -> None:
    encoder = LetterEncoder()
    lake, files = Lake(f"{tmp_path}/lake"), Files(str(tmp_path))
    made = released(lake, files, encoder, [paper("a")], [chunk("c", "a")])
    parts = parts_at(tmp_path, encoder)
    job = build_defs(parts).resolve_job_def("maintenance")
    keep_none = dg.RunConfig(ops={"throw_away": MaintenanceConfig(releases=1, run_days=0)})
    with open_instance(parts.settings) as instance:
        statuses = (dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.STARTED)
        finished, running = (
            instance.create_run_for_job(nothing, status=status).run_id for status in statuses
        )
        assert job.execute_in_process(instance=instance).success
        assert instance.has_run(finished), "it is not old"
        assert job.execute_in_process(instance=instance, run_config=keep_none).success
        assert not instance.has_run(finished)
        assert instance.has_run(running)
    assert require_current(files) == made
    assert len(open_searcher(lake, files, made, encoder).index.passages) == 1
