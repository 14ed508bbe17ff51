"""Gaps are filled with the likeliest pieces."""

import numpy as np
import pytest
import torch
from tests.models.language_models import a_language_model

from wordworth.errors import BadInput
from wordworth.inference.fill_mask import fill
from wordworth.models.batch import pack
from wordworth.models.lm_heads import word_table
from wordworth.text.tokens import Tokens

READS = {"bert": "masked", "pretraining": "masked", "causal-bert": "causal", "gpt2": "causal", "bilm": "bidirectional"}


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


def test_gaps_are_filled_with_the_likeliest_pieces(masked):
    filled = fill(masked, "a[MASK] the [MASK].", top=3)
    ids = masked.tokenizer.encode(["a[MASK] the [MASK]."])[0].ids
    logs = logs_of(masked, ids)[np.flatnonzero(ids == masked.tokenizer.special_ids["mask"])]
    for guesses, row in zip(filled.gaps, logs, strict=True):
        best = np.argsort(-row)[:3]
        assert [guess.piece for guess in guesses] == [masked.tokenizer.token(int(piece)) for piece in best]
        assert [guess.probability for guess in guesses] == pytest.approx(np.exp(row[best]), rel=1e-4)
    assert "[MASK]" not in filled.best
    assert sum(guess.probability for guess in fill(masked, "[MASK]", top=10_000).gaps[0]) == pytest.approx(1, abs=1e-4)


def test_a_piece_that_goes_on_with_a_word_moves_up_to_it():
    from wordworth.inference.fill_mask import fill_gaps

    assert fill_gaps("the cat [MASK] on", np.array([[8, 14]]), ["##s"]) == "the cats on"
    assert fill_gaps("[MASK] [MASK].", np.array([[0, 6], [7, 13]]), ["the", "end"]) == "the end."
    behind_its_space = np.array([[3, 10]])  # a mask that takes in the space before it, as in byte pairs and unigrams
    assert fill_gaps("the [MASK].", behind_its_space, ["end"]) == "the end."
    assert fill_gaps("the [MASK].", behind_its_space, ["##y"]) == "they."


@pytest.mark.parametrize("text", [["the [MASK]."], [], None, 3])
def test_what_is_not_one_text_is_refused(masked, text):
    with pytest.raises(BadInput, match=r"is not one text; call it for each text"):
        fill(masked, text)


def test_a_text_without_a_gap_a_model_without_masks_and_too_long_a_text_are_said(masked, tmp_path):
    with pytest.raises(BadInput, match="no gap"):
        fill(masked, "the end.")
    with pytest.raises(BadInput, match="does not fill gaps"):
        fill(a_language_model(tmp_path, "gpt2"), "[MASK]")
    with pytest.raises(BadInput, match="reads 24"):
        fill(masked, "a b c " * 9 + "[MASK]")
