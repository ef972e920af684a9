"""arXiv: search and download, paced, checked and retried.

`limits` and `pace` say how politely, `connection` is the way there, `query` what is asked,
`pages` one answer, `walk` all answers of one search, `listing` the papers they come to, `spool`
where these wait, `download` the PDFs; `source` puts them behind the interface of all sources.
"""

from resources.arxiv_api.connection import Traffic
from resources.arxiv_api.limits import Limits
from resources.arxiv_api.source import ArxivSource

__all__ = ["ArxivSource", "Limits", "Traffic"]
