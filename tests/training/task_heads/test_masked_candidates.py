"""Pronouns resolved by filling masks: what is masked, the loss with its margin, and that it learns."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.models.language_models import write_language_model
from tests.training.finetuning.made_pronouns import made_pronouns

from wordworth.errors import BadInput
from wordworth.measures.metrics import metric
from wordworth.models.read_encoder import read_encoder
from wordworth.tasks.examples import Examples
from wordworth.training.finetuning.masked_piece_scores import HIDDEN_PIECE
from wordworth.training.finetuning.trainer import FineTuningConfig, FineTuningRun
from wordworth.training.task_heads import MaskedCandidateHead
from wordworth.training.task_heads.base import InputReader
from wordworth.training.task_heads.masked_candidates import ALPHA, BETA, margin_loss


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return read_encoder(write_language_model(tmp_path_factory.mktemp("pronouns") / "small", "bert"))


def reader_of(encoder, limit=24):
    return InputReader(tokenizer=encoder.tokenizer, limit=limit)


def begun(encoder, task, rows, **changed):
    head = MaskedCandidateHead()
    head.attach(encoder)
    inputs = head.encode(reader_of(encoder), task.examples.take(rows))
    config = FineTuningConfig(**{"steps": 150, "batch_size": 8, "learning_rate": 3e-3, "bf16": False, **changed})
    return FineTuningRun(encoder.model, head, inputs, head.targets(task.gold(rows), inputs), config, 0), inputs


def test_a_candidate_becomes_as_many_masks_as_it_has_pieces(encoder):
    examples = Examples(("a x ", ""), (" b.", " z"), options=(("c", "da"), ("e", "f", "g h")))
    inputs = MaskedCandidateHead().encode(reader_of(encoder), examples)
    assert inputs.offsets.tolist() == [0, 2, 5]
    mask, known = encoder.tokenizer.special_ids["mask"], encoder.tokenizer.encode(["a x da b.", "g h z"])
    for tokens, whole, hidden in ((inputs.tokens[1], known[0], 2), (inputs.tokens[4], known[1], 2)):
        at = tokens.features[HIDDEN_PIECE] >= 0
        assert at.sum() == hidden == (tokens.ids == mask).sum()
        assert np.array_equal(np.where(at, tokens.features[HIDDEN_PIECE], tokens.ids), whole.ids)


def test_the_loss_is_that_of_the_paper_by_hand():
    logs = torch.tensor([[-1.0, -1.1, -torch.inf], [-3.0, -2.0, -0.5]])
    first = 1.0 + ALPHA * max(0, -1.1 + 1.0 + BETA)
    second = 2.0 + ALPHA * (max(0, -3.0 + 2.0 + BETA) + max(0, -0.5 + 2.0 + BETA))
    assert float(margin_loss(logs, torch.tensor([0, 1]))) == pytest.approx(first + second, rel=1e-6)


def test_no_gradient_is_lost_to_a_candidate_that_is_not_there():
    logs = torch.tensor([[-1.0, -1.1], [-3.0, -2.0]], requires_grad=True)
    wide = torch.cat([logs, torch.full((2, 1), -torch.inf)], 1)
    margin_loss(wide, torch.tensor([0, 1])).backward()
    assert logs.grad.isfinite().all()


def test_training_raises_accuracy_on_texts_that_it_did_not_see(encoder):
    task = made_pronouns()
    run, _ = begun(encoder, task, task.train, encoder_dropout=False)
    unseen = run.head.encode(reader_of(encoder), task.examples.take(task.test))

    def accuracy():
        return metric("accuracy", ()).score(task.gold(task.test), run.tuned.predict(unseen))

    before = accuracy()
    run.loop.train(150)
    assert accuracy() > max(0.85, before + 0.2)


def test_a_run_taken_up_ends_bit_for_bit_as_one_that_was_never_stopped(encoder):
    task = made_pronouns(24)
    whole, first, second = (begun(encoder, task, task.train, steps=8, bf16=True)[0] for _ in range(3))
    whole.loop.train(8)
    first.loop.train(3)
    second.loop.restore(first.loop.state())
    second.loop.train(5)
    for one, other in zip(whole.network.parameters(), second.network.parameters(), strict=True):
        assert torch.equal(one, other)


def test_every_weight_of_the_head_and_every_row_of_the_word_table_is_trained(encoder):
    task = made_pronouns(24)
    run, inputs = begun(encoder, task, task.train, steps=3)
    before = {name: value.clone() for name, value in run.network.state_dict().items()}
    run.loop.train(3)
    after = run.network.state_dict()
    assert not [name for name in before if name.startswith("output.") and torch.equal(before[name], after[name])]
    assert len(run.network.trained_embedding.used) == encoder.model.config.vocab_size > len(inputs.used_ids)
    frozen, _ = begun(encoder, task, task.train, steps=3, embeddings=False)
    frozen.loop.train(3)
    assert frozen.network.embedding is None


def test_a_model_without_such_a_head_is_refused_in_a_line(tmp_path, tiny):
    with pytest.raises(BadInput, match="no language model head"):
        MaskedCandidateHead().attach(tiny)
    causal = read_encoder(write_language_model(tmp_path / "causal", "causal-bert"))
    with pytest.raises(BadInput, match="by filling masks, which this model does not"):
        MaskedCandidateHead().attach(causal)


def test_a_pronoun_where_a_long_text_is_cut_is_refused(encoder):
    letters = " ".join("abcdefghijklmnopqrst")
    examples = Examples((f"{letters} ",), (f" {letters}",), options=(("y", "z"),))
    with pytest.raises(BadInput, match="a pronoun stands where a text longer than 12 tokens is cut"):
        MaskedCandidateHead().encode(reader_of(encoder, 12), examples)
    at_the_start = replace(examples, first=("a ",))
    inputs = MaskedCandidateHead().encode(reader_of(encoder, 12), at_the_start)
    assert inputs.truncated.tolist() == [True]
    with pytest.raises(BadInput, match="has no piece"):
        MaskedCandidateHead().encode(reader_of(encoder), Examples(("a ",), (" b",), options=(("c", "\u0301"),)))
