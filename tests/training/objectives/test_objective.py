"""The other objectives, and how a step's targets are shared out."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tests.training.objectives.instances import PIECES, VOCABULARY, instances, many, texts
from tests.training.objectives.test_mlm import as_batch
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.families.gpt2 import Gpt2Config, gpt2
from wordworth.models.transformer import init_weights
from wordworth.training.objectives.mlm import MaskedLanguageModel
from wordworth.training.objectives.next_token import CausalLanguageModel
from wordworth.training.objectives.objective import ModelOutput, Targets

SHAPE = {"vocab_size": PIECES, "hidden_size": 32, "num_layers": 2, "num_heads": 2, "intermediate_size": 64}
RNG = np.random.default_rng(0)


def drawn(model, objective, spread=0.02):
    head = objective.head(model)
    generator = torch.Generator().manual_seed(0)
    init_weights(model.eval(), spread, generator)
    init_weights(head, spread, generator)
    return head


@given(given=texts(), seed=st.integers(0, 99), data=st.data())
def test_a_part_of_a_step_asks_what_the_whole_step_asks_there(given, seed, data):
    made = instances(given)
    read, targets = MaskedLanguageModel(vocabulary=VOCABULARY).prepare(made, np.random.default_rng(seed))
    rows = np.array(data.draw(st.lists(st.integers(0, len(given) - 1), unique=True)), dtype=np.int64)
    part, asked = made.take(rows), targets.take(rows, made.starts)
    assert np.array_equal(part.ids[asked.positions], asked.labels)
    assert (np.diff(asked.positions) > 0).all()
    owners = np.searchsorted(made.starts, targets.positions, side="right") - 1
    assert len(asked) == np.isin(owners, rows).sum()
    taken = read.take(rows)
    changed = np.flatnonzero(taken.ids != part.ids)
    assert np.isin(changed, asked.positions).all()


def test_targets_of_sequences_are_shared_out_by_number():
    targets = Targets(np.array([0, 2, 3]), np.array([1, 0, 1]), level="sequences")
    part = targets.take(np.array([3, 1, 0]), np.array([0, 5, 9, 12, 20]))
    assert part.positions.tolist() == [0, 2]
    assert part.labels.tolist() == [1, 1]
    assert part.level == "sequences"


def test_parts_of_a_step_cost_together_what_the_step_costs():
    model = bert(BertConfig(**SHAPE))
    objective = MaskedLanguageModel(vocabulary=VOCABULARY)
    head = drawn(model, objective, 0.3)
    read, targets = objective.prepare(many(8, 30), np.random.default_rng(1))
    rows = np.split(np.random.default_rng(0).permutation(8), [3])
    with torch.no_grad():
        whole = objective.loss(head, ModelOutput(model, as_batch(read), model(as_batch(read))), targets)
        parts = [
            objective.loss(
                head, ModelOutput(model, as_batch(part), model(as_batch(part))), targets.take(some, read.starts)
            )
            for some, part in ((some, read.take(some)) for some in rows)
        ]
    assert sum(part.sum.item() for part in parts) == pytest.approx(whole.sum.item(), rel=1e-5)
    assert sum(part.count for part in parts) == whole.count
    assert sum(part.correct.item() for part in parts) == whole.correct.item()


def causal_models():
    return [bert(BertConfig(**SHAPE, causal=True)), gpt2(Gpt2Config(**SHAPE, max_positions=64))]


@pytest.mark.parametrize("model", causal_models(), ids=["bert", "gpt2"])
def test_every_token_but_the_first_is_asked_of_those_before_it(model):
    objective = CausalLanguageModel()
    head = drawn(model, objective, 0.3)
    made = instances([[7, 8, 9, 10], [11], []])
    read, targets = objective.prepare(made, RNG)
    assert targets.labels.tolist() == [7, 8, 9, 10, 3, 11, 3, 3]
    assert np.array_equal(read.ids, made.ids)
    found = objective.loss(head, ModelOutput(model, as_batch(read), model(as_batch(read))), targets)
    logits = head(model(as_batch(made)), model.embedding.word.weight)
    expected = sum(
        functional.cross_entropy(logits[start : end - 1], as_batch(made).ids[start + 1 : end], reduction="sum").item()
        for start, end in ((0, 6), (6, 9), (9, 11))
    )
    assert found.sum.item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("model", causal_models(), ids=["bert", "gpt2"])
def test_a_left_to_right_models_states_do_not_see_what_follows(model):
    drawn(model, CausalLanguageModel(), 0.3)
    one, other = instances([[7, 8, 9, 10, 11]]), instances([[7, 8, 9, 50, 60]])
    first, second = model(as_batch(one)), model(as_batch(other))
    assert torch.equal(first[:4], second[:4])
    assert (first[4:6] - second[4:6]).abs().max() > 1e-3


def test_a_model_that_sees_both_sides_cannot_be_asked_left_to_right():
    with pytest.raises(BadInput, match="sees"):
        CausalLanguageModel().head(bert(BertConfig(**SHAPE)))


def test_gpt2_has_no_masked_language_models_head():
    with pytest.raises(BadInput, match="BERT"):
        MaskedLanguageModel(vocabulary=VOCABULARY).head(gpt2(Gpt2Config(**SHAPE)))
