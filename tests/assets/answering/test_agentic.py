"""The agent's list of passages: several searches, one ranking, the question first."""

from assets.answering.agentic import agentic_hits
from assets.answering.records import AnswerSettings
from assets.retrieval.records import Mode
from tests.support.answering import ListSearcher, SmallProfile, passage

PASSAGES = [
    passage("c1", "Tungsten nozzles absorb the beam-induced background near the detector."),
    passage("c2", "A solenoid of 5 T keeps slow electrons away from the tracker."),
    passage("c3", "Cooling channels shrink the emittance of a muon beam."),
    passage("c4", "Rapid cycling synchrotrons accelerate muons before they decay."),
]
QUESTION = "Why do nozzles and a solenoid keep the background out of the tracker?"


def test_the_question_itself_is_asked_first_and_all_searches_are_hybrid() -> None:
    searcher = ListSearcher(PASSAGES)
    agentic_hits(QUESTION, searcher, SmallProfile(), None, k=3)
    assert searcher.asked[0] == (QUESTION, Mode.HYBRID)
    assert {mode for _, mode in searcher.asked} == {Mode.HYBRID}
    assert 1 <= len(searcher.asked) <= AnswerSettings().max_subqueries + 2


def test_one_ranking_of_passages_that_stand_in_it_once() -> None:
    hits = agentic_hits(QUESTION, ListSearcher(PASSAGES), SmallProfile(), None, k=3)
    assert [hit.rank for hit in hits] == [1, 2, 3]
    assert len({hit.chunk_id for hit in hits}) == 3
    assert {hits[0].chunk_id, hits[1].chunk_id} == {"c1", "c2"}


def test_no_more_than_k_and_no_more_than_there_are() -> None:
    assert len(agentic_hits(QUESTION, ListSearcher(PASSAGES), SmallProfile(), None, k=1)) == 1
    assert len(agentic_hits(QUESTION, ListSearcher(PASSAGES), SmallProfile(), None, k=50)) == 4
    assert agentic_hits(QUESTION, ListSearcher([]), SmallProfile(), None, k=5) == []


def test_a_second_round_looks_for_what_the_first_did_not_find() -> None:
    question = "How long is the synchrotron radiation stopper of hafnium?"
    once, twice = ListSearcher(PASSAGES), ListSearcher(PASSAGES)
    agentic_hits(question, once, SmallProfile(), None, 4, AnswerSettings(second_round=False))
    agentic_hits(question, twice, SmallProfile(), None, 4)
    assert len(twice.asked) == len(once.asked) + 1
    assert "hafnium" in twice.asked[-1][0]
