"""Tiny models of every shape a fast twin knows, with loud weights."""

from __future__ import annotations

import torch

from wordworth.models.batch import Batch
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.transformer import Transformer

SHAPES = {
    "post-norm, exact gelu": {},
    "pre-norm": {"norm": "pre"},
    "pre-norm, last layer before the final norm": {"norm": "pre", "last_layer": "before_final_norm"},
    "tanh gelu": {"activation": "gelu_tanh"},
    "relu": {"activation": "relu"},
    "no biases": {"biases": False},
    "other heads": {"num_heads": 2},
    "relative position bias": {"relative_buckets": 8},
    "relative position bias of some heads": {"relative_buckets": 8, "pruned_heads": ((1,), (0, 3))},
}


def loud(**fields: object) -> Transformer:
    """A model whose gains and biases are far from one and nought."""
    sizes = {"hidden_size": 64, "num_layers": 2, "num_heads": 4, "intermediate_size": 96, "vocab_size": 50}
    model = bert(BertConfig(**{**sizes, "max_positions": 64, **fields})).eval()
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            spread = 0.15 if parameter.dim() > 1 else 0.5
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * spread)
            if "norm" in name and name.endswith("weight"):
                parameter.add_(1.5)
    return model


def batch(lengths: list[int], seed: int = 0) -> Batch:
    """Sequences of these lengths."""
    generator = torch.Generator().manual_seed(seed)
    total = sum(lengths)
    starts = torch.tensor([0, *lengths]).cumsum(0).to(torch.int32)
    return Batch(torch.randint(0, 50, (total,), generator=generator), torch.zeros(total, dtype=torch.int64), starts)
