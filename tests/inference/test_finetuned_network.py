"""A fine-tuned network that is read from its folder predicts what it did when it was written."""

import numpy as np
import pytest
import torch
from tests.inference.tuned_model import write_tuned

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference.finetuned_network import Network, read_network
from wordworth.tasks.examples import Examples
from wordworth.training.finetuning.checkpoint_metadata import read_metadata

TEXTS = Examples(("the cat sat", "a mat", "the cat sat on it and sat"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp("tuned"))


def scores(network: Network):
    """Return the score of each class for each text, float64 [texts, classes]."""
    return np.concatenate(network.tuned.scores(network.tuned.head.encode(network.reader, TEXTS))).astype(np.float64)


def test_the_probabilities_of_predict_are_those_of_the_network(folder):
    _, network = read_network(folder, read_metadata(folder), torch.device("cpu"), bf16=False)
    logits = scores(network)
    shares = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    answers = ww.load_run(folder, dtype="float32").predictor.answers(TEXTS)
    of_predict = [list(answer["probabilities"].values()) for answer in answers]
    np.testing.assert_allclose(of_predict, shares, atol=6e-5)  # they are rounded to four digits


def test_int8_changes_the_predictor_and_leaves_the_network_of_before(folder):
    encoder, network = read_network(folder, read_metadata(folder), torch.device("cpu"), bf16=False)
    before = scores(network)
    try:
        in_int8 = network.in_int8(encoder)
    except BadInput as error:
        pytest.skip(str(error))
    assert in_int8.reader is network.reader
    assert np.abs(scores(in_int8) - before).max() < 0.5
    np.testing.assert_array_equal(scores(network), before)


def test_a_folder_without_weights_is_one_clear_error(folder, tmp_path):
    facts = read_metadata(folder)
    with pytest.raises(BadInput):
        read_network(tmp_path, facts, torch.device("cpu"), bf16=False)
