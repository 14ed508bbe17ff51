"""Likelihoods of texts by masked, causal and bidirectional models."""

import numpy as np
import pytest
import torch
from tests.models.language_models import a_language_model

from wordworth.errors import BadInput
from wordworth.inference.pseudo_likelihood import log_likelihoods, piece_log_likelihoods
from wordworth.models.batch import pack
from wordworth.models.lm_heads import word_table
from wordworth.text.tokens import Tokens

READS = {"bert": "masked", "pretraining": "masked", "causal-bert": "causal", "gpt2": "causal", "bilm": "bidirectional"}
TEXTS = ["ab c", "the zoo.", "a", "", "abs! yes?"]


@pytest.fixture(scope="module", params=list(READS))
def model(request, tmp_path_factory):
    return a_language_model(tmp_path_factory.mktemp("models"), request.param)


@pytest.fixture(scope="module")
def masked(tmp_path_factory):
    return a_language_model(tmp_path_factory.mktemp("models"), "bert")


def logs_of(model, ids, half=None):
    """Log-probabilities at every token of one sequence, [tokens, vocabulary]."""
    ids = np.array(ids)
    nothing = np.zeros_like(ids)
    tokens = Tokens(ids, nothing, np.zeros((len(ids), 2), np.int32), nothing.astype(np.int32))
    with torch.no_grad():
        states = model.encoder(pack([tokens]))
        states = states if half is None else states.chunk(2, dim=1)[half]
        return model.head(states, word_table(model.encoder)).log_softmax(-1).double().numpy()


def test_pseudo_log_likelihoods_mask_each_piece_in_turn(masked):
    found = log_likelihoods(masked, TEXTS, at_once=20)
    mask = masked.tokenizer.special_ids["mask"]
    for number, tokens in enumerate(masked.tokenizer.encode(TEXTS)):
        total = 0.0
        for place in range(1, len(tokens) - 1):
            ids = tokens.ids.copy()
            ids[place] = mask
            total += logs_of(masked, ids)[place, tokens.ids[place]]
        assert found.logs[number] == pytest.approx(total, rel=1e-5)
        assert found.pieces[number] == len(tokens) - 2


def test_the_rest_of_a_word_may_be_hidden_too(masked):
    tokens = masked.tokenizer.encode(["aabs"])[0]  # a ##a ##b ##s
    mask, total = masked.tokenizer.special_ids["mask"], 0.0
    assert len(tokens) == 6
    for place in range(1, 5):
        ids = tokens.ids.copy()
        ids[place:5] = mask
        total += logs_of(masked, ids)[place, tokens.ids[place]]
    assert log_likelihoods(masked, ["aabs"], hidden="rest_of_word").logs[0] == pytest.approx(total, rel=1e-5)


@pytest.mark.parametrize("kind", ["causal-bert", "gpt2"])
def test_a_left_to_right_models_likelihood_is_the_chain_of_its_answers(kind, tmp_path):
    model = a_language_model(tmp_path, kind)
    found = log_likelihoods(model, TEXTS, at_once=9)
    for number, tokens in enumerate(model.tokenizer.encode(TEXTS)):
        logs = logs_of(model, tokens.ids)
        expected = sum(logs[place - 1, tokens.ids[place]] for place in range(1, len(tokens) - 1))
        assert found.logs[number] == pytest.approx(expected, rel=1e-5, abs=1e-9)


def test_a_model_of_both_ways_gives_the_mean_of_both(tmp_path):
    model = a_language_model(tmp_path, "bilm")
    found = log_likelihoods(model, TEXTS)
    for number, tokens in enumerate(model.tokenizer.encode(TEXTS)):
        forth, back = logs_of(model, tokens.ids, 0), logs_of(model, tokens.ids, 1)
        inner = range(1, len(tokens) - 1)
        both = [forth[place - 1, tokens.ids[place]] + back[place + 1, tokens.ids[place]] for place in inner]
        assert found.logs[number] == pytest.approx(sum(both) / 2, rel=1e-5, abs=1e-9)
        assert found.pieces[number] == len(inner)


def test_likelihoods_do_not_depend_on_the_batch(model):
    assert log_likelihoods(model, TEXTS, at_once=1).logs == pytest.approx(log_likelihoods(model, TEXTS).logs, rel=1e-5)


def test_a_text_longer_than_the_model_reads_is_said(masked):
    with pytest.raises(BadInput, match="at most 24"):
        log_likelihoods(masked, ["a b c " * 9])


def test_pieces_add_up_to_the_text_and_only_those_asked_for_are_scored(model):
    whole = log_likelihoods(model, TEXTS)
    pieces = piece_log_likelihoods(model, TEXTS)
    for number, each in enumerate(pieces):
        scored = ~np.isnan(each.logs)
        assert each.logs[scored].sum() == pytest.approx(whole.logs[number])
        assert (each.tokens.words[scored] >= 0).all()
    some = piece_log_likelihoods(model, TEXTS, scored=lambda _, tokens: tokens.offsets[:, 0] >= 4)
    for every, each in zip(pieces, some, strict=True):
        asked = (every.tokens.offsets[:, 0] >= 4) & ~np.isnan(every.logs)
        assert np.array_equal(~np.isnan(each.logs), asked)
        assert each.logs[asked] == pytest.approx(every.logs[asked], rel=1e-5)
