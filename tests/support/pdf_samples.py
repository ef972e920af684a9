"""PDFs made for one test each: typeset with typst, or written object by object."""

import zlib
from pathlib import Path

import typst

_PAGE = '#set page(width: 400pt, height: 500pt, margin: 50pt)\n#set text(size: 10pt, lang: "en")\n'


def typeset(folder: Path, source: str, name: str = "sample.pdf", setup: str = _PAGE) -> Path:
    """A PDF of a typst source, on small pages unless `setup` says otherwise."""
    path = folder / name
    path.write_bytes(typst.compile((setup + source).encode()))
    return path


def assembled(
    objects: dict[int, bytes], trailer: str = "/Root 1 0 R", version: str = "1.7"
) -> bytes:
    """A PDF file of numbered objects with a cross-reference table."""
    data = bytearray(f"%PDF-{version}\n".encode())
    places: dict[int, int] = {}
    for number, body in sorted(objects.items()):
        places[number] = len(data)
        data += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(data)
    size = max(objects) + 1
    data += f"xref\n0 {size}\n0000000000 65535 f \n".encode()
    for number in range(1, size):
        data += f"{places.get(number, 0):010} 00000 n \n".encode()
    data += f"trailer\n<< /Size {size} {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(data)


def stream(content: bytes, extra: str = "") -> bytes:
    """A stream object, uncompressed."""
    return f"<< /Length {len(content)} {extra} >>\nstream\n".encode() + content + b"\nendstream"


def packed(content: bytes) -> bytes:
    """A stream object, compressed."""
    return stream(zlib.compress(content, 1), "/Filter /FlateDecode")


def written(
    contents: list[bytes],
    *,
    font: str = "/Type /Font /Subtype /Type1 /BaseFont /Times-Roman",
    page: str = "/MediaBox [0 0 400 500]",
    resources: str = "",
    extra: dict[int, bytes] | None = None,
    trailer: str = "/Root 1 0 R",
) -> bytes:
    """A PDF whose pages run the given content streams, with one font named F.

    `contents` are stream objects (see `stream` and `packed`); objects from number 100 on are the
    pages', so `extra` may use 4 to 99.
    """
    kids = " ".join(f"{100 + 2 * n} 0 R" for n in range(len(contents)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
        3: f"<< {font} >>".encode(),
    }
    for n, content in enumerate(contents):
        objects[100 + 2 * n] = (
            f"<< /Type /Page /Parent 2 0 R {page} /Contents {101 + 2 * n} 0 R "
            f"/Resources << /Font << /F 3 0 R >> {resources} >> >>"
        ).encode()
        objects[101 + 2 * n] = content
    return assembled(objects | (extra or {}), trailer)


def text_at(x: float, y: float, text: str, size: float = 10) -> bytes:
    """Content that shows a text with its baseline starting at a point, in PDF coordinates."""
    return f"BT /F {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET\n".encode("latin-1")


def many_pages(count: int) -> bytes:
    """A PDF of that many pages that share one short content."""
    kids = " ".join(f"{10 + n} 0 R" for n in range(count))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
        4: stream(text_at(50, 400, "the same on every page")),
    }
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 500] /Contents 4 0 R "
        b"/Resources << /Font << /F 3 0 R >> >> >>"
    )
    return assembled(objects | {10 + n: page for n in range(count)})


def locked() -> bytes:
    """A PDF that is encrypted and asks for a password."""
    secret = "A" * 64
    encryption = f"<< /Filter /Standard /V 1 /R 2 /P -44 /O <{secret}> /U <{secret}> >>"
    return written(
        [stream(text_at(50, 400, "secret"))],
        extra={4: encryption.encode()},
        trailer="/Root 1 0 R /Encrypt 4 0 R /ID [<00> <00>]",
    )


def slow(megabytes: int = 60) -> bytes:
    """A small PDF whose one page unpacks to that many megabytes of text operators."""
    piece = text_at(50, 400, "again and again") * 1000
    return written([packed(piece * (megabytes * 1_000_000 // len(piece)))])
