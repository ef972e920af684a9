"""Notices to people: kept in the data location, and posted where an address is set."""

import logging

from pipelines.parts import Parts
from pipelines.settings import Settings

FOLDER = "notices"
_SECONDS = 10

_log = logging.getLogger(__name__)


def send_notice(settings: Settings, key: str, text: str) -> None:
    """Keep a notice, and post it as `{"text": …}` (the form that chat services take).

    A notice that cannot be posted is still kept, and logged: telling of a failure must not fail.
    """
    Parts(settings).files.write_json(f"{FOLDER}/{key}.json", {"text": text})
    if not settings.notice_url:
        return
    import httpx  # noqa: PLC0415 - only where a notice is posted

    try:
        httpx.post(settings.notice_url, json={"text": text}, timeout=_SECONDS).raise_for_status()
    except httpx.HTTPError as error:
        _log.warning("The notice could not be posted: %s", type(error).__name__)
