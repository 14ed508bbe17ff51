"""A tagger reads words with vectors in one layer or in several, and weights that an earlier version wrote."""

import numpy as np
import pytest
import torch

from wordworth.training.bilstm_tagger import Tagger, tags_of
from wordworth.training.crf import Crf
from wordworth.training.pack_words_by_time import PackedWords

LENGTHS = np.array([3, 0, 4])
TIMES = PackedWords.of(LENGTHS)


def drawn(inputs, **options):
    tagger = Tagger(inputs, 2, hidden=4, layers=1, crf=Crf(2), **options)
    tagger.draw(torch.Generator().manual_seed(0))
    return tagger


def vectors(*shape):
    return np.random.default_rng(0).normal(3, 2, (LENGTHS.sum(), *shape)).astype(np.float16)


def test_layers_side_by_side_are_one_wide_layer():
    values = vectors(2, 5)
    several, one = drawn((2, 5)), drawn(10)
    several.standardise(values)
    one.standardise(values.reshape(len(values), -1))
    scores = [
        tagger.emissions(torch.from_numpy(each[TIMES.rows]), TIMES)
        for tagger, each in ((several, values), (one, values.reshape(len(values), -1)))
    ]
    assert torch.equal(*scores)


def test_a_fresh_weighted_sum_is_the_mean_of_the_layers():
    values = vectors(3, 5)
    weighted, one = drawn((3, 5), weighted=True), drawn(5)
    scores = weighted.emissions(torch.from_numpy(values[TIMES.rows]), TIMES)
    assert torch.allclose(scores, one.emissions(torch.from_numpy(values[TIMES.rows]).float().mean(1), TIMES), atol=1e-5)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_column_that_never_changed_in_training_is_not_read(dtype):
    values = vectors(5).astype(dtype)
    values[:, 2] = 1.5
    tagger, other = drawn(5), values.copy()
    tagger.standardise(values)
    other[:, 2] = 40
    assert all(map(np.array_equal, tags_of(tagger, values, LENGTHS), tags_of(tagger, other, LENGTHS)))
    assert torch.equal(*(tagger.emissions(torch.from_numpy(each[TIMES.rows]), TIMES) for each in (values, other)))


def test_weights_written_when_it_stood_in_another_module_are_read():
    tagger, fresh = drawn((3, 5), weighted=True), drawn((3, 5), weighted=True)
    torch.nn.init.normal_(tagger.weights)
    tagger.standardise(vectors(3, 5))
    outside = {"weights": "weights", "shift": "mean", "scale": "scale"}
    former = {outside.get(name, f"tagger.{name}"): value for name, value in tagger.state_dict().items()}
    fresh.load_state_dict(former | {"tagger.shift": torch.zeros(5), "tagger.scale": torch.ones(5)})
    assert all(torch.equal(value, fresh.state_dict()[name]) for name, value in tagger.state_dict().items())
