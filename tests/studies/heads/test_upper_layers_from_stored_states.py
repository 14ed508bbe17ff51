"""Predictions from a layer on are those of all layers to the bit, and states beyond a bound are not kept."""

from dataclasses import replace

import numpy as np
import pytest
from tests.inference.tuned_model import write_tuned

from wordworth.inference.finetuned_run import read_run
from wordworth.inference.head_importance import head_importance
from wordworth.inference.labelled_inputs import labelled_inputs
from wordworth.progress import SILENT
from wordworth.studies.heads import upper_layers_from_stored_states
from wordworth.studies.heads.ablation import ABLATIONS, AblatedModel
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.model import bf16_replica

HEADS = ([], [(1, 2)], [(1, 0), (1, 1), (1, 3)])


@pytest.fixture(scope="module", params=["bert", "gpt2", "tags", "bfloat16"])
def model_and_examples(request, tmp_path_factory):
    family = "gpt2" if request.param == "gpt2" else "bert"
    kind = "tags" if request.param == "tags" else "single"
    run = read_run(write_tuned(tmp_path_factory.mktemp(request.param), family, kind))
    tuned, task = run.network.tuned, sample_task(kind)
    network = bf16_replica(tuned.network).module if request.param == "bfloat16" else tuned.network
    tuned = replace(tuned, predictor=network)
    examples = labelled_inputs(run.network, task, task.test[:40])
    with SILENT.step("heads", 1) as step:
        mean_output = head_importance(tuned, examples, step).mean_output
        yield AblatedModel(tuned, (2, 4), family == "gpt2", mean_output, step), examples


@pytest.mark.parametrize("ablation", ABLATIONS)
@pytest.mark.parametrize("heads", HEADS)
def test_predictions_are_those_of_all_layers_to_the_bit(model_and_examples, heads, ablation):
    model, examples = model_and_examples
    upper = model.from_layer(1, examples)
    assert (upper.first, model.first) == (1, 0)
    for _ in "ab":  # the stored states are read again from the first batch on
        found, whole = (each.predict(examples, heads, ablation) for each in (upper, model))
        assert all(np.array_equal(one, other) for one, other in zip(found, whole, strict=True))


def test_from_the_first_layer_on_and_beyond_the_bound_it_is_the_model_itself(model_and_examples, monkeypatch):
    model, examples = model_and_examples
    assert model.from_layer(0, examples) is model
    monkeypatch.setattr(upper_layers_from_stored_states, "MOST_BYTES", 100)
    assert model.from_layer(1, examples) is model


def test_other_examples_are_refused(model_and_examples):
    model, examples = model_and_examples
    upper = model.from_layer(1, examples)
    others = replace(examples, inputs=examples.inputs.take(np.arange(5)))
    with pytest.raises(ValueError, match="tokens were stored"):
        upper.predict(others, [(1, 0)])
