"""Chunks fit the window, hold every word verbatim, and know their pages."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.parsing.chunking import ChunkSize, chunk_document
from assets.parsing.records import Chunk, passage_text, text_sha
from resources.blocks import Block, BlockKind, Box, ParsedDocument
from resources.encoder import WordpieceCounter, open_tokenizer
from tests.support.documents import WORD, block, count_tokens, document, documents, on_pages

SIZE = ChunkSize(window=60, overlap=12)
LEFT_OUT = {BlockKind.HEADING, BlockKind.REFERENCE}
PROSE = {BlockKind.ABSTRACT, BlockKind.PARAGRAPH, BlockKind.EQUATION}


def chunks_of(parsed: ParsedDocument, size: ChunkSize = SIZE) -> list[Chunk]:
    return chunk_document("2303.08533", parsed.title, parsed, count_tokens, size)


def words(text: str) -> list[str]:
    return re.findall(WORD, text.lower())


def sentences(first: int, number: int, length: int = 8) -> str:
    """Prose of `number` sentences of `length` words, counted from `first`."""
    starts = range(first, first + number * length, length)
    return " ".join(
        " ".join(f"w{place}" for place in range(start, start + length)).capitalize() + "."
        for start in starts
    )


def source_of(chunk: Chunk, parsed: ParsedDocument) -> list[Block]:
    """The block that each line of a chunk stands in."""
    found = [
        [one for one in parsed.blocks if one.section == chunk.section and line in one.text]
        for line in chunk.text.split("\n")
    ]
    assert all(len(blocks) == 1 for blocks in found), "not verbatim from one block"
    return [blocks[0] for blocks in found]


@given(parsed=documents())
def test_no_chunk_is_over_the_window(parsed: ParsedDocument) -> None:
    for chunk in chunks_of(parsed):
        passage = passage_text(parsed.title, chunk.section, chunk.text)
        assert chunk.tokens == count_tokens(passage) <= SIZE.window


@given(parsed=documents())
def test_every_word_is_in_a_chunk_in_its_order(parsed: ParsedDocument) -> None:
    chunked = [word for chunk in chunks_of(parsed) for word in words(chunk.text)]
    read = [words(one.text) for one in parsed.blocks if one.kind not in LEFT_OUT]
    assert set(chunked) == {word for one in read for word in one}
    for one in read:
        assert list(dict.fromkeys(word for word in chunked if word in set(one))) == one


@given(parsed=documents())
def test_text_is_verbatim_and_of_one_section(parsed: ParsedDocument) -> None:
    for chunk in chunks_of(parsed):
        kinds = {one.kind for one in source_of(chunk, parsed)}
        assert kinds <= PROSE or kinds <= {BlockKind.CAPTION, BlockKind.TABLE}
        assert kinds == {BlockKind.ABSTRACT} or BlockKind.ABSTRACT not in kinds
        assert chunk.kind in {kind.value for kind in kinds}


@given(parsed=documents())
def test_boxes_and_pages_are_those_of_the_characters(parsed: ParsedDocument) -> None:
    for chunk in chunks_of(parsed):
        expected: dict[int, int] = {}
        at = 0
        for line, source in zip(chunk.text.split("\n"), source_of(chunk, parsed), strict=True):
            shift = at - source.text.index(line)
            for box in source.boxes:
                places = range(box.start + shift, box.end + shift)
                expected |= {p: box.page for p in places if at <= p < at + len(line)}
            at += len(line) + 1
        found = [(p, box.page) for box in chunk.boxes for p in range(box.start, box.end)]
        assert sorted(found) == sorted(expected.items())
        assert (chunk.page_start, chunk.page_end) == (
            min(expected.values()),
            max(expected.values()),
        )


@given(parsed=documents(), overlap=st.integers(0, 40))
def test_neighbours_repeat_no_more_than_the_overlap(parsed: ParsedDocument, overlap: int) -> None:
    chunked = chunks_of(parsed, ChunkSize(window=60, overlap=overlap))
    for before, after in pairwise(chunked):
        shared = [word for word in words(after.text) if word in set(words(before.text))]
        assert count_tokens(" ".join(shared)) - 2 <= overlap
        assert words(after.text)[: len(shared)] == shared, "not at the beginning"
        assert not shared or words(before.text)[-len(shared) :] == shared, "not from the end"
        assert len(words(after.text)) > len(shared), "nothing new"


@given(parsed=documents())
def test_ids_are_unique_and_stay(parsed: ParsedDocument) -> None:
    chunked = chunks_of(parsed)
    ids = [chunk.chunk_id for chunk in chunked]
    assert len(set(ids)) == len(ids)
    assert chunks_of(parsed) == chunked
    assert [chunk.ordinal for chunk in chunked] == list(range(len(chunked)))
    assert all(chunk.text_sha == text_sha(chunk.text) for chunk in chunked)


def test_the_same_text_thrice_gives_three_ids() -> None:
    again = "Muons are cooled in absorbers."
    parsed = document(*(block(again, section=(name,)) for name in ("One", "Two", "One")))
    chunked = chunks_of(parsed)
    assert len({chunk.chunk_id for chunk in chunked}) == len(chunked) == 3
    assert len({chunk.text_sha for chunk in chunked}) == 1


def test_a_change_in_one_section_leaves_the_ids_of_the_others() -> None:
    before = document(*(block(sentences(n * 100, 12), section=(f"{n}",)) for n in range(3)))
    blocks = list(before.blocks)
    blocks[1] = replace(blocks[1], text=sentences(900, 20))
    after = replace(before, blocks=tuple(blocks))

    def ids(parsed: ParsedDocument, section: str) -> list[str]:
        return [chunk.chunk_id for chunk in chunks_of(parsed) if chunk.section == (section,)]

    assert ids(before, "0") == ids(after, "0")
    assert ids(before, "2") == ids(after, "2")
    assert not set(ids(before, "1")) & set(ids(after, "1"))


def test_ids_tell_papers_apart_but_not_titles() -> None:
    parsed = document(block("Muons are cooled in absorbers."))
    (one,) = chunk_document("a", "Title", parsed, count_tokens, SIZE)
    (other,) = chunk_document("b", "Title", parsed, count_tokens, SIZE)
    (renamed,) = chunk_document("a", "Another", parsed, count_tokens, SIZE)
    assert one.chunk_id != other.chunk_id
    assert one.chunk_id == renamed.chunk_id


@pytest.mark.parametrize(
    "blocks",
    [
        (),
        (block(""), block("  \n\t ")),
        (block("1. Introduction", BlockKind.HEADING),),
        (block("[1] A. Author, Phys. Rev. D 1 (2020) 1.", BlockKind.REFERENCE),),
    ],
    ids=["nothing", "white space", "headings", "references"],
)
def test_what_holds_no_prose_gives_no_chunk(blocks: tuple[Block, ...]) -> None:
    assert chunks_of(document(*blocks)) == []


def test_a_sentence_over_the_window_is_cut_between_words() -> None:
    endless = " ".join(f"w{number}" for number in range(300))
    chunked = chunks_of(document(block(endless)), ChunkSize(window=60, overlap=0))
    assert len(chunked) > 4
    assert " ".join(chunk.text for chunk in chunked) == endless
    assert all(chunk.tokens <= 60 for chunk in chunked)


def test_a_word_over_the_window_is_cut_and_kept() -> None:
    monster = "x" * 3000
    chunked = chunks_of(document(block(f"Before. {monster} after.")), ChunkSize(60, 0))
    assert all(chunk.tokens <= 60 for chunk in chunked)
    assert re.sub(r"\s", "", "".join(chunk.text for chunk in chunked)) == f"Before.{monster}after."


def test_a_section_that_fits_is_one_chunk() -> None:
    header = count_tokens(passage_text("A title", ("Cooling",), ""))
    for number in range(1, 60):
        parsed = document(block(sentences(0, number)), block(sentences(1000, 1)))
        fits = sum(count_tokens(one.text) - 2 for one in parsed.blocks) <= SIZE.window - header
        assert (len(chunks_of(parsed)) == 1) == fits


def test_a_caption_in_mid_section_does_not_cut_the_prose() -> None:
    parsed = document(
        block("The first half of the thought."),
        block("Figure 1. A nozzle.", BlockKind.CAPTION),
        block("The second half of the thought."),
    )
    prose, caption = chunks_of(parsed)
    assert prose.text == "The first half of the thought.\nThe second half of the thought."
    assert (caption.text, caption.kind) == ("Figure 1. A nozzle.", "caption")


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["caption above", "caption below"])
def test_a_table_stays_with_its_caption(order: tuple[int, int]) -> None:
    pair = [
        block("Table 1. Fields of magnets.", BlockKind.CAPTION),
        block("Ring 10 T\nFinal cooling 40 T", BlockKind.TABLE),
    ]
    parsed = document(*(pair[place] for place in order))
    (chunk,) = chunks_of(parsed)
    assert chunk.kind == "table"
    assert chunk.text == "\n".join(one.text for one in parsed.blocks)


def test_two_figures_side_by_side_are_two_chunks() -> None:
    captions = ["Figure 1. A nozzle.", "Figure 2. A mask."]
    parsed = document(*(block(text, BlockKind.CAPTION) for text in captions))
    assert [chunk.text for chunk in chunks_of(parsed)] == captions


def test_what_stands_before_the_abstract_gives_no_chunk() -> None:
    authors = block("A. Author, B. Author. Institute of Rings.", section=())
    prose = [block("Muons decay.", section=()), block("Rings store them.", section=("1 Rings",))]
    abstract = block("We store muons.", kind=BlockKind.ABSTRACT, section=("Abstract",))
    with_abstract = chunks_of(document(authors, abstract, *prose))
    assert [chunk.text for chunk in with_abstract] == [
        "We store muons.",
        "Muons decay.",
        "Rings store them.",
    ]
    without = chunks_of(document(authors, *prose))
    assert without[0].text.startswith("A. Author")


def test_an_abstract_is_a_chunk_of_its_own() -> None:
    parsed = document(
        block("We cool muons.", BlockKind.ABSTRACT, section=()), block("Muons decay.", section=())
    )
    assert [(c.kind, c.text) for c in chunks_of(parsed)] == [
        ("abstract", "We cool muons."),
        ("paragraph", "Muons decay."),
    ]


def test_a_paragraph_over_a_page_break_gives_each_chunk_its_own_pages() -> None:
    text = sentences(0, 30)
    cut = text.index("W120")
    chunked = chunks_of(document(block(text, page=4, boxes=on_pages(text, 4, [cut]))))
    pages = [(chunk.page_start, chunk.page_end) for chunk in chunked]
    assert pages[0] == (4, 4)
    assert pages[-1] == (5, 5)
    for chunk in chunked:
        numbers = [int(word[1:]) for word in words(chunk.text)]
        assert chunk.page_start == (4 if numbers[0] < 120 else 5)
        assert chunk.page_end == (4 if numbers[-1] < 120 else 5)


def test_blocks_without_boxes_count_with_their_own_page() -> None:
    placed = "This stands on page three."
    parsed = document(
        block("This has no box and stands on page two.", page=2),
        block(placed, page=3, boxes=on_pages(placed, 3, [])),
    )
    (chunk,) = chunks_of(parsed)
    assert (chunk.page_start, chunk.page_end) == (2, 3)


def test_boxes_hold_their_places_on_the_page() -> None:
    text = "Muons decay."
    box = Box(page=2, x0=10.5, y0=20, x1=300, y1=32.25, start=0, end=len(text))
    (chunk,) = chunks_of(document(block(text, boxes=[box])))
    assert chunk.boxes == (box,)


def test_an_overlap_as_large_as_the_window_still_ends() -> None:
    chunked = chunks_of(document(block(sentences(0, 40))), ChunkSize(window=60, overlap=60))
    assert all(chunk.tokens <= 60 for chunk in chunked)
    assert {word for c in chunked for word in words(c.text)} == {f"w{n}" for n in range(320)}


@pytest.fixture(scope="module")
def counter() -> WordpieceCounter:
    return open_tokenizer()


@given(
    texts=st.lists(
        st.one_of(
            st.text(max_size=400),
            st.text(alphabet="abμσ√′→ 0123456789^_{}.-–\n", max_size=800),
            st.sampled_from(["beam-induced background at √s = 10 TeV. ", "10^34 cm^-2 s^-1; "]).map(
                lambda text: text * 40
            ),
        ),
        max_size=4,
    ),
    title=st.text(max_size=200),
)
def test_real_wordpieces_fit_the_window_whatever_the_text(
    counter: WordpieceCounter, texts: list[str], title: str
) -> None:
    size = ChunkSize(window=counter.window)
    parsed = document(*(block(text) for text in texts), title=title)
    for chunk in chunk_document("p", title, parsed, counter.count, size):
        passage = passage_text(title, chunk.section, chunk.text)
        assert counter.count(passage) == chunk.tokens <= counter.window
        assert all(any(line in text for text in texts) for line in chunk.text.split("\n"))


def test_what_is_embedded_is_title_section_and_words() -> None:
    section = ("1 Introduction", "1.2 Cooling")
    assert passage_text(" A title ", section, "Words.") == (
        "A title\n1 Introduction > 1.2 Cooling\nWords."
    )
    assert passage_text("", (), "Words.") == "Words."
    long = passage_text("t" * 500, ("a" * 90, "inner"), "Words.")
    assert long == "t" * 120 + "\n" + ("a" * 90 + " > inner")[-80:] + "\nWords."
