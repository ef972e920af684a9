"""Everything that arXiv may do wrong, as the user reads it: each fault by name, in sentences."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from assets.corpus.assets import papers
from assets.tables import PAPERS, PDFS
from pipelines import cli
from pipelines.console import ConsoleProgress
from resources.errors import MuonEvidenceError
from tests.support.arxiv_access import IMPATIENT
from tests.support.arxiv_catalogue import Catalogue
from tests.support.arxiv_corpus import ArxivCorpus, arxiv_corpus
from tests.support.arxiv_server import ArxivServer, Fault

UNTIL = "it is left out until there is another version."
AGAIN = "(tried once; again by the next refresh)"
ASIDE = "(tried once; again when it changes, or with --retry-failed)"

#: What `status` says after a refresh in which a paper's PDF met only this fault. `PDF` stands for
#: "The PDF of <id> version <n>", `<url>` for where it was fetched.
PDF_FAULTS = {
    Fault.FORBIDDEN: f"PDF was refused: arXiv answered 403 Forbidden; it was left out. {ASIDE}",
    Fault.NOT_FOUND: f"PDF cannot be had: arXiv has none (404 Not Found); {UNTIL} {ASIDE}",
    Fault.NOT_ACCEPTABLE: (
        f"PDF was refused: arXiv answered 406 Not Acceptable; it was left out. {ASIDE}"
    ),
    Fault.GONE: f"PDF cannot be had: arXiv has none (410 Gone); {UNTIL} {ASIDE}",
    Fault.UNAVAILABLE: f"PDF failed: arXiv answered 503 Service Unavailable. {AGAIN}",
    Fault.UNAVAILABLE_WAIT: f"PDF failed: arXiv answered 503 Service Unavailable. {AGAIN}",
    Fault.ACCEPTED: f"PDF failed: arXiv answered 202 Accepted. {AGAIN}",
    Fault.WEB_PAGE: f"PDF was answered with a web page instead; {UNTIL} {ASIDE}",
    Fault.WITHDRAWN_PAGE: (f"PDF cannot be had: arXiv says that it was withdrawn; {UNTIL} {ASIDE}"),
    Fault.GARBAGE: (f"PDF is not a PDF (it does not start with %PDF); it was left out. {ASIDE}"),
    Fault.BLANK: f"PDF arrived empty. {AGAIN}",
    Fault.HUGE: (
        f"PDF has N bytes, more than the 100,000 that are allowed; it was left out. {ASIDE}"
    ),
    Fault.HUGE_UNTOLD: (
        f"PDF is larger than the 100,000 bytes that are allowed; it was left out. {ASIDE}"
    ),
    Fault.STALLED: f"<url> stalled: nothing came for 1 seconds. {AGAIN}",
    Fault.SILENT: f"<url> did not answer within 1 seconds. {AGAIN}",
    Fault.DRIPPING: f"<url> took longer than 1 seconds to arrive. {AGAIN}",
    Fault.CUT: f"<url> broke off after N bytes. {AGAIN}",
    Fault.CUT_UNTOLD: f"PDF arrived cut short: its end is missing. {AGAIN}",
    Fault.DROPPED: f"The connection broke while <url> was asked for. {AGAIN}",
    Fault.ELSEWHERE: (
        "PDF was left out: http://elsewhere.invalid/pdf/ID is on a host that nothing is fetched "
        f"from; allowed are arXiv's own and that of <server>. {ASIDE}"
    ),
    Fault.CIRCLE: (
        f"PDF is sent from one address to the next without end; it was left out. {ASIDE}"
    ),
}
HARMLESS = (Fault.SLOW, Fault.MOVED)


@dataclass
class Said:
    """What a command ended with."""

    status: int
    out: str
    err: str


Command = Callable[..., Said]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line, in this process, over a corpus's parts."""

    def run(corpus: ArxivCorpus, *arguments: str) -> Said:
        monkeypatch.setattr(cli, "_parts", lambda data: (corpus.parts(), ConsoleProgress()))
        monkeypatch.setattr(sys, "argv", ["muon-evidence", *arguments])
        monkeypatch.setenv("COLUMNS", "200")
        status = cli._status_of(cli.app)
        return Said(status, *capsys.readouterr())

    return run


def test_each_fault_of_a_pdf_is_one_line_of_status(tmp_path: Path, command: Command) -> None:
    """One refresh in which every paper but three meets another fault: none stops the rest."""
    with arxiv_corpus(tmp_path / "data", len(PDF_FAULTS) + len(HARMLESS) + 2) as corpus:
        corpus.limits = replace(corpus.limits, read_seconds=1.0, body_seconds=1.0)
        corpus.server.retry_after = "0"
        entries = corpus.server.catalogue.entries
        faults = [*PDF_FAULTS, *HARMLESS]
        for entry, fault in zip(entries, faults, strict=False):
            corpus.server.plan_pdf(entry.paper_id, *[fault] * 20)
        corpus.server.catalogue.change(entries[-1].paper_id, has_pdf=False)

        refreshed = command(corpus, "refresh", "--source", "arxiv")
        assert refreshed.status == 0, refreshed.err
        assert f"{len(HARMLESS) + 1} papers" in refreshed.out

        said = command(corpus, "status").out
        lines = [line.removeprefix("  pdfs: ") for line in said.splitlines() if "  pdfs: " in line]
        for entry, fault in zip(entries, PDF_FAULTS, strict=False):
            name = f"{entry.paper_id}v{entry.version}"
            wanted = (
                PDF_FAULTS[fault]
                .replace("PDF ", f"The PDF of {entry.paper_id} version {entry.version} ", 1)
                .replace("<url>", f"{corpus.server.origin}/pdf/{name}")
                .replace("<server>", corpus.server.origin)
                .replace("/pdf/ID", f"/pdf/{name}")
            )
            before, number, after = wanted.partition(" N ")
            assert any(line.startswith(before) and line.endswith(after) for line in lines), (
                f"{fault.name}: {wanted}"
            )
            assert number or wanted in lines
        last = entries[-1]
        assert (
            f"The PDF of {last.paper_id} version {last.version} cannot be had: arXiv lists none; "
            f"{UNTIL} {ASIDE}"
        ) in lines
        assert len(lines) == len(PDF_FAULTS) + 1


LEAST = (
    "What was listed is kept, nothing was removed; run again, and if it stays so with "
    "--accept-shrunk."
)
NO_ANSWER = "arXiv's search gives no usable answer; run again later. The last time:"
INCOMPLETE = "The arxiv listing was incomplete and the run stops here:"

#: What a refresh stops with whose every search meets this fault.
LISTING_FAULTS = {
    Fault.THROTTLED: f"{NO_ANSWER} arXiv asks to slow down (429).",
    Fault.THROTTLED_WAIT: (
        "arXiv's search asks to be left alone for 4,000 seconds; run again after that."
    ),
    Fault.UNAVAILABLE: f"{NO_ANSWER} arXiv's search failed (503 Service Unavailable).",
    Fault.FORBIDDEN: (
        "arXiv's search refuses this client (403 Forbidden); set MUON_CONTACT, wait a day, and "
        "run again."
    ),
    Fault.NOT_FOUND: ("<url> answered 404 Not Found instead of a listing; check MUON_ARXIV_URL."),
    Fault.NOT_ACCEPTABLE: (
        "<url> answered 406 Not Acceptable instead of a listing; check MUON_ARXIV_URL."
    ),
    Fault.WEB_PAGE: (
        f"{NO_ANSWER} arXiv's search answered with text/html that is no whole Atom feed."
    ),
    Fault.BLANK: (
        f"{NO_ANSWER} arXiv's search answered with application/atom+xml that is no whole Atom feed."
    ),
    Fault.STALLED: f"{NO_ANSWER} <url> stalled: nothing came for 0.2 seconds.",
    Fault.SILENT: f"{NO_ANSWER} <url> did not answer within 0.2 seconds.",
    Fault.DRIPPING: f"{NO_ANSWER} <url> took longer than 0.2 seconds to arrive.",
    Fault.CUT: f"{NO_ANSWER} <url> broke off after",
    Fault.DROPPED: f"{NO_ANSWER} The connection broke while <url> was asked for.",
    Fault.ELSEWHERE: (
        "arXiv's search cannot be used: http://elsewhere.invalid/api/query is on a host that "
        "nothing is fetched from; allowed are arXiv's own and that of <server>."
    ),
    Fault.CIRCLE: "arXiv's search redirects without end; check MUON_ARXIV_URL.",
    Fault.EMPTY_PAGE: (
        f"{INCOMPLETE} arXiv reports 120 papers but gave 0. The last doubt: arXiv's search gave "
        f"an empty page at 100 of 120 papers. {LEAST}"
    ),
    Fault.NOTHING: (
        f"{INCOMPLETE} arXiv reports no papers at all for the profile's query. {LEAST}"
    ),
    Fault.NO_TOTAL: (
        f"{INCOMPLETE} arXiv gave 120 papers and no total to hold them to. The last doubt: "
        f"arXiv's search does not say how many papers it has. {LEAST}"
    ),
    Fault.HIGH_TOTAL: (
        f"{INCOMPLETE} arXiv reports 130 papers but gave 120. The last doubt: arXiv's search gave "
        f"an empty page at 120 of 130 papers. {LEAST}"
    ),
    Fault.REPEATED_PAGE: (
        f"{INCOMPLETE} arXiv reports 120 papers but gave 100. The last doubt: arXiv's search gave "
        f"more papers than the 120 it reports. {LEAST}"
    ),
    Fault.WRONG_PAGE: (
        f"{INCOMPLETE} arXiv reports 120 papers but gave 100. The last doubt: arXiv's search gave "
        f"results from 50 on where 100 was asked for. {LEAST}"
    ),
    Fault.UNDATED_ENTRY: (
        f"{INCOMPLETE} arXiv reports 120 papers but gave 117. The last doubt: arXiv's search gave "
        f"entries without an id or a date (1 of 20). {LEAST}"
    ),
}


@pytest.fixture(scope="module")
def listings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArxivCorpus]:
    """An arXiv of three pages; each test lists it into a location of its own."""
    with arxiv_corpus(tmp_path_factory.mktemp("none"), 120) as corpus:
        corpus.server.retry_after = "4000"
        yield corpus


@pytest.mark.parametrize("fault", LISTING_FAULTS, ids=lambda fault: fault.name)
def test_each_fault_of_a_listing_stops_the_run_with_its_reason(
    listings: ArxivCorpus, tmp_path: Path, fault: Fault
) -> None:
    corpus = replace(listings, data=tmp_path / "data")
    corpus.server.plan(*[fault] * 60)
    corpus.limits = replace(corpus.limits, **IMPATIENT.get(fault, {}))
    with pytest.raises(MuonEvidenceError) as raised:
        corpus.run([papers])
    wanted = LISTING_FAULTS[fault].replace("<url>", corpus.server.url)
    assert str(raised.value).startswith(wanted.replace("<server>", corpus.server.origin))
    corpus.server.plan()
    corpus.limits = listings.limits
    corpus.run([papers])
    assert len(corpus.rows(PAPERS)) == 120


@pytest.mark.parametrize(
    "fault",
    [Fault.SHORT_PAGE, Fault.LOW_TOTAL, Fault.SLOW, Fault.MOVED],
    ids=lambda fault: fault.name,
)
def test_what_a_listing_can_do_without_stops_nothing(
    listings: ArxivCorpus, tmp_path: Path, fault: Fault
) -> None:
    corpus = replace(listings, data=tmp_path / "data")
    corpus.server.plan(*[fault] * 60)
    corpus.run([papers])
    assert len(corpus.rows(PAPERS)) == 120


def test_a_stopped_refresh_is_status_1_and_one_sentence(tmp_path: Path, command: Command) -> None:
    with arxiv_corpus(tmp_path / "data", 20) as corpus:
        corpus.server.plan(*[Fault.THROTTLED] * 9)
        said = command(corpus, "refresh")
        assert said.status == 1
        assert said.err.splitlines()[-1] == ("muon-evidence: " + LISTING_FAULTS[Fault.THROTTLED])
        assert said.out == ""
        assert command(corpus, "status").status == 0


def test_a_slow_down_among_pdfs_stops_the_run_and_keeps_what_came(tmp_path: Path) -> None:
    with arxiv_corpus(tmp_path / "data", 20) as corpus:
        ids = [entry.paper_id for entry in corpus.server.catalogue.entries]
        corpus.server.plan_pdf(ids[7], *[Fault.THROTTLED] * 3)
        with pytest.raises(MuonEvidenceError) as raised:
            corpus.run()
        assert str(raised.value) == (
            "arXiv gives no PDFs at present; run again later. The last time: "
            "arXiv asks to slow down (429)."
        )
        assert corpus.messages == {}, "it is nobody's fault"
        corpus.run()
        assert corpus.asked[1] == dict.fromkeys(ids[7:], 1)


def test_an_arxiv_that_is_not_there(tmp_path: Path) -> None:
    with ArxivServer(Catalogue(0)) as gone:
        url, origin = gone.url, gone.origin
    with arxiv_corpus(tmp_path / "data", 1, MUON_ARXIV_URL=url) as corpus:
        with pytest.raises(MuonEvidenceError) as raised:
            corpus.run([papers])
        assert str(raised.value) == (
            f"{NO_ANSWER} {origin} cannot be reached; check the network and the address."
        )


def test_papers_named_on_the_command_line(tmp_path: Path, command: Command) -> None:
    """Ids and a .bib; what names no paper is told, and what is wrong use has its own status."""
    with arxiv_corpus(tmp_path / "data", 6) as corpus:
        ids = [entry.paper_id for entry in corpus.server.catalogue.entries]
        said = command(corpus, "refresh", "--source", "arxiv", "--ids", f"{ids[0]},0000.0000")
        assert said.status == 0, said.err
        assert "papers: 1 new" in said.out
        assert "papers: arXiv knows no paper 0000.0000; check the id." in said.out
        assert "(new): 1 paper," in said.out
        bib = tmp_path / "cited.bib"
        bib.write_text(f'@article{{A:2006, eprint = "{ids[1]}", archivePrefix = "arXiv"}}')
        said = command(corpus, "refresh", "--ids", str(bib), "--json")
        assert json.loads(said.out)["assets"]["papers"]["new"] == 1
        assert corpus.rows(PDFS).keys() == {ids[0], ids[1]}

        for wrong, why in {
            ("--source", "folder", "--ids", ids[0]): "Ids name arXiv papers",
            ("--ids", str(tmp_path / "no.bib")): "There is no file",
        }.items():
            said = command(corpus, "refresh", *wrong)
            assert said.status == 2
            assert said.err.startswith(f"muon-evidence: {why}")
            assert len(said.err.splitlines()) == 1
