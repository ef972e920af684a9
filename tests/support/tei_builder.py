"""Small TEI documents for tests, in the shape that GROBID writes."""

import re
from collections import Counter
from unicodedata import normalize

from resources.blocks import ParsedDocument

NAMESPACE = ' xmlns="http://www.tei-c.org/ns/1.0"'


def tei(
    body: str = "<div><p>Words.</p></div>",
    *,
    header: str = "",
    back: str = "",
    facsimile: str = "",
    namespace: str = NAMESPACE,
    before: str = '<?xml version="1.0" encoding="UTF-8"?>\n',
) -> bytes:
    """A TEI document around some body."""
    return (
        f"{before}<TEI{namespace}><teiHeader>{header}</teiHeader>{facsimile}"
        f"<text><body>{body}</body><back>{back}</back></text></TEI>"
    ).encode()


def words(text: str) -> Counter[str]:
    """The words and numbers of a text, counted; lower case, compatibility forms made plain."""
    return Counter(re.findall(r"[^\W_]+", normalize("NFKC", text).lower()))


def share_found(one: Counter[str], other: Counter[str]) -> float:
    """The share of one text's words that another has too, each as often."""
    return sum((one & other).values()) / max(sum(one.values()), 1)


def check_whole(document: ParsedDocument) -> None:
    """What holds for every document, whatever it was read from."""
    pages = [entry.page for entry in document.pages]
    assert pages == list(range(1, len(pages) + 1))
    assert document.blocks
    for block in document.blocks:
        assert block.text == block.text.strip() != ""
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]", block.text)
        assert block.page in pages
        assert all(box.page in pages for box in block.boxes)
        if block.boxes:
            assert block.page == block.boxes[0].page
        for box in block.boxes:
            assert 0 <= box.start <= box.end <= len(block.text)
            assert box.x0 <= box.x1
            assert box.y0 <= box.y1
        starts = [box.start for box in block.boxes]
        assert starts == sorted(starts)
