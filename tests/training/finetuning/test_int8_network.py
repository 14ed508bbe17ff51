"""A fine-tuned network in int8 answers nearly as in float32; what cannot be int8 is refused by name."""

import numpy as np
import pytest
import torch
from tests.inference.tuned_model import write_tuned

from wordworth.errors import BadInput
from wordworth.inference.finetuned_run import read_run
from wordworth.inference.predict import load_run
from wordworth.models.activation_taps import Taps
from wordworth.models.batch import pack
from wordworth.models.cpu_inference.detect_kernels import kernel_for
from wordworth.models.cpu_inference.encoder import TOLERANCE
from wordworth.training.finetuning.int8_network import int8_network

TEXTS = ["the cat sat", "a", "the s, a s! the cat sat on it", ""]
needs_int8 = pytest.mark.skipif(kernel_for("int8") == "plain", reason="this machine has no int8 maps")


@needs_int8
@pytest.mark.parametrize(
    ("kind", "pooling"), [("single", "mean"), ("single", "pooler"), ("regression", "cls"), ("tags", None)]
)
def test_scores_are_those_of_the_exact_network_with_states_in_int8(tmp_path, kind, pooling):
    run = read_run(write_tuned(tmp_path, kind=kind, pooling=pooling or "mean"))
    exact = run.network.tuned.network
    made = int8_network(exact, run.encoder.model, run.encoder.tokenizer)
    batch = pack(run.encoder.tokenizer.encode(TEXTS))
    with torch.inference_mode():
        states = [network.states(batch) for network in (exact, made)]
        assert 1 - torch.cosine_similarity(*states).mean() < TOLERANCE["int8"]
        assert made(batch).numpy() == pytest.approx(exact(batch).numpy(), abs=0.2)
    assert not torch.equal(*states)


@needs_int8
def test_a_network_in_int8_has_no_inner_values(tmp_path):
    run = read_run(write_tuned(tmp_path))
    made = int8_network(run.network.tuned.network, run.encoder.model, run.encoder.tokenizer)
    batch = pack(run.encoder.tokenizer.encode(TEXTS))
    with pytest.raises(ValueError, match="no inner values"):
        made(batch, None, Taps(read=("layers.0.output",)))


@needs_int8
def test_a_run_predicts_in_int8(tmp_path):
    folder = write_tuned(tmp_path, steps=80)
    exact, int8 = (load_run(folder, dtype=dtype, device="cpu").predict(TEXTS[:3]) for dtype in ("float32", "int8"))
    columns = [name for name in exact if name.startswith("probability")]
    assert np.abs(exact[columns] - int8[columns]).max().max() < 0.05
    assert list(exact.prediction) == list(int8.prediction)


def test_a_left_to_right_model_is_refused(tmp_path):
    with pytest.raises(
        BadInput, match="int8 is not supported for a gpt2 model on this processor; give float32 or bfloat16"
    ):
        load_run(write_tuned(tmp_path, family="gpt2"), dtype="int8", device="cpu")
