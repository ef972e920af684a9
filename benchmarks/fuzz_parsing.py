"""Damages TEI and PDF files for a given time and looks for anything but a document or a refusal.

    python -m benchmarks.fuzz_parsing [--seconds 600] [--seed 0] [--keep build/fuzz-findings]

Starts from the sample papers and, where the shared material is at hand, from real TEI and PDFs.
A finding is an exception other than `Permanent`, a document that breaks its own rules, an input
that takes longer than its limit to read as TEI, or a fault of the parser's own in its worker
process; crashes and time limits of the PDF library, which the worker contains, are counted. The
input of every finding is kept, and the run ends with status 1.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from assets.parsing.tei import read_tei
from benchmarks.shared import shared_folder
from resources.errors import Permanent
from resources.pdf_layout import Limits, ParserPool
from tests.support.grobid_tei import tei_of_pdf
from tests.support.mutation import mutated, random_changes, rearranged
from tests.support.tei_builder import check_whole

_CHECKOUT = Path(__file__).resolve().parents[1]
_TEI_SECONDS = 20
_LIMITS = Limits(seconds=20.0, megabytes_of_memory=2_000)
_LARGEST_PDF = 1_500_000
_REPORT_EVERY = 30.0
_WITH_PDF_EVERY = 25


@dataclass(slots=True)
class Findings:
    """What came out so far; inputs that found something are kept in `folder`."""

    folder: Path
    outcomes: Counter[str] = field(default_factory=Counter)
    kept: list[str] = field(default_factory=list)

    def keep(self, data: bytes, suffix: str, reason: str) -> None:
        """Store an input with the reason beside it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{len(self.kept):04}{suffix}"
        path.write_bytes(data)
        path.with_suffix(".txt").write_text(reason)
        self.kept.append(f"{path}: {reason.strip().splitlines()[-1][:160]}")
        print(f"FOUND {self.kept[-1]}", flush=True)


def main() -> int:
    """Run for the given time; 0 where nothing was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz-findings"))
    options = parser.parse_args()
    findings = Findings(options.keep)
    teis, pdfs = _originals()
    print(f"{len(teis)} TEI and {len(pdfs)} PDF files to damage, seed {options.seed}", flush=True)
    random = Random(options.seed)  # noqa: S311 - damage, not secrets
    deadline = time.monotonic() + options.seconds
    with ParserPool(1, _LIMITS) as pool, tempfile.TemporaryDirectory() as scratch:
        reported = time.monotonic()
        while time.monotonic() < deadline:
            _try_tei(random, teis, pdfs, Path(scratch), findings)
            if sum(findings.outcomes.values()) % 4 == 0:
                _try_pdf(random, pdfs, pool, Path(scratch), findings)
            if time.monotonic() - reported > _REPORT_EVERY:
                reported = time.monotonic()
                print(_summary(findings), flush=True)
    print(_summary(findings))
    for line in findings.kept:
        print(f"FOUND {line}")
    return 1 if findings.kept else 0


def _originals() -> tuple[list[bytes], list[bytes]]:
    """The undamaged TEI and PDF files."""
    samples = [
        path.read_bytes() for path in sorted((_CHECKOUT / "resources/sample_corpus").glob("*.pdf"))
    ]
    teis = [tei for tei in map(tei_of_pdf, samples) if tei]
    pdfs = list(samples)
    shared = shared_folder()
    if shared:
        teis += [path.read_bytes() for path in sorted((shared / "fixtures/tei").glob("*.xml"))]
        for folder in ("fixtures/awkward_pdf", "fixtures/tei", "corpus"):
            paths = sorted((shared / folder).glob("*.pdf"))
            pdfs += [path.read_bytes() for path in paths if path.stat().st_size < _LARGEST_PDF]
    return teis, pdfs


def _try_tei(
    random: Random, teis: list[bytes], pdfs: list[bytes], scratch: Path, findings: Findings
) -> None:
    """One TEI, damaged or rearranged, now and then beside one PDF, damaged or whole."""
    original = random.choice(teis)
    is_damaged = random.random() < 0.3
    data = mutated(original, random_changes(random)) if is_damaged else rearranged(original, random)
    pdf: Path | None = None
    if random.randrange(_WITH_PDF_EVERY) == 0:
        pdf = scratch / "beside.pdf"
        changes = random_changes(random) if random.random() < 0.5 else []
        pdf.write_bytes(mutated(random.choice(pdfs), changes))

    def read() -> str:
        check_whole(read_tei(data, pdf))
        return "TEI read"

    _watched(read, "TEI refused", findings, lambda reason: findings.keep(data, ".xml", reason))


def _try_pdf(
    random: Random, pdfs: list[bytes], pool: ParserPool, scratch: Path, findings: Findings
) -> None:
    """One damaged PDF through the layout parser's own worker."""
    data = mutated(random.choice(pdfs), random_changes(random))
    path = scratch / "damaged.pdf"
    path.write_bytes(data)

    def read() -> str:
        ((_, result),) = pool.parse_many([path])
        if not isinstance(result, Permanent):
            return "PDF read"
        if "longer than the limit" in str(result):
            return "PDF over its time"
        if "crashed" in str(result):
            _explain(path)
            return "PDF crashed the library"
        return "PDF refused"

    _watched(read, "PDF refused", findings, lambda reason: findings.keep(data, ".pdf", reason))


def _watched(
    read: Callable[[], str], refused: str, findings: Findings, keep: Callable[[str], None]
) -> None:
    """Count the outcome of one reading, and keep what may not happen."""
    try:
        with _at_most(_TEI_SECONDS + int(_LIMITS.seconds) + 10):
            outcome = read()
    except Permanent:
        outcome = refused
    except Exception:  # any other exception is what is looked for
        outcome = "FOUND"
        keep(traceback.format_exc())
    findings.outcomes[outcome] += 1


def _explain(path: Path) -> None:
    """Read a PDF that ended a worker once more; raise where the fault is the parser's own."""
    code = "import sys; from pathlib import Path; from resources.pdf_layout import parse_pdf; "
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code + "parse_pdf(Path(sys.argv[1]))", str(path)],
        cwd=_CHECKOUT,
        capture_output=True,
        text=True,
        timeout=_LIMITS.seconds,
        check=False,
    )
    error = done.stderr.strip()
    if done.returncode > 0 and not error.splitlines()[-1].startswith("resources.errors.Permanent"):
        raise AssertionError(error)


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in what runs longer than this."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"still reading after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _summary(findings: Findings) -> str:
    counts = ", ".join(f"{count} {name}" for name, count in sorted(findings.outcomes.items()))
    return f"{sum(findings.outcomes.values())} inputs: {counts}"


if __name__ == "__main__":
    sys.exit(main())
