"""Runs the density audit on medical literature: the `audit --health` command on the shared sets.

    python -m benchmarks.bench_health [--folder DIR] [--report FILE.md]

Prints the report and the time it took. Vectors are kept in this machine's cache: the first run
embeds some 3,100 passages and 1,750 queries, later ones none.
"""

import argparse
import sys
import time
from pathlib import Path

from benchmarks.shared import only_figures, shared_folder
from pipelines.auditing import audit_health
from pipelines.parts import Parts
from pipelines.settings import read_settings


def main() -> int:
    """The command line."""
    only_figures()
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--folder", type=Path, help="a folder of the three data sets")
    options.add_argument("--report", type=Path, help="write the report and its plots to this file")
    chosen = options.parse_args()
    shared = shared_folder()
    folder = chosen.folder or (shared / "fixtures" / "health" if shared else None)
    if folder is None:
        print("no data sets: name their folder with --folder, or set MUON_SHARED")
        return 2
    wall, processor = time.perf_counter(), time.process_time()
    _, text = audit_health(Parts(read_settings()), folder)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    if chosen.report is not None:
        chosen.report.write_text(text, encoding="utf-8")
    print("\n".join(line for line in text.splitlines() if not line.startswith("![")).rstrip())
    print(f"\n{wall:.0f} s by the clock, {processor:.0f} s of processor time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
