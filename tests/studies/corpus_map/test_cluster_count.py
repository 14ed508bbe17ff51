"""The number of clusters: the true one for clouds that lie apart, and none for a single cloud of any shape."""

import numpy as np
import pytest

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.progress import STILL
from wordworth.studies.corpus_map.cluster_count import (
    CLOUD_SPLITS,
    CLOUDS,
    SPLITS,
    choose,
    num_clusterings,
    numbers_to_try,
)

NUMBERS = (2, 3, 4, 5, 6, 8)


def clouds(number: int, apart: float, width: int = 20, rows: int = 240) -> np.ndarray:
    draw = np.random.default_rng(3)
    centres = apart * unit_or_zero(draw.normal(size=(number, width)))
    return unit_or_zero(centres[np.arange(rows) % number] + draw.normal(size=(rows, width))).astype(np.float32)


@pytest.mark.parametrize("number", [3, 5])
def test_clouds_that_lie_apart_are_counted(number):
    count = choose(clouds(number, 8.0), NUMBERS, 0, STILL)
    assert count.chosen == number
    assert count.p == pytest.approx(1 / (CLOUDS + 1))
    best = next(each for each in count.agreements if each.clusters == number)
    assert best.low <= best.mean <= best.high
    assert best.mean > 0.9
    assert best.cloud < 0.6


def test_uniform_noise_on_the_sphere_has_no_clusters():
    assert choose(clouds(1, 0.0), NUMBERS, 0, STILL).p > 0.05


def test_one_long_cloud_has_no_clusters_though_halves_cut_it_alike():
    draw = np.random.default_rng(3).normal(size=(240, 10)) * np.array([1, 4, *[1] * 8])
    count = choose(unit_or_zero(draw + 12 * np.eye(10)[0]).astype(np.float32), NUMBERS, 0, STILL)
    assert count.agreements[0].mean > 0.6
    assert count.p > 0.05


def test_numbers_that_would_leave_few_texts_for_a_cluster_are_not_tried():
    assert numbers_to_try(19) == ()
    assert numbers_to_try(65) == (2, 3, 4, 6)


def test_the_step_advances_by_every_pair_of_halves():
    class Counter:
        done = 0

        def advance(self, amount: int = 1) -> None:
            self.done += amount

        skip = advance

    counter = Counter()
    choose(clouds(2, 8.0, rows=40), (2, 3), 0, counter)
    assert counter.done == num_clusterings((2, 3)) == 2 * (SPLITS + CLOUDS * CLOUD_SPLITS)
