"""Sentences of the evidence measured against a question, and what is chosen of them."""

import pytest

from assets.answering import embedded_writer
from assets.answering.embedded_writer import most_sentences, write
from assets.answering.reading import MOST_SENTENCES, dangles, presentable, read
from assets.answering.records import AnswerSettings, QuestionType
from tests.support.answering import WordEncoder, evidence, plan

QUESTION = "How thick is the tungsten liner of the ring dipole?"
TEXT = (
    "The ring has a circumference of three hundred metres in all. "
    "The tungsten liner of the ring dipole is 4.1 cm thick. "
    "It is cooled by gaseous helium at sixty kelvin or more. "
    "Photons leave the nozzle in large numbers every turn."
)


def test_the_answering_sentence_comes_first() -> None:
    reading = read(plan(QUESTION), [evidence(TEXT)], WordEncoder())
    best = reading.sentences[0]
    assert best.quote == "The tungsten liner of the ring dipole is 4.1 cm thick."
    assert best.measures.fits == 1
    assert reading.best == best.relevance
    relevances = [sentence.relevance for sentence in reading.sentences]
    assert relevances == sorted(relevances, reverse=True)


def test_every_measure_lies_between_zero_and_one() -> None:
    reading = read(plan(QUESTION), [evidence(TEXT)], WordEncoder())
    for sentence in reading.sentences:
        assert all(-1e-6 <= value <= 1 + 1e-6 for value in sentence.measures.as_array())
        assert sentence.evidence.text[sentence.start : sentence.end] == sentence.quote


@pytest.mark.parametrize(
    "text",
    [
        "| 1 | 2 | 3 | 4 | 5 | 6 | 7 |",
        "Too short.",
        "x = y + z - 3 = 4 (5) 6 [7] 8 9 10 11 12 = 0",
        "How thick is the tungsten liner of the ring dipole?",
    ],
)
def test_tables_formulas_fragments_and_questions_are_not_read(text: str) -> None:
    assert read(plan(QUESTION), [evidence(text)], WordEncoder()).sentences == ()


def test_a_sentence_that_two_chunks_share_is_read_once() -> None:
    twice = [evidence(TEXT, "E1"), evidence(TEXT, "E2")]
    reading = read(plan(QUESTION), twice, WordEncoder())
    assert len({sentence.text for sentence in reading.sentences}) == len(reading.sentences)


def test_no_more_sentences_are_embedded_than_the_limit() -> None:
    many = " ".join(f"Magnet number {n} of the ring was tested in the hall." for n in range(200))
    reading = read(plan(QUESTION), [evidence(many)], WordEncoder())
    assert len(reading.sentences) == MOST_SENTENCES


def test_a_unit_that_was_cut_off_is_read_whole() -> None:
    text = "The yearly luminosity of the collider is about 13 fb-\n1. It scales with the energy."
    reading = read(plan("What is the luminosity?"), [evidence(text)], WordEncoder())
    assert any("13 fb- 1" in sentence.text for sentence in reading.sentences)


def test_no_evidence_is_no_reading() -> None:
    reading = read(plan(QUESTION), [], WordEncoder())
    assert (reading.sentences, reading.best) == ((), 0.0)


def test_reference_marks_and_connectives_are_left_out() -> None:
    text = "However, the field [3], [4–6] is high (see Fig. 3) ."
    assert presentable(text) == "The field is high."


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("• High ionization of the deposit.", "High ionization of the deposit."),
        ("d) Flux jumps occur.", "Flux jumps occur."),
        ("3. The liner is thick.", "The liner is thick."),
        ("As those in Ref. [12], the rate falls.", "As those, the rate falls."),
        ("The liner is thick, as seen in Fig. 3.", "The liner is thick, as seen in Fig. 3."),
        ("-5 T is the field.", "-5 T is the field."),
        ("It is as described in [12], then rinsed.", "It is as described in [12], then rinsed."),
        ("It was measured by [3] to be cold.", "It was measured by [3] to be cold."),
        ("In Ref. [5] the ring is cold.", "In Ref. [5] the ring is cold."),
        ("The ring is cold [4], and small [5].", "The ring is cold, and small."),
        ("(1.1) We take this as it is.", "We take this as it is."),
        ("(A.12) The ring is cold.", "The ring is cold."),
        ("(2019) was a cold year.", "(2019) was a cold year."),
    ],
)
def test_list_marks_and_pointers_without_their_mark_are_left_out(sentence: str, shown: str) -> None:
    assert presentable(sentence) == shown


def test_a_sentence_that_points_back_is_known() -> None:
    assert dangles("This makes the field uniform.")
    assert dangles("It is cooled by helium.")
    assert dangles("Such a ring needs none.")
    assert not dangles("It is important to cool the coil.")
    assert not dangles("It was shown in early studies that masks help.")
    assert not dangles("It would seem that the outer tape quenches.")
    assert not dangles("The field is uniform.")
    assert not dangles("Here we cool the coil.")
    assert dangles("Here the coil is cold.")
    assert not dangles("There are two coils.")


def test_the_embedded_writer_quotes_verbatim_and_cites() -> None:
    reading = read(plan(QUESTION), [evidence(TEXT)], WordEncoder())
    drafts = write(plan(QUESTION), reading, AnswerSettings(max_facts=1))
    (draft,) = drafts
    assert draft.text == "The tungsten liner of the ring dipole is 4.1 cm thick."
    assert draft.quotes[0] == ("E1", draft.text)


def test_a_sentence_that_points_back_brings_the_one_before() -> None:
    question = "By what is the liner cooled, gaseous helium at sixty kelvin?"
    reading = read(plan(question), [evidence(TEXT)], WordEncoder())
    drafts = write(plan(question), reading, AnswerSettings(max_facts=1))
    assert drafts[0].text.startswith("The tungsten liner")
    assert drafts[0].text.endswith("sixty kelvin or more.")
    assert drafts[0].quotes[0][1] in TEXT


def test_a_sentence_that_points_at_nothing_is_not_written() -> None:
    question = "Which field does such a ring of cold dipoles need?"
    lost = "Such a ring of cold dipoles needs a field of 9 T. Photons leave the nozzle every turn."
    reading = read(plan(question), [evidence(lost)], WordEncoder())
    drafts = write(plan(question), reading, AnswerSettings())
    assert all("Such a ring" not in draft.text for draft in drafts)


def test_what_is_cut_off_or_tells_of_the_paper_is_not_written() -> None:
    text = (
        "This paper is structured as the liner of the ring dipole is. "
        "The liner of the ring dipole is thick. Since the ring is round, the liner of the dipole"
    )
    question = "Which liner has the ring dipole?"
    reading = read(plan(question), [evidence(text)], WordEncoder())
    drafts = write(plan(question), reading, AnswerSettings())
    assert [draft.text for draft in drafts] == ["The liner of the ring dipole is thick."]


def test_what_is_brought_along_is_not_said_twice() -> None:
    question = "How thick is the tungsten liner of the ring dipole, and by what is it cooled?"
    reading = read(plan(question), [evidence(TEXT)], WordEncoder())
    for most in (1, 2, 3, 4):
        drafts = write(plan(question), reading, AnswerSettings(max_facts=most))
        text = " ".join(draft.text for draft in drafts)
        assert text.count("4.1 cm") <= 1


def test_more_may_be_written_of_one_passage_where_passages_are_trusted() -> None:
    made = plan("Which dipoles of the ring are cold?")
    near = "The dipoles of the ring are cold. Cold are the dipoles that the ring has in its arcs."
    pool = [evidence(near, "E1"), evidence("Cold dipoles of rings are long.", "E2", "2002.00002")]
    reading = read(made, pool, WordEncoder())
    trusted = write(made, reading, AnswerSettings(max_facts=2, focus=0.0))
    focused = write(made, reading, AnswerSettings(max_facts=2, focus=9.0))
    assert {draft.quotes[0][0] for draft in focused} == {"E1"}
    assert len(trusted) == len(focused) == 2


def test_the_best_passage_is_read_first_wherever_it_stands_in_the_paper() -> None:
    early = "The dipole of the ring is of interest, and so is its liner."
    late = "The dipole of the ring does have a liner of tungsten."
    made = plan("Which liner does the dipole of the ring have?", QuestionType.REASONING)
    pool = [evidence(early, "E1", page=1), evidence(late, "E2", page=9)]
    drafts = write(made, read(made, pool, WordEncoder()), AnswerSettings())
    assert [draft.text for draft in drafts] == [late, early]


def test_a_sentence_with_words_of_the_question_that_none_has_yet_is_preferred() -> None:
    best, new = "The rings cool their beams of ions by kicks.", "Stochastic kicks act on ions."
    others = "Photons leave the nozzle in large numbers every turn. Most beams of ions are long."
    made = plan(
        "Do the rings cool their beams of ions by stochastic kicks?", QuestionType.REASONING
    )
    pool = [evidence(f"{best} {others} Photons leave the nozzle in large numbers again. {new}")]
    drafts = write(made, read(made, pool, WordEncoder()), AnswerSettings(max_reasons=2))
    assert [draft.text for draft in drafts] == [best, new]


NEAR = (
    "The liner of the ring dipole of the collider is made of tungsten. "
    "The liner of the ring dipole of the collider is cooled by gas. "
)


def test_a_fact_that_asks_how_thick_tells_how_thick() -> None:
    made = plan("How thick is the liner of the ring dipole of the collider?")
    pool = [evidence(f"{NEAR}The liner of the dipole has 4.1 cm.")]
    drafts = write(made, read(made, pool, WordEncoder()), AnswerSettings(max_facts=2))
    assert len(drafts) == 2
    assert any("4.1 cm" in draft.text for draft in drafts)


@pytest.mark.parametrize("rest", ["", "The liner of the dipole has 80 K.", "Photons have 3 cm."])
def test_a_fact_that_asks_how_thick_is_not_told_something_else(rest: str) -> None:
    made = plan("How thick is the liner of the ring dipole of the collider?")
    reading = read(made, [evidence(NEAR + rest)], WordEncoder())
    assert write(made, reading, AnswerSettings(max_facts=2)) == []


@pytest.mark.parametrize("kind", list(QuestionType))
def test_an_answer_keeps_its_length(kind: QuestionType) -> None:
    many = " ".join(
        f"The tungsten liner of ring dipole {name} is 4 cm thick."
        for name in "abcdefghijklmnopqrst"
    )
    settings = AnswerSettings()
    made = plan(QUESTION, kind)
    drafts = write(made, read(made, [evidence(many)], WordEncoder()), settings)
    assert 1 <= len(drafts) <= most_sentences(made, settings)


def test_what_another_paper_says_in_the_same_numbers_is_cited_beside() -> None:
    same = "The tungsten liner of the ring dipole is 4.1 cm thick."
    pool = [evidence(same, "E1"), evidence(f"{same[:-1]} indeed.", "E2", "2002.00002")]
    made = plan(QUESTION)
    drafts = write(made, read(made, pool, WordEncoder()), AnswerSettings(max_facts=1))
    assert {key for key, _ in drafts[0].quotes} == {"E1", "E2"}


def test_nothing_read_is_nothing_written() -> None:
    made = plan(QUESTION)
    assert write(made, read(made, [], WordEncoder()), AnswerSettings()) == []
    assert embedded_writer.NAME == "embedded extractive writer 3"
