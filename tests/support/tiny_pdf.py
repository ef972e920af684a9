"""Small valid PDFs made of a few lines of text."""

from collections.abc import Sequence

_WIDTH, _HEIGHT, _MARGIN = 612, 792, 72


def tiny_pdf(
    pages: Sequence[Sequence[str]],
    *,
    heading: str = "",
    stamp: str = "",
    title: str = "",
    author: str = "",
    locked: bool = False,
) -> bytes:
    """A PDF whose pages hold lines of 10 pt text.

    `heading` stands above the first page's lines in 16 pt; `stamp` runs up its left margin in
    20 pt, as arXiv prints it; `title` and `author` go into the document information. `locked`
    marks the file as encrypted under a password that nobody has.
    """
    objects: dict[int, bytes] = {1: b"<< /Type /Catalog /Pages 2 0 R >>"}
    kids = " ".join(f"{5 + 2 * n} 0 R" for n in range(len(pages)))
    objects[2] = f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode()
    objects[3] = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    objects[4] = f"<< /Title ({_escaped(title)}) /Author ({_escaped(author)}) >>".encode()
    for number, lines in enumerate(pages):
        first = number == 0
        content = _content(lines, heading if first else "", stamp if first else "")
        objects[5 + 2 * number] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_WIDTH} {_HEIGHT}] "
            f"/Contents {6 + 2 * number} 0 R /Resources << /Font << /F 3 0 R >> >> >>"
        ).encode()
        objects[6 + 2 * number] = (
            f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream"
        )
    return _file(objects, locked)


def _content(lines: Sequence[str], heading: str, stamp: str) -> bytes:
    parts = []
    if stamp:
        parts.append(f"BT /F 20 Tf 0 1 -1 0 30 250 Tm ({_escaped(stamp)}) Tj ET")
    top = _HEIGHT - _MARGIN
    if heading:
        parts.append(f"BT /F 16 Tf {_MARGIN} {top} Td ({_escaped(heading)}) Tj ET")
        top -= 30
    for place, line in enumerate(lines):
        parts.append(f"BT /F 10 Tf {_MARGIN} {top - 14 * place} Td ({_escaped(line)}) Tj ET")
    return "\n".join(parts).encode("latin-1")


def _file(objects: dict[int, bytes], locked: bool) -> bytes:
    data = bytearray(b"%PDF-1.4\n")
    places = []
    for number in sorted(objects):
        places.append(len(data))
        data += f"{number} 0 obj\n".encode() + objects[number] + b"\nendobj\n"
    start = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    data += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    lock = (
        f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'41' * 32}> /U <{'42' * 32}> >> "
        f"/ID [<{'43' * 16}> <{'43' * 16}>] "
    )
    data += (
        f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R {lock if locked else ''}>>\n"
        f"startxref\n{start}\n%%EOF\n"
    ).encode()
    return bytes(data)


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
