"""Gates close on heads that add nothing, and the model's weights stay as they are."""

import numpy as np
import pytest
import torch

from wordworth.inference.finetuned_run import read_run
from wordworth.inference.labelled_inputs import labelled_inputs
from wordworth.progress import SILENT
from wordworth.studies.heads.hard_concrete_gates import learned_gates, open_probability, sample_gates
from wordworth.testing.sample_tasks import sample_task


def test_a_head_that_adds_nothing_is_shut_before_all_others(run):
    network, task = read_run(run).network, sample_task("single")
    tuned, examples = network.tuned, labelled_inputs(network, task, task.test[:40])
    with torch.no_grad():
        tuned.network.body.layers[0].attention.output.weight[:, 16:24] = 0
    before = {name: value.clone() for name, value in tuned.network.state_dict().items()}
    with SILENT.step("gates", 1) as step:
        gates = learned_gates(tuned, (2, 4), examples, step, seed=0)
        again = learned_gates(tuned, (2, 4), examples, step, seed=0)
    assert np.array_equal(gates, again)
    assert gates[0, 2] == gates.min()
    assert ((gates > 0) & (gates < 1)).all()
    assert all(torch.equal(value, before[name]) for name, value in tuned.network.state_dict().items())


@pytest.mark.parametrize("location", [-4.0, -1.0, 0.0, 1.5, 4.0])
def test_gates_are_open_as_often_as_the_formula_says(location):
    gates = sample_gates(torch.full((200_000,), location), torch.Generator().manual_seed(0))
    assert ((gates >= 0) & (gates <= 1)).all()
    assert float((gates > 0).float().mean()) == pytest.approx(
        float(open_probability(torch.tensor(location))), abs=0.005
    )


def test_gradients_flow_to_the_location():
    location = torch.zeros(100, requires_grad=True)
    sample_gates(location, torch.Generator().manual_seed(0)).sum().backward()
    assert float(location.grad.sum()) > 0
