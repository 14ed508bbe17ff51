"""How many labelled rows would settle a question: fewer the clearer it is, and none where nothing would."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import task
from tests.studies.worth.made_up import LABELS, judged, scores

from wordworth.studies.worth.rows_to_decide import rows_of, rows_to_decide
from wordworth.tasks.examples import Origin

ROWS = 1_000


def needed(lead, half=1.5, margin=0.01, rows=ROWS):
    made = scores(tfidf=(80, half), minilm=(80 + lead, half))
    verdict = judged(made, margin)
    assert verdict.answer == "cannot tell yet"
    return rows_to_decide(verdict, made, LABELS, rows)


def test_a_lead_that_is_nearly_shown_needs_few_rows_more():
    nearly = needed(2.0)
    assert ROWS <= nearly.as_measured < 10 * ROWS


def test_the_worst_case_needs_no_fewer_rows_than_what_was_measured():
    for lead in (0.0, 0.5, 1.0, 2.0):
        rows = needed(lead)
        assert ROWS <= rows.as_measured <= rows.at_worst


def test_wider_intervals_need_more_rows():
    assert needed(1.8, half=2.5).as_measured > needed(1.8, half=1.5).as_measured


def test_rows_are_counted_in_those_of_the_study():
    assert needed(1.8, rows=2 * ROWS).as_measured == pytest.approx(2 * needed(1.8).as_measured)


def test_a_lead_between_zero_and_the_margin_is_the_hardest():
    """Neither *ahead* nor *suffices* is clearly true there: at half the margin both have as far to go."""
    middle, above, below = (needed(lead, half=2.5, margin=0.02).as_measured for lead in (1.0, 2.4, -0.4))
    assert middle > above
    assert middle > below


def test_without_an_undecided_cheap_rung_no_number_of_rows_is_named():
    made = scores(tfidf=(70, 0.5), minilm=(90, 0.5))
    assert rows_to_decide(judged(made), made, LABELS, ROWS).as_measured == math.inf


def test_the_rows_of_a_test_file_grow_and_those_of_the_training_file_do_not():
    one = task(40)
    origins = Origin("a.csv", "0", 30), Origin("b.csv", "1", 10)
    assert rows_of(one) == rows_of(replace(one, origins=origins[:1])) == 40
    assert rows_of(replace(one, origins=origins)) == len(one.test) < 40
    assert rows_of(replace(one, origins=origins, folds=(np.arange(20), np.arange(20, 40)))) == 40
