"""The simulated world of folds is as it says: labels move a rung, less the more of them there are."""

from __future__ import annotations

import numpy as np
import pytest

from cross_fitting import GAP_VARIANCE, Design, World, figures, simulated, tasks
from wordworth import seeds

DESIGN = Design(rows=200, ratio=0.36, advantage=0.03)


def test_a_rung_that_learns_from_fewer_labels_is_moved_farther():
    rung = DESIGN.rungs[1]
    levels = {}
    for labels in (40, 160):
        worlds = (World.drawn(len(DESIGN.rungs), DESIGN.rows, np.random.default_rng(number)) for number in range(400))
        levels[labels] = np.std([world.level(1, rung, np.arange(labels)) for world in worlds])
    assert levels[40] == pytest.approx(2 * levels[160], rel=0.15)
    assert levels[160] == pytest.approx(rung.latent[1], rel=0.1)


def test_two_rungs_differ_on_an_item_as_often_as_is_said():
    design = Design(rows=20_000, ratio=0.36, advantage=0.0)
    world, rng = World.drawn(len(design.rungs), design.rows, np.random.default_rng(0)), np.random.default_rng(1)
    rows = np.arange(design.rows)
    right = [np.argmax(world.predicted(number, design.rungs[number].latent[0], rows, rng), axis=1) == world.labels
             for number in (1, 3)]  # fmt: skip
    assert np.var(right[0].astype(float) - right[1]) == pytest.approx(GAP_VARIANCE, rel=0.1)


def test_a_study_with_folds_tests_every_row_and_is_narrower():
    world = World.drawn(len(DESIGN.rungs), DESIGN.rows, seeds.child(0, "world"))
    both = tasks(world, 0)
    assert len(both["folds"].test) == 200
    assert len(both["held out"].test) == 50
    widths = {name: figures(simulated(DESIGN, world, task, 0))["width"] for name, task in both.items()}
    assert widths["folds"] < widths["held out"]
