"""Attention chooses by the maximum attention score, in both directions where the model has both."""

import numpy as np
import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.measures.maximum_attention_score import maximum_attention_scores
from wordworth.models.activation_taps import ATTENTION, Taps, by_layer
from wordworth.progress import SILENT
from wordworth.studies.commonsense.attention_scores import FROM, TO, attention_scores, pieces_of
from wordworth.studies.commonsense.candidate_mentions import Mentions
from wordworth.studies.commonsense.items import Choice

BEFORE = Mentions.of(Choice("a bab saw b, so ", ("a bab", "b"), " s.", 0, "i"), "i")
AFTER = Mentions.of(Choice("so ", ("a bab", "b"), " s a bab, b.", 0, "i"), "i")


def scores(encoder, *mentions):
    with SILENT.step("x", len(mentions)) as step:
        return attention_scores(encoder.model, encoder.tokenizer, mentions, step)


def test_each_head_counts_with_the_largest_weight_between_the_pieces(tmp_path):
    encoder = ww.load(write_tiny(tmp_path / "m"))
    found = scores(encoder, BEFORE, None, AFTER)
    assert set(found) == {FROM, TO}
    assert found[FROM][1] is None
    for number, mentions in ((0, BEFORE), (2, AFTER)):
        (seen,) = encoder.activations([mentions.text], Taps(read=(ATTENTION,)))
        weights = np.concatenate(by_layer(seen.values, ATTENTION))
        pronoun = pieces_of(seen.tokens, mentions.pronoun)
        assert len(pronoun) == 1
        for name in (FROM, TO):
            table = weights if name == FROM else weights.transpose(0, 2, 1)
            largest = [
                [
                    max(table[head, row, piece] for row in pronoun for piece in pieces_of(seen.tokens, span))
                    for head in range(8)
                ]
                for span in mentions.candidates
            ]
            assert found[name][number] == pytest.approx(maximum_attention_scores(np.array(largest)))


def test_a_model_that_reads_from_left_to_right_attends_only_to_what_came_before(tmp_path):
    encoder = ww.load(write_tiny(tmp_path / "m", "gpt2"))
    found = scores(encoder, BEFORE, AFTER)
    assert set(found) == {FROM}
    assert found[FROM][0].sum() == pytest.approx(1)
    assert found[FROM][1] is None
