"""Load the encoder that is studied, and make its twin: an encoder of the same architecture with random weights."""

from __future__ import annotations

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.models.random_weights_copy import random_twin
from wordworth.models.text_encoder import TextEncoder


def encoder_of(name: str) -> TextEncoder:
    """Load an encoder by its name, folder or hub name.

    Raises:
        BadInput: the model is a static table of word vectors, not an encoder.
    """
    encoder = load(name, hash_whole=True)
    if not isinstance(encoder, TextEncoder):
        what = "a static table has no layers, and its words are those of its own languages"
        raise BadInput(what, where=name, mend="name an encoder, such as minilm")
    return encoder


def twin_of(encoder: TextEncoder, seed: int) -> TextEncoder:
    """Return an encoder of the same architecture and tokenizer with random weights.

    Args:
        encoder: the encoder to copy.
        seed: seed of the study, from which the weights are drawn.
    """
    return encoder.with_model(random_twin(encoder.model, seeds.child_seed(seed, "languages", "random")))
