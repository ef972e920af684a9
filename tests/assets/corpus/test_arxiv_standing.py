"""The standing inventory: how many papers, how fresh, what is left out or set aside, and why."""

from pathlib import Path

import dagster as dg
import pytest

from assets.corpus.assets import papers
from assets.corpus.checks import standing_inventory
from assets.tables import PAPERS
from pipelines.parts import as_resources
from pipelines.showing import show_status
from tests.support.arxiv_corpus import ArxivCorpus, arxiv_corpus
from tests.support.arxiv_server import Fault

REFUSED, MISSING, WITHDRAWN = "hep-ph/0601001", "hep-ph/0601002", "hep-ph/0601003"


def checked(corpus: ArxivCorpus) -> dg.AssetCheckEvaluation:
    """The check, as a run of `papers` makes it."""
    result = dg.materialize(
        [papers, standing_inventory, dg.AssetSpec("arxiv")], resources=as_resources(corpus.parts())
    )
    (evaluation,) = result.get_asset_check_evaluations()
    return evaluation


def test_what_stands_is_shown_by_a_check_and_by_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with arxiv_corpus(tmp_path / "data", 12) as corpus:
        fine = checked(corpus)
        assert (fine.passed, fine.severity) == (True, dg.AssetCheckSeverity.WARN)
        corpus.server.plan_pdf(REFUSED, Fault.FORBIDDEN)
        corpus.server.plan_pdf(MISSING, Fault.GONE)
        corpus.run()
        corpus.server.catalogue.withdraw(WITHDRAWN)
        corpus.server.catalogue.change(WITHDRAWN, comment="Withdrawn: equation 3 is wrong")

        told = checked(corpus)
        newest = max(row["updated"] for row in corpus.rows(PAPERS).values())
        assert (told.passed, told.severity) == (False, dg.AssetCheckSeverity.WARN)
        found = {name: value.value for name, value in told.metadata.items()}
        assert found["papers"] == 12
        assert found["by_status"] == {"active": 10, "no_pdf": 1, "withdrawn": 1}
        assert found["by_source"] == {"arxiv": 12}
        assert sum(found["by_tier"].values()) == 12
        assert found["newest_update"] == newest
        assert found["last_complete_listing"]["arxiv"] > "2026"
        assert found["set_aside"] == (
            f"- {REFUSED}: The PDF of {REFUSED} version 1 was refused: arXiv answered 403 "
            "Forbidden; it was left out."
        )
        assert found["out_of_the_release"].splitlines() == [
            f"- {MISSING}: The PDF of {MISSING} version 1 cannot be had: arXiv has none (410 Gone);"
            " it is left out until there is another version.",
            f"- {WITHDRAWN}: arxiv says that it is withdrawn (Withdrawn: equation 3 is wrong).",
        ]

        status = corpus.status
        assert status["papers"]["by_status"] == found["by_status"]
        assert status["backlog"].items() >= {"pdfs": 1, "documents": 9, "chunks": 0}.items()
        again = {item["key"]: item["again"] for item in status["failures"]["items"]}
        assert again == dict.fromkeys((REFUSED, MISSING), "when it changes, or with --retry-failed")
        show_status(status)
        shown = capsys.readouterr().out
        assert "papers         active 10, no_pdf 1, withdrawn 1; arxiv 12; " in shown
        assert f"fresh          newest update {newest}; last complete listing" in shown
        assert "left out       2 papers" in shown
        assert f"  {WITHDRAWN}: arxiv says that it is withdrawn" in shown


def test_an_empty_location_stands_at_nothing(tmp_path: Path) -> None:
    with arxiv_corpus(tmp_path / "data", 0) as corpus:
        found = corpus.status
    assert found["papers"] == {
        "by_status": {},
        "by_source": {},
        "by_tier": {},
        "newest_update": None,
        "last_complete_listing": {},
        "out_of_release": {},
        "same_file_as_another": {},
    }
    assert set(found["backlog"].values()) == {0}
