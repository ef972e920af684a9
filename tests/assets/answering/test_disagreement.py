"""Two papers differ where both give the value that is asked for, and only there."""

import pytest

from assets.answering.disagreement import disagreements
from assets.answering.reading import read
from tests.support.answering import WordEncoder, evidence, plan

QUESTION = "What is the critical temperature of Nb3Sn?"
VALUE = "The critical temperature of Nb3Sn is 18.3 K in a pure film."


@pytest.mark.parametrize(
    ("other", "differ"),
    [
        ("The critical temperature of Nb3Sn is 16.8 K in a pure film.", True),
        ("The critical temperature of Nb3Sn is 18.3 K in a thick film.", False),
        # The temperature of another thing, in another clause.
        ("As the critical temperature of Nb3Sn is high, the film works near 4.3 K.", False),
        # A condition, no value.
        ("The critical temperature of Nb3Sn in a pure film was not tested at 4.2 K.", False),
    ],
)
def test_only_values_of_what_is_asked_can_differ(other: str, differ: bool) -> None:
    pool = [evidence(VALUE, "E1"), evidence(other, "E2", "2002.00002")]
    found = disagreements(read(plan(QUESTION), pool, WordEncoder()), None)
    assert [one.subject for one in found] == ["critical temperature Nb3Sn"] * differ
