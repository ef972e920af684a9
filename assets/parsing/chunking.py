"""Documents to chunks that fit the encoder's window.

The published system's chunks were longer than MiniLM's 256 wordpieces, so that their ends were
never embedded (arXiv:2606.10381: 27 chunks a paper). Here a chunk is cut by the encoder's own
tokens, with its title and section line counted in, at sentence ends, and never across sections.
"""

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from assets.parsing.bystanders import without_bystanders
from assets.parsing.records import Block, Box, Chunk, ParsedDocument, passage_text, text_sha
from assets.parsing.sentences import split_sentences
from resources.blocks import BlockKind, pages_of

CountTokens = Callable[[str], int]

#: Changing how chunks are cut changes this, and with it every row's fingerprint.
CHUNKER_VERSION = "chunks 3"

_PROSE = {BlockKind.ABSTRACT, BlockKind.PARAGRAPH, BlockKind.EQUATION}
_LEFT_OUT = {BlockKind.HEADING, BlockKind.REFERENCE}


@dataclass(frozen=True, slots=True)
class ChunkSize:
    """`window`: the most wordpieces an embedded passage may have. `overlap`: about how many of
    them a chunk repeats from the one before it in the same run of prose."""

    window: int = 256
    overlap: int = 48


def chunk_document(
    paper_id: str,
    title: str,
    document: ParsedDocument,
    count_tokens: CountTokens,
    size: ChunkSize = ChunkSize(),
) -> list[Chunk]:
    """All chunks of a document, in reading order.

    `count_tokens` counts the encoder's wordpieces, its special tokens included. Headings,
    references, notes on the authors and what stands before the abstract give no chunk: headings
    are every chunk's section line, and neither a bibliography nor a list of authors answers a
    question.
    """
    special = count_tokens("")
    chunks: list[Chunk] = []
    seen_in_section: dict[tuple[str, ...], int] = {}
    for section, blocks in _runs(without_bystanders(_without_front(document.blocks))):
        header = count_tokens(passage_text(title, section, ""))
        pieces_of_run = _pieces(
            blocks, lambda text: count_tokens(text) - special, size.window - header
        )
        for pieces in _pack(pieces_of_run, header, size):
            ordinal = seen_in_section.get(section, 0)
            seen_in_section[section] = ordinal + 1
            chunk = _chunk(paper_id, section, ordinal, pieces)
            tokens = count_tokens(passage_text(title, section, chunk.text))
            chunks.append(replace(chunk, ordinal=len(chunks), tokens=tokens))
    return chunks


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence, or a part of one: characters `start` to `end` of a block."""

    block: Block
    start: int
    end: int
    tokens: int


def _without_front(blocks: Sequence[Block]) -> Sequence[Block]:
    """The blocks without authors, institutes and notices: paragraphs of no section that stand
    before the abstract. A document without an abstract keeps all."""
    abstract = next((n for n, b in enumerate(blocks) if b.kind == BlockKind.ABSTRACT), 0)
    front = [b for b in blocks[:abstract] if b.kind != BlockKind.PARAGRAPH or b.section]
    return [*front, *blocks[abstract:]]


def _runs(blocks: Sequence[Block]) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    """Blocks that may share a chunk: prose of one section, or one table or caption."""
    kept = [block for block in blocks if block.kind not in _LEFT_OUT and block.text.strip()]
    prose: list[Block] = []
    aside: list[list[Block]] = []
    # Figures and tables float: a caption in the middle of a section must not cut its prose.
    for section, group in groupby(kept, key=lambda block: block.section):
        prose, aside = [], []
        for block in group:
            if block.kind in _PROSE:
                if prose and (block.kind == BlockKind.ABSTRACT) != (
                    prose[-1].kind == BlockKind.ABSTRACT
                ):
                    yield section, prose
                    prose = []
                prose.append(block)
            elif aside and {aside[-1][-1].kind, block.kind} == {
                BlockKind.CAPTION,
                BlockKind.TABLE,
            }:
                aside[-1].append(block)
            else:
                aside.append([block])
        if prose:
            yield section, prose
        for run in aside:
            yield section, run


def _pieces(blocks: Sequence[Block], count_tokens: CountTokens, budget: int) -> list[_Piece]:
    pieces: list[_Piece] = []
    for block in blocks:
        for start, end in split_sentences(block.text):
            tokens = count_tokens(block.text[start:end])
            if tokens <= budget:
                pieces.append(_Piece(block, start, end, tokens))
            else:
                pieces.extend(_split_long(block, start, end, count_tokens, budget))
    return pieces


def _split_long(
    block: Block, start: int, end: int, count_tokens: CountTokens, budget: int
) -> Iterator[_Piece]:
    """Cut a sentence that is longer than a chunk between words (a table, a garbled line)."""
    at = start
    while at < end:
        low, high = at + 1, end
        if count_tokens(block.text[at:end]) > budget:
            while low < high:
                middle = (low + high + 1) // 2
                if count_tokens(block.text[at:middle]) <= budget:
                    low = middle
                else:
                    high = middle - 1
            space = max(block.text.rfind(" ", at + 1, low), block.text.rfind("\n", at + 1, low))
            high = space if space > at else low
        yield _Piece(block, at, high, count_tokens(block.text[at:high]))
        at = high
        while at < end and block.text[at].isspace():
            at += 1


def _pack(pieces: Sequence[_Piece], header: int, size: ChunkSize) -> Iterator[list[_Piece]]:
    """Fill chunks evenly, so that a run of prose does not end in a scrap.

    Each chunk after the first repeats the last sentences of the one before it, up to
    `size.overlap` wordpieces, where they fit.
    """
    budget = size.window - header
    total = sum(piece.tokens for piece in pieces)
    if not total:
        return
    parts = max(1, math.ceil((total - size.overlap) / max(1, budget - size.overlap)))
    target = min(budget, math.ceil(total / parts) + (size.overlap if parts > 1 else 0))
    current: list[_Piece] = []
    fresh = 0
    for piece in pieces:
        filled = sum(one.tokens for one in current)
        if fresh and (filled + piece.tokens > budget or filled >= target):
            yield current
            current = _tail(current, min(size.overlap, budget - piece.tokens))
            fresh = 0
        current.append(piece)
        fresh += 1
    if fresh:
        yield current


def _tail(pieces: Sequence[_Piece], most: int) -> list[_Piece]:
    tail: list[_Piece] = []
    for piece in reversed(pieces[1:]):
        if sum(one.tokens for one in tail) + piece.tokens > most:
            break
        tail.insert(0, piece)
    return tail


def _chunk(
    paper_id: str, section: tuple[str, ...], ordinal: int, pieces: Sequence[_Piece]
) -> Chunk:
    text = ""
    boxes: list[Box] = []
    pages: list[int] = []
    for _, group in groupby(pieces, key=lambda piece: id(piece.block)):
        run = list(group)
        block = run[0].block
        start, end = run[0].start, run[-1].end
        if text:
            text += "\n"
        shift = len(text) - start
        text += block.text[start:end]
        boxes.extend(
            replace(box, start=max(box.start, start) + shift, end=min(box.end, end) + shift)
            for box in block.boxes
            if box.start < end and box.end > start
        )
        pages.extend(pages_of(block.boxes, start, end, block.page))
    identity = "\x1f".join([paper_id, *section, str(ordinal), text])
    return Chunk(
        chunk_id=hashlib.sha256(identity.encode()).hexdigest()[:24],
        paper_id=paper_id,
        ordinal=ordinal,
        kind=_kind(pieces),
        section=section,
        text=text,
        page_start=min(pages),
        page_end=max(pages),
        boxes=tuple(boxes),
        tokens=0,
        text_sha=text_sha(text),
    )


def _kind(pieces: Sequence[_Piece]) -> str:
    kinds = [piece.block.kind for piece in pieces]
    for kind in (BlockKind.TABLE, BlockKind.CAPTION, BlockKind.ABSTRACT, BlockKind.PARAGRAPH):
        if kind in kinds:
            return kind.value
    return kinds[0].value
