"""A teacher's answers: in order, computed once, and cached in blocks that a killed call leaves behind."""

import numpy as np
import pytest
import torch
from tests.training.finetuning.test_trainer import begun

from wordworth.errors import BadInput
from wordworth.training.distillation import teacher_outputs as module
from wordworth.training.distillation.methods import METHODS
from wordworth.training.distillation.teacher_outputs import TeacherReader


def reader(tiny, run, name):
    method = METHODS[name]
    return TeacherReader(tiny, run.tuned.exact, "mean", method, method.layers(2, 1 if "pkd" not in name else 2)[1])


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch, tmp_path):
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "_BLOCK", 10)


@pytest.mark.parametrize("name", ["kd", "pkd-skip", "distilbert", "tinybert"])
def test_answers_of_chosen_texts_are_those_of_the_model_for_these(tiny, name):
    _, inputs, run = begun(tiny)
    said = reader(tiny, run, name).answers(inputs)
    expected = np.concatenate(run.tuned.exact.scores(inputs))
    np.testing.assert_allclose(said.scores, expected, atol=1e-5)
    example_indices = np.array([7, 31, 12])
    scores, states = said.of(example_indices, torch.device("cpu"))
    np.testing.assert_allclose(scores, expected[example_indices], atol=1e-5)
    again = reader(tiny, run, name).answers(inputs.take(example_indices))
    if states is None:
        assert name == "kd"
        assert again.states is None
    else:
        assert len(states) == (inputs.take(example_indices).sizes.sum() if METHODS[name].per_token else 3)
        np.testing.assert_allclose(states.float(), again.states.astype(np.float32), atol=2e-3)


def test_a_killed_call_computes_only_the_blocks_that_are_missing(tiny, monkeypatch):
    _, inputs, run = begun(tiny)
    computed, real = list[int](), TeacherReader.computed

    def counted(self, block):
        computed.append(len(block))
        if len(computed) == 3:
            raise KeyboardInterrupt
        return real(self, block)

    monkeypatch.setattr(TeacherReader, "computed", counted)
    with pytest.raises(KeyboardInterrupt):
        reader(tiny, run, "pkd-skip").answers(inputs)
    assert computed == [10, 10, 10]
    second = reader(tiny, run, "pkd-skip").answers(inputs)
    assert computed[3:] == [10, 2]
    third = reader(tiny, run, "pkd-skip").answers(inputs)
    assert len(computed) == 5
    assert second.scores.tobytes() == third.scores.tobytes()
    assert second.states.tobytes() == third.states.tobytes()


def test_a_damaged_block_is_computed_again(tiny, tmp_path):
    _, inputs, run = begun(tiny)
    first = reader(tiny, run, "kd").answers(inputs)
    for path in tmp_path.rglob("*.npy"):
        path.write_bytes(path.read_bytes()[:-3] + b"abc")
    assert reader(tiny, run, "kd").answers(inputs).scores.tobytes() == first.scores.tobytes()


def test_another_teacher_has_answers_of_its_own(tiny):
    _, inputs, run = begun(tiny)
    before = reader(tiny, run, "kd").answers(inputs).scores
    with torch.no_grad():
        run.network.output.bias.add_(1.0)
    np.testing.assert_allclose(reader(tiny, run, "kd").answers(inputs).scores, before + 1, atol=1e-5)


def test_states_that_would_not_fit_are_refused_before_any_is_computed(tiny, monkeypatch):
    _, inputs, run = begun(tiny)
    monkeypatch.setattr(module, "_MOST_BYTES", 1_000)
    monkeypatch.setattr(TeacherReader, "computed", None)
    with pytest.raises(BadInput, match=r"distilbert keeps the teacher's states of .* give .limit"):
        reader(tiny, run, "distilbert").answers(inputs)
