"""A model that cannot learn a handful of texts by heart would not learn a corpus."""

import numpy as np
import pytest
import torch
from tests.training.objectives.instances import PIECES, VOCABULARY, many
from tests.training.objectives.test_mlm import as_batch

from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.families.bilm import BilmConfig, bilm
from wordworth.models.families.gpt2 import Gpt2Config, gpt2
from wordworth.models.transformer import init_weights
from wordworth.training.objectives.mlm import MaskedLanguageModel
from wordworth.training.objectives.next_token import CausalLanguageModel, ForwardBackward
from wordworth.training.objectives.objective import ModelOutput

SHAPE = {"vocab_size": PIECES, "hidden_size": 64, "num_layers": 2, "num_heads": 2, "intermediate_size": 128}
STILL = {**SHAPE, "dropout": 0.0, "attention_dropout": 0.0, "initializer_range": 0.07}
SMALL = BilmConfig(vocab_size=PIECES, projection_size=32, cell_size=128, dropout=0.0, initializer_range=0.1)
MODELS = {
    "mlm": (lambda: bert(BertConfig(**STILL)), MaskedLanguageModel(vocabulary=VOCABULARY), 4e-3),
    "clm": (lambda: gpt2(Gpt2Config(**STILL)), CausalLanguageModel(), 4e-3),
    "bilm": (lambda: bilm(SMALL), ForwardBackward(), 2e-2),
}
STEPS = 120


@pytest.mark.parametrize("name", ["mlm", *(pytest.param(name, marks=pytest.mark.slow) for name in ("clm", "bilm"))])
def test_thirty_two_texts_are_learned_by_heart(name):
    build, objective, rate = MODELS[name]
    model = build()
    head = objective.head(model)
    generator = torch.Generator().manual_seed(0)
    init_weights(model, model.config.initializer_range, generator)
    init_weights(head, model.config.initializer_range, generator)
    optimiser = torch.optim.AdamW([*model.parameters(), *head.parameters()], lr=rate)
    read, targets = objective.prepare(many(32, 12), np.random.default_rng(0))
    batch = as_batch(read)
    for step in range(STEPS):
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, (step + 1) / 20) * (1 - step / STEPS)
        found = objective.loss(head, ModelOutput(model, batch, model(batch)), targets)
        optimiser.zero_grad()
        (found.sum / found.count).backward()
        optimiser.step()
    right = found.correct.item() / found.count
    if name == "mlm":
        assert right > 0.99
    else:  # a text's first piece can only be guessed
        assert right > 0.98 * (1 - 32 / len(targets))
