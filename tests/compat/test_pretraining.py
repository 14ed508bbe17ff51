"""Pretraining goes on in the run folder of an earlier version, and ends as the run that was never stopped."""

from pathlib import Path

import pytest
from tests.compat import commands, outputs
from tests.compat.outputs import Listener, heard, loss

WHOLE = 10_000
"""A whole run in the progress bar."""
STORE = "finished-pretraining/model/training/corpora/0-corpus"


@pytest.mark.parametrize(
    ("name", "line", "whole"),
    [
        ("stopped-pretraining", commands.PRETRAIN, "base"),
        ("stopped-adapting", commands.ADAPT, "models/adapted"),
    ],
)
def test_a_run_stopped_under_an_earlier_version_ends_as_one_never_stopped(
    opened, expected, same_weights, name, line, whole
):
    opened(name, "models")
    listener = Listener("pretraining")
    screen = heard(line, f"{name}/model", listener)
    assert listener.skipped == pytest.approx(WHOLE * expected["done"][name], abs=0.5)
    assert loss(screen) == pytest.approx(expected["losses"][whole], abs=0.02)
    same_weights(f"{name}/model", whole)


def test_a_run_that_ended_under_an_earlier_version_is_not_run_again(opened, expected, same_weights):
    opened("finished-pretraining")
    listener = Listener("pretraining")
    screen = heard(commands.PRETRAIN, "finished-pretraining/model", listener)
    assert (listener.skipped, listener.done) == (WHOLE, 0)
    assert loss(screen) == expected["losses"]["base"]
    same_weights("finished-pretraining/model", "base")


def test_a_run_begun_under_an_earlier_version_may_be_made_longer(opened):
    opened("stopped-pretraining")
    longer = commands.PRETRAIN.replace(f"--steps {commands.STEPS}", "--steps 8")
    assert "8 steps" in outputs.command(longer, "stopped-pretraining/model")


def test_a_run_by_the_clock_goes_on_by_the_plan_of_an_earlier_version(opened, expected):
    opened("stopped-budget")
    listener = Listener("pretraining")
    heard(commands.BUDGET, "stopped-budget/model", listener)
    assert listener.skipped == pytest.approx(WHOLE * expected["done"]["stopped-budget"], rel=0.05)
    assert Path("stopped-budget/model/model.safetensors").exists()


def test_another_run_does_not_go_on_in_the_folder_of_an_earlier_version(opened):
    opened("stopped-pretraining")
    with pytest.raises(Exception, match="a run with another recipe"):
        outputs.command(commands.PRETRAIN.replace("batch=8", "batch=9"), "stopped-pretraining/model")


def test_a_milestone_kept_by_an_earlier_version_is_a_model(opened):
    opened("finished-pretraining")
    (folder,) = Path("finished-pretraining/model/training/milestones").iterdir()
    assert outputs.vectors(folder) != outputs.vectors("base")


def test_text_that_an_earlier_version_made_tokens_of_is_not_read_again(opened, expected, same_weights):
    opened("stopped-store")
    listener = Listener("text to tokens")
    screen = heard(commands.PRETRAIN, "stopped-store/model", listener)
    assert listener.skipped > 0
    assert loss(screen) == pytest.approx(expected["losses"]["base"], abs=0.02)
    same_weights("stopped-store/model", "base")


def test_a_token_store_of_an_earlier_version_stands_for_its_text(opened, expected, same_weights):
    opened("finished-pretraining")
    from_store = commands.PRETRAIN.replace("pretrain corpus", f"pretrain {STORE}")
    assert loss(outputs.command(from_store, "from-store")) == pytest.approx(expected["losses"]["base"], abs=0.02)
    same_weights("from-store", "base")
