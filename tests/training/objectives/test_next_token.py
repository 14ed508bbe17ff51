"""Each token is predicted from its side: the next from the left, in ELMo the one before from the right as well."""

import numpy as np
import pytest
import torch
from tests.training.objectives.instances import PIECES, instances
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.batch import Batch
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.families.bilm import BilmConfig, bilm
from wordworth.models.lm_heads import word_table
from wordworth.training.objectives.next_token import CausalLanguageModel, ForwardBackward
from wordworth.training.objectives.objective import ModelOutput

TEXTS = instances([[7, 8], [], [9]])  # [CLS] 7 8 [SEP] [CLS] [SEP] [CLS] 9 [SEP]
SIZES = {"vocab_size": PIECES, "hidden_size": 16, "num_layers": 1, "num_heads": 2, "intermediate_size": 24}


def batch():
    return Batch(*(torch.from_numpy(part) for part in (TEXTS.ids, TEXTS.segments, TEXTS.starts)))


def output(encoder):
    return ModelOutput(states=torch.randn(len(TEXTS.ids), encoder.width), batch=batch(), encoder=encoder)


@pytest.mark.parametrize("objective", [CausalLanguageModel(), ForwardBackward()])
def test_the_target_of_each_token_is_its_successor_in_its_own_sequence(objective):
    read, targets = objective.prepare(TEXTS, np.random.default_rng(0))
    assert read is TEXTS
    assert targets.positions.tolist() == [0, 1, 2, 4, 6, 7]
    assert targets.labels.tolist() == [7, 8, 3, 3, 9, 3]


def test_a_model_that_sees_the_answer_is_refused():
    with pytest.raises(BadInput, match="sees the tokens that it should predict"):
        CausalLanguageModel().head(bert(BertConfig(**SIZES)))


def test_the_loss_is_the_cross_entropy_of_the_successors():
    torch.manual_seed(0)
    objective, encoder = CausalLanguageModel(), bert(BertConfig(**SIZES, causal=True))
    head, made = objective.head(encoder), output(encoder)
    _, targets = objective.prepare(TEXTS, np.random.default_rng(0))
    loss = objective.loss(head, made, targets)
    logits = head(made.states[targets.positions], word_table(encoder))
    assert loss.count == 6
    assert loss.sum.item() == pytest.approx(
        functional.cross_entropy(logits, torch.from_numpy(targets.labels), reduction="sum").item(), rel=1e-5
    )


def test_elmos_loss_is_the_mean_of_next_from_the_left_and_previous_from_the_right():
    torch.manual_seed(0)
    objective, encoder = ForwardBackward(), bilm(BilmConfig(vocab_size=PIECES, projection_size=8, cell_size=12))
    head, made = objective.head(encoder), output(encoder)
    _, targets = objective.prepare(TEXTS, np.random.default_rng(0))
    forward, backward, words = made.states[:, :8], made.states[:, 8:], word_table(encoder)
    expected = 0.0
    for position, successor in zip(targets.positions, targets.labels, strict=True):
        to_the_right = head(forward[position : position + 1], words)
        to_the_left = head(backward[position + 1 : position + 2], words)
        expected += functional.cross_entropy(to_the_right, torch.tensor([successor])).item() / 2
        expected += functional.cross_entropy(to_the_left, torch.tensor([int(TEXTS.ids[position])])).item() / 2
    assert objective.loss(head, made, targets).sum.item() == pytest.approx(expected, rel=1e-5)
