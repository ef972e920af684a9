"""What a PDF says about itself on its first page and in its document information."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from resources.errors import Permanent

_SAME_SIZE = 0.93
_SHORTEST_TITLE = 8
_LONGEST_TITLE = 400
_FOOTNOTE_MARKS = "*∗†‡§¶#, "
# What word processors and TeX put into the document information in place of a title.
_NO_TITLE = re.compile(
    r"untitled|title|document\d*|microsoft \w+ - .*|powerpoint presentation|arxiv:.*|\S+|"
    r".*\.(?:tex|dvi|docx?|odt|pdf|ps|indd|rtf)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FirstPage:
    """`title` and `authors` are empty where nothing can be told; `text` is page 1's, in lines."""

    title: str
    authors: tuple[str, ...]
    text: str


@dataclass(slots=True)
class _Line:
    """A horizontal line of text: baseline and font size in points."""

    baseline: float
    size: float
    right: float
    text: str

    @property
    def letters(self) -> int:
        return sum(character.isalpha() for character in self.text)


def read_first_page(path: Path) -> FirstPage:
    """Open a PDF and read who it says it is.

    The title is the document information's where that looks like one, else the largest
    horizontal text of the page (the margin stamp runs upwards and does not count). Raises
    Permanent, with a reason that names no file, where the PDF cannot be opened.
    """
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise Permanent(_reason(str(error), path)) from error
    try:
        if len(document) == 0:
            raise Permanent("it has no pages")
        information = document.get_metadata_dict(skip_empty=True)
        page = document[0]
        textpage = page.get_textpage()
        text = textpage.get_text_bounded().replace("\r\n", "\n")
        title = _clean(information.get("Title", ""))
        if len(title) < _SHORTEST_TITLE or _NO_TITLE.fullmatch(title):
            title = _largest_text(_lines(page, textpage))
        return FirstPage(title, _authors(information.get("Author", "")), text)
    except pypdfium2.PdfiumError as error:
        raise Permanent("its first page cannot be read") from error
    finally:
        document.close()


def _reason(message: str, path: Path) -> str:
    # Where the library sets no error of its own it repeats the last one, of another file.
    if b"/Encrypt" in path.read_bytes():
        if "password" in message.lower():
            return "it is encrypted and needs a password"
        return "it is encrypted in a way that cannot be read"
    return "it is not a PDF, or is damaged or has no pages"


def _lines(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage) -> list[_Line]:
    """The page's horizontal text in the order of its content, as lines."""
    lines: list[_Line] = []
    for item in page.get_objects(filter=[pypdfium2.raw.FPDF_PAGEOBJ_TEXT], textpage=textpage):
        matrix = item.get_matrix()
        text = item.extract()
        if matrix.a <= 0 or abs(matrix.b) > abs(matrix.a) / 10 or not text.strip():
            continue
        size = item.get_font_size() * matrix.d
        left, _, right, _ = item.get_bounds()
        last = lines[-1] if lines else None
        if last is None or abs(matrix.f - last.baseline) > 0.6 * max(size, last.size):
            lines.append(_Line(matrix.f, size, right, text))
            continue
        gap = left - last.right > 0.15 * size and not last.text.endswith(" ")
        last.text += (" " if gap else "") + text
        last.right = right
        if size > last.size:
            last.size, last.baseline = size, matrix.f
    return lines


def _largest_text(lines: list[_Line]) -> str:
    """The run of lines in the largest size that holds enough letters to be a title."""
    for size in sorted({line.size for line in lines}, reverse=True):
        run: list[str] = []
        for line in lines:
            if size * _SAME_SIZE <= line.size <= size:
                run.append(line.text)
            elif run:
                break
        title = _clean(" ".join(run))
        if sum(character.isalpha() for character in title) >= _SHORTEST_TITLE:
            return title
    return ""


def _authors(text: str) -> tuple[str, ...]:
    """Names out of the document information's author entry."""
    parts = re.split(r"\s*;\s*|\s*,\s+and\s+|\s+and\s+|\s*,\s+", _clean(text))
    return tuple(part for part in parts if part)


def _clean(text: str) -> str:
    """NFKC, no control characters, single spaces, no footnote marks at the end."""
    joined = re.sub(r"\x02\s*", "", text)
    printable = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in joined)
    folded = re.sub(r"\s+", " ", unicodedata.normalize("NFKC", printable)).strip()
    return folded.rstrip(_FOOTNOTE_MARKS)[:_LONGEST_TITLE].strip()
