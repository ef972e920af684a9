"""The GROBID client against a loopback server that behaves and misbehaves as real ones do."""

import logging
import socket
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from resources.errors import Permanent, ServiceDown, Transient, UsageError
from resources.grobid import COORDINATES, Grobid
from tests.support.grobid_server import HUGE_BYTES, Behaviour, GrobidServer

TEI = b'<?xml version="1.0"?>\n<TEI><text><body><p>Words.</p></body></text></TEI>\n'
SAMPLES = sorted((Path(__file__).parents[2] / "resources" / "sample_corpus").glob("*.pdf"))


class Clock:
    """Takes the pauses instead of making them."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "paper.pdf"
    path.write_bytes(b"%PDF-1.7 not looked at by this server")
    return path


@pytest.fixture
def client(clock: Clock) -> Callable[..., Grobid]:
    def make(server: GrobidServer, **options: object) -> Grobid:
        return Grobid(server.url, **{"timeout": 5.0, "sleep": clock.sleep, **options})  # type: ignore[arg-type]

    return make


def serving(*behaviours: Behaviour) -> GrobidServer:
    return GrobidServer({"paper.pdf": list(behaviours)}, makes=lambda _: TEI)


def test_a_paper_comes_back_as_the_servers_own_bytes(
    client: Callable[..., Grobid], paper: Path, clock: Clock
) -> None:
    with serving(Behaviour.OK) as server:
        assert client(server).tei(paper) == TEI
    assert clock.pauses == []


def test_the_request_asks_for_coordinates_and_sentences_and_no_consolidation(
    client: Callable[..., Grobid], paper: Path
) -> None:
    with serving(Behaviour.OK) as server:
        client(server).tei(paper)
    fields = server.posted[0].fields
    assert set(fields["teiCoordinates"]) == set(COORDINATES)
    assert set(COORDINATES) >= {"p", "s", "head", "figure", "formula", "ref", "biblStruct"}
    assert fields["segmentSentences"] == ["1"]
    assert fields["consolidateHeader"] == fields["consolidateCitations"] == ["0"]
    assert fields["includeRawCitations"] == ["1"]


def test_busy_for_a_while_is_waited_out_with_growing_bounded_jittered_pauses(
    client: Callable[..., Grobid], paper: Path, clock: Clock
) -> None:
    with serving(*[Behaviour.BUSY] * 5, Behaviour.OK) as server:
        grobid = client(server, attempts=6, backoff=2.0, longest_pause=10.0)
        assert grobid.tei(paper) == TEI
    assert len(clock.pauses) == 5
    for pause, most in zip(clock.pauses, (2, 4, 8, 10, 10), strict=True):
        assert 0 <= pause <= most
    assert len(set(clock.pauses)) == 5  # jittered: no two alike


def test_busy_for_ever_ends_as_transient_after_the_last_attempt(
    client: Callable[..., Grobid], paper: Path, clock: Clock
) -> None:
    with serving(Behaviour.BUSY) as server:
        with pytest.raises(Transient, match=r"too busy to take paper\.pdf"):
            client(server, attempts=4).tei(paper)
        assert len(server.posted) == 4
    assert len(clock.pauses) == 3


def test_two_hundred_busy_answers_do_not_exhaust_the_stack(
    client: Callable[..., Grobid], paper: Path
) -> None:
    with serving(*[Behaviour.BUSY] * 200, Behaviour.OK) as server:
        assert client(server, attempts=201).tei(paper) == TEI


def test_retry_after_of_a_proxy_is_honoured_within_the_longest_pause(
    client: Callable[..., Grobid], paper: Path, clock: Clock
) -> None:
    with serving(Behaviour.BUSY_PROXY, Behaviour.OK) as server:
        client(server).tei(paper)
    with serving(Behaviour.BUSY_PROXY, Behaviour.OK) as server:
        client(server, longest_pause=3.0).tei(paper)
    assert clock.pauses == [7.0, 3.0]


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        (Behaviour.BAD_INPUT, r"\[BAD_INPUT_DATA\] PDF to XML conversion failed.*HTTP 500"),
        (Behaviour.BAD_INPUT_JSON, r": \[BAD_INPUT_DATA\] PDF to XML conversion failed.*HTTP 500"),
        (Behaviour.NO_BLOCKS, r"\[NO_BLOCKS\] PDF parsing resulted in empty content.*HTTP 500"),
        (Behaviour.PDF_TIMEOUT, r"\[TIMEOUT\] PDF to XML conversion timed out.*HTTP 409"),
        (Behaviour.EMPTY, r"found no content"),
        (Behaviour.BAD_REQUEST, r"no reason given \(HTTP 400\)"),
        (Behaviour.GARBAGE, r"something that is no TEI"),
        (Behaviour.WEB_PAGE, r"something that is no TEI"),
    ],
)
def test_a_refused_file_is_permanent_with_the_reason_and_not_sent_again(
    behaviour: Behaviour,
    sentence: str,
    client: Callable[..., Grobid],
    paper: Path,
    clock: Clock,
) -> None:
    with serving(behaviour) as server:
        with pytest.raises(Permanent, match=sentence) as caught:
            client(server).tei(paper)
        assert len(server.posted) == 1
    message = str(caught.value)
    assert "paper.pdf" in message
    assert message.endswith(".")
    assert "\n" not in message
    assert "java" not in message.lower()
    assert clock.pauses == []


def test_a_json_reason_is_free_of_java_and_of_its_causes(
    client: Callable[..., Grobid], paper: Path
) -> None:
    with serving(Behaviour.BAD_INPUT_JSON) as server, pytest.raises(Permanent) as caught:
        client(server).tei(paper)
    assert "no more is known" not in str(caught.value)


@pytest.mark.parametrize("behaviour", [Behaviour.BROKEN, Behaviour.GATEWAY])
def test_a_server_error_without_a_reason_is_tried_again(
    behaviour: Behaviour, client: Callable[..., Grobid], paper: Path
) -> None:
    with serving(behaviour, Behaviour.OK) as server:
        assert client(server).tei(paper) == TEI
    with serving(behaviour) as server, pytest.raises(Transient, match=r"paper\.pdf.*HTTP 50"):
        client(server, attempts=2).tei(paper)


def test_an_address_of_something_else_is_a_service_matter_not_the_files(
    client: Callable[..., Grobid], paper: Path
) -> None:
    with serving(Behaviour.NOT_FOUND) as server, pytest.raises(ServiceDown, match="GROBID_URL"):
        client(server).tei(paper)


def test_a_slow_file_is_asked_for_twice_and_then_set_aside(
    client: Callable[..., Grobid], paper: Path
) -> None:
    with serving(Behaviour.SLOW) as server:
        with pytest.raises(Permanent, match=r"did not finish paper\.pdf within 0\.1 seconds"):
            client(server, timeout=0.1).tei(paper)
        assert len(server.posted) == 2


def test_a_server_that_is_slow_once_is_forgiven(client: Callable[..., Grobid], paper: Path) -> None:
    with serving(Behaviour.SLOW, Behaviour.OK) as server:
        assert client(server, timeout=0.2).tei(paper) == TEI


def test_an_answer_that_drips_without_end_runs_into_the_timeout_too(
    client: Callable[..., Grobid], paper: Path
) -> None:
    began = time.monotonic()
    with serving(Behaviour.DRIPPING) as server:
        with pytest.raises(Permanent, match="did not finish"):
            client(server, timeout=0.2).tei(paper)
        assert len(server.posted) == 2
    assert time.monotonic() - began < 3


def test_an_answer_of_300_mb_that_says_so_is_refused_at_its_head(
    client: Callable[..., Grobid], paper: Path
) -> None:
    with serving(Behaviour.HUGE) as server:
        with pytest.raises(Permanent, match=r"larger than 50 MB"):
            client(server).tei(paper)
        assert len(server.posted) == 1
    assert server.sent < HUGE_BYTES / 10


def test_an_answer_of_300_mb_without_a_length_is_dropped_at_the_limit(
    client: Callable[..., Grobid], paper: Path
) -> None:
    with serving(Behaviour.HUGE_UNTOLD) as server:
        grobid = client(server, max_bytes=5_000_000)
        tracemalloc.start()
        with pytest.raises(Permanent, match=r"paper\.pdf is larger than 5 MB"):
            grobid.tei(paper)
        held = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(server.posted) == 1
    assert held < 20_000_000
    assert server.sent < HUGE_BYTES / 5


def test_an_entity_bomb_passes_through_unopened(client: Callable[..., Grobid], paper: Path) -> None:
    with serving(Behaviour.BOMB) as server:
        assert len(client(server).tei(paper)) < 2_000


@pytest.mark.parametrize("behaviour", [Behaviour.DIES, Behaviour.CUT])
def test_death_in_mid_answer_is_tried_again(
    behaviour: Behaviour, client: Callable[..., Grobid], paper: Path
) -> None:
    with serving(behaviour, behaviour, Behaviour.OK) as server:
        assert client(server).tei(paper) == TEI
        assert len(server.posted) == 3


@pytest.mark.parametrize("behaviour", [Behaviour.DIES, Behaviour.CUT])
def test_a_file_on_which_a_living_server_always_breaks_off_is_transient(
    behaviour: Behaviour, client: Callable[..., Grobid], paper: Path
) -> None:
    with serving(behaviour) as server:
        with pytest.raises(Transient, match=r"paper\.pdf"):
            client(server, attempts=3).tei(paper)
        assert len(server.posted) == 3


def test_a_server_that_is_gone_is_a_service_failure_in_one_sentence(
    client: Callable[..., Grobid], paper: Path, clock: Clock
) -> None:
    with serving(Behaviour.OK) as server:
        grobid = client(server, attempts=3)
    with pytest.raises(ServiceDown, match=rf"No GROBID server answers at {server.url}: start it"):
        grobid.tei(paper)
    assert len(clock.pauses) == 2
    assert not grobid.alive()


def test_a_server_that_dies_during_the_run_is_a_service_failure(
    client: Callable[..., Grobid], paper: Path, clock: Clock
) -> None:
    with serving(Behaviour.OK) as server:
        grobid = client(server, attempts=3)
        grobid.tei(paper)
        server.stop()
        with pytest.raises(ServiceDown):
            grobid.tei(paper)


def test_a_server_that_comes_back_between_attempts_is_used_again(paper: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    started: list[GrobidServer] = []

    def restart(_: float) -> None:
        if not started:
            started.append(GrobidServer(makes=lambda _: TEI, port=port))
            started[0].__enter__()

    try:
        grobid = Grobid(f"http://127.0.0.1:{port}", timeout=5, attempts=3, sleep=restart)
        assert grobid.tei(paper) == TEI
    finally:
        for server in started:
            server.stop()


def test_liveness_is_what_the_server_says_now(client: Callable[..., Grobid]) -> None:
    with serving() as server:
        grobid = client(server)
        assert grobid.alive()
        server.alive = False
        assert not grobid.alive()


def test_the_version_is_asked_for_once(client: Callable[..., Grobid]) -> None:
    with serving() as server:
        grobid = client(server)
        assert [grobid.version() for _ in range(3)] == ["0.8.1"] * 3
        assert server.status_requests.count("version") == 1


def test_older_servers_give_their_version_as_bare_text(client: Callable[..., Grobid]) -> None:
    with GrobidServer(version_body="0.7.2") as server:
        assert client(server).version() == "0.7.2"


@pytest.mark.parametrize("body", ["<html>Welcome</html>", "", "{}", "[1]", "null"])
def test_something_else_at_the_address_has_no_version(
    body: str, client: Callable[..., Grobid]
) -> None:
    with (
        GrobidServer(version_body=body) as server,
        pytest.raises(ServiceDown, match="does not answer like a GROBID server"),
    ):
        client(server).version()


def test_no_server_has_no_version(client: Callable[..., Grobid]) -> None:
    with serving() as server:
        grobid = client(server)
    with pytest.raises(ServiceDown, match="No GROBID server answers"):
        grobid.version()


@pytest.mark.parametrize("url", ["", "localhost:8070", "ftp://host", "http://", "http:///api"])
def test_an_address_that_is_none_is_wrong_use(url: str) -> None:
    with pytest.raises(UsageError, match="http://host:8070"):
        Grobid(url)


@pytest.mark.parametrize("wrong", [{"concurrency": 0}, {"attempts": 0}, {"timeout": 0.0}])
def test_settings_that_cannot_be_are_wrong_use(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        Grobid("http://host:8070", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("suffix", ["", "/", "/api", "/api/"])
def test_the_usual_spellings_of_the_address_work(suffix: str, paper: Path) -> None:
    with serving(Behaviour.OK) as server:
        assert Grobid(server.url + suffix).tei(paper) == TEI


def test_a_password_in_the_address_stays_out_of_messages(paper: Path) -> None:
    grobid = Grobid("http://user:secret@127.0.0.1:9", attempts=1, sleep=lambda _: None)
    with pytest.raises(ServiceDown) as caught:
        grobid.tei(paper)
    assert "secret" not in str(caught.value)


def test_a_file_that_is_not_there_is_permanent(
    client: Callable[..., Grobid], tmp_path: Path
) -> None:
    with (
        serving(Behaviour.OK) as server,
        pytest.raises(Permanent, match=r"missing\.pdf cannot be read"),
    ):
        client(server).tei(tmp_path / "missing.pdf")


def test_the_clients_logger_is_left_as_it_was(client: Callable[..., Grobid], paper: Path) -> None:
    theirs = logging.getLogger("grobid_client.grobid_client")
    before = (theirs.propagate, list(theirs.handlers), theirs.level)
    with serving(Behaviour.OK) as server:
        client(server).tei(paper)
    assert (theirs.propagate, theirs.handlers, theirs.level) == before


def test_no_more_requests_are_under_way_than_the_concurrency_allows(
    client: Callable[..., Grobid], tmp_path: Path
) -> None:
    papers = []
    for number in range(12):
        papers.append(tmp_path / f"{number}.pdf")
        papers[-1].write_bytes(b"%PDF-")

    def slowly(_: bytes) -> bytes:
        time.sleep(0.005)
        return TEI

    with GrobidServer(makes=slowly) as server, ThreadPoolExecutor(12) as threads:
        grobid = client(server, concurrency=3)
        assert list(threads.map(grobid.tei, papers)) == [TEI] * 12
    assert 2 <= server.most_at_once <= 3


def test_twenty_papers_with_a_fault_in_every_fifth_all_come_to_an_end(
    client: Callable[..., Grobid], tmp_path: Path
) -> None:
    """Faults that pass cost a retry, faults that stay cost their own paper and no other."""
    papers = []
    for number in range(20):
        papers.append(tmp_path / f"{number:02}.pdf")
        papers[-1].write_bytes(SAMPLES[number % len(SAMPLES)].read_bytes())
    plan = {
        "03.pdf": [Behaviour.BUSY, Behaviour.BUSY, Behaviour.OK],
        "08.pdf": [Behaviour.DIES, Behaviour.OK],
        "13.pdf": [Behaviour.BAD_INPUT],
        "18.pdf": [Behaviour.BOMB],
    }

    def outcome(paper: Path) -> bytes | Exception:
        try:
            return grobid.tei(paper)
        except (Permanent, Transient) as error:
            return error

    with GrobidServer(plan) as server, ThreadPoolExecutor(8) as threads:
        grobid = client(server, timeout=30.0)
        outcomes = dict(zip([p.name for p in papers], threads.map(outcome, papers), strict=True))
    assert isinstance(outcomes.pop("13.pdf"), Permanent)
    assert all(isinstance(tei, bytes) for tei in outcomes.values())
    assert len(server.posted) == 20 + 2 + 1


@pytest.fixture(scope="module")
def talkative() -> Iterator[GrobidServer]:
    with GrobidServer() as server:
        yield server


@settings(max_examples=60)
@given(body=st.binary(max_size=300), status=st.sampled_from([200, 206, 302, 400, 409, 500, 503]))
def test_whatever_the_body_the_outcome_is_tei_or_one_sentence(
    body: bytes, status: int, talkative: GrobidServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    paper = tmp_path_factory.getbasetemp() / "any.pdf"
    paper.write_bytes(b"%PDF-")
    talkative.answer = (status, body)
    grobid = Grobid(talkative.url, attempts=1, timeout=5, sleep=lambda _: None)
    try:
        tei = grobid.tei(paper)
    except (Permanent, Transient) as error:
        assert str(error).endswith(".")
        assert "\n" not in str(error)
    else:
        assert tei == body
