"""The tables of a training: no more than a hundred stretches of steps, every evaluation, one step kept."""

from types import SimpleNamespace

import pytest

from wordworth.studies.train_sentences.tables import tables_of
from wordworth.training.finetuning.run_result import Evaluation


@pytest.mark.parametrize(("steps", "rows"), [(1, 1), (7, 7), (1000, 100)])
def test_losses_are_means_over_stretches_that_cover_all_steps(steps, rows):
    result = SimpleNamespace(losses=[float(step) for step in range(steps)], evaluations=(), kept_step=steps)
    losses = tables_of(result, "None")["losses"].rows()
    assert len(losses) == rows
    assert losses[-1]["step"] == steps
    assert losses[0]["loss"] == pytest.approx((losses[0]["step"] - 1) / 2)


@pytest.mark.parametrize(("judged_by", "scores"), [("spearman", [0.1, 0.4, 0.3]), ("loss", [-0.1, -0.4, -0.3])])
def test_one_evaluation_is_the_step_kept_and_losses_have_their_own_sign(judged_by, scores):
    evaluations = tuple(Evaluation(step, 0.0, dev) for step, dev in ((0, 0.1), (5, 0.4), (10, 0.3)))
    rows = tables_of(SimpleNamespace(losses=[1.0], evaluations=evaluations, kept_step=5), judged_by)[
        "evaluations"
    ].rows()
    assert [row["score"] for row in rows] == scores
    assert [row["kept"] for row in rows] == [False, True, False]
