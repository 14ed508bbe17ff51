"""What order is worth to a model: its loss on held-out text, and that with the tokens in sight permuted."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.training.objectives.instances import MARKS, PIECES, VOCABULARY, instances, many, texts
from tests.training.objectives.test_mlm import as_batch
from torch import nn

from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.transformer import init_weights
from wordworth.training.objectives.mlm import MaskedLanguageModel
from wordworth.training.objectives.objective import ModelOutput
from wordworth.training.pretraining.evaluation import HeldOut, shuffled_context

OBJECTIVE = MaskedLanguageModel(vocabulary=VOCABULARY)


def a_model(spread=0.3, **changes):
    model = bert(
        BertConfig(vocab_size=PIECES, hidden_size=32, num_layers=2, num_heads=2, intermediate_size=64, **changes)
    )
    head = OBJECTIVE.head(model)
    for part in (model, head):
        init_weights(part, spread, torch.Generator().manual_seed(0))
    return model, head


def losses(model, head, made):
    """In nats a target: as the text stands, and with what is in sight permuted."""
    read, targets = OBJECTIVE.prepare(made, np.random.default_rng(0))
    mixed = shuffled_context(read, targets, OBJECTIVE, np.random.default_rng(1))
    found = []
    with torch.no_grad():
        for batch in (as_batch(read), as_batch(mixed)):
            loss = OBJECTIVE.loss(head.eval(), ModelOutput(model, batch, model.eval()(batch)), targets)
            found.append(loss.sum.item() / loss.count)
    return found


@given(given=texts(), seed=st.integers(0, 99))
def test_a_permutation_moves_visible_tokens_within_their_text_and_nothing_else(given, seed):
    pairs = [(text, text[::-1]) if number % 2 else text for number, text in enumerate(given)]
    made = instances(pairs)
    read, targets = OBJECTIVE.prepare(made, np.random.default_rng(seed))
    mixed = shuffled_context(read, targets, OBJECTIVE, np.random.default_rng(seed))
    assert np.array_equal(mixed.ids[targets.positions], read.ids[targets.positions])
    marks = np.isin(made.ids, MARKS)
    assert np.array_equal(mixed.ids[marks], read.ids[marks])
    owner = 2 * np.repeat(np.arange(len(given)), made.lengths) + made.segments
    for text in np.unique(owner):
        assert sorted(mixed.ids[owner == text]) == sorted(read.ids[owner == text])


def test_long_texts_are_really_permuted():
    made = many(20, 100)
    read, targets = OBJECTIVE.prepare(made, np.random.default_rng(0))
    mixed = shuffled_context(read, targets, OBJECTIVE, np.random.default_rng(1))
    assert (mixed.ids != read.ids).mean() > 0.8


def test_a_model_that_knows_no_order_has_no_shuffle_gap():
    model, head = a_model(max_positions=128)
    nn.init.zeros_(model.embedding.position.weight)
    plain, shuffled = losses(model, head, many(30, 40))
    assert shuffled - plain == pytest.approx(0, abs=1e-3)


def test_a_model_that_learned_order_has_a_gap():
    """Texts count round from 0 to 5: all are the same bag, and a gap follows from its neighbours' order alone."""
    rng = np.random.default_rng(0)
    model, head = a_model(0.1, dropout=0.0, attention_dropout=0.0)
    learned = [*model.parameters(), *head.parameters()]
    optimiser = torch.optim.AdamW(learned, lr=3e-3)

    def counting(texts):
        return instances([[10 + (first + place) % 6 for place in range(18)] for first in rng.integers(6, size=texts)])

    for step in range(150):
        read, targets = OBJECTIVE.prepare(counting(16), np.random.default_rng(step))
        batch = as_batch(read)
        found = OBJECTIVE.loss(head, ModelOutput(model, batch, model(batch)), targets)
        optimiser.zero_grad()
        (found.sum / found.count).backward()
        optimiser.step()
    plain, shuffled = losses(model, head, counting(60))
    assert plain < np.log(6) - 1  # what one pays who knows the six pieces and no more
    assert shuffled - plain > 0.5


@pytest.mark.parametrize("ending", [True, False])
def test_the_unigram_knows_pieces_by_the_text_and_marks_by_how_often_they_are_asked_for(ending):
    """Marks stand in no text: charged as never seen, they made the floor of models that read on too high."""
    text, sep = np.array([7, 7, 7, 8, 9, 9]), VOCABULARY.special_ids["sep"]
    labels = np.array([7, 8, 9, sep] if ending else [7, 8, 9])
    asked = SimpleNamespace(level="tokens", labels=labels)
    steps = SimpleNamespace(step=lambda _: SimpleNamespace(targets={"clm": asked}))
    found = HeldOut(steps, 2, [SimpleNamespace(vocabulary=VOCABULARY, ids=text)]).unigrams()
    counts = {7: 4, 8: 2, 9: 3}
    all_counts = len(text) + VOCABULARY.vocab_size
    words = 0.75 if ending else 1.0
    costs = [-np.log(words * counts[piece] / all_counts) for piece in (7, 8, 9)] + [-np.log(0.25)] * ending
    assert found == {"clm_unigram": pytest.approx(np.mean(costs))}
