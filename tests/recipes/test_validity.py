"""Whether verdicts err: among the ladder's own rungs, and beside a model that a specialist makes."""

import numpy as np
import pytest

from parts.validity_runs import LABELS, REMAINDER, ROWS, SEEDS, part
from parts.validity_sets import SETS
from validity import allowance, regret, wrong
from wordworth.measures.bootstrap import Interval
from wordworth.studies.worth.decision_rule import Levels, RungComparison, Verdict
from wordworth.tasks.task import Examples, Task

TRUE = {"tfidf": 0.70, "minilm": 0.74}


def verdict(answer, rung):
    standings = tuple(
        RungComparison(
            name=name,
            contextual=contextual,
            is_baseline=False,
            rival=name,
            contextual_rival=name,
            mean=TRUE[name],
            gap=0.0,
            interval=Interval(0.0, 0.0),
            adequate=True,
            enough=True,
            behind=frozenset(),
            short=frozenset(),
        )
        for name, contextual in (("tfidf", False), ("minilm", True))
    )
    return Verdict(answer, rung, rung, standings, 0.01, Levels.of(1, 1, 1))


def test_context_is_not_worth_it_where_a_specialists_cheap_model_is_as_good():
    worth = verdict("contextual is worth it", "minilm")
    assert not wrong(worth, TRUE)
    assert not wrong(worth, TRUE, 0.72)
    assert wrong(worth, TRUE, 0.735)  # ahead, by less than the margin
    ahead = verdict("contextual is ahead", "minilm")
    assert not wrong(ahead, TRUE, 0.735)
    assert wrong(ahead, TRUE, 0.75)


def test_a_cheap_rung_does_not_suffice_where_a_specialists_is_far_better():
    suffices = verdict("cheap suffices", "tfidf")
    assert wrong(suffices, TRUE)
    assert not wrong(suffices, {"tfidf": 0.735, "minilm": 0.74})
    assert wrong(suffices, {"tfidf": 0.735, "minilm": 0.74}, 0.80)


def test_no_verdict_is_never_wrong():
    assert not wrong(verdict("cannot tell yet", "tfidf"), TRUE, 0.99)


def test_regret_counts_from_the_best_model_less_epsilon():
    suffices = verdict("cheap suffices", "tfidf")
    assert regret(suffices, TRUE) == pytest.approx(3.0)
    assert regret(suffices, TRUE, 0.80) == pytest.approx(9.0)
    assert regret(verdict("contextual is worth it", "minilm"), TRUE) == 0.0


def test_a_part_holds_the_remainder_out_of_both_of_its_grids():
    rows = np.arange(6_000)
    texts = Examples(tuple(map(str, rows)))
    drawn = part(Task("made up", "single", texts, rows % 3, ("a", "b", "c"), rows, rows[:0], "accuracy"), 0)
    assert len(drawn.study.examples) == ROWS + REMAINDER
    for seed in range(SEEDS):
        items = drawn.grid.items(LABELS, seed)
        assert len(items) == len(set(items)) == ROWS // SEEDS + REMAINDER
        assert set(drawn.remainder) <= set(items)
        assert not set(drawn.grid.rows(LABELS, seed)) & set(drawn.study.test[items])
    assert drawn.fresh_grid.items(LABELS, 0) is None
    assert len(drawn.fresh_grid.subsets) == 2
    assert len(drawn.fresh.test) == REMAINDER


def test_forty_data_sets_of_every_kind_are_asked():
    files = {file for file, _ in SETS.values()}
    kinds = {settings.get("kind", settings.get("format", len(settings))) for _, settings in SETS.values()}
    assert len(SETS) == len(files) == 40
    assert kinds == {"regression", "multilabel", "conll", 2, 3}  # two texts have one column more


@pytest.mark.parametrize(("draws", "spread"), [(2, 0.5), (2, 1.0), (3, 1.0), (5, 2.0)])
def test_a_right_interval_holds_a_truth_of_a_few_draws_in_nineteen_of_twenty_studies(draws, spread):
    rng, studies = np.random.default_rng(draws), 4_000
    estimates = rng.normal(0.0, 1.0, studies)  # of a true gap of 0, with a standard error of 1
    truths = rng.normal(0.0, spread, (studies, draws))
    side = 1.96
    held = [
        abs(estimate - of_draws.mean()) <= allowance(side, 0.0, of_draws.var(ddof=1) / draws, draws)
        for estimate, of_draws in zip(estimates, truths, strict=True)
    ]
    assert 0.935 < np.mean(held) < 0.965


def test_an_exact_truth_is_held_by_the_interval_alone():
    assert allowance(1.5, 0.0, 0.0, 5) == pytest.approx(1.5)
