"""Parsing in processes of their own: one bad file never stops the rest."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resources.blocks import Block, BlockKind, Box, PageEntry, ParsedDocument
from resources.errors import Permanent
from resources.pdf_layout import Limits, ParserPool, parse_pdf, parse_pdf_isolated
from resources.pdf_layout.messages import dump_document, load_document
from tests.support.pdf_samples import locked, slow, stream, text_at, written

ROOT = Path(__file__).resolve().parents[3]


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def good(folder: Path, name: str) -> Path:
    return write(folder, name, written([stream(text_at(50, 400, f"the text of {name}"))]))


def alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rsplit(")", 1)[1].split()[0] != "Z"


def test_the_isolated_parser_gives_what_the_plain_one_gives(tmp_path: Path) -> None:
    path = good(tmp_path, "a.pdf")
    assert parse_pdf_isolated(path) == parse_pdf(path)
    with pytest.raises(Permanent, match=r"locked\.pdf: the PDF is encrypted"):
        parse_pdf_isolated(write(tmp_path, "locked.pdf", locked()))


def test_bad_files_among_good_ones_are_answered_one_by_one(tmp_path: Path) -> None:
    limits = Limits(seconds=1.0)
    paths = [
        good(tmp_path, "a.pdf"),
        write(tmp_path, "slow.pdf", slow()),
        write(tmp_path, "page.html", b"<html>"),
        good(tmp_path, "b.pdf"),
        write(tmp_path, "locked.pdf", locked()),
        good(tmp_path, "c.pdf"),
    ]
    with ParserPool(2, limits) as pool:
        results = dict(pool.parse_many(paths))
        assert set(results) == set(paths)
        again = dict(pool.parse_many([paths[0]]))
    documents = {p.name: r for p, r in results.items() if isinstance(r, ParsedDocument)}
    assert sorted(documents) == ["a.pdf", "b.pdf", "c.pdf"]
    assert documents["b.pdf"].blocks[0].text == "the text of b.pdf"
    said = {p.name: str(r) for p, r in results.items() if isinstance(r, Permanent)}
    assert said["slow.pdf"] == (
        "slow.pdf: parsing took longer than the limit of 1 s; raise the limit or leave the file "
        "out."
    )
    assert "not a PDF" in said["page.html"]
    assert "encrypted" in said["locked.pdf"]
    assert again == {paths[0]: documents["a.pdf"]}


def test_workers_are_reused_and_end_with_the_pool(tmp_path: Path) -> None:
    paths = [good(tmp_path, f"{n}.pdf") for n in range(6)]
    with ParserPool(2) as pool:
        seen = set()
        for _ in pool.parse_many(paths):
            seen.update(pool.worker_pids())
        assert 1 <= len(seen) <= 2
    assert not any(alive(pid) for pid in seen)


def test_a_worker_that_dies_is_replaced_and_its_file_named(tmp_path: Path) -> None:
    paths = [write(tmp_path, "slow.pdf", slow()), good(tmp_path, "a.pdf")]
    with ParserPool(1) as pool:

        def shoot() -> None:
            until = time.monotonic() + 30
            while time.monotonic() < until and not pool.busy_pids():
                time.sleep(0.002)
            for pid in pool.busy_pids():
                os.kill(pid, signal.SIGKILL)

        shooter = threading.Thread(target=shoot)
        shooter.start()
        results = {p.name: r for p, r in pool.parse_many(paths)}
        shooter.join()
    assert isinstance(results["a.pdf"], ParsedDocument)
    assert "the PDF library crashed on this file" in str(results["slow.pdf"])


def test_a_file_that_needs_too_much_memory_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "slow.pdf", slow(20))
    with pytest.raises(Permanent, match=r"slow\.pdf: .*(memory|crashed)"):
        parse_pdf_isolated(path, Limits(megabytes_of_memory=250, seconds=60))


def test_a_worker_dies_with_its_parent(tmp_path: Path) -> None:
    path = write(tmp_path, "slow.pdf", slow())
    program = (
        "import sys, threading, time\n"
        "from pathlib import Path\n"
        "from resources.pdf_layout import ParserPool\n"
        "pool = ParserPool(1)\n"
        "def report():\n"
        "    while not pool.busy_pids(): time.sleep(0.002)\n"
        "    print(*pool.busy_pids(), flush=True)\n"
        "threading.Thread(target=report).start()\n"
        "list(pool.parse_many([Path(sys.argv[1])]))\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    assert alive(child)
    parent.kill()
    parent.wait()
    until = time.monotonic() + 10
    while alive(child) and time.monotonic() < until:
        time.sleep(0.002)
    parent.stdout.close()
    assert not alive(child)


def test_a_worker_imports_nothing_heavy() -> None:
    program = (
        "import sys, json, resources.pdf_layout.worker, resources.pdf_layout.parser\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    )
    loaded = {name.split(".")[0] for name in json.loads(done.stdout)}
    assert "pypdfium2" in loaded
    assert not loaded & {"torch", "dagster", "lancedb", "pyarrow", "pandas", "scipy", "wordfreq"}


texts = st.text(max_size=20)
sizes = st.floats(allow_nan=False, allow_infinity=False, width=32)
boxes = st.builds(
    Box,
    page=st.integers(1, 9),
    x0=sizes,
    y0=sizes,
    x1=sizes,
    y1=sizes,
    start=st.integers(0, 99),
    end=st.integers(0, 99),
)
blocks = st.builds(
    Block,
    kind=st.sampled_from(BlockKind),
    text=texts,
    page=st.integers(1, 9),
    section=st.lists(texts, max_size=3).map(tuple),
    boxes=st.lists(boxes, max_size=3).map(tuple),
)
entries = st.builds(
    PageEntry,
    page=st.integers(1, 9),
    width=sizes,
    height=sizes,
    characters=st.integers(0, 9999),
    blocks=st.integers(0, 99),
    note=texts,
)
documents = st.builds(
    ParsedDocument,
    parser=texts,
    title=texts,
    authors=st.lists(texts, max_size=3).map(tuple),
    blocks=st.lists(blocks, max_size=3).map(tuple),
    pages=st.lists(entries, max_size=3).map(tuple),
)


@given(documents)
def test_a_document_crosses_the_pipe_unchanged(document: ParsedDocument) -> None:
    assert load_document(dump_document(document)) == document
