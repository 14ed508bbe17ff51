"""A head finds a pronoun's candidate if it has most attention of all candidates, in either direction."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.measures.bootstrap import Resamples
from wordworth.measures.word_level_attention import attention_between_groups
from wordworth.models.activation_taps import Taps
from wordworth.models.pruning import heads_of
from wordworth.models.random_weights_copy import random_twin
from wordworth.progress import SILENT
from wordworth.studies.syntactic_relations import coreference
from wordworth.studies.syntactic_relations.coreference import (
    COREFERENCE,
    PronounInputs,
    coreference_method,
    coreference_sentence,
    coreference_table,
)
from wordworth.studies.syntactic_relations.pronoun_sentences import PronounSentence, PronounSet

NAMES = ["Ann", "Joan", "Mary", "Ruth", "Eve", "Jane", "Lucy", "Rose", "Alice", "Grace"]


def sentences(number, answer):
    """Sentences such as `Ann saw Joan because she waved .`, each with candidates of its own."""
    made = []
    for row in range(number):
        words = (NAMES[row % 10], "saw", NAMES[(row // 10 + row + 1) % 10], "because", "she", "waved", ".")
        made.append(PronounSentence(words, 4, (0, 2), answer(row), row // 2))
    return PronounSet(made, "p.tsv", "0" * 64, number + 3)


def table(answer, number=80):
    encoder = ww.load("mini")
    inputs = PronounInputs.of(encoder, sentences(number, answer))
    models = (encoder.model, random_twin(encoder.model, 1))
    return inputs, coreference_table(inputs, models, heads_of(encoder.model), Resamples(100, 0), SILENT)


def test_where_the_nearest_is_always_right_the_rule_says_so():
    inputs, found = table(lambda _: 1)
    (row,) = found.rows()
    assert row["rule"] == "nearest candidate"
    assert row["rule_accuracy"] == 1
    assert row["accuracy"] > 0.9
    assert not row["ahead"]
    assert row["chance"] == 0.5
    assert row["direction"] in ("from pronoun", "to pronoun")
    assert set(row) == set(COREFERENCE)
    (method,) = coreference_method(inputs)
    assert method.text.startswith("80 sentences with a pronoun and its candidates; 3 more are left out")


def test_pairs_whose_answers_differ_leave_nothing_to_find():
    _, found = table(lambda row: row % 2, number=160)
    (row,) = found.rows()
    assert abs(row["rule_accuracy"] - 0.5) < 1e-9  # each pair has one of either answer
    assert not row["ahead"]
    assert row["low"] <= 0.62


def test_each_map_is_a_loop_over_layers_heads_and_directions():
    encoder = ww.load("mini")
    inputs = PronounInputs.of(encoder, sentences(3, lambda row: row % 2))
    with SILENT.step("x", 3) as step:
        right = coreference._right(encoder.model, inputs, step)
    for number, sentence in enumerate(inputs.sentences):
        (seen,) = encoder.activations([" ".join(sentence.words)], Taps(read=("layers.*.attention.probabilities",)))
        words = inputs.tokens[number].words
        groups = np.where(words < 0, len(sentence.words), words)
        expected = []
        for layer in range(encoder.depth):
            heads = seen.values[f"layers.{layer}.attention.probabilities"]
            for head in attention_between_groups(heads, groups, len(sentence.words) + 1):
                expected += [int(matrix[4, 2] > matrix[4, 0]) == sentence.answer for matrix in (head, head.T)]
        assert right[number, :, 0].tolist() == expected


def test_too_few_sets_of_candidates_are_refused():
    with pytest.raises(BadInput, match="too few for two halves"):
        table(lambda _: 1, number=2)


@pytest.mark.parametrize(
    ("ahead", "high", "words"), [(True, 0.2, "ahead of"), (False, 0.2, "not told apart from"), (False, -0.1, "behind")]
)
def test_the_sentence_says_what_can_be_told(ahead, high, words):
    row = {"layer": 2, "head": 3, "accuracy": 0.6, "rule": "first candidate", "rule_accuracy": 0.5, "gap": 0.1}
    text = coreference_sentence({**row, "gap_low": -0.2, "gap_high": high, "ahead": ahead})
    assert f"2-3, finds 60 %, {words} the rule of the first candidate, 50 %: +10.0 points" in text
