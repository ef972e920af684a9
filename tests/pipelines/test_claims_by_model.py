"""Claims by a language model through real runs: estimate, budget, backlog, resume, batch."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assets.factuality.backlog import live_passages, read_texts
from assets.factuality.model_extractor import extractor_name
from assets.retrieval.release import require_current
from assets.tables import CLAIMS
from pipelines.auditing import estimate_claims
from pipelines.inventory import inventory
from pipelines.running import RunFailed, run_job
from resources.errors import MuonEvidenceError
from resources.lake import col
from tests.support.claim_reader import honest_claims, passages
from tests.support.gemini_server import GeminiServer
from tests.support.model_server import ModelServer, Script, status
from tests.support.openai_server import OpenAIServer
from tests.support.pipeline import parts_at, process

GEMINI, OPENAI = "gemini/gemini-2.5-flash", "openai/gpt-oss-120b"

#: Enough for some calls of the demo's texts and not for all: each call reserves its worst case.
SMALL_BUDGET = "0.025"


@pytest.fixture
def gemini(monkeypatch: pytest.MonkeyPatch) -> Iterator[GeminiServer]:
    with GeminiServer(honest_claims) as server:
        monkeypatch.setenv("GEMINI_API_KEY", "key-of-the-tests")
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.base_url)
        yield server


def asked(server: ModelServer) -> Counter[str]:
    """How often each text was shown to the model."""
    return Counter(text for request in server.requests for text in passages(request).values())


def by_gemini(data: Path, **settings: Any) -> Any:
    return parts_at(data, MUON_MODEL=GEMINI, **settings)


def unread(parts: Any) -> int:
    return int(inventory(parts)["backlog"]["claims"])


def test_an_estimate_makes_no_call_and_is_right(
    copy_of_demo: Callable[[], Path], gemini: GeminiServer
) -> None:
    parts = by_gemini(copy_of_demo())
    estimate = estimate_claims(parts)
    assert gemini.requests == []
    assert estimate["extractor"] == extractor_name(GEMINI)
    assert estimate["texts"] == len(live_passages(parts.lake)) == unread(parts)
    assert estimate["papers_without_chunks"] == 0

    run_job("reextract_claims", parts)
    assert estimate["calls"] == len(gemini.requests)
    assert 0.5 < estimate["input_tokens"] / gemini.input_tokens < 2
    assert gemini.output_tokens < estimate["output_tokens"]
    assert estimate["cost_usd"] == pytest.approx(
        (estimate["input_tokens"] * 0.30 + estimate["output_tokens"] * 2.50) / 1e6
    )
    assert estimate_claims(parts) == {
        **estimate, "texts": 0, "calls": 0, "input_tokens": 0, "output_tokens": 0, "cost_usd": 0.0
    }  # fmt: skip


def test_the_rules_cost_nothing(copy_of_demo: Callable[[], Path]) -> None:
    parts = parts_at(copy_of_demo())
    parts.lake.delete(CLAIMS, col("extractor") == parts.extractor_name)
    assert unread(parts) > 0
    estimate = estimate_claims(parts)
    assert (estimate["texts"], estimate["calls"]) == (unread(parts), 0)
    assert estimate["cost_usd"] == 0


def test_a_budget_stops_the_refresh_cleanly_and_the_next_one_goes_on(
    copy_of_demo: Callable[[], Path], gemini: GeminiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = copy_of_demo()
    parts = by_gemini(data)
    everything = unread(parts)
    before = require_current(parts.files)

    stopped = process(
        "refresh",
        "--data",
        str(data),
        MUON_MODEL=GEMINI,
        MUON_BUDGET_USD=SMALL_BUDGET,
        GEMINI_API_KEY="key-of-the-tests",
        GOOGLE_GEMINI_BASE_URL=gemini.base_url,
    )
    left = unread(parts)
    assert stopped.status == 1
    assert "Traceback" not in stopped.err
    sentence = stopped.err.strip().splitlines()[-1]
    assert sentence.startswith("muon-evidence: The budget of $0.03 is used up")
    assert sentence.endswith(f"{left} of {everything} chunks are left for the next run.")
    assert 0 < left < everything
    assert len(read_texts(parts.lake, extractor_name(GEMINI))) == everything - left
    assert require_current(parts.files) == before

    first, paid = asked(gemini), gemini.answered
    run_job("reextract_claims", parts)
    again = asked(gemini) - first
    assert unread(parts) == 0
    assert set(first).isdisjoint(again)
    assert max(again.values()) == 1
    assert gemini.answered - paid == parts.model.usage.calls
    assert require_current(parts.files) != before

    run_job("reextract_claims", parts)
    assert gemini.answered - paid == parts.model.usage.calls


def test_a_budget_of_nothing_leaves_everything(
    copy_of_demo: Callable[[], Path], gemini: GeminiServer
) -> None:
    parts = by_gemini(copy_of_demo(), MUON_BUDGET_USD=0)
    everything = unread(parts)
    with pytest.raises(MuonEvidenceError, match=f"{everything} of {everything} chunks are left"):
        run_job("reextract_claims", parts)
    assert gemini.requests == []


def test_a_service_that_goes_away_is_one_sentence_and_a_backlog(
    copy_of_demo: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = copy_of_demo()
    answers = Script([honest_claims, honest_claims], then=status(401, "the key was withdrawn"))
    with OpenAIServer(answers) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        parts = parts_at(data, MUON_MODEL=OPENAI)
        everything = unread(parts)
        with pytest.raises(MuonEvidenceError) as stopped:
            run_job("reextract_claims", parts)
        left = unread(parts)
        assert str(stopped.value).endswith(
            f"{left} of {everything} chunks are left for the next run."
        )
        assert 0 < left < everything
    with OpenAIServer(honest_claims) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        run_job("reextract_claims", parts_at(data, MUON_MODEL=OPENAI))
        assert sum(asked(server).values()) == left
        assert unread(parts) == 0


def test_a_batch_is_asked_for_where_the_settings_say_so(
    copy_of_demo: Callable[[], Path], gemini: GeminiServer
) -> None:
    gemini.polls = 0
    parts = by_gemini(copy_of_demo(), MUON_BATCH=True)
    estimate = estimate_claims(parts)
    single = estimate_claims(by_gemini(Path(parts.settings.location)))
    assert estimate["cost_usd"] == pytest.approx(single["cost_usd"] / 2)

    done = run_job("reextract_claims", parts)
    assert {request.path.rpartition(":")[2] for request in gemini.requests} == {"generateContent"}
    assert len(gemini.jobs) == 0, "a finished job is forgotten"
    assert done.metadata["claims"]["model_cost_usd"] == pytest.approx(
        (gemini.input_tokens * 0.30 + gemini.output_tokens * 2.50) / 2e6
    )
    assert unread(parts) == 0


def test_a_quote_that_is_not_in_its_chunk_blocks_the_release(
    copy_of_demo: Callable[[], Path],
) -> None:
    parts = parts_at(copy_of_demo())
    before = require_current(parts.files)
    row = next(row for row in parts.lake.rows(CLAIMS) if row["claims"])
    row["claims"][0]["quote"] = "words that stand nowhere"
    parts.lake.merge(CLAIMS, [row])
    with pytest.raises(RunFailed, match="quotes_are_verbatim"):
        run_job("reextract_claims", parts)
    assert require_current(parts.files) == before
