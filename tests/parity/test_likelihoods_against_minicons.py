"""Pseudo-log-likelihoods, in both forms, and likelihoods equal those of minicons."""

import pytest

from wordworth.inference.pseudo_likelihood import log_likelihoods
from wordworth.models.language_model import language_model
from wordworth.sources import resolve

scorer = pytest.importorskip("minicons.scorer")
pytestmark = pytest.mark.peers

TEXTS = [
    "The trophy does not fit into the suitcase because it is unquestionably oversized.",
    "The city councilmen refused the demonstrators a permit.",
    "Electroencephalographically, she waved.",
    "Who should Derek hug after shocking Richard?",
]


@pytest.fixture(scope="module")
def masked():
    model = scorer.MaskedLMScorer(str(resolve("mini").folder), "cpu")
    model.tokenizer.batch_encode_plus = model.tokenizer  # minicons 0.3.39 calls what transformers 5 has no more
    return model


@pytest.mark.parametrize(("hidden", "metric"), [("piece", "original"), ("rest_of_word", "within_word_l2r")])
def test_a_masked_model_scores_sentences_as_minicons_does(masked, hidden, metric):
    theirs = masked.sequence_score(TEXTS, reduction=lambda logs: logs.sum(0).item(), PLL_metric=metric)
    ours = log_likelihoods(language_model("mini"), TEXTS, hidden=hidden)
    assert ours.logs.tolist() == pytest.approx(theirs, abs=2e-3)
