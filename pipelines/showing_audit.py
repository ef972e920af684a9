"""Audits and estimates as a person reads them on a terminal."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.markdown import Markdown

from resources.counts import counted

_out = Console(highlight=False, soft_wrap=False)


def show_report(text: str) -> None:
    """A report in Markdown, without its plots."""
    said = "\n".join(line for line in text.splitlines() if not line.startswith("!["))
    if _out.is_terminal:
        _out.print(Markdown(said))
    else:
        _out.print(said.rstrip(), markup=False, soft_wrap=True)


def show_estimate(found: Mapping[str, Any]) -> None:
    """Calls, tokens and money."""
    cost = found["cost_usd"]
    price = "at a price that is not known" if cost is None else f"for about ${cost:.2f}"
    _out.print(
        f"{found['extractor']}: {counted(found['texts'], 'text')} without claims yet. "
        f"Reading takes {counted(found['calls'], 'call')}, about {found['input_tokens']:,} tokens "
        f"in and {found['output_tokens']:,} out, {price}.",
        markup=False,
        soft_wrap=True,
    )
    if cost is not None and cost > found["budget_usd"]:
        _out.print(
            f"A run stops at MUON_BUDGET_USD = {found['budget_usd']:.2f}; the next one goes on "
            "from there.",
            soft_wrap=True,
        )
    if found["papers_without_chunks"]:
        _out.print(
            f"Not counted, because not parsed and cut yet: "
            f"{counted(found['papers_without_chunks'], 'paper')}.",
            soft_wrap=True,
        )
