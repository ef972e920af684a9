"""TEI such as GROBID 0.8 writes, made from a PDF's text layer: what the loopback GROBID serves.

No model stands behind it: lines are read in the order of the text layer, numbered short lines are
headings, wide gaps part paragraphs, and what follows "References" is the bibliography. Like the
real one it flattens super- and subscripts ("10 34"), segments sentences, and gives coordinates of
headings, paragraphs, sentences and references as "page,x,y,width,height;…".
"""

import re
import threading
from dataclasses import dataclass, field
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

import pypdfium2
import pypdfium2.raw as pdfium

VERSION = "0.8.1"

_ONE_AT_A_TIME = threading.Lock()  # the PDF library is not for two threads at once
_NUMBERED = re.compile(r"(?P<n>\d(?:\.\d+)*\.?|[IVX]+\.)\s+(?P<title>[A-Z][^.]{2,70})$")
_NAMED = re.compile(
    r"(abstract|introduction|acknowledge?ments?|conclusions?|summary|references|bibliography)\.?$",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"\[?(\d{1,3})[\].]\s+")
_CITATION = re.compile(r"\[\d{1,3}\]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass
class _Line:
    """A line of the text layer with its box, in points from the top left corner."""

    page: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float

    @property
    def coords(self) -> str:
        width, height = self.x1 - self.x0, self.y1 - self.y0
        return f"{self.page},{self.x0:.2f},{self.y0:.2f},{width:.2f},{height:.2f}"


@dataclass
class _Part:
    """A paragraph or heading in the making."""

    kind: str
    lines: list[_Line] = field(default_factory=list)
    number: str = ""

    @property
    def text(self) -> str:
        text = ""
        for line in self.lines:
            text = text[:-1] + line.text if text.endswith("\x02") else f"{text} {line.text}"
        return _NOT_XML.sub("", text.replace("\x02", "")).strip()


@lru_cache(maxsize=128)
def tei_of_pdf(pdf: bytes) -> bytes | None:
    """TEI for one PDF, or None where it has no text (GROBID then answers 204 or NO_BLOCKS)."""
    with _ONE_AT_A_TIME:
        document = pypdfium2.PdfDocument(pdf)
        try:
            sizes = [document.get_page_size(index) for index in range(len(document))]
            lines = [line for index in range(len(document)) for line in _lines(document, index)]
        finally:
            document.close()
    parts = _parts(lines)
    return _document(parts, sizes).encode() if parts else None


def _lines(document: pypdfium2.PdfDocument, index: int) -> list[_Line]:
    page = document[index]
    height = page.get_height()
    text_page = page.get_textpage()
    lines: list[_Line] = []
    letters: list[int] = []

    def close() -> None:
        if letters:
            text = _tokens(text_page, letters)
            drawn = [i for i in letters if pdfium.FPDFText_GetUnicode(text_page.raw, i) > 32]
            boxes = [text_page.get_charbox(i) for i in drawn]
            if boxes and text.strip():
                lines.append(
                    _Line(
                        index + 1,
                        _flat(text),
                        min(box[0] for box in boxes),
                        height - max(box[3] for box in boxes),
                        max(box[2] for box in boxes),
                        height - min(box[1] for box in boxes),
                        max(pdfium.FPDFText_GetFontSize(text_page.raw, i) for i in drawn),
                    )
                )
            letters.clear()

    for i in range(text_page.count_chars()):
        code = pdfium.FPDFText_GetUnicode(text_page.raw, i)
        if code in {10, 13}:
            close()
        elif not 0xD800 <= code < 0xE000:
            letters.append(i)
            if code == 2:  # a hyphen at a line's end, which the layer gives without the line end
                close()
    close()
    text_page.close()
    page.close()
    return lines


def _tokens(text_page: pypdfium2.PdfTextPage, letters: list[int]) -> str:
    """The letters of a line, a blank wherever the font size changes: so GROBID parts scripts."""
    text, last = "", 0.0
    for i in letters:
        letter = chr(pdfium.FPDFText_GetUnicode(text_page.raw, i))
        size = pdfium.FPDFText_GetFontSize(text_page.raw, i)
        if letter > " ":
            ratio = size / last if last else 1.0
            text += " " * (not 0.9 < ratio < 1.1)
            last = size
        text += letter
    return text


def _flat(text: str) -> str:
    return " ".join(text.replace("\x02", "\x02 ").split(" ")).strip()


def _parts(lines: list[_Line]) -> list[_Part]:
    lines = [line for line in lines if not line.text.startswith("arXiv:")]
    largest = max((line.size for line in lines if line.page == 1), default=0.0)
    parts: list[_Part] = []
    previous: _Line | None = None
    in_references = False
    for line in lines:
        numbered, named = _NUMBERED.match(line.text), _NAMED.match(line.text)
        if line.page == 1 and line.size == largest and not any(p.kind == "p" for p in parts):
            if not parts or parts[-1].kind != "title":
                parts.append(_Part("title"))
            parts[-1].lines.append(line)
        elif named or numbered:
            in_references = bool(named) and line.text.lower().startswith(("ref", "bib"))
            number = numbered["n"] if numbered else ""
            parts.append(_Part("references" if in_references else "head", [line], number))
        elif in_references:
            if _REFERENCE.match(line.text) or parts[-1].kind != "entry":
                parts.append(_Part("entry"))
            parts[-1].lines.append(line)
        else:
            if not parts or parts[-1].kind != "p" or _is_apart(previous, line):
                parts.append(_Part("p"))
            parts[-1].lines.append(line)
        previous = line
    return parts


def _is_apart(previous: _Line | None, line: _Line) -> bool:
    if previous is None or previous.page != line.page:
        return False
    gap = line.y0 - previous.y1
    return gap > 0.9 * (line.y1 - line.y0) and previous.text.endswith((".", ":"))


def _document(parts: list[_Part], sizes: list[tuple[float, float]]) -> str:
    title = next((part.text for part in parts if part.kind == "title"), "")
    first_head = next((i for i, part in enumerate(parts) if part.kind == "head"), 0)
    abstract: list[_Part] = []
    if parts[first_head].text.lower().startswith("abstract"):
        following = parts[first_head + 1 :]
        end = next((i for i, part in enumerate(following) if part.kind != "p"), len(following))
        abstract = following[:end]
    body: list[str] = []
    entries: list[str] = []
    is_open = False
    for part in parts:
        if part in abstract or part.text.lower().startswith("abstract"):
            continue
        if part.kind == "head":
            number = f" n={quoteattr(part.number)}" if part.number else ""
            text = part.text.removeprefix(part.number).strip()
            body.append("</div>" * is_open)
            body.append(f"<div><head{number}{_coords(part.lines)}>{escape(text)}</head>")
            is_open = True
        elif part.kind == "p":
            body.append(("" if is_open else "<div>") + _paragraph(part))
            is_open = True
        elif part.kind == "entry":
            entries.append(_entry(part, len(entries)))
    body.append("</div>" * is_open)
    surfaces = "".join(
        f'<surface n="{number}" ulx="0.0" uly="0.0" lrx="{width:.3f}" lry="{height:.3f}"/>'
        for number, (width, height) in enumerate(sizes, 1)
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<TEI xml:space="preserve" xmlns="http://www.tei-c.org/ns/1.0"
xmlns:xlink="http://www.w3.org/1999/xlink">
<teiHeader xml:lang="en"><fileDesc><titleStmt>
<title level="a" type="main">{escape(title)}</title></titleStmt>
<publicationStmt><publisher/></publicationStmt>
<sourceDesc><biblStruct><analytic/><monogr><imprint><date/></imprint></monogr></biblStruct>
</sourceDesc></fileDesc>
<encodingDesc><appInfo><application version="{VERSION}" ident="GROBID" when="2024-08-26T10:05+0000">
<desc>GROBID - A machine learning software</desc>
</application></appInfo></encodingDesc>
<profileDesc><abstract><div>{"".join(map(_paragraph, abstract))}</div></abstract></profileDesc>
</teiHeader>
<facsimile>{surfaces}</facsimile>
<text xml:lang="en"><body>
{"".join(body)}
</body><back><div type="references"><listBibl>{"".join(entries)}</listBibl></div></back></text>
</TEI>
"""


def _coords(lines: list[_Line]) -> str:
    return f' coords="{";".join(line.coords for line in lines)}"'


def _paragraph(part: _Part) -> str:
    """A paragraph with its sentences; each sentence has the boxes of the lines it touches."""
    text, sentences, start = part.text, [], 0
    ends: list[int] = []
    for line in part.lines:
        flat = _NOT_XML.sub("", line.text.replace("\x02", ""))
        ends.append((ends[-1] if ends else 0) + len(flat) + (not line.text.endswith("\x02")))
    for sentence in _SENTENCE_END.split(text):
        begin = text.index(sentence, start)
        start = begin + len(sentence)
        touched = [
            line
            for line, low, high in zip(part.lines, [0, *ends], ends, strict=False)
            if low < start and high > begin
        ]
        sentences.append(f"<s{_coords(touched or part.lines[-1:])}>{_cited(sentence)}</s>")
    return f"<p{_coords(part.lines)}>{''.join(sentences)}</p>"


def _cited(sentence: str) -> str:
    def reference(match: re.Match[str]) -> str:
        number = int(match.group().strip("[]"))
        return f'<ref type="bibr" target="#b{number - 1}">{match.group()}</ref>'

    return _CITATION.sub(reference, escape(sentence))


def _entry(part: _Part, index: int) -> str:
    text = escape(_REFERENCE.sub("", part.text, count=1))
    return (
        f'<biblStruct{_coords(part.lines)} xml:id="b{index}"><monogr><imprint/></monogr>'
        f'<note type="raw_reference">{text}</note></biblStruct>'
    )
