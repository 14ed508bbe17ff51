"""Language models are read with their heads, or it is said what they lack; gaps are filled; texts get likelihoods."""

import numpy as np
import pytest
import torch
from click.testing import CliRunner
from tests.models.language_models import a_language_model, made_up, write_language_model

import wordworth as ww
from wordworth.cli.fill import command
from wordworth.errors import BadInput
from wordworth.inference.checkpoint_checks import doctor
from wordworth.inference.fill_mask import fill
from wordworth.inference.pseudo_likelihood import log_likelihoods
from wordworth.models.batch import pack
from wordworth.models.language_model import language_model
from wordworth.models.lm_heads import word_table
from wordworth.text.encoding import Tokens

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


def test_a_folder_gives_encoder_and_head_again(model):
    kind = model.name
    expected = made_up(kind)
    assert model.reads == READS[kind]
    for name, tensor in expected.heads.items():
        assert torch.equal(model.head.state_dict()[name.split(".", 2)[2]], tensor)
    for name, tensor in expected.model.state_dict().items():
        assert torch.equal(model.encoder.state_dict()[name], tensor)


@pytest.mark.parametrize("kind", list(READS))
def test_every_tensor_of_a_language_model_is_used_once_or_is_its_heads(kind, tmp_path):
    checks = {check.name: check for check in doctor(write_language_model(tmp_path / kind, kind))}
    assert checks["loads"].passed
    assert checks["tensors"].passed, checks["tensors"].detail
    assert checks["company"].passed


def test_what_has_no_head_says_so(tmp_path):
    with pytest.raises(BadInput, match="no language model head"):
        language_model(write_language_model(tmp_path / "bare", "bert", heads=False))
    with pytest.raises(BadInput, match="no language model head"):
        language_model(write_language_model(tmp_path / "bare_bilm", "bilm", heads=False))


def test_an_output_that_is_not_tied_is_refused(tmp_path):
    folder = write_language_model(tmp_path / "untied", "bert")
    text = (folder / "config.json").read_text()
    (folder / "config.json").write_text(text.replace("{", '{"tie_word_embeddings": false,', 1))
    with pytest.raises(BadInput, match="not tied"):
        language_model(folder)


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
    from wordworth.inference.fill_mask import _completed

    assert _completed("the cat [MASK] on", np.array([[8, 14]]), ["##s"]) == "the cats on"
    assert _completed("[MASK] [MASK].", np.array([[0, 6], [7, 13]]), ["the", "end"]) == "the end."


def test_a_text_without_a_gap_a_model_without_masks_and_too_long_a_text_are_said(masked, tmp_path):
    with pytest.raises(BadInput, match="no gap"):
        fill(masked, "the end.")
    with pytest.raises(BadInput, match="does not fill gaps"):
        fill(a_language_model(tmp_path, "gpt2"), "[MASK]")
    with pytest.raises(BadInput, match="reads 24"):
        fill(masked, "a b c " * 9 + "[MASK]")


def test_the_command_prints_a_share_and_a_piece_a_line(tmp_path):
    folder = write_language_model(tmp_path / "bert", "bert")
    done = CliRunner().invoke(command, [str(folder), "the [MASK] [MASK].", "--top", "2"], catch_exceptions=False)
    lines = done.output.splitlines()
    expected = ww.fill(folder, "the [MASK] [MASK].", top=2)
    assert lines[0] == "[MASK] 1 of 2"
    assert lines[1].split() == [f"{expected.gaps[0][0].probability:.1%}", expected.gaps[0][0].piece]
    assert lines[-1] == expected.best
    assert len(lines) == 7


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
