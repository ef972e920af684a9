"""Results as a person reads them on a terminal."""

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from assets.answering.records import OVERLAP_AND_ALIGNMENT
from assets.answering.telling import clipped
from assets.evaluation.tables import (
    ANSWER_COLUMNS,
    COLUMNS,
    JUDGE_COLUMNS,
    judge_told,
    score_cell,
)
from assets.parsing.records import ParsedDocument
from pipelines.parts import Parts
from pipelines.reading import FileClaims
from resources.counts import counted

#: Characters shown of a passage, and of a note to an answer.
_CLIPPED = 280
_NOTE = 600
_MOST_LINES = 20

#: What `papers` counts, in words.
_CHANGES = {
    "new": "new",
    "new_version": "with a new version",
    "metadata_only": "with other metadata",
    "withdrawn": "withdrawn",
    "unlisted": "no longer listed",
}

_out = Console(highlight=False, soft_wrap=False)


def show_answer(answer: Mapping[str, Any], again: bool = False) -> None:
    """An answer's sentences with numbered citations and their sources, or the abstention.

    After each sentence stands how far its citations support it, in [0, 1], and the probability
    that they entail it where a model was asked; `again` says that the answer was kept.
    """
    numbers: dict[tuple[str, int], int] = {}
    sources: list[Mapping[str, Any]] = []

    def mark(citation: Mapping[str, Any]) -> str:
        place = (citation["paper_id"], citation["page"])
        if place not in numbers:
            numbers[place] = len(numbers) + 1
            sources.append(citation)
        return f"[{numbers[place]}]"

    _out.print(f"\n[bold]{escape(clipped(answer['question']))}[/bold]\n")
    if answer["abstained"]:
        _paragraph(f"Not answered: {answer['reason']}")
        if answer["near_misses"]:
            _out.print("\nWhat the corpus does say:")
        for miss in answer["near_misses"]:
            _paragraph(f"- {miss['text']} {mark(miss['citation'])}")
    heading = ""
    for sentence in answer["sentences"]:
        if sentence["heading"] != heading:
            heading = sentence["heading"]
            _out.print(f"\n[bold]{escape(heading)}[/bold]")
        marks = "".join(mark(citation) for citation in sentence["citations"])
        _paragraph(f"{sentence['text']} {marks} ({_support(sentence['verdict'])})")
    for disagreement in answer["disagreements"]:
        sides = " against ".join(f"{value} {mark(cited)}" for value, cited in disagreement["sides"])
        _paragraph(f"The papers differ ({disagreement['subject']}): {sides}.")
    if sources:
        _out.print()
    for number, citation in enumerate(sources, 1):
        _out.print(
            f"[{number}] {escape(citation['title'])} ({escape(citation['paper_id'])}), "
            f"page {citation['page']}",
            soft_wrap=True,
            markup=False,
        )
        if citation["link"]:
            _out.print(f"    {citation['link']}", soft_wrap=True, markup=False)
    for note in (*answer["plan"]["notes"], *answer["notes"]):
        _out.print(f"\nnote: {clipped(note, _NOTE)}", style="dim", markup=False, soft_wrap=True)
    _out.print(f"\n{_made_from(answer, again)}", style="dim", markup=False, soft_wrap=True)


def _support(verdict: Mapping[str, Any]) -> str:
    entailed = verdict["entailment"]
    shown = "" if entailed is None else f", entailed {entailed:.2f}"
    return f"support {verdict['score']:.2f}{shown}"


def _made_from(answer: Mapping[str, Any], again: bool) -> str:
    """By whom an answer was written, from what, and what that took."""
    told = [f"answer {answer['answer_id']}", f"release {answer['release']}"]
    told.append(f"written by {answer['model']}")
    if answer["grounding"] != OVERLAP_AND_ALIGNMENT:
        told.append(f"checked by {answer['grounding']}")
    tokens = answer["tokens"]
    if again:
        told.append("kept from before (--fresh answers anew)")
    elif tokens["calls"] or tokens["cached_calls"]:
        told.append(
            f"{counted(tokens['calls'], 'call')} ({tokens['cached_calls']} more from the cache), "
            f"{counted(tokens['input'] + tokens['output'], 'token')}, {answer['cost_usd']:.4f} US$"
        )
    if answer["timings"] and not again:
        told.append(f"{sum(answer['timings'].values()):.1f} s")
    return ", ".join(told)


def show_export(found: Mapping[str, Any], written: Sequence[Path]) -> None:
    """The files that were written; without any, the answer as Markdown and its BibTeX."""
    for path in written:
        _out.print(str(path), markup=False, soft_wrap=True)
    if not written:
        bibtex = f"\n```bibtex\n{found['bibtex']}```" if found["bibtex"] else ""
        _out.print(f"{found['markdown']}{bibtex}", markup=False, soft_wrap=True)


def show_how_to_go_on(parts: Parts) -> None:
    """What to do after the demo."""
    data = parts.settings.location
    _out.print(
        f"\nThe corpus and its runs are in {data}.\n"
        "The lineage, papers to answer, in the Dagster UI:   make ui   (http://localhost:3000)\n"
        'Another question:   muon-evidence ask "…"\n'
        "Your own papers:    muon-evidence refresh --source folder --folder DIR --data OTHER",
        markup=False,
        soft_wrap=True,
    )


def show_refresh(done: Mapping[str, Any]) -> None:
    """What each stage of a refresh made and kept."""
    table = Table(box=None, pad_edge=False)
    for name in ("stage", "made", "kept", "removed", "failed"):
        table.add_column(name, justify="left" if name == "stage" else "right")
    for asset, metadata in done["assets"].items():
        made = metadata.get("rows_made", metadata.get("new", ""))
        table.add_row(
            asset,
            str(made),
            str(metadata.get("rows_kept", metadata.get("unchanged", ""))),
            str(metadata.get("rows_removed", "")),
            str(metadata.get("failed", 0) + metadata.get("quarantined", 0) or ""),
        )
    _out.print(table)
    papers = done["assets"].get("papers", {})
    if changes := {words: papers[name] for name, words in _CHANGES.items() if papers.get(name)}:
        told = ", ".join(f"{count} {words}" for words, count in changes.items())
        _out.print(f"papers: {told}")
    for asset, metadata in done["assets"].items():
        for line in str(
            metadata.get("what_is_wrong") or metadata.get("problems") or ""
        ).splitlines():
            _out.print(f"{asset}: {line.removeprefix('- ')}", markup=False, soft_wrap=True)
    release = done["assets"].get("release", {})
    if release:
        news = "new" if release["new"] else "unchanged"
        _out.print(
            f"release {release['release']} ({news}): "
            f"{counted(release['papers'], 'paper')}, {counted(release['chunks'], 'chunk')}"
        )


def show_hits(hits: Sequence[Mapping[str, Any]]) -> None:
    """Hits, best first."""
    if not hits:
        _out.print("No passage matches.")
    for hit in hits:
        pages = _pages(hit["page_start"], hit["page_end"])
        section = " > ".join(hit["section"])
        _out.print(
            f"[bold]{hit['rank']}[/bold]  {hit['score']:.3f}  {escape(hit['title'])} "
            f"({escape(hit['paper_id'])}), {pages}" + (f", {escape(section)}" if section else ""),
            soft_wrap=True,
        )
        _paragraph(clipped(hit["text"], _CLIPPED), indent="   ")


def show_document(document: ParsedDocument) -> None:
    """Blocks in order, then the page ledger."""
    _out.print(f"{document.title or 'no title'}  ({document.parser})", style="bold", markup=False)
    for block in document.blocks:
        _out.print(
            f"p{block.page} {block.kind.value:<9} {clipped(block.text, _CLIPPED)}", markup=False
        )
    _out.print("\npage  characters  blocks")
    for page in document.pages:
        _out.print(f"{page.page:>4}  {page.characters:>10}  {page.blocks:>6}  {page.note}")


def show_claims(found: FileClaims) -> None:
    """Claims with their page and prob_fact, then the density of each chunk."""
    for claim in found.claims:
        _out.print(f"p{claim['page']}  {claim['prob_fact']:.2f}  {claim['text']}", markup=False)
    if found.claims:
        _out.print()
    _out.print(f"{counted(len(found.claims), 'claim')} in {counted(len(found.density), 'chunk')}")
    for page, reason in found.empty_pages.items():
        _out.print(f"p{page}  no text: {reason or 'nothing on it'}", markup=False)
    if found.density:
        _out.print("density of each chunk, FD* standardised within this document:")
    for row in found.density:
        _out.print(
            f"{_pages(row['page_start'], row['page_end'])}  {counted(row['claims'], 'claim')} in "
            f"{counted(row['tokens'], 'token')}  FD_raw {row['fd_raw']:.4f}  FD* published "
            f"{row['fd_star_published']:+.2f}, robust {row['fd_star']:+.2f}"
        )


def show_scores(report: Mapping[str, Any], only_set: str) -> None:
    """A table of every mode's scores."""
    _out.print(f"{counted(report['n'], 'question')}, release {report['release']}")
    if only_set == "answer":
        _scores_table("answers", _columns(report["modes"], ANSWER_COLUMNS))
        _scores_table("sentences grounded, and abstentions by kind", _by_kind(report["modes"]))
        if "model_judge" in report:
            judge = report["model_judge"]
            _scores_table(f"answers, by {judge['name']}", _columns(report["modes"], JUDGE_COLUMNS))
            for sentence in judge_told(judge):
                _paragraph(sentence)
        return
    for level in ("chunk", "paper"):
        rows = {mode: levels[level] for mode, levels in report["modes"].items()}
        _scores_table(f"{level} level", _columns(rows, COLUMNS))


def show_status(found: Mapping[str, Any]) -> None:
    """Counts, failures, the release and the configuration."""
    _out.print(f"data location  {found['data']}", markup=False, soft_wrap=True)
    release = found["release"]
    _out.print(
        "release        none yet: run `muon-evidence refresh`"
        if release is None
        else f"release        {release['release_id']} of {release['created']}: "
        f"{counted(release['counts']['papers'], 'paper')}, "
        f"{counted(release['counts']['chunks'], 'chunk')}",
        soft_wrap=True,
    )
    _paragraph(f"tables         {_counts(found['tables'])}")
    _show_papers(found["papers"])
    _out.print(f"backlog        {_counts(found['backlog'])}")
    for name, value in found["parts"].items():
        told = _source(value, found["papers"]["by_source"]) if name == "source" else value
        _out.print(f"{name:<20} {told}", markup=False, soft_wrap=True)
    failures = found["failures"]
    _out.print(f"failures       {failures['count']}")
    for item in failures["items"]:
        tried = f"tried {item['attempts']} times" if item["attempts"] > 1 else "tried once"
        _out.print(
            f"  {item['stage']}: {item['message']} ({tried}; again {item['again']})",
            markup=False,
            soft_wrap=True,
        )


def _source(configured: str, by_source: Mapping[str, int]) -> str:
    """Where the papers came from, and where the next refresh looks unless it is told."""
    if not set(by_source) - {configured}:
        return configured
    return (
        f"{', '.join(by_source)} so far; `muon-evidence refresh` without --source reads "
        f"{configured} (MUON_SOURCE)"
    )


def _show_papers(papers: Mapping[str, Any]) -> None:
    """How many papers there are, how fresh they are, and which are not in the release."""
    kinds = [papers["by_status"], papers["by_source"], papers["by_tier"]]
    counts = "; ".join(_counts(kind) for kind in kinds if kind)
    _out.print(f"papers         {counts or 'none'}", markup=False, soft_wrap=True)
    listed = [
        f"last complete listing of {name} {time or 'never'}"
        for name, time in papers["last_complete_listing"].items()
    ]
    fresh = [f"newest update {papers['newest_update'] or 'unknown'}", *listed]
    _out.print(f"fresh          {'; '.join(fresh)}", markup=False, soft_wrap=True)
    left_out = papers["out_of_release"] | {
        key: f"It is the same file as {other}."
        for key, other in papers["same_file_as_another"].items()
    }
    if left_out:
        _out.print(f"left out       {counted(len(left_out), 'paper')}")
    for key, why in list(left_out.items())[:_MOST_LINES]:
        _out.print(f"  {key}: {why}", markup=False, soft_wrap=True)
    if len(left_out) > _MOST_LINES:
        _out.print(f"  and {len(left_out) - _MOST_LINES} more: see --json")


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def show_releases(found: Sequence[Mapping[str, Any]]) -> None:
    """A line a release."""
    if not found:
        _out.print("No release yet: run `muon-evidence refresh`.")
    for one in found:
        mark = "*" if one["current"] else " "
        _out.print(
            f"{mark} {one['release_id']}  {one['created']}  "
            f"{counted(one['papers'], 'paper')}, {counted(one['chunks'], 'chunk')}"
        )


def show_comparison(found: Mapping[str, Any]) -> None:
    """What changed from one release to another, then the scores of both."""
    _out.print(f"{found['before']} → {found['after']}", style="bold", markup=False)
    for what in ("papers", "chunks"):
        counts = {
            name: ids if isinstance(ids, int) else len(ids) for name, ids in found[what].items()
        }
        _out.print(f"{what:<8} {_counts(counts)}")
    for sign, name in (("+", "added"), ("-", "removed"), ("~", "changed")):
        ids = found["papers"][name]
        for paper_id in ids[:_MOST_LINES]:
            _out.print(f"  {sign} {paper_id}", markup=False, soft_wrap=True)
        if len(ids) > _MOST_LINES:
            _out.print(f"  {sign} and {len(ids) - _MOST_LINES} more: see --json")
    for name, (before, after) in found["settings"].items():
        _out.print(f"{name:<16} {before} → {after}", markup=False, soft_wrap=True)
    if not found["scores"]:
        _out.print("scores   none of both: run `muon-evidence evaluate` on each release")
    for report in found["scores"]:
        title = f"{report['kind']}, questions {report['questions']}"
        table = Table(title=title, title_justify="left", box=None, pad_edge=False)
        for name in ("mode", "score", "before", "after", "difference"):
            table.add_column(name, justify="left" if name in {"mode", "score"} else "right")
        for mode, scores in report["modes"].items():
            for name, one in scores.items():
                values = (one["before"], one["after"])
                cells = [f"{value:.3f}" for value in values]
                table.add_row(mode, name, *cells, f"{one['difference']:+.3f}")
        _out.print(table)


def show_rollback(before: str, now: str) -> None:
    """From which release to which it went, and how to go to another."""
    if before == now:
        _out.print(f"Answers come from release {now}, as before.", soft_wrap=True)
        return
    _out.print(
        f"Answers came from release {before} and now come from release {now}.\n"
        f"`muon-evidence rollback {before}` takes that back, `muon-evidence rollback` goes to the "
        f"release before {now}, and `muon-evidence rollback RELEASE` to any that "
        "`muon-evidence releases` lists.",
        markup=False,
        soft_wrap=True,
    )


def _columns(
    rows: Mapping[str, Mapping[str, Any]], names: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """The named scores of each mode, in their order; none where nothing could be scored."""
    return {
        mode: {name: scores[name] for name in names if name in scores}
        for mode, scores in rows.items()
    }


def _by_kind(rows: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The share of grounded sentences and of each kind of unanswerable question not answered."""
    return {
        mode: {"grounded": scores["grounded"], **scores["correct_abstention_by_kind"]}
        for mode, scores in rows.items()
    }


def _scores_table(title: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("mode")
    for name in next(iter(rows.values()), {}):
        # A name of several words stands in several lines, so that no column is cut off.
        table.add_column(name.replace("_", "\n"), justify="right")
    for mode, scores in rows.items():
        table.add_row(mode, *(score_cell(name, value) for name, value in scores.items()))
    _out.print(table)


def _paragraph(text: str, indent: str = "") -> None:
    width = max(40, min(_out.width, 110))
    filled = textwrap.fill(
        " ".join(text.split()), width, initial_indent=indent, subsequent_indent=indent
    )
    _out.print(filled, markup=False)


def _pages(first: int, last: int) -> str:
    return f"p{first}" if first == last else f"p{first}-{last}"
