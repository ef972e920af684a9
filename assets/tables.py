"""The data model: every table, its key and its columns.

A row carries the `fingerprint` of what it was made from (its inputs, its stage's version, its
parameters), so that a run can tell what is missing or out of date without making anything.
"""

import pyarrow as pa

from resources.lake import Table

_string = pa.string()
_strings = pa.list_(pa.string())
_int = pa.int32()
_real = pa.float64()

BOX = pa.struct(
    [
        ("page", _int),
        ("x0", pa.float32()),
        ("y0", pa.float32()),
        ("x1", pa.float32()),
        ("y1", pa.float32()),
        ("start", _int),
        ("end", _int),
    ]
)
BLOCK = pa.struct(
    [
        ("kind", _string),
        ("text", _string),
        ("page", _int),
        ("section", _strings),
        ("boxes", pa.list_(BOX)),
    ]
)
PAGE = pa.struct(
    [
        ("page", _int),
        ("width", pa.float32()),
        ("height", pa.float32()),
        ("characters", _int),
        ("blocks", _int),
        ("note", _string),
    ]
)
CLAIM = pa.struct([("text", _string), ("quote", _string), ("prob_fact", _real)])

PAPERS = Table(
    "papers",
    ("paper_id",),
    pa.schema(
        [
            ("paper_id", _string),
            ("version", _int),
            ("title", _string),
            ("authors", _strings),
            ("abstract", _string),
            ("categories", _strings),
            ("published", _string),
            ("updated", _string),
            ("doi", _string),
            ("journal_ref", _string),
            ("comment", _string),
            ("licence", _string),
            ("source", _string),
            ("url", _string),
            ("sha256", _string),
            ("tier", _string),
            ("status", _string),
            ("fingerprint", _string),
        ]
    ),
)

PDFS = Table(
    "pdfs",
    ("paper_id",),
    pa.schema(
        [
            ("paper_id", _string),
            ("version", _int),
            ("sha256", _string),
            ("path", _string),
            ("bytes", pa.int64()),
            ("pages", _int),
            ("fingerprint", _string),
        ]
    ),
)

DOCUMENTS = Table(
    "documents",
    ("paper_id",),
    pa.schema(
        [
            ("paper_id", _string),
            ("pdf_sha256", _string),
            ("parser", _string),
            ("title", _string),
            ("authors", _strings),
            ("blocks", pa.list_(BLOCK)),
            ("pages", pa.list_(PAGE)),
            ("fingerprint", _string),
        ]
    ),
)

CHUNKS = Table(
    "chunks",
    ("chunk_id",),
    pa.schema(
        [
            ("chunk_id", _string),
            ("paper_id", _string),
            ("ordinal", _int),
            ("kind", _string),
            ("section", _strings),
            ("text", _string),
            ("page_start", _int),
            ("page_end", _int),
            ("boxes", pa.list_(BOX)),
            ("tokens", _int),
            ("text_sha", _string),
            ("passage_sha", _string),
            ("title", _string),
            ("fingerprint", _string),
        ]
    ),
)

CLAIMS = Table(
    "claims",
    ("text_sha", "extractor"),
    pa.schema(
        [
            ("text_sha", _string),
            ("extractor", _string),
            ("claims", pa.list_(CLAIM)),
        ]
    ),
)

FACTUAL_DENSITY = Table(
    "factual_density",
    ("chunk_id",),
    pa.schema(
        [
            ("chunk_id", _string),
            ("paper_id", _string),
            ("tier", _string),
            ("tokens", _int),
            ("claims", _int),
            ("prob_fact_sum", _real),
            ("fd_raw", _real),
            ("bin", _string),
            ("fd_star_published", _real),
            ("fd_star", _real),
            ("fingerprint", _string),
        ]
    ),
)

FAILURES = Table(
    "failures",
    ("stage", "key"),
    pa.schema(
        [
            ("stage", _string),
            ("key", _string),
            ("fingerprint", _string),
            ("kind", _string),
            ("message", _string),
            ("attempts", _int),
            ("last_tried", _string),
        ]
    ),
)

ANSWERS = Table(
    "answers",
    ("answer_id",),
    pa.schema(
        [
            ("answer_id", _string),
            ("asked", _string),
            ("question", _string),
            ("mode", _string),
            ("abstained", pa.bool_()),
            ("release", _string),
            ("model", _string),
            ("answer", _string),
        ]
    ),
)


#: Length of the packaged encoder's vectors; tables of another length are named by it.
PACKAGED_DIMENSION = 384


def vectors(dimension: int = PACKAGED_DIMENSION) -> Table:
    """The cache of vectors: a text that was embedded once by an encoder never is again."""
    return Table(
        _sized("vectors", dimension),
        ("text_sha", "encoder"),
        pa.schema(
            [
                ("text_sha", _string),
                ("encoder", _string),
                ("vector", pa.list_(pa.float32(), dimension)),
            ]
        ),
    )


def dense_index(dimension: int = PACKAGED_DIMENSION) -> Table:
    """What is searched: a vector a chunk, and everything that a hit shows."""
    return Table(
        _sized("dense_index", dimension),
        ("chunk_id",),
        pa.schema(
            [
                ("chunk_id", _string),
                ("paper_id", _string),
                ("ordinal", _int),
                ("title", _string),
                ("section", _strings),
                ("kind", _string),
                ("page_start", _int),
                ("page_end", _int),
                ("text", _string),
                ("link", _string),
                ("year", _int),
                ("categories", _strings),
                ("tier", _string),
                ("encoder", _string),
                ("vector", pa.list_(pa.float32(), dimension)),
                ("fingerprint", _string),
            ]
        ),
    )


def every_table(dimension: int = PACKAGED_DIMENSION) -> list[Table]:
    """All tables, in the order in which they are filled."""
    return [
        PAPERS,
        PDFS,
        DOCUMENTS,
        CHUNKS,
        CLAIMS,
        FACTUAL_DENSITY,
        vectors(dimension),
        dense_index(dimension),
        FAILURES,
        ANSWERS,
    ]


def _sized(name: str, dimension: int) -> str:
    # A column's length is part of its type, so another encoder's vectors need another table.
    return name if dimension == PACKAGED_DIMENSION else f"{name}_{dimension}"
