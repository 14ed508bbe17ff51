import numpy as np
import pytest
import torch
from tests.training.objectives.instances import PIECES, instances
from tests.training.objectives.test_mlm import as_batch
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.transformer import init_weights
from wordworth.training.objectives.objective import ModelOutput
from wordworth.training.objectives.sentence_pairs import NextSentence, SentenceOrder

SHAPE = {"vocab_size": PIECES, "hidden_size": 32, "num_layers": 2, "num_heads": 2, "intermediate_size": 64}


RNG = np.random.default_rng(0)


def drawn(model, objective, spread=0.02):
    head = objective.head(model)
    generator = torch.Generator().manual_seed(0)
    init_weights(model.eval(), spread, generator)
    init_weights(head, spread, generator)
    return head


@pytest.mark.parametrize("objective", [NextSentence(), SentenceOrder()])
def test_only_pairs_are_asked_and_a_fresh_model_answers_by_a_coin(objective):
    model = bert(BertConfig(**SHAPE))
    head = drawn(model, objective)
    pieces = [RNG.integers(5, PIECES, 10).tolist() for _ in range(60)]
    made = instances([(text, text[::-1]) for text in pieces[:40]] + pieces[40:], [0, 1] * 20 + [-1] * 20)
    read, targets = objective.prepare(made, RNG)
    loss = objective.loss(head, ModelOutput(model, as_batch(read), model(as_batch(read))), targets)
    assert loss.count == 40
    assert targets.labels.tolist() == [0, 1] * 20
    assert loss.sum.item() / 40 == pytest.approx(0.693, abs=0.05)


def test_next_sentence_needs_a_pooler():
    with pytest.raises(BadInput, match="pooler"):
        NextSentence().head(bert(BertConfig(**SHAPE, pooler=False)))


def test_the_loss_is_the_cross_entropy_of_the_pairs_by_their_pooled_vectors():
    """Against torch, pair by pair."""
    model = bert(BertConfig(**SHAPE))
    objective = NextSentence()
    head = drawn(model, objective, 0.3)
    made = instances([([7, 8], [9]), [10, 11, 12], ([13], [14, 15])], [1, -1, 0])
    _, targets = objective.prepare(made, RNG)
    batch = as_batch(made)
    with torch.no_grad():
        states = model(batch)
        loss = objective.loss(head, ModelOutput(model, batch, states), targets)
        logits = head(model.pool(states, batch.starts)[[0, 2]])
    assert targets.positions.tolist() == [0, 2]
    labels = torch.tensor([1, 0])
    assert loss.sum.item() == pytest.approx(functional.cross_entropy(logits, labels, reduction="sum").item())
    assert loss.correct.item() == (logits.argmax(1) == labels).sum().item()


def test_texts_alone_are_asked_nothing():
    _, targets = NextSentence().prepare(instances([[7, 8], [9]]), RNG)
    assert len(targets) == 0


def test_both_questions_are_asked_under_their_own_names_by_the_same_head():
    assert (NextSentence().name, SentenceOrder().name) == ("nsp", "sop")
    assert NextSentence().head_name == SentenceOrder().head_name == "nsp"
