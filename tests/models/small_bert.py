"""A BERT small enough to be drawn in a test, and its variants."""

from dataclasses import replace

import torch
from tests.models.tiny import loud_

from wordworth.models.batch import Batch
from wordworth.models.families.bert import BertConfig, bert

CONFIG = BertConfig(
    vocab_size=50, hidden_size=32, num_layers=2, num_heads=4, intermediate_size=48, max_positions=32, norm_eps=1e-5
)
VARIANTS = {
    "bert": CONFIG,
    "pre-norm": replace(CONFIG, norm="pre"),
    "rotary": replace(CONFIG, positions="rotary"),
    "no-biases": replace(CONFIG, biases=False),
    "gated": replace(CONFIG, gated=True),
    "narrow-tables": replace(CONFIG, embedding_size=16),
    "no-segments": replace(CONFIG, segments=0, pooler=False),
    "offset": replace(CONFIG, first_position=2, activation="relu"),
}


def made(config: BertConfig, seed: int = 0) -> torch.nn.Module:
    model = bert(config).eval()
    loud_(model, seed)
    return model


def batch(*lengths: int, seed: int = 0) -> Batch:
    ids = torch.randint(0, 50, (sum(lengths),), generator=torch.Generator().manual_seed(seed))
    return Batch(ids, ids % 2, torch.tensor([0, *lengths]).cumsum(0).int())
