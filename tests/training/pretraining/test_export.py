"""What a run leaves is a model with its heads, tokenizer and card."""

import json

import pytest
import torch
from tests.training.pretraining.small_run import CHANGES, Killing, curve, settings

from wordworth.models.checkpoint import read_checkpoint
from wordworth.training.checkpoints import Checkpoints
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain


@pytest.fixture(scope="module")
def whole(corpus, other, tmp_path_factory):
    """A run that nobody stopped, and its settings."""
    given = settings(corpus, tmp_path_factory.mktemp("whole"), held_out=other)
    pretrain(given)
    return given


def test_the_folder_holds_a_model_with_its_heads_a_tokenizer_and_a_card(whole):
    found = read_checkpoint(whole.out)
    assert {name.split(".")[1] for name in found.heads} == {"mlm", "nsp"}
    assert json.loads((whole.out / "config.json").read_text())["architectures"] == ["BertForPreTraining"]
    card = (whole.out / "README.md").read_text()
    for part in ("12 updates", "## Data", "document", "`modern`", "## Curve", "| mlm |", "## Limits", "mlm_unigram "):
        assert part in card
    assert "None" not in card


def test_a_model_with_norms_before_its_branches_is_read_back_as_that_and_nothing_takes_it_for_bert(corpus, tmp_path):
    pretrain(settings(corpus, tmp_path, recipe=recipe("modern", [*CHANGES, "norm=pre"]), steps=2))
    assert json.loads((tmp_path / "config.json").read_text())["model_type"] != "bert"
    found = read_checkpoint(tmp_path)
    assert found.model.config.norm == "pre"
    assert found.names.missing == found.names.unexpected == ()


def test_a_milestone_is_the_model_of_that_step(corpus, tmp_path):
    flat = recipe("modern", [*CHANGES, "lr_schedule=stable", "first_phase_fraction=1", "warmup=0.01"])
    pretrain(settings(corpus, tmp_path / "run", recipe=flat, milestones=(0.5,)))
    (kept,) = (tmp_path / "run" / "training" / "milestones").iterdir()
    read_until = sum(row["tokens"] for row in curve(tmp_path / "run") if row["kind"] == "step" and row["step"] <= 6)
    assert json.loads((kept / "milestone.json").read_text()) == {"step": 6, "tokens": read_until}
    given = settings(corpus, tmp_path / "stopped", recipe=flat, checkpoint_steps=6)
    with pytest.raises(KeyboardInterrupt):
        pretrain(given, Killing(after=6))
    weights = Checkpoints(given.out / "training" / "checkpoints").latest()[1]["model"]
    found = read_checkpoint(kept).model.state_dict()
    assert all(torch.equal(tensor, weights[f"encoder.{name}"]) for name, tensor in found.items())
