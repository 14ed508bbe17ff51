"""An objective whose runs resume exactly passes, and one that forgets something is caught."""

from dataclasses import replace

import pytest
from tests.training.pretraining.conftest import store
from tests.training.pretraining.small_run import settings

from wordworth.testing import objectives
from wordworth.testing.objectives import check_objective
from wordworth.training.objectives.mlm import MaskedLanguageModel
from wordworth.training.pretraining.recipe import recipe


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return store(tmp_path_factory.mktemp("objective") / "learned", 0, 20)


@pytest.fixture
def brief(corpus, tmp_path):
    without_dropout = recipe("modern", ["batch_size=8", "lengths=16,16", "dropout=0"])
    return settings(corpus, tmp_path, steps=4, evals=1, device="cpu", model_size="1x16", recipe=without_dropout)


@pytest.mark.slow
def test_masked_words_pass_in_one_pass_and_in_several(brief):
    check_objective(replace(brief, micro_batch_tokens=64))
    assert {path.name for path in brief.out.iterdir()} == {"whole", "stopped", "single"}


@pytest.mark.slow
def test_an_objective_that_counts_its_steps_in_memory_is_caught(brief, monkeypatch):
    """A resumed run begins to count anew."""
    loss = MaskedLanguageModel.loss
    steps = {"made": 0}

    def forgetful(self, head, output, targets):
        steps["made"] += 1
        changed_loss = loss(self, head, output, targets)
        return replace(changed_loss, sum=changed_loss.sum * (1 + steps["made"] / 100))

    monkeypatch.setattr(MaskedLanguageModel, "loss", forgetful)
    with pytest.raises(AssertionError, match="a resumed run has other losses"):
        check_objective(brief)


@pytest.mark.slow
def test_a_loss_that_is_a_mean_over_its_part_is_caught(brief, monkeypatch):
    loss = MaskedLanguageModel.loss

    def mean(self, head, output, targets):
        changed_loss = loss(self, head, output, targets)
        return replace(changed_loss, sum=changed_loss.sum / max(changed_loss.count, 1))

    monkeypatch.setattr(MaskedLanguageModel, "loss", mean)
    with pytest.raises(AssertionError, match="a step in many micro-batches has another loss"):
        check_objective(replace(brief, micro_batch_tokens=64))


def test_a_run_that_ends_before_it_could_be_stopped_asks_for_more_steps(brief, monkeypatch):
    def end_at_once(settings, *_):
        settings.out.mkdir(exist_ok=True)
        (settings.out / "model.safetensors").touch()

    monkeypatch.setattr(objectives, "pretrain", end_at_once)
    with pytest.raises(AssertionError, match="the run was not stopped: give it more steps"):
        check_objective(brief)
