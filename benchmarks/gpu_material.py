"""A random-weights encoder of MiniLM's shape and made-up texts: what benchmarks on a GPU need, nothing to fetch."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from wordworth.models.families.bert import BERT, BertConfig
from wordworth.models.load import load
from wordworth.models.pooling import SentenceHead
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.transformer import init_weights

SHORT, LONG = (3, 30), (30, 200)


def write_encoder(folder: Path, *, layers: int = 6, width: int = 384, heads: int = 12) -> Path:
    """Write an encoder with `mini`'s tokenizer, by default of MiniLM's shape, as sentence-transformers reads it.

    Args:
        folder: where to write.
        layers: number of layers.
        width: of a state.
        heads: of attention, in each layer.
    """
    source = load("mini")
    assert isinstance(source, TextEncoder)
    config = BertConfig(
        vocab_size=source.model.config.vocab_size, hidden_size=width, num_layers=layers, num_heads=heads,
        intermediate_size=4 * width, max_positions=512,
    )  # fmt: skip
    model = BERT.build(config)
    init_weights(model, config.initializer_range, torch.Generator().manual_seed(0))
    checkpoint = replace(source.checkpoint, model=model.eval(), heads={}, raw={"model_type": "bert", "pad_token_id": 0})
    head = SentenceHead(modes=("mean",))
    replace(source, checkpoint=checkpoint, head=head, max_length=256, state_reader=model).save(folder)
    return folder


def made_up_texts(number: int, encoder: TextEncoder, seed: int = 0) -> list[str]:
    """Return texts of common words of the vocabulary in random order: half of 3 to 30 words, half of 30 to 200."""
    rng = np.random.default_rng(seed)
    pieces = json.loads(encoder.tokenizer.to_json())["model"]["vocab"]
    words = np.array([word for word in pieces if word.isalpha() and word.isascii() and len(word) > 2])
    bounds = [SHORT if short else LONG for short in rng.permutation(np.arange(number) < number // 2)]
    return [" ".join(rng.choice(words, rng.integers(*bound))) for bound in bounds]
