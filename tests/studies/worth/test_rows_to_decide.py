"""How many labelled rows would settle a question: fewer the clearer it is, and none where nothing would."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.studies.fake_ladder import task
from tests.studies.worth.made_up import LABELS, judged, scores

from wordworth.studies.worth.rows_to_decide import NO_ROWS, POWER, TIMES, rows_of, rows_to_decide
from wordworth.tasks.examples import Origin

ROWS = 1_000


def needed(lead, half=1.5, margin=0.01, rows=ROWS):
    made = scores(tfidf=(80, half), minilm=(80 + lead, half))
    verdict = judged(made, margin)
    assert verdict.answer == "cannot tell yet"
    return rows_to_decide(verdict, made, LABELS, rows)


def test_the_chance_of_an_answer_is_said_for_more_rows_and_the_rows_that_make_it_likely():
    rows = needed(2.0)
    assert rows.rows == tuple(ROWS * times for times in TIMES)
    assert 0 < rows.chances[0] < rows.chances[1] < rows.chances[2] <= rows.most <= 1
    assert ROWS < rows.likely < math.inf


def test_where_runs_differ_too_much_no_number_is_likely_and_what_can_be_reached_is_said():
    made = scores(assumed={"minilm": 0.02}, runs=1, tfidf=(80, 0.5), minilm=(80.5, 0.5))
    rows = rows_to_decide(judged(made), made, LABELS, ROWS)
    assert rows.likely == math.inf
    assert max(rows.chances) <= rows.most < POWER


def test_wider_intervals_need_more_rows():
    assert needed(1.8, half=2.5).likely > needed(1.8, half=1.5).likely


def test_rows_are_counted_in_those_of_the_study():
    assert needed(1.8, rows=2 * ROWS).likely == pytest.approx(2 * needed(1.8).likely)


def test_a_lead_between_zero_and_the_margin_is_the_hardest():
    """Neither *ahead* nor *suffices* is clearly true there: at half the margin both have as far to go."""
    middle, above, below = (needed(lead, half=2.5, margin=0.02).chances for lead in (1.0, 2.4, -0.4))
    assert middle < above
    assert middle < below


def test_without_an_undecided_cheap_rung_there_is_nothing_to_say():
    made = scores(tfidf=(70, 0.5), minilm=(90, 0.5))
    assert rows_to_decide(judged(made), made, LABELS, ROWS) == NO_ROWS


def test_the_rows_of_a_test_file_grow_and_those_of_the_training_file_do_not():
    one = task(40)
    origins = Origin("a.csv", "0", 30), Origin("b.csv", "1", 10)
    assert rows_of(one) == rows_of(replace(one, origins=origins[:1])) == 40
    assert rows_of(replace(one, origins=origins)) == len(one.test) < 40
    assert rows_of(replace(one, origins=origins, folds=(np.arange(20), np.arange(20, 40)))) == 40
