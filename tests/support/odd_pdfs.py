"""PDFs that give no text, each in its own way."""

from collections.abc import Sequence

from tests.support.tiny_pdf import tiny_pdf


def image_only(shade: int = 128, pages: int = 1) -> bytes:
    """A scan: pages that hold one grey image and no text; `shade` (0 to 255) tells scans apart."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{' '.join(f'{4 + 2 * n} 0 R' for n in range(pages))}] "
        f"/Count {pages} >>".encode(),
        _stream(
            b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray "
            b"/BitsPerComponent 8",
            bytes([shade]),
        ),
    ]
    for number in range(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R "
            "/Resources << /XObject << /I 3 0 R >> >> >>".encode()
        )
        objects.append(_stream(b"", b"612 0 0 792 0 0 cm /I Do"))
    return _assembled(objects)


def encrypted() -> bytes:
    """A PDF under a password that nobody has."""
    return tiny_pdf([["Nobody reads this."]], locked=True)


def _stream(entries: bytes, content: bytes) -> bytes:
    head = b"<< " + entries + f" /Length {len(content)} >>\nstream\n".encode()
    return head + content + b"\nendstream"


def _assembled(objects: Sequence[bytes]) -> bytes:
    data = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    start = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    data += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    data += (
        f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    )
    return data
