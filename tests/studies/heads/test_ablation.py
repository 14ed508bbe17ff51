"""Ablating heads by zero, by their mean and by uniform attention changes what it should, and nothing else."""

import numpy as np
import pytest
import torch
from tests.inference.tuned_model import write_tuned

from wordworth.inference.finetuned_run import read_run
from wordworth.inference.head_importance import head_importance
from wordworth.inference.labelled_inputs import labelled_inputs
from wordworth.models.activation_taps import Taps
from wordworth.progress import SILENT
from wordworth.studies.heads.ablation import ABLATIONS, AblatedModel
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module", params=["bert", "gpt2"])
def model_and_examples(request, tmp_path_factory):
    changes = {"pooling": "mean"}
    run = read_run(write_tuned(tmp_path_factory.mktemp(request.param), request.param, **changes))
    task, tuned = sample_task("single"), run.network.tuned
    examples = labelled_inputs(run.network, task, task.test[:10])
    with SILENT.step("heads", 1) as step:
        importance = head_importance(tuned, examples, step)
        causal = run.encoder.model.config.causal
        yield AblatedModel(tuned, (2, 4), causal, importance.mean_output, step), examples


def values(model, examples, name, change):
    """An inner value of the network under a change."""
    taps = Taps(read=(name,), change=change)
    with torch.inference_mode():
        model.tuned.network(examples.inputs.batch(np.arange(len(examples))), None, taps)
    return taps.seen[name]


@pytest.mark.parametrize("ablation", ABLATIONS)
def test_no_head_ablated_predicts_as_the_whole_model(model_and_examples, ablation):
    model, examples = model_and_examples
    assert np.array_equal(model.predict(examples, [], ablation), model.predict(examples))


def test_an_ablated_head_changes_predictions_and_each_ablation_differently(model_and_examples):
    model, examples = model_and_examples
    predictions = [model.predict(examples, [(0, 1), (1, 2)], ablation) for ablation in ABLATIONS]
    whole = model.predict(examples)
    for each in predictions:
        assert not np.allclose(each, whole, atol=1e-6)
    assert not np.allclose(predictions[0], predictions[1], atol=1e-6)
    assert not np.allclose(predictions[0], predictions[2], atol=1e-6)


def test_uniform_attention_gives_every_visible_token_the_same_weight(model_and_examples):
    from wordworth.studies.heads.ablation import uniform_changes

    model, examples = model_and_examples
    name = "layers.1.attention.probabilities"
    for changed, whole in zip(
        values(model, examples, name, uniform_changes(model, [(1, 2)])), values(model, examples, name, {}), strict=True
    ):
        visible = whole[2] > 0
        assert torch.allclose(changed[2], visible / visible.sum(-1, keepdim=True))
        others = [0, 1, 3]
        assert torch.allclose(changed[others], whole[others])


def test_the_mean_ablation_puts_the_heads_mean_output_at_every_token(model_and_examples):
    from wordworth.studies.heads.ablation import mean_changes

    model, examples = model_and_examples
    name = "layers.0.attention.heads"
    (changed,) = values(model, examples, name, mean_changes(model, [(0, 3)]))
    (whole,) = values(model, examples, name, {})
    assert torch.allclose(changed[:, 3], whole[:, 3].mean(0).expand(len(whole), -1), atol=1e-5)
    assert torch.equal(changed[:, :3], whole[:, :3])


def test_a_head_that_is_removed_has_the_scale_0(model_and_examples):
    model, _ = model_and_examples
    scale = model.scale_without([(0, 1)])
    assert scale.shape == (2, 4)
    assert scale.sum() == 7
    assert scale[0, 1] == 0
