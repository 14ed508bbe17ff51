"""The attention maps of the study equal those of transformers' eager kernel, in every family."""

import numpy as np
import pytest
import torch
from tests.models.tiny import PIECES, SETTINGS, write_tiny

from wordworth.models.activation_taps import ATTENTION, Taps, by_layer
from wordworth.models.batch import pack
from wordworth.models.load import load
from wordworth.studies.attention.read_maps import read_maps

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.peers

TEXT = "the cat, a dog as."
FAMILIES = ("bert", "distilbert", "roberta", "xlm-roberta", "mpnet", "electra", "modernbert", "gpt2")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_weight_equals_that_of_the_eager_kernel(tmp_path, family):
    folder = write_tiny(tmp_path / family, family)
    encoder = load(folder)
    maps = read_maps(encoder, [TEXT], family)
    config = transformers.AutoConfig.for_model(family, **{"vocab_size": len(PIECES), **SETTINGS[family]})
    peer = transformers.AutoModel.from_pretrained(folder, config=config, attn_implementation="eager").eval()
    ids = torch.from_numpy(encoder.tokenizer.encode([TEXT])[0].ids)[None]
    with torch.inference_mode():
        layers = peer(ids, output_attentions=True).attentions
    expected = np.concatenate([layer.numpy() for layer in layers])
    assert maps.weights.shape == expected.shape
    assert np.abs(maps.weights - expected).max() <= 1e-5
    assert np.abs(expected - 1 / len(maps.tokens)).max() > 0.1  # far from uniform, so that a difference would show


@pytest.mark.parametrize("family", FAMILIES)
def test_maps_of_texts_read_together_equal_those_of_a_padded_batch(tmp_path, family):
    folder = write_tiny(tmp_path / family, family)
    encoder = load(folder)
    config = transformers.AutoConfig.for_model(family, **{"vocab_size": len(PIECES), **SETTINGS[family]})
    peer = transformers.AutoModel.from_pretrained(folder, config=config, attn_implementation="eager").eval()
    texts = encoder.tokenizer.encode([TEXT, "a dog"])
    lengths = [len(tokens.ids) for tokens in texts]
    ids, mask = torch.ones(2, lengths[0], dtype=torch.long), torch.zeros(2, lengths[0], dtype=torch.long)
    for row, tokens in enumerate(texts):
        ids[row, : lengths[row]], mask[row, : lengths[row]] = torch.from_numpy(tokens.ids), 1
    taps = Taps(read=(ATTENTION,))
    with torch.inference_mode():
        encoder.model(pack(texts), taps)
        expected = peer(ids, attention_mask=mask, output_attentions=True).attentions
    for ours, theirs in zip(by_layer(taps.seen, ATTENTION), expected, strict=True):
        for row, length in enumerate(lengths):
            assert (ours[row] - theirs[row, :, :length, :length]).abs().max() <= 1e-5
            assert not theirs[row, :, :length, length:].any()  # no weight on padding


def test_a_pair_of_texts_has_the_same_maps(tmp_path):
    folder = write_tiny(tmp_path / "bert")
    encoder = load(folder)
    maps = read_maps(encoder, ["the cat", "a dog."], "bert")
    [tokens] = encoder.tokenizer.encode(["the cat"], ["a dog."])
    peer = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    inputs = {
        "input_ids": torch.from_numpy(tokens.ids)[None],
        "token_type_ids": torch.from_numpy(tokens.segments)[None],
    }
    with torch.inference_mode():
        layers = peer(**inputs, output_attentions=True).attentions
    assert tokens.segments[maps.second] == 1
    assert tokens.segments[maps.second - 1] == 0
    assert np.abs(maps.weights - np.concatenate([layer.numpy() for layer in layers])).max() <= 1e-5
