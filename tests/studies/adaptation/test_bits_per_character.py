"""What texts cost a model in bits per character: by hand, and where vocabularies differ."""

import numpy as np
import pytest
from tests.training.pretraining.conftest import documents

from wordworth.inference.pseudo_likelihood import log_likelihoods
from wordworth.models.language_model import language_model
from wordworth.progress import SILENT
from wordworth.studies.adaptation import bits_per_character
from wordworth.studies.adaptation.bits_per_character import beginnings, bits, text_row
from wordworth.text.tokenizer_statistics import piece_counts


def test_with_every_piece_scored_the_bits_are_those_of_the_pseudo_log_likelihood(model, monkeypatch):
    monkeypatch.setattr(bits_per_character, "_SCORED", 10_000)
    read = language_model(model)
    texts = beginnings(documents(5, 4), read.tokenizer)
    expected = -log_likelihoods(read, texts).logs / np.log(2)
    assert bits(read, texts, 0, SILENT, "") == pytest.approx(expected)


def test_a_long_text_is_cut_after_eighty_pieces(model):
    tokenizer = language_model(model).tokenizer
    (cut,) = beginnings(["the fox sees the dog here " * 40], tokenizer)
    assert len(tokenizer.ids([cut], special=False)[0]) == 80
    assert beginnings(["the fox"], tokenizer) == ["the fox"]


def test_a_change_is_a_ratio_of_sums_with_its_interval(model):
    texts = ["the fox sees the dog", "a bird", "the king likes the horse today"] * 10
    counts = piece_counts(language_model(model).tokenizer, texts)
    before = np.array([10.0, 4.0, 12.0] * 10)
    row = text_row("texts", texts, counts, {"before": before, "after": before - 1}, 0)
    assert row["before"] == pytest.approx(before.sum() / sum(map(len, texts)))
    assert row["change"] == pytest.approx(-30 / sum(map(len, texts)))
    assert row["low"] < row["change"] < row["high"] < 0
    assert row["control"] is None
    assert row["gain"] is None
