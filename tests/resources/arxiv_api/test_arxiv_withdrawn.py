"""A paper is withdrawn when it says so itself."""

import pytest

from resources.arxiv_api.pages import says_withdrawn


@pytest.mark.parametrize(
    "text",
    [
        "This paper has been withdrawn by the author due to a crucial error in eq. 3",
        "This submission has been withdrawn by arXiv administrators because of overlap",
        "Withdrawn",
        "withdrawn by the authors",
        "Paper withdrawn: the background was underestimated",
        "This version was withdrawn",
        "(withdrawn)",
        "The manuscript is being withdrawn by the authors",
        "This article is temporarily withdrawn",
        "Our paper has now been withdrawn",
    ],
)
def test_it_says_so(text: str) -> None:
    assert says_withdrawn(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12 pages, 3 figures",
        "replaces hep-ph/9909255, which was withdrawn",
        "the target is withdrawn from the beam after each pulse",
        "charge is withdrawn through the strips",
        "We discuss the withdrawn proposal for a neutrino factory",
    ],
)
def test_it_speaks_of_something_else(text: str) -> None:
    assert not says_withdrawn(text)
