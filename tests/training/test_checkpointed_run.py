"""A run is evaluated when it is due, saved at intervals, and stops between two steps."""

import pytest
import torch
from torch import nn

from wordworth.progress import STILL
from wordworth.training import checkpointed_run
from wordworth.training.checkpointed_run import CheckpointedRun
from wordworth.training.checkpoints import Checkpoints
from wordworth.training.loop import Loop, Loss
from wordworth.training.optimizers import AdamW


class Ones:
    seed = 0

    def after(self, _):
        while True:
            yield torch.ones(1)


def begun(folder, scores, **choices) -> CheckpointedRun:
    torch.manual_seed(0)
    model = nn.Linear(1, 1)
    loop = Loop(
        model,
        AdamW().build({model: 0.1}),
        lambda _: 1.0,
        Ones(),
        lambda batch, _: Loss(model(batch).square().sum(), 1),
    )
    usual = {"due": {2, 4, 6}, "save_every": 1e9, "checkpoints": Checkpoints(folder)}
    return CheckpointedRun(loop=loop, evaluate=lambda: scores[loop.step], **{**usual, **choices})


def test_it_is_evaluated_when_due_and_keeps_the_best(tmp_path):
    seen = []
    run = begun(tmp_path, {2: 0.1, 4: 0.9, 6: 0.5}, after_step=seen.append)
    run.advance(6, STILL)
    assert [(each.step, each.dev) for each in run.evaluations] == [(2, 0.1), (4, 0.9), (6, 0.5)]
    assert run.best.step == 4
    assert seen == [0, 1, 2, 3, 4, 5, 6]


def test_weights_are_kept_only_after_the_steps_that_are_named_however_good_earlier_ones_are(tmp_path):
    run = begun(tmp_path, {2: 0.9, 4: 0.8, 6: 0.5}, keep_best_after=4)
    run.advance(6, STILL)
    assert run.best.step == 6
    assert [each.dev for each in run.evaluations] == [0.9, 0.8, 0.5]


def test_without_held_out_examples_nothing_is_kept_but_losses(tmp_path):
    run = begun(tmp_path, dict.fromkeys((2, 4, 6)))
    run.advance(6, STILL)
    assert run.best.weights is None
    assert [each.dev for each in run.evaluations] == [None] * 3
    assert run.evaluations[1].loss == pytest.approx(sum(run.loop.losses[2:4]) / 2)


def test_it_goes_on_from_its_checkpoint_with_evaluations_and_best_weights(tmp_path):
    scores = {2: 0.9, 4: 0.1, 6: 0.5}
    straight = begun(tmp_path / "straight", scores)
    straight.advance(6, STILL)
    first = begun(tmp_path / "stopped", scores)
    first.advance(3, STILL)
    first.save()
    second = begun(tmp_path / "stopped", scores)
    second.resume()
    assert second.loop.step == 3
    assert second.earlier_seconds > 0
    second.advance(6, STILL)
    assert second.loop.losses == straight.loop.losses
    assert second.evaluations == straight.evaluations
    assert (second.best.step, second.best.score) == (straight.best.step, straight.best.score)


def test_a_request_to_stop_leaves_a_checkpoint(tmp_path, monkeypatch):
    from contextlib import nullcontext

    run = begun(tmp_path, {})
    monkeypatch.setattr(checkpointed_run, "stop_signals", lambda: nullcontext(lambda: run.loop.step == 2))
    run.due = set()
    with pytest.raises(KeyboardInterrupt):
        run.advance(6, STILL)
    assert Checkpoints(tmp_path).latest()[0] == 2


def test_checkpoints_are_written_at_intervals(tmp_path):
    run = begun(tmp_path, {}, due=set(), save_every=0.0)
    run.advance(4, STILL)
    assert len(list(tmp_path.glob("*.pt"))) == 2
