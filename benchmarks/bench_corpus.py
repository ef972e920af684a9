"""A corpus of any size kept from arXiv: requests, bytes, papers a second, memory, and what a
refresh costs when little or nothing is new.

    python -m benchmarks.bench_corpus [--sizes N ...] [--alone] [--papers N] [--kills N]

Everything is measured against a loopback arXiv of made-up papers (tests/support), without pacing;
memory is the peak of a process of its own. Encoding is left out of the refreshes: letters are
counted for vectors, as benchmarks.bench_pipeline measures the encoder.
"""

import argparse
import json
import logging
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assets.tables import PAPERS
from pipelines import actions
from pipelines.parts import Parts
from pipelines.running import run_job
from resources.arxiv_api import ArxivSource, Limits
from resources.profile import load_profile
from tests.support.arxiv_catalogue import Catalogue
from tests.support.arxiv_corpus import quick_parts
from tests.support.arxiv_server import ArxivServer
from tests.support.forked_refresh import Point, refresh

SIZES = (1_000, 5_000, 20_000, 50_000)
STAGES = (
    "pdfs", "documents", "chunks", "claims", "dense_index", "sparse_index", "factual_density"
)  # fmt: skip


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="papers to list")
    parser.add_argument("--alone", action="store_true", help="the listings only, not as the asset")
    parser.add_argument("--papers", type=int, default=5_000, help="papers to refresh; 0 for none")
    parser.add_argument("--kills", type=int, default=0, help="kills of a refresh of 100 papers")
    parser.add_argument("--measure", nargs=2, metavar=("WHAT", "URL"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    if options.measure:
        what, url = options.measure
        print(json.dumps({"listing": measure_listing, "papers": measure_papers}[what](url)))
        return
    if options.sizes:
        listing_table(options.sizes, options.alone)
    if options.papers:
        refresh_table(options.papers)
    if options.kills:
        kill_table(options.kills)


def listing_table(sizes: Sequence[int], alone: bool) -> None:
    """What a full listing costs by itself, and (unless `alone`) as the `papers` asset."""
    print("a full listing, net of pacing")
    head = f"{'papers':>8} {'requests':>9} {'MB':>7} {'seconds':>8} {'a second':>9} {'peak MB':>8}"
    print(head if alone else f"{head}   {'papers asset: seconds':>21} {'again':>7} {'peak MB':>8}")
    for size in sizes:
        with served(size) as url:
            listing = measured("listing", url)
            asset = None if alone else measured("papers", url)
        line = (
            f"{listing['papers']:>8,} {listing['requests']:>9,} {listing['bytes'] / 1e6:>7.1f} "
            f"{listing['seconds']:>8.1f} {listing['papers'] / listing['seconds']:>9,.0f} "
            f"{listing['peak_mb']:>8.0f}"
        )
        if asset:
            line += f"   {asset['seconds']:>21.1f} {asset['again']:>7.1f} {asset['peak_mb']:>8.0f}"
        print(line, flush=True)


def measure_listing(url: str) -> dict[str, Any]:
    """List everything with arXiv's own limits but no pause."""
    source = ArxivSource(load_profile("muon_collider"), url, 0, limits=Limits(jitter=0))
    started = time.perf_counter()
    listing = source.list_papers()
    count = sum(1 for _ in listing.papers)
    seconds = time.perf_counter() - started - source.waited
    if not listing.complete:
        raise RuntimeError(f"The listing is incomplete: {listing.problems}")
    traffic = source.traffic
    return {
        "papers": count,
        "requests": traffic.requests,
        "bytes": traffic.bytes,
        "seconds": seconds,
        "peak_mb": peak_mb(),
    }


def measure_papers(url: str) -> dict[str, Any]:
    """Run the `papers` asset into an empty location, and once more with nothing new."""
    with tempfile.TemporaryDirectory() as data:
        first, _ = timed(lambda: run_job("refresh", parts(data, url), only=["papers"]))
        again, _ = timed(lambda: run_job("refresh", parts(data, url), only=["papers"]))
        known = parts(data, url).lake.count(PAPERS)
    return {"papers": known, "seconds": first, "again": again, "peak_mb": peak_mb()}


def refresh_table(count: int) -> None:
    """Papers to release; again with nothing new; and with one paper of each kind of change.

    The seconds of CPU are this process's: the server's are in it, those of the parsers are not.
    """
    print(f"\nrefreshes of {count:,} papers")
    head = " ".join(f"{stage:>{len(stage) + 2}}" for stage in STAGES)
    print(
        f"{'':<24} {'seconds':>8} {'CPU':>7} {'peak MB':>8} {'searches':>9} {'downloads':>10} "
        f"{head}"
    )
    with tempfile.TemporaryDirectory() as data, ArxivServer(Catalogue(count)) as server:

        def once(name: str) -> None:
            server.forget()
            before = time.process_time()
            took, done = timed(lambda: actions.refresh(parts(data, server.url)))
            cpu = time.process_time() - before
            made = " ".join(
                f"{done['assets'][stage]['rows_made']:>{len(stage) + 2},}" for stage in STAGES
            )
            print(
                f"{name:<24} {took:>8.1f} {cpu:>7.1f} {peak_mb():>8.0f} "
                f"{len(server.searches):>9,} {sum(server.downloads.values()):>10,} {made}",
                flush=True,
            )

        once("the first")
        once("nothing new")
        entries = server.catalogue.entries
        server.catalogue.add_paper()
        server.catalogue.add_version(entries[count // 2].paper_id)
        server.catalogue.withdraw(entries[count // 3].paper_id)
        once("new, version, withdrawn")
        once("nothing new")


def kill_table(kills: int) -> None:
    """Kill a refresh of 100 papers at random moments until it has been killed so often."""
    chance = random.Random(1)  # noqa: S311 - no secret
    print(f"\na refresh of 100 papers, killed {kills} times")
    with tempfile.TemporaryDirectory() as base, ArxivServer(Catalogue(100)) as server:
        whole, _ = timed(lambda: refresh(Path(base) / "undisturbed", server.url))
        server.forget()
        killed = 0
        while killed < kills:
            point = Point("papers", 1, chance.uniform(0, whole))
            killed += refresh(Path(base) / "killed", server.url, point).killed
        refresh(Path(base) / "killed", server.url)
        twice = sum(count - 1 for count in server.downloads.values())
        print(f"undisturbed {whole:.1f} s; downloads begun again after a kill: {twice}")


def parts(data: str, url: str) -> Parts:
    """The parts of one run, with arXiv's own limits but no pause."""
    return quick_parts(
        Path(data), load_profile("muon_collider"), Limits(jitter=0), MUON_ARXIV_URL=url,
        MUON_WORKERS=2,
    )  # fmt: skip


@contextmanager
def served(count: int) -> Iterator[str]:
    """A loopback arXiv in a process of its own; its URL."""
    command = [sys.executable, "-m", "tests.support.arxiv_server", str(count)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:  # noqa: S603 - ours
        try:
            yield (server.stdout.readline() if server.stdout else "").strip()
        finally:
            server.terminate()


def measured(what: str, url: str) -> dict[str, Any]:
    """A measurement in a process of its own, so that its peak of memory is its own."""
    command = [sys.executable, "-m", "benchmarks.bench_corpus", "--measure", what, url]
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    found: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return found


def peak_mb() -> float:
    """The most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds that a call took, and what it returned."""
    started = time.perf_counter()
    result = call()
    return time.perf_counter() - started, result


if __name__ == "__main__":
    main()
