"""The command line: a thin face on the jobs and functions that the Dagster UI runs too.

Exit status: 0 for success, 1 for a run that failed, 2 for wrong use, 130 after Ctrl-C. Results go
to stdout, progress and errors (one sentence each) to stderr.
"""

import logging
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from pipelines.console import ConsoleProgress, complain, print_json
from resources.counts import counted
from resources.errors import MuonEvidenceError, UsageError
from resources.wrong_values import wrong_value

app = typer.Typer(
    name="muon-evidence",
    help="A muon-collider literature corpus, and answers from it with every sentence on a page.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

DEMO_QUESTION = "How is beam-induced background kept out of the tracker at 10 TeV?"

#: The shell's exit status for what Ctrl-C ended.
INTERRUPTED = 130

#: Shows the traceback of an unexpected error instead of one sentence.
DEBUG = "MUON_DEBUG"


class SourceName(StrEnum):
    """Where papers come from."""

    SAMPLE = "sample"
    FOLDER = "folder"
    ARXIV = "arxiv"


Data = Annotated[
    str, typer.Option(help="The data location: a folder or an object-store URI [MUON_DATA].")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
ModeName = Annotated[
    str, typer.Option(help="agentic, hybrid, dense, sparse, density or paper (as published).")
]


@app.command()
def demo(data: Data = "") -> None:
    """Build the sample corpus and answer one question from it."""
    parts, progress = _parts(data)
    from assets.answering.assets import AnswerConfig  # noqa: PLC0415 - nothing heavy before that
    from pipelines import actions, asking, showing  # noqa: PLC0415

    actions.refresh(parts, source=SourceName.SAMPLE.value)
    asked = asking.ask(parts, AnswerConfig(question=DEMO_QUESTION))
    progress.close()
    showing.show_answer(asked.answers[0].as_row())
    showing.show_how_to_go_on(parts)


@app.command()
def refresh(  # noqa: PLR0913 - one option each
    source: Annotated[
        SourceName | None, typer.Option(help="Where papers come from [MUON_SOURCE].")
    ] = None,
    folder: Annotated[
        str, typer.Option(help="A folder of PDFs, read by the source folder [MUON_FOLDER].")
    ] = "",
    ids: Annotated[
        str,
        typer.Option(help="arXiv ids between commas, or a file of ids (.bib: its eprints)."),
    ] = "",
    full: Annotated[bool, typer.Option(help="List everything, not only what changed.")] = False,
    retry_failed: Annotated[
        bool, typer.Option(help="Try again what was set aside as failed.")
    ] = False,
    accept_shrunk: Annotated[
        bool, typer.Option(help="Go on with a listing that shrank or stays incomplete.")
    ] = False,
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Bring the corpus up to date: papers to release, making only what is missing or changed."""
    parts, progress = _parts(data)
    from pipelines import actions, showing  # noqa: PLC0415

    done = actions.refresh(
        parts,
        source=source.value if source else "",
        folder=folder,
        ids=ids,
        full=full,
        retry_failed=retry_failed,
        accept_shrunk=accept_shrunk,
    )
    progress.close()
    if as_json:
        print_json(done)
    else:
        showing.show_refresh(done)


@app.command()
def ask(  # noqa: PLR0913 - one option each
    question: Annotated[str | None, typer.Argument(help="A question in words.")] = None,
    questions: Annotated[
        Path | None,
        typer.Option(help="A file of questions instead: one a line, or JSONL with `question`."),
    ] = None,
    mode: ModeName = "agentic",
    m: Annotated[int, typer.Option("--m", help="Passages that the writer reads.")] = 12,
    k: Annotated[int, typer.Option("--k", help="Passages found for each search.")] = 20,
    model: Annotated[
        str, typer.Option(help="Model to answer with, or none for the embedded parts [MUON_MODEL].")
    ] = "",
    budget: Annotated[
        float | None,
        typer.Option(min=0, help="Most US dollars to spend on the model [MUON_BUDGET_USD]."),
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", help="Tell each step as it ends.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Answer anew what is kept.")] = False,
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Answer a question from the current release, each sentence with its page."""
    if (question is None) == (questions is None):
        raise UsageError("Give a question in words, or a file of them with --questions.")
    parts, progress = _parts(data)
    from assets.answering.assets import AnswerConfig  # noqa: PLC0415
    from pipelines import asking, showing  # noqa: PLC0415

    if follow:
        parts.follow = progress.follow
    asked = asking.ask(
        parts,
        AnswerConfig(
            question=question or "",
            questions=asking.questions_in(questions) if questions is not None else [],
            mode=mode,
            m=m,
            k=k,
            model=model,
            budget_usd=-1.0 if budget is None else budget,
            fresh=fresh,
        ),
    )
    progress.close()
    rows = [answer.as_row() for answer in asked.answers]
    if as_json:
        print_json({"answers": rows, "not_answered": asked.refused} if questions else rows[0])
    for row in [] if as_json else rows:
        showing.show_answer(row, again=asked.again)
    if asked.refused:
        raise MuonEvidenceError(
            f"Not answered: {len(asked.refused)} of "
            f"{counted(len(asked.refused) + len(rows), 'question')}; the first, "
            f"{asked.refused[0]['question'][:60]!r}: {asked.refused[0]['reason']}"
        )


@app.command()
def export(
    answer: Annotated[str, typer.Argument(help="An answer's name; without one, the last.")] = "",
    out: Annotated[
        Path | None, typer.Option(help="A folder for NAME.md, NAME.json and NAME.bib.")
    ] = None,
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Give an answer as Markdown and JSON, with BibTeX of what it cites."""
    parts, _ = _parts(data)
    from pipelines import asking, showing  # noqa: PLC0415

    found = asking.exported(parts, answer)
    written = asking.write_export(found, out) if out is not None else []
    if as_json:
        print_json(found)
    else:
        showing.show_export(found, written)


@app.command()
def search(  # noqa: PLR0913 - one option each
    query: Annotated[str, typer.Argument(help="What to look for.")],
    mode: ModeName = "hybrid",
    k: Annotated[int, typer.Option("--k", help="How many passages.")] = 10,
    paper: Annotated[
        list[str] | None, typer.Option(help="Only in this paper; may be given again, as below.")
    ] = None,
    year_from: Annotated[
        int | None, typer.Option(help="Only papers of this year or later.")
    ] = None,
    year_to: Annotated[
        int | None, typer.Option(help="Only papers of this year or earlier.")
    ] = None,
    category: Annotated[
        list[str] | None, typer.Option(help="Only papers of this arXiv category.")
    ] = None,
    tier: Annotated[
        list[str] | None, typer.Option(help="Only papers of this kind of source.")
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option(help="Only such passages: paragraph, caption, table, …")
    ] = None,
    section: Annotated[str, typer.Option(help="Only below headings that hold these words.")] = "",
    tag: Annotated[
        list[str] | None, typer.Option(help="Only papers that this tag of the profile fits.")
    ] = None,
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Find passages of the current release, in all of it or in a part."""
    parts, _ = _parts(data)
    from assets.retrieval.filters import Filters  # noqa: PLC0415
    from pipelines import actions, showing  # noqa: PLC0415

    filters = Filters(
        papers=tuple(paper or ()),
        categories=tuple(category or ()),
        tiers=tuple(tier or ()),
        kinds=tuple(kind or ()),
        section=section,
        year_from=year_from,
        year_to=year_to,
    )
    hits = actions.search(parts, query, mode=mode, k=k, filters=filters, tags=tag or ())
    if as_json:
        print_json({"hits": hits})
    else:
        showing.show_hits(hits)


@app.command()
def parse(
    file: Annotated[Path, typer.Argument(help="A PDF, or a TEI file of GROBID.")],
    overlay: Annotated[
        Path | None, typer.Option(help="Draw blocks, kinds and order over the pages into a PDF.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show how one PDF or TEI file is read: blocks, sections, pages, and the page ledger."""
    parts, _ = _parts("")
    from pipelines import reading, showing  # noqa: PLC0415

    document = reading.read_document(file, parts)
    if overlay is not None:
        reading.draw(file, document, overlay)
    if as_json:
        print_json(reading.document_json(document))
    else:
        showing.show_document(document)


@app.command()
def claims(
    file: Annotated[Path, typer.Argument(help="A PDF, TEI or plain text (passage a paragraph).")],
    as_json: AsJson = False,
) -> None:
    """Show the atomic claims of one file, and the factual density of its chunks."""
    parts, _ = _parts("")
    from pipelines import reading, showing  # noqa: PLC0415

    found = reading.file_claims(file, parts)
    if as_json:
        print_json(
            {"claims": found.claims, "density": found.density, "empty_pages": found.empty_pages}
        )
    else:
        showing.show_claims(found)


@app.command()
def evaluate(
    questions: Annotated[str, typer.Option(help="A JSONL file of questions.")] = "",
    only_set: Annotated[str, typer.Option("--set", help="retrieval or answer.")] = "retrieval",
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Score every mode side by side on a questions file with gold passages."""
    parts, progress = _parts(data)
    from pipelines import actions, showing  # noqa: PLC0415

    report = actions.evaluate(parts, questions, only_set)
    progress.close()
    if as_json:
        print_json(report)
    else:
        showing.show_scores(report, only_set)


@app.command()
def audit(  # noqa: PLR0913 - one option each
    health: Annotated[
        Path | None,
        typer.Option(
            help="Audit density on medical literature instead: a folder of cochrane_abstracts, "
            "pubmedqa and healthfc."
        ),
    ] = None,
    questions: Annotated[str, typer.Option(help="A JSONL file of questions.")] = "",
    labels: Annotated[str, typer.Option(help="A JSONL file of hand-labelled sentences.")] = "",
    report: Annotated[
        Path | None, typer.Option(help="Write the report with its plots into a Markdown file.")
    ] = None,
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """Audit claims and factual density, and test whether density helps to find passages."""
    parts, progress = _parts(data)
    from pipelines import auditing, showing_audit  # noqa: PLC0415

    if health is not None and (questions or labels):
        raise UsageError("--health brings its own questions: give it without the other files.")
    if health is not None:
        found, text = auditing.audit_health(parts, health)
    else:
        found, text = auditing.audit_release(parts, questions, labels)
    progress.close()
    if report is not None:
        _write(report, text)
    if as_json:
        print_json(found)
    else:
        showing_audit.show_report(text)


@app.command()
def estimate(data: Data = "", as_json: AsJson = False) -> None:
    """Say what extracting the claims still missing would take: calls, tokens, money; no call."""
    parts, _ = _parts(data)
    from pipelines import auditing, showing_audit  # noqa: PLC0415

    found = auditing.estimate_claims(parts)
    if as_json:
        print_json(found)
    else:
        showing_audit.show_estimate(found)


@app.command()
def status(data: Data = "", as_json: AsJson = False) -> None:
    """Show what the data location holds, what is wrong, and what is configured."""
    parts, _ = _parts(data)
    from pipelines import inventory, showing  # noqa: PLC0415

    found = inventory.inventory(parts)
    if as_json:
        print_json(found)
    else:
        showing.show_status(found)


@app.command()
def releases(
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Two releases, the earlier first: what changed, score by score."),
    ] = None,
    data: Data = "",
    as_json: AsJson = False,
) -> None:
    """List the releases that are kept, oldest first; the current one is marked."""
    parts, _ = _parts(data)
    from pipelines import inventory, showing  # noqa: PLC0415

    if compare is not None:
        difference = inventory.compared(parts, *compare)
        if as_json:
            print_json(difference)
        else:
            showing.show_comparison(difference)
        return
    found = inventory.releases(parts)
    if as_json:
        print_json({"releases": found})
    else:
        showing.show_releases(found)


@app.command()
def rollback(
    release: Annotated[
        str,
        typer.Argument(help="A release's name; without one, the release before the current one."),
    ] = "",
    data: Data = "",
) -> None:
    """Go back to an earlier release; nothing is deleted, and the next refresh goes forward."""
    parts, _ = _parts(data)
    from pipelines import actions, showing  # noqa: PLC0415

    showing.show_rollback(*actions.rollback(parts, release))


@app.command()
def ui(
    port: Annotated[int, typer.Option(help="Port of the web page.")] = 3000,
    data: Data = "",
) -> None:
    """Open the Dagster UI on the data location (the same as `dagster dev` with its home set)."""
    parts, _ = _parts(data)
    from pipelines.instance import open_instance  # noqa: PLC0415

    open_instance(parts.settings).dispose()
    os.environ["MUON_DATA"] = parts.settings.location
    workspace = Path(__file__).resolve().parents[1] / "workspace.yaml"
    # An installed package has no checkout around it, and so no workspace file.
    place = ["-w", str(workspace)] if workspace.is_file() else ["-m", "pipelines.definitions"]
    command = [sys.executable, "-m", "dagster", "dev", *place, "-p", str(port)]
    os.execv(sys.executable, command)  # noqa: S606 - this process becomes the UI


def main() -> None:
    """Entry point of the `muon-evidence` command."""
    # Libraries log to the root; a person reads results, progress and our own sentences.
    logging.basicConfig(handlers=[logging.NullHandler()], force=True)
    sys.exit(_status_of(app))


def _status_of(run: Callable[..., Any]) -> int:
    try:
        result = run(standalone_mode=False)
        if result == INTERRUPTED:  # Typer's answer to Ctrl-C
            raise KeyboardInterrupt
        return result if isinstance(result, int) else 0
    except UsageError as error:
        complain(str(error))
        return 2
    except MuonEvidenceError as error:
        complain(str(error))
        return 1
    except (typer.Abort, KeyboardInterrupt):
        complain("Interrupted; what was finished is kept, and the next run goes on from there.")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (head, less) has gone; nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        # Typer keeps the class of its wrong-use errors private; their method tells them apart.
        if hasattr(error, "format_message"):
            # Without a command Typer shows the help and raises an error that says nothing.
            if not error.format_message():
                return 0
            complain(f"{_wrong_use(error).rstrip('.')}; see `muon-evidence --help`.")
            return 2
        if os.environ.get(DEBUG):
            raise
        complain(
            f"Unexpected {type(error).__name__}: {error}. Please report it; with {DEBUG}=1 the "
            "traceback is shown."
        )
        return 1


def _wrong_use(error: Any) -> str:
    """What Typer refuses, without the words of the library that it checks values with."""
    param = getattr(error, "param", None)
    if not isinstance(error.__cause__, ValidationError) or param is None:
        return str(error.format_message())
    return wrong_value(error.__cause__, param.opts[0] if param.opts else param.name)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"{path} cannot be written ({problem.strerror}).") from problem


def _parts(data: str) -> tuple[Any, ConsoleProgress]:
    """The parts that the settings and `--data` ask for, reporting to the console."""
    if data:
        os.environ["MUON_DATA"] = data
    from pipelines.parts import Parts  # noqa: PLC0415
    from pipelines.settings import read_settings  # noqa: PLC0415

    progress = ConsoleProgress()
    return Parts(read_settings(), progress), progress


if __name__ == "__main__":
    main()
