"""Gradients of a loss by attention."""

import numpy as np
import torch

from wordworth.models.activation_taps import Taps
from wordworth.models.activations import activations
from wordworth.models.load import load
from wordworth.progress import SILENT
from wordworth.studies.attention_patterns.attention_gradients import TARGETS, cosine_of_halves, gradient_means, losses
from wordworth.studies.attention_patterns.token_segments import TokenKinds

TEXTS = ["The cat , it sat down .", "A dog ran ."]


def prepared(name):
    encoder = load(name)
    special = encoder.tokenizer.special_ids
    tokens = encoder.tokenizer.encode(TEXTS)
    return encoder, tokens, losses(encoder.checkpoint, tokens, special.get("mask"), set(special.values()), 0)


def test_a_model_with_a_masked_lm_head_has_its_loss():
    encoder, tokens, loss = prepared("mini")
    assert loss.name == "masked-LM loss"
    for before, after, (positions, ids) in zip(tokens, loss.segments, loss.masked, strict=True):
        assert np.array_equal(before.ids[positions.numpy()], ids.numpy())
        assert (after.ids != before.ids).sum() == len(positions) == 1
        assert not np.isin(positions, [0, len(before) - 1]).any()
    random = loss.with_random_head(encoder.model, 1)
    assert not torch.equal(random.head.dense.weight, loss.head.dense.weight)


def test_a_sentence_encoder_has_the_cosine_of_halves():
    _, _, loss = prepared("minilm")
    assert loss.name == "cosine of halves"
    assert float(cosine_of_halves(0, torch.ones(6, 4))) < 1e-6


def test_gradients_are_those_of_finite_differences():
    encoder, _, loss = prepared("mini")
    name = "layers.2.attention.probabilities"
    one = next(activations(encoder.model, loss.segments[:1], Taps(read=(name,)), gradient_of=loss.score(encoder.model),
                           batch_tokens=99))  # fmt: skip

    def changed(by):
        def change(attention):
            moved = attention.clone()
            moved[1, 2, 3] += by
            return moved

        read = activations(encoder.model, loss.segments[:1], Taps(read=("layers.3.output",), change={name: change}),
                           batch_tokens=99)  # fmt: skip
        states = torch.from_numpy(next(read).values["layers.3.output"])
        with torch.no_grad():
            return float(loss.score(encoder.model)(0, states))

    slope = (changed(0.01) - changed(-0.01)) / 0.02
    assert np.isclose(one.gradients[name][1, 2, 3], slope, rtol=0.05, atol=1e-4)


def test_there_is_a_mean_for_each_kind_of_token_and_head():
    encoder, _, loss = prepared("mini")
    with SILENT.step("x", 2) as step:
        means = gradient_means(encoder.model, loss, TokenKinds(encoder.tokenizer), step)
    assert means.shape == (len(TARGETS), 16)
    assert (means >= 0).all()
