"""A copy of an encoder is trained; with its weights the encoder gives what the copy gave."""

import numpy as np
import torch
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.models.batch import pack
from wordworth.training.trainable_encoder import TrainableEncoder, with_rounded_length


def batch_of(tiny, texts):
    return pack(tiny.tokenizer.encode(texts))


def test_before_training_its_states_are_the_encoders(tiny):
    batch = batch_of(tiny, ["a good film", "the book was bad"])
    network = TrainableEncoder(tiny.model, np.unique(batch.ids.numpy()), dropout=True)
    own = tiny.model.embedding(batch)
    expected = tiny.model.body(own, batch.starts)
    assert torch.allclose(network.encoded(batch), expected, atol=1e-6)
    assert with_rounded_length(batch).starts.tolist()[:-1] == batch.starts.tolist()


def test_the_dummies_of_an_encoder_of_few_positions_are_no_longer_than_it_reads(tmp_path):
    encoder = ww.load(str(write_tiny(tmp_path / "tiny")))
    assert encoder.max_length == 24
    batch = pack(encoder.tokenizer.encode(["a b"] * 2))
    lengths = with_rounded_length(batch, 10).starts.diff().tolist()
    assert sum(lengths) == 32
    assert max(lengths[2:]) == 10
    network = TrainableEncoder(encoder.model, np.unique(batch.ids.numpy()), dropout=False)
    trained = network.encoded(batch, torch.Generator().manual_seed(0))
    assert torch.allclose(trained, network.encoded(batch), atol=1e-6)


def test_the_encoder_with_its_weights_has_its_states_also_for_words_that_were_not_trained(tiny):
    batch = batch_of(tiny, ["a good film"])
    network = TrainableEncoder(tiny.model, np.unique(batch.ids.numpy()), dropout=False)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(0.01)
    model, other = network.trained(tiny), batch_of(tiny, ["dinner was superb"])
    assert torch.allclose(model.body(model.embedding(other), other.starts), network.encoded(other), atol=1e-6)
    frozen = TrainableEncoder(tiny.model, None, dropout=False)
    assert frozen.trained_embedding is None
    assert torch.equal(frozen.trained(tiny).embedding.word.weight, tiny.model.embedding.word.weight)


def test_dropout_is_that_of_the_generator_and_none_without_one(tiny):
    batch = batch_of(tiny, ["a good film"])
    network = TrainableEncoder(tiny.model, np.unique(batch.ids.numpy()), dropout=True)
    one, same, other = (network.encoded(batch, torch.Generator().manual_seed(seed)) for seed in (0, 0, 1))
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    assert torch.equal(network.encoded(batch), network.encoded(batch))


def test_frozen_layers_have_no_gradient_and_keep_their_weights(tiny):
    network = TrainableEncoder(tiny.model, None, dropout=False)
    network.freeze_layers(1)
    batch = batch_of(tiny, ["a good film"])
    network.encoded(batch).sum().backward()
    lower, upper = list(network.body.layers)[:2]
    assert all(parameter.grad is None for parameter in lower.parameters())
    assert all(parameter.grad is not None for parameter in upper.parameters())
    network.freeze_layers(0)
    assert all(parameter.requires_grad for parameter in upper.parameters())
