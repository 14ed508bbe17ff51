"""The study's rules on made-up rungs whose truth is known."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.studies.fake_ladder import MAJORITY, FakeRung, constant, task

from wordworth.errors import BadInput
from wordworth.measures.metrics import metric
from wordworth.records import Table
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.decision_map import decision_map
from wordworth.studies.worth.decision_rule import judge, labels_needed
from wordworth.studies.worth.fit_rungs import open_rungs
from wordworth.studies.worth.label_grid import doubling_sizes, label_grid
from wordworth.studies.worth.learning_curves import best_multiple, multiples_table
from wordworth.studies.worth.run_ladder import drop_hopeless, run_ladder
from wordworth.studies.worth.scores import Bootstrap, measure
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.study_result import StudyResult
from wordworth.studies.worth.verdict import VerdictWriter, multiple_text


def rung_results(*rungs, rows=1_600, seeds=5, threads=2):
    """Rungs fitted on every subset of a made-up task, with their scores."""
    made, chosen = task(rows), WorthSettings(seeds=seeds, draws=400)
    run_context = RunContext(threads=threads)
    entries = open_rungs(rungs, made, run_context, ())
    layout = label_grid(made, chosen)
    return entries, run_ladder(entries, made, layout, chosen, run_context), layout


def verdict(entries, scores, layout, epsilon=0.01):
    return judge(scores, [entry.rung for entry in entries], layout.top, epsilon)


@given(st.integers(16, 100_000), st.integers(0, 200), st.integers(1, 8))
def test_sizes_double_and_end_at_all_the_labels(labels, classes, most):
    sizes = doubling_sizes(labels, classes, most)
    assert sizes[-1] == labels
    assert len(sizes) <= most
    assert all(2 * small in {large, large - 1} for small, large in pairwise(sizes))


def test_a_smaller_subset_is_part_of_every_larger_one_of_the_same_draw():
    layout = label_grid(task(), WorthSettings())
    for seed in range(5):
        for small, large in pairwise(layout.sizes):
            assert set(layout.rows(small, seed)) <= set(layout.rows(large, seed))


def test_fine_tuning_runs_on_the_same_subsets_at_fewer_sizes():
    layout = label_grid(task(), WorthSettings())
    dear, all_runs = set(layout.runs(FakeRung("tuned", "finetuned", constant(0)))), set(layout.runs())
    assert dear < all_runs
    assert (layout.top, 0) in dear


def test_cheap_suffices_when_no_rung_is_better():
    found = rung_results(
        MAJORITY, FakeRung("tfidf", "counts", constant(0.95)), FakeRung("minilm", "frozen", constant(0.90))
    )
    assert (verdict(*found).answer, verdict(*found).rung) == ("cheap suffices", "tfidf")


def test_context_is_worth_it_when_it_is_far_ahead():
    found = rung_results(
        MAJORITY, FakeRung("tfidf", "counts", constant(0.7)), FakeRung("minilm", "frozen", constant(0.9))
    )
    assert (verdict(*found).answer, verdict(*found).rung) == ("contextual is worth it", "minilm")


def test_it_cannot_tell_when_the_interval_holds_both_nothing_and_the_margin():
    found = rung_results(
        MAJORITY,
        FakeRung("tfidf", "counts", constant(0.80)),
        FakeRung("minilm", "frozen", constant(0.81)),
        rows=400,
        seeds=2,
    )
    judgement = verdict(*found)
    assert judgement.answer == "cannot tell yet"
    assert labels_needed(judgement, 400) > 400


def the_map(entries, scores, layout, rates):
    """The decision map of a study whose rungs answer at `rates` texts a second."""
    costs = [
        {"rung": name, "fit_seconds": 1.0, "price_per_million": 1e6 / rate * 0.10 / 3_600}
        for name, rate in rates.items()
    ]
    table = Table.of(costs, {name: name for name in costs[0]})
    return decision_map(StudyResult(task(), layout, entries, scores, 0.01, table), WorthSettings(draws=400))


@pytest.mark.parametrize(("cheap", "contextual"), [(0.95, 0.90), (0.7, 0.9), (0.80, 0.81)])
def test_the_decision_map_says_at_the_readers_labels_what_the_verdict_says(cheap, contextual):
    entries, scores, layout = rung_results(
        MAJORITY,
        FakeRung("tfidf", "counts", constant(cheap)),
        FakeRung("minilm", "frozen", constant(contextual)),
        rows=400 if contextual - cheap == pytest.approx(0.01) else 1_600,
    )
    found = the_map(entries, scores, layout, {"majority": 1e9, "tfidf": 2e4, "minilm": 70})
    judgement = verdict(entries, scores, layout)
    doubt = [row[-1] for row in found["uncertain"]]
    assert all(doubt) == any(doubt) == (judgement.answer == "cannot tell yet")
    assert all(doubt) or {row[-1] for row in found["rung"]} == {judgement.rung}


def test_among_rungs_that_are_good_enough_the_map_names_the_cheaper_to_serve_where_that_matters():
    entries, scores, layout = rung_results(
        MAJORITY, FakeRung("slow", "counts", constant(0.99)), FakeRung("fast", "static", constant(0.99)), rows=4_000
    )
    found = the_map(entries, scores, layout, {"majority": 1e9, "slow": 10, "fast": 1e6})
    assert [row[-1] for row in found["rung"]][:: len(found["rung"]) - 1] == ["slow", "fast"]


def test_two_copies_of_one_system_differ_by_nothing():
    """A negative control: the same predictions under two names."""
    entries, _, layout = rung_results(
        MAJORITY, FakeRung("one", "counts", constant(0.8)), FakeRung("two", "frozen", constant(0.8))
    )
    copied = [run.predictions for run in entries[1].runs]
    entries[2].runs = [
        type(run)("two", run.labels, run.seed, copied[i], {}, 0.0) for i, run in enumerate(entries[2].runs)
    ]
    scores = measure(entries, task(), metric("accuracy", ("class 0", "class 1")), Bootstrap(400, 0))
    doubt = scores.gap_interval("one", "two", layout.top)
    assert (doubt.low, doubt.high) == (0.0, 0.0)


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


def test_the_label_multiple_of_a_known_pair_of_curves_is_found():
    """Errors .9 n^-.3 and 1.6 n^-.3: the cheap rung needs (1.6 / .9)^(1 / .3) = 6.8 times the labels."""
    found = rung_results(
        MAJORITY,
        FakeRung("tfidf", "counts", lambda n: 1 - 1.6 * n**-0.3),
        FakeRung("minilm", "frozen", lambda n: 1 - 0.9 * n**-0.3),
        rows=16_000,
    )
    row = best_multiple(multiples_table(found[1], ["tfidf"], ["minilm"]), "tfidf", "minilm")
    assert row["state"] == "exact"
    assert row["low"] < 6.8 < row["high"]


@settings(max_examples=5, deadline=None)
@given(st.sampled_from([1, 2, 3]))
def test_the_numbers_do_not_depend_on_how_many_fits_run_at_once(threads):
    rungs = (MAJORITY, FakeRung("tfidf", "counts", constant(0.8)))
    _, one, layout = rung_results(*rungs, threads=1)
    _, other, _ = rung_results(*rungs, threads=threads)
    np.testing.assert_array_equal(one.score_draws("tfidf", layout.top), other.score_draws("tfidf", layout.top))


@pytest.mark.parametrize("choice", [{"epsilon": 0}, {"seeds": 1}, {"hourly_price": -1}, {"draws": 10}, {"threads": 0}])
def test_a_setting_out_of_range_is_one_clear_error(choice):
    with pytest.raises(BadInput, match="out of range"):
        WorthSettings(**choice)


def test_a_bound_of_once_the_labels_is_said_in_words_and_a_lead_that_may_be_small_is_said_to_be():
    entries, scores, layout = rung_results(
        MAJORITY,
        FakeRung("tfidf", "counts", lambda n: 0.5 + n / 8_000),
        FakeRung("minilm", "frozen", lambda n: 0.5 + n / 4_000),
    )
    judgement = verdict(entries, scores, layout, 0.1)
    said = VerdictWriter(StudyResult(task(), layout, entries, scores, 0.1)).finding()
    bound = multiple_text({"labels": layout.top, "multiple": 1.0, "state": "more than"}, "Tfidf", "Minilm")
    assert judgement.answer == "contextual is worth it"
    assert bound == "Tfidf does not reach that with all the labels there are."
    assert ("perhaps by less than 10.0 points" in said.text) == (said.numbers["low"] < 0.1)


def test_test_texts_that_hang_together_are_drawn_together():
    """Half of the test texts said twice bear no more evidence than once: the interval stays as wide."""
    made = task(400)
    half = made.test[: len(made.test) // 2]
    once, twice = replace(made, test=half), replace(made, test=np.concatenate([half, half]))
    entries, _, layout = rung_results(MAJORITY, FakeRung("tfidf", "counts", constant(0.8)), rows=400)
    spans = []
    for one in (once, twice):
        said = [np.asarray(run.predictions)[: len(half)] for run in entries[1].runs]
        entries[1].runs = [
            replace(run, predictions=np.concatenate([part] * (len(one.test) // len(half))))
            for run, part in zip(entries[1].runs, said, strict=True)
        ]
        found = measure(entries[1:], one, metric("accuracy", one.classes), Bootstrap(400, 0))
        spans.append(found.score_interval("tfidf", layout.top))
    assert spans[0] == spans[1]


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"epsilon": "x"}, "--epsilon is 'x'; give a number"),
        ({"models": ("minilm", "none")}, "none together with another model"),
    ],
)
def test_a_choice_that_makes_no_sense_is_told_in_a_line(choice, said):
    with pytest.raises(BadInput, match=said):
        WorthSettings(**choice)
