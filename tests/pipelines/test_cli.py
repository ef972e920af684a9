"""The command line: what it prints, what it exits with, and one sentence for whatever is wrong."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assets.data_format import FORMAT_FILE
from resources import sample_corpus
from tests.support.odd_pdfs import encrypted, image_only
from tests.support.pipeline import Demo, Finished, Muon, process
from tests.support.tiny_pdf import tiny_pdf

MODES = ["agentic", "hybrid", "dense", "sparse", "density", "paper"]
METRICS = {"P@1", "Hit@5", "Recall@5", "Recall@20", "MRR", "nDCG@5"}
ANSWER_METRICS = {
    "key_points",
    "citation_precision",
    "citation_recall",
    "ungrounded_numbers",
    "correct_abstention",
    "false_abstention",
}
MDI = sample_corpus.folder() / "mdi.pdf"


def refused(ended: Finished, status: int = 2) -> str:
    """The one sentence of a command that could not be carried out."""
    assert ended.status == status, ended.err
    assert ended.out == ""
    lines = [line for line in ended.err.splitlines() if line.startswith("muon-evidence: ")]
    assert len(lines) == 1, ended.err
    assert ended.err.rstrip().endswith(lines[0])
    sentence = lines[0].removeprefix("muon-evidence: ")
    assert sentence.endswith((".", "`")), sentence
    for noise in ("Traceback", "Unexpected", "Error:", "  File "):
        assert noise not in ended.err
    return sentence


def printed(ended: Finished) -> Any:
    """What a command that succeeded printed as JSON, and nothing else on stdout."""
    assert ended.status == 0, ended.err
    return ended.json


# As a process.


def test_help_names_every_command_and_loads_nothing() -> None:
    shown = process("--help")
    assert shown.status == 0
    for command in ("demo", "refresh", "ask", "search", "parse", "claims", "evaluate", "status"):
        assert command in shown.out


def test_a_search_as_a_process_prints_json_alone(demo: Demo) -> None:
    found = process("search", "tungsten nozzle", "--k", "2", "--json", "--data", str(demo.data))
    assert (found.status, found.err) == (0, "")
    assert [hit["rank"] for hit in found.json["hits"]] == [1, 2]


def test_wrong_use_as_a_process_exits_with_2(demo: Demo) -> None:
    ended = process("search", "tungsten nozzle", "--k", "0", "--data", str(demo.data))
    assert refused(ended) == "--k must be between 1 and 1000, not 0."


def test_a_run_that_fails_as_a_process_exits_with_1(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "scan.pdf").write_bytes(image_only())
    data = tmp_path / "data"
    ended = process("refresh", "--source", "folder", "--folder", str(folder), "--data", str(data))
    assert "nothing to release" in refused(ended, status=1)
    assert not (data / "releases").exists()


# What commands print.


@pytest.mark.parametrize("mode", MODES)
def test_search_prints_hits_in_every_mode(muon: Muon, demo: Demo, mode: str) -> None:
    found = muon("search", "tungsten nozzle", "--mode", mode, "--k", "3", "--json", data=demo.data)
    hits = printed(found)["hits"]
    assert [hit["rank"] for hit in hits] == [1, 2, 3]
    for hit in hits:
        assert {
            "rank", "score", "chunk_id", "paper_id", "title", "section", "page_start", "page_end",
            "text",
        } <= set(hit)  # fmt: skip
        assert 1 <= hit["page_start"] <= hit["page_end"]
        assert hit["text"]
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert any("nozzle" in hit["text"] for hit in hits)


def test_search_prints_hits_for_people(muon: Muon, demo: Demo) -> None:
    found = muon("search", "tungsten nozzle", "--k", "1", data=demo.data)
    assert found.status == 0
    assert found.out.startswith("1 ")
    assert "sample-mdi" in found.out


def test_a_search_that_finds_nothing_says_so(muon: Muon, demo: Demo) -> None:
    query = ["search", "xyzzyx", "--mode", "sparse"]
    assert printed(muon(*query, "--json", data=demo.data)) == {"hits": []}
    assert muon(*query, data=demo.data).out == "No passage matches.\n"


def test_parse_prints_blocks_and_the_page_ledger(muon: Muon) -> None:
    parsed = printed(muon("parse", str(MDI), "--json"))
    assert {"blocks", "pages"} <= set(parsed)
    pages = [page["page"] for page in parsed["pages"]]
    assert pages == list(range(1, len(pages) + 1))
    assert len(pages) >= 2
    for block in parsed["blocks"]:
        assert {"kind", "section", "page", "boxes", "text"} <= set(block)
        assert block["page"] in pages
        assert all(box["page"] in pages for box in block["boxes"])
    assert {"heading", "paragraph", "reference"} <= {block["kind"] for block in parsed["blocks"]}
    assert "nozzle" in muon("parse", str(MDI)).out


def test_claims_of_a_paper_stand_on_its_pages(muon: Muon) -> None:
    found = printed(muon("claims", str(MDI), "--json"))
    assert len(found["claims"]) > 10
    for claim in found["claims"]:
        assert {"text", "quote", "page", "prob_fact"} <= set(claim)
        assert 0.2 <= claim["prob_fact"] <= 1
        assert claim["page"] >= 1
    assert {"tokens", "claims", "fd_raw", "fd_star"} <= set(found["density"][0])


def test_an_overlay_never_takes_the_place_of_the_paper(muon: Muon, tmp_path: Path) -> None:
    paper = tmp_path / "paper.pdf"
    shutil.copy(MDI, paper)
    before = paper.read_bytes()
    assert "is the paper itself" in refused(muon("parse", str(paper), "--overlay", str(paper)))
    assert "is a folder" in refused(muon("parse", str(paper), "--overlay", str(tmp_path)))
    nowhere = str(tmp_path / "none" / "o.pdf")
    assert "There is no folder" in refused(muon("parse", str(paper), "--overlay", nowhere))
    assert paper.read_bytes() == before
    assert list(tmp_path.iterdir()) == [paper]


def test_claims_of_a_scan_say_why_there_are_none(muon: Muon, tmp_path: Path) -> None:
    scan = tmp_path / "scan.pdf"
    scan.write_bytes(image_only(pages=2))
    assert muon("claims", str(scan)).out.splitlines() == [
        "0 claims in 0 chunks",
        "p1  no text: image only",
        "p2  no text: image only",
    ]
    assert printed(muon("claims", str(scan), "--json"))["claims"] == []


def test_claims_of_a_plain_text_are_verbatim(muon: Muon, tmp_path: Path) -> None:
    text = tmp_path / "passages.txt"
    passages = [
        "The solenoid reaches a field of 32 T at 4.2 K.",
        "A muon at rest lives 2.2 microseconds before it decays into an electron.",
    ]
    text.write_text("\n\n".join(passages), encoding="utf-8")
    found = printed(muon("claims", str(text), "--json"))
    assert found["claims"]
    assert all(any(claim["quote"] in one for one in passages) for claim in found["claims"])
    assert len(found["density"]) == 2
    assert "32 T" in muon("claims", str(text)).out


def test_status_prints_what_there_is(muon: Muon, demo: Demo) -> None:
    found = printed(muon("status", "--json", data=demo.data))
    assert {"papers", "pdfs", "documents", "chunks", "claims", "answers"} <= set(found["tables"])
    assert found["tables"]["papers"] == found["release"]["counts"]["papers"]
    assert found["failures"]["count"] == 0
    assert set(found["backlog"].values()) == {0}
    assert "embedded" in found["parts"]["parser"]
    assert found["release"]["release_id"] in muon("status", data=demo.data).out


def test_status_before_anything_leaves_no_trace(muon: Muon, tmp_path: Path) -> None:
    data = tmp_path / "data"
    found = printed(muon("status", "--json", data=data))
    assert found["release"] is None
    assert set(found["tables"].values()) == {0}
    assert "none yet" in muon("status", data=data).out
    assert not data.exists()


def test_releases_are_listed(muon: Muon, demo: Demo) -> None:
    (one,) = printed(muon("releases", "--json", data=demo.data))["releases"]
    assert one["current"] is True
    assert f"* {one['release_id']}" in muon("releases", data=demo.data).out
    assert "is the oldest" in refused(muon("rollback", data=demo.data))


def test_ask_prints_the_answers_row(muon: Muon, copy_of_demo: Callable[[], Path]) -> None:
    data = copy_of_demo()
    answer = printed(
        muon("ask", "What does a tungsten nozzle absorb?", "--mode", "hybrid", "--json", data=data)
    )
    assert answer["question"] == "What does a tungsten nozzle absorb?"
    assert answer["mode"] == "hybrid"
    assert {"answer_id", "sentences", "abstained", "reason", "release", "model"} <= set(answer)
    assert not answer["abstained"]
    for sentence in answer["sentences"]:
        for citation in sentence["citations"]:
            assert {"paper_id", "title", "page", "link", "quote"} <= set(citation)
    asked = muon("ask", "What is the price of a cup of coffee in Lisbon?", data=data)
    assert asked.status == 0
    assert "Not answered:" in asked.out


@pytest.fixture
def few_questions(tmp_path: Path) -> Path:
    """A questions file of one question of each set."""
    lines = (sample_corpus.folder() / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line) for line in lines]
    chosen = [
        next(one for one in questions if one["set"] == name and one["answerable"])
        for name in ("retrieval", "answer")
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, chosen)), encoding="utf-8")
    return path


def test_evaluate_prints_every_mode_side_by_side(
    muon: Muon, copy_of_demo: Callable[[], Path], few_questions: Path
) -> None:
    data = copy_of_demo()
    asked = ["evaluate", "--questions", str(few_questions)]
    report = printed(muon(*asked, "--set", "retrieval", "--json", data=data))
    assert (report["n"], report["default_mode"]) == (1, "hybrid")
    assert report["release"]
    assert {"sparse", "dense", "hybrid", "agentic"} <= set(report["modes"])
    for levels in report["modes"].values():
        for level in ("chunk", "paper"):
            assert set(levels[level]) >= METRICS
            assert all(0 <= levels[level][name] <= 1 for name in METRICS)
    shown = muon(*asked, "--set", "answer", data=data)
    assert shown.status == 0
    kept = [path for path in (data / "evaluations").iterdir() if path.name.startswith("answer")]
    (answers,) = [json.loads(path.read_text(encoding="utf-8")) for path in kept]
    for scores in answers["modes"].values():
        assert set(scores) >= ANSWER_METRICS


def test_a_folder_that_shrank_is_not_believed_unless_told_so(muon: Muon, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    for number in range(3):
        lines = [[f"Magnet number {number} reaches {number + 10} T at 4.2 K.", "It was cold."]]
        (folder / f"{number}.pdf").write_bytes(
            tiny_pdf(lines, heading=f"A magnet of kind {number}")
        )
    data = tmp_path / "data"
    command = ["refresh", "--source", "folder", "--folder", str(folder), "--json"]
    first = printed(muon(*command, data=data))
    assert first["assets"]["release"]["papers"] == 3
    for number in range(2):
        (folder / f"{number}.pdf").unlink()
    assert "lacks 2 of the 3 papers" in refused(muon(*command, data=data), status=1)
    assert printed(muon("status", "--json", data=data))["papers"]["by_status"] == {"active": 3}
    second = printed(muon(*command, "--accept-shrunk", data=data))
    assert second["assets"]["papers"]["unlisted"] == 2
    assert second["assets"]["release"]["papers"] == 1


# Bad input.


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("notes.pdf", b"These are notes, and no PDF.", "not a PDF"),
        ("empty.pdf", b"", "empty"),
        ("locked.pdf", encrypted(), "encrypted"),
        ("cut.pdf", MDI.read_bytes()[:2000], "cut short"),
        ("broken.xml", b"<TEI><text>", "XML"),
    ],
)
@pytest.mark.parametrize("command", ["parse", "claims"])
def test_a_file_that_cannot_be_read_is_named(
    muon: Muon, tmp_path: Path, command: str, name: str, content: bytes, why: str
) -> None:
    (tmp_path / name).write_bytes(content)
    sentence = refused(muon(command, str(tmp_path / name)), status=1)
    assert name in sentence
    assert why in sentence


def test_a_scan_is_parsed_to_a_ledger_that_says_so(muon: Muon, tmp_path: Path) -> None:
    (tmp_path / "scan.pdf").write_bytes(image_only(pages=2))
    parsed = printed(muon("parse", str(tmp_path / "scan.pdf"), "--json"))
    assert parsed["blocks"] == []
    assert [page["note"] for page in parsed["pages"]] == ["image only", "image only"]


@pytest.mark.parametrize("command", ["parse", "claims"])
def test_a_file_that_is_not_there_is_wrong_use(muon: Muon, tmp_path: Path, command: str) -> None:
    assert "There is no file" in refused(muon(command, str(tmp_path / "gone.pdf")))
    sentence = refused(muon(command, str(tmp_path)))
    assert sentence.startswith(f"{tmp_path} is a folder: name one PDF or TEI file in it")
    assert sentence.endswith(f"`muon-evidence refresh --source folder --folder {tmp_path}`.")


@pytest.mark.parametrize(
    "arguments",
    [
        ["parse"],
        ["claims"],
        ["evaluate", "--questions"],
        ["audit", "--questions"],
        ["audit", "--labels"],
        ["refresh", "--source", "arxiv", "--ids"],
    ],
    ids=" ".join,
)
def test_a_folder_in_the_place_of_a_file_is_told(
    muon: Muon, demo: Demo, tmp_path: Path, arguments: list[str]
) -> None:
    at = None if arguments[0] in {"parse", "claims"} else demo.data
    for folder in (tmp_path / "papers", tmp_path / "papers.txt"):
        folder.mkdir()
        assert f"{folder} is a folder: name " in refused(muon(*arguments, str(folder), data=at))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["ask", ""], "no words"),
        (["ask", "  ?!… "], "no words"),
        (["search", "?!"], "no words"),
        (["ask", "muon " * 4001], "20,004 bytes long and at most 20,000"),
        (["search", "μ" * 10_001], "20,002 bytes long"),
        (["search", "muons", "--k", "0"], "--k must be between 1 and 1000, not 0"),
        (["search", "muons", "--k", "-3"], "--k must be between"),
        (["search", "muons", "--k", "1001"], "--k must be between"),
        (["search", "muons", "--k", "many"], "--k cannot be 'many': it must be a whole number"),
        (["ask", "What are muons?", "--m", "0"], "--m must be between 1 and 200"),
        (["ask", "What are muons?", "--mode", "psychic"], "'psychic'; there are: agentic, hybrid"),
        (["search", "muons", "--mode", ""], "no mode ''"),
        (["evaluate", "--set", "all"], "no set 'all'"),
        (["evaluate", "--questions", "/nowhere/q.jsonl"], "/nowhere/q.jsonl"),
        (["rollback", "20200101-00000000"], "no release '20200101-00000000'"),
        (["refresh", "--source", "web"], "'web': it is not one of 'sample', 'folder', 'arxiv'"),
        (["ask", "What are muons?", "--budget", "-1"], "'-1': it must be at least 0"),
        (["refresh", "--source", "folder"], "--folder or MUON_FOLDER"),
        (["refresh", "--source", "folder", "--folder", "/nowhere/at all"], "/nowhere/at all"),
        (["refresh", "--ids", "2303.08533", "--source", "sample"], "--source arxiv"),
        (["fly"], "fly"),
        (["search"], "QUERY"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_wrong_use_is_one_sentence(muon: Muon, demo: Demo, arguments: list[str], why: str) -> None:
    at = demo.data if arguments != ["fly"] else None
    assert why.lower() in refused(muon(*arguments, data=at)).lower()


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (['{"id": "q1", "question": "What?"}', "{broken"], "line 2: not valid JSON"),
        (['{"id": "q1", "question": "What?"}', "", '{"id": "q2"}'], "line 3: .*'question'"),
        (['["q1"]'], "line 1: .*object"),
        (['{"id": "q1", "question": "What?", "evidence": [{"quote": "x"}]}'], "line 1: "),
        (['{"id": "q1", "question": "What?"}'] * 2, "'q1' occurs twice"),
        (['{"id": "q1", "question": "What?", "set": "answer"}'], "no questions of the set"),
        ([], "no questions"),
    ],
)
def test_a_malformed_questions_file_names_the_line(
    muon: Muon, demo: Demo, tmp_path: Path, lines: list[str], why: str
) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    sentence = refused(muon("evaluate", "--questions", str(path), data=demo.data))
    assert path.name in sentence
    assert re.search(why, sentence)


@pytest.mark.parametrize(
    "arguments", [["ask", "What are muons?"], ["search", "muons"], ["evaluate"], ["rollback"]]
)
def test_without_a_release_there_is_nothing_to_read(
    muon: Muon, tmp_path: Path, arguments: list[str]
) -> None:
    sentence = refused(muon(*arguments, data=tmp_path / "data"))
    assert "has no release yet: run `muon-evidence refresh`" in sentence
    assert not (tmp_path / "data").exists()


EVERYTHING = [
    ["demo"],
    ["refresh", "--source", "sample"],
    ["ask", "What are muons?"],
    ["search", "muons"],
    ["evaluate"],
    ["status"],
    ["releases"],
]


@pytest.mark.parametrize("arguments", EVERYTHING, ids=lambda value: value[0])
def test_a_data_location_that_cannot_be_is_named(
    muon: Muon, tmp_path: Path, arguments: list[str]
) -> None:
    (tmp_path / "file").write_text("This is a file.")
    sentence = refused(muon(*arguments, data=tmp_path / "file"))
    assert str(tmp_path / "file") in sentence
    assert (tmp_path / "file").read_text() == "This is a file."


@pytest.mark.parametrize("arguments", EVERYTHING, ids=lambda value: value[0])
def test_a_data_location_of_another_format_is_left_alone(
    muon: Muon, tmp_path: Path, arguments: list[str]
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / FORMAT_FILE).write_text('{"format": 7}')
    sentence = refused(muon(*arguments, data=data))
    assert "has format 7, this program reads format 1" in sentence
    assert [path.name for path in data.iterdir()] == [FORMAT_FILE]


def test_a_folder_without_papers_is_named(muon: Muon, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    (folder / "inner").mkdir(parents=True)
    (folder / "notes.txt").write_text("no PDF")
    command = ["refresh", "--source", "folder", "--folder", str(folder)]
    assert "holds no PDF files" in refused(muon(*command, data=tmp_path / "data"))
    assert not (tmp_path / "data" / "lake").exists()


def test_a_folder_that_is_not_there_begins_no_run(muon: Muon, tmp_path: Path) -> None:
    command = ["refresh", "--source", "folder", "--folder", str(tmp_path / "gone")]
    assert "gone" in refused(muon(*command, data=tmp_path / "data"))
    assert not (tmp_path / "data").exists()


def test_a_malformed_papers_jsonl_names_the_line(muon: Muon, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    shutil.copy(MDI, folder)
    (folder / "papers.jsonl").write_text(
        '{"paper_id": "a", "file": "mdi.pdf"}\n{"file": "b.pdf"}\n'
    )
    command = ["refresh", "--source", "folder", "--folder", str(folder)]
    sentence = refused(muon(*command, data=tmp_path / "data"))
    assert "Line 2 of" in sentence
    assert "paper_id" in sentence


@pytest.mark.parametrize(
    ("name", "value"),
    [("MUON_SOURCE", "web"), ("MUON_WORKERS", "none"), ("MUON_PROFILE", "no_such_profile")],
)
def test_a_setting_that_cannot_be_is_named(
    muon: Muon, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    sentence = refused(muon("refresh", "--source", "sample", data=tmp_path / "data"))
    assert value in sentence


def test_an_encoder_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, muon: Muon, tmp_path: Path
) -> None:
    monkeypatch.setenv("MUON_ENCODER", "/nowhere/encoder")
    sentence = refused(muon("claims", str(MDI)))
    assert "/nowhere/encoder" in sentence


def test_an_unexpected_error_is_a_sentence_too(
    monkeypatch: pytest.MonkeyPatch, muon: Muon, demo: Demo
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("something nobody thought of")

    monkeypatch.setattr("pipelines.actions.search", broken)
    ended = muon("search", "muons", data=demo.data)
    assert ended.status == 1
    assert ended.err.count("\n") == 1
    assert "something nobody thought of" in ended.err
    monkeypatch.setenv("MUON_DEBUG", "1")
    with pytest.raises(RuntimeError):
        muon("search", "muons", data=demo.data)
