"""Running the ladder: what fails, what is dropped early, and what is never dropped."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.studies.fake_ladder import MAJORITY, FakeRung, constant, task
from tests.studies.worth.made_up import (
    Unlucky,
    rung_results,
)

from wordworth.array_cache import ArrayCache
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.run_ladder import drop_hopeless, open_rungs


def test_a_rung_of_which_every_run_fails_has_no_score():
    entries, scores, _ = rung_results(MAJORITY, FakeRung("broken", "frozen", constant(0.9), fails=True))
    assert (entries[1].state, entries[1].reason) == ("failed", "it did not converge")
    assert scores.sizes("broken") == ()


def test_runs_that_fail_beside_others_count_as_the_constant_rung():
    entries, scores, layout = rung_results(
        MAJORITY, Unlucky("broken", "frozen", constant(0.9), when=lambda rows: len(rows) == len(task().train))
    )
    assert entries[1].state == "measured"
    assert "runs failed and count as the constant rung: it did not converge" in entries[1].reason
    assert scores.mean("broken", layout.top) == pytest.approx(scores.mean("majority", layout.top))


def test_a_slow_rung_whose_first_runs_fail_is_not_run_again():
    entries, _, layout = rung_results(MAJORITY, FakeRung("slow", "finetuned", constant(0.9), fails=True))
    assert entries[1].state == "failed"
    assert {run.labels for run in entries[1].runs} == {layout.top}


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


SECONDS = 100.0


class Clock:
    """Stands still but for what is said to take time."""

    now = 0.0


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(Clock, "now", 0.0)
    monkeypatch.setattr(time, "perf_counter", lambda: Clock.now)


@dataclass(frozen=True)
class ReadingRung(FakeRung):
    """Its texts take a while to read; two of one key share their vectors."""

    key: str = "vectors"

    def prepare(self, task, run_context):
        run_context.cache.array(self.key, self.read)
        return super().prepare(task, run_context)

    @staticmethod
    def read():
        Clock.now += SECONDS
        return np.zeros((4, 2))


def opened(*rungs, cache):
    return [entry.open_seconds for entry in open_rungs(rungs, task(), RunContext(ArrayCache(cache)), ())]


def reading(name, key="vectors"):
    return ReadingRung(name, "frozen", constant(0.8), key=key)


@pytest.mark.usefixtures("clock")
def test_a_rung_that_shares_vectors_counts_what_they_took(tmp_path):
    rungs = [reading("minilm"), reading("tfidf+minilm"), FakeRung("tfidf", "counts", constant(0.7))]
    assert opened(*rungs, cache=tmp_path) == [SECONDS, SECONDS, 0]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("earlier", [1, 2])
def test_a_later_study_counts_what_the_first_one_took(tmp_path, earlier):
    for _ in range(earlier):
        opened(reading("minilm"), cache=tmp_path)
    assert opened(reading("minilm"), cache=tmp_path) == [SECONDS]


def top_runs(entries, name, layout):
    result = next(entry for entry in entries if entry.rung.name == name)
    return sum(run.labels == layout.top for run in result.runs)


@pytest.mark.parametrize(("tuned", "runs"), [(0.5, 1), (0.8, 3)])
def test_a_slow_rung_has_one_run_where_it_cannot_win_and_three_where_the_verdict_hangs_on_it(tuned, runs):
    entries, _, layout = rung_results(
        MAJORITY,
        FakeRung("tfidf", "counts", constant(0.78)),
        FakeRung("minilm", "frozen", constant(0.77)),
        FakeRung("tuned", "finetuned", constant(tuned)),
    )
    assert top_runs(entries, "tuned", layout) == runs


def test_a_slow_rung_that_is_neither_best_nor_decides_has_two_runs():
    entries, _, layout = rung_results(
        MAJORITY,
        FakeRung("tfidf", "counts", constant(0.7)),
        FakeRung("minilm", "frozen", constant(0.85)),
        FakeRung("tuned", "finetuned", constant(0.83)),
    )
    assert top_runs(entries, "tuned", layout) == 2
