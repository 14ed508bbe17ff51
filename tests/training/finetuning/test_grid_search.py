"""The grid of hyper-parameters, and the search among them."""

from dataclasses import replace

import numpy as np
import pytest

from wordworth.progress import SILENT
from wordworth.training.finetuning.dev_split import Split
from wordworth.training.finetuning.grid_search import candidates, grid_search, rounds
from wordworth.training.finetuning.run_result import Evaluation, Result
from wordworth.training.finetuning.settings import FinetuneSettings


class Scripted:
    """A crew whose runs score what they are told to."""

    def __init__(self, scores):
        self.scores, self.shares = scores, []

    def results(self, works, _step):
        self.shares.append((len(works), works[0].share))
        return [
            Result(hyper_parameters=work.hyper_parameters, seed=0, steps=8,
                   state="paused" if work.share < 1 else "finished",
                   evaluations=(Evaluation(1, 1.0, self.scores[work.hyper_parameters.learning_rate]),))
            for work in works
        ]  # fmt: skip


def test_the_paper_s_grid_is_halved_to_one():
    points = candidates(FinetuneSettings(grid="paper"), 768, 3000)
    assert len(points) == 18
    assert {(point.batch_size, point.epochs) for point in points} == {(b, e) for b in (16, 32) for e in (2, 3, 4)}
    several = [replace(point, learning_rate=number) for number, point in enumerate(points)]
    worker_pool = Scripted({number: number / 20 for number in range(18)})
    best, told = grid_search(several, worker_pool, Split(np.arange(3000), np.arange(300), np.arange(500)), SILENT)
    assert best.learning_rate == 17
    assert worker_pool.shares == [(18, 0.25), (6, 0.5), (2, 1.0), (1, 1.0)]
    assert sum(one.state == "pruned" for one in told) == 16


def test_small_sets_are_learned_longer_and_narrow_encoders_faster():
    settings = FinetuneSettings()
    (small,), (large,) = (candidates(settings, 384, count) for count in (2_500, 100_000))
    assert (small.epochs, large.epochs) == (13, 3)
    assert small.learning_rate == pytest.approx(1e-4)
    (paper,) = candidates(FinetuneSettings(recipe="paper"), 768, 2_500)
    assert (paper.batch_size, paper.epochs, paper.learning_rate) == (32, 3, 3e-5)


def test_a_third_of_the_candidates_goes_on():
    assert [rounds(count) for count in (1, 2, 3, 27)] == [[1], [2, 1], [3, 1], [27, 9, 3, 1]]
