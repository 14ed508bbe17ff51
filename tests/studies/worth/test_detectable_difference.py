"""How small a difference between a cheap and a contextual rung larger test parts would show."""

from __future__ import annotations

import numpy as np
import pytest
from tests.studies.fake_ladder import FakeRung, constant
from tests.studies.worth.made_up import TFIDF, study

from wordworth.reports import render
from wordworth.studies.worth.detectable_difference import SIZES
from wordworth.studies.worth.settings import WorthSettings

MINILM = FakeRung("minilm", "frozen", constant(0.77))


def test_the_more_test_texts_the_smaller_the_lead_that_is_found():
    table = study(TFIDF, MINILM).table("power")
    assert tuple(table["items"]) == SIZES
    for column in ("lead", "margin"):
        assert (table[column] > 0).all()
        assert (np.diff(table[column]) < 0).all()


def test_rows_keep_the_share_of_the_test_part():
    record = study(TFIDF, MINILM)
    rows, test = record.data["rows"], record.data["test"]
    table = record.table("power")
    np.testing.assert_allclose(table["rows"], table["items"] * rows / test, atol=0.5)


@pytest.mark.slow
def test_a_lead_as_large_as_is_said_is_found_in_about_four_of_five_studies():
    """True leads of the size that 200 test texts are said to show, in studies with 200 test texts."""

    def made(number, lead):  # a rung of another name gives other answers
        cheap = FakeRung(f"tfidf{number}", "counts", constant(0.75 - lead / 2))
        contextual = FakeRung(f"minilm{number}", "frozen", constant(0.75 + lead / 2))
        return study(cheap, contextual, rows=400, chosen=WorthSettings(seeds=8, draws=200))

    tables = [made(number, 0.05).table("power") for number in range(10)]
    lead = float(np.median([table.loc[table["items"] == 200, "lead"].iloc[0] for table in tables]))
    answers = [made(number, lead).finding("verdict").numbers["answer"] for number in range(10, 40)]
    share = np.mean([answer in {"contextual is worth it", "contextual is ahead"} for answer in answers])
    assert 0.6 < share < 0.97  # of thirty studies


def test_without_a_contextual_rung_there_is_nothing_to_show():
    assert study(TFIDF).table("power").empty


def test_the_page_shows_what_larger_test_parts_would_cost():
    page = render(study(TFIDF, MINILM))
    assert (
        "The smallest differences of Minilm and Tfidf that more test texts would show, in four of five studies" in page
    )
    assert "$4,000" in page  # 100,000 rows of a file half of which is tested on, at 4 cents a label
