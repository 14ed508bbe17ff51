"""Racing: cheap where it is safe, and never against the systems that start slowly."""

import numpy as np
import pytest

from wordworth.measures import successive_halving

LABELS = np.array([50, 100, 200, 400, 800])


def test_halving_has_the_published_rounds_and_units():  # W26
    rounds = successive_halving.rounds(27)
    assert [(one.configurations, one.budget) for one in rounds] == [(27, 1), (9, 3), (3, 9), (1, 27)]
    assert sum(one.configurations * one.budget for one in rounds) == 108


def crossing(configuration, budget):
    """Configurations 0 to 2 are contextual, better below 500 labels; 3 to 5 are cheap, better above."""
    labels, rank = 100 * budget, configuration % 3
    return (0.80 if configuration < 3 else 0.80 + 0.05 * np.log10(labels / 500)) - 0.001 * rank


def test_halving_across_families_drops_the_eventual_winner_and_the_safe_version_keeps_it():  # W26
    families = ["contextual"] * 3 + ["cheap"] * 3

    def scores(left, budget):
        return [crossing(one, budget) for one in left]

    assert successive_halving.halving(families, scores, safe=False) == [0]
    assert set(successive_halving.halving(families, scores)) == {0, 3}
    assert crossing(3, 27) > crossing(0, 27)


@pytest.mark.parametrize(("configurations", "eta"), [(0, 3), (5, 1)])
def test_a_halving_that_would_not_end_is_refused(configurations, eta):
    with pytest.raises(ValueError, match="halving needs"):
        successive_halving.rounds(configurations, eta)


def draws(*curves, noise=0.002):
    rng = np.random.default_rng(0)
    return np.array(curves)[:, None, :] + rng.normal(0, noise, (len(curves), 300, len(curves[0])))


def test_a_rung_that_cannot_catch_up_is_dropped_with_its_reason():
    good, bad = 0.9 - LABELS**-0.5, 0.6 - 0.1 * LABELS**-0.5
    dropped = successive_halving.race(draws(good, bad), LABELS, 1600, ["frozen", "constant"])
    assert list(dropped) == [1]
    assert "at 800 labels it is" in dropped[1]
    assert "points behind at 1600" in dropped[1]


def test_a_rung_that_is_catching_up_is_kept():
    early = 0.86 - 0.2 * LABELS**-0.5
    late = 0.6 + 0.05 * np.log2(LABELS / 50)
    assert successive_halving.race(draws(early, late), LABELS, 3200, ["frozen", "counts"]) == {}


def test_families_are_not_compared_on_few_labels_but_configurations_of_one_are():
    curves = draws(0.9 - LABELS**-0.5, 0.5 + 0 * LABELS, 0.4 + 0 * LABELS)
    assert list(successive_halving.race(curves, LABELS, 10_000, ["frozen", "counts", "counts"])) == [2]
    assert list(successive_halving.race(curves, LABELS, 3200, ["frozen", "counts", "counts"])) == [1, 2]


def test_one_size_drops_nobody_before_the_end():
    curves = draws([0.9], [0.5])
    assert successive_halving.race(curves, LABELS[:1], 100, ["frozen", "counts"]) == {}
    assert list(successive_halving.race(curves, LABELS[:1], 50, ["frozen", "counts"])) == [1]


def test_rungs_not_measured_are_left_alone():
    curves = draws(0.9 - LABELS**-0.5, 0.9 - LABELS**-0.5)
    curves[1] = np.nan
    assert successive_halving.race(curves, LABELS, 800, ["frozen", "counts"]) == {}


def test_equal_rungs_are_dropped_as_rarely_as_the_level_says():
    rng, labels, lost = np.random.default_rng(0), np.array([400, 800]), 0
    for _ in range(400):
        point = rng.normal(0.8, 0.02, (2, 1, 2))
        found = successive_halving.race(
            point + rng.normal(0, 0.02, (2, 400, 2)), labels, 800, ["a", "b"], successive_halving.Rule(epsilon=0.0)
        )
        lost += bool(found)
    assert lost / 400 <= 0.04  # one in a hundred for either of the two, and the chance of this test
