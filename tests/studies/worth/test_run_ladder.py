"""Running the ladder: what fails, what is dropped early, and what is never dropped."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.studies.fake_ladder import MAJORITY, FakeRung, constant, task
from tests.studies.worth.made_up import (
    rung_results,
)

from wordworth.studies.worth.run_ladder import drop_hopeless


def test_a_run_that_fails_counts_as_the_constant_rung():
    entries, scores, layout = rung_results(MAJORITY, FakeRung("broken", "frozen", constant(0.9), fails=True))
    assert entries[1].state == "failed"
    assert scores.mean("broken", layout.top) == pytest.approx(scores.mean("majority", layout.top))


def test_a_dear_rung_that_cannot_win_is_dropped_after_the_first_look_and_says_so():
    entries, scores, layout = rung_results(
        MAJORITY, FakeRung("minilm", "frozen", constant(0.95)), FakeRung("slow", "finetuned", constant(0.6))
    )
    assert entries[2].state == "dropped"
    assert "behind Minilm" in entries[2].reason
    assert scores.sizes("slow") == (layout.top,)


def test_one_run_is_told_as_one(monkeypatch):
    entries, scores, layout = rung_results(
        MAJORITY, FakeRung("minilm", "frozen", constant(0.95)), FakeRung("slow", "finetuned", constant(0.6))
    )
    monkeypatch.setattr(type(scores), "seeds_of", lambda *_: 1)
    drop_hopeless(entries, scores, task(), layout.top, 0.01)
    assert entries[2].reason.startswith("after 1 run on all ")


def test_a_cheap_rung_is_never_raced_out():
    entries, _, layout = rung_results(
        MAJORITY, FakeRung("tfidf", "counts", constant(0.6)), FakeRung("minilm", "frozen", constant(0.95))
    )
    assert len(entries[1].runs) == 5 * len(layout.sizes)


@settings(max_examples=5, deadline=None)
@given(st.sampled_from([1, 2, 3]))
def test_the_numbers_do_not_depend_on_how_many_fits_run_at_once(threads):
    rungs = (MAJORITY, FakeRung("tfidf", "counts", constant(0.8)))
    _, one, layout = rung_results(*rungs, threads=1)
    _, other, _ = rung_results(*rungs, threads=threads)
    np.testing.assert_array_equal(one.score_draws("tfidf", layout.top), other.score_draws("tfidf", layout.top))
