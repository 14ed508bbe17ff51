"""Counts of right heads agree with a loop over transformers' way of reading attention; offsets count as said."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.measures.word_level_attention import attention_between_groups, words_and_others
from wordworth.models.activation_taps import Taps
from wordworth.progress import SILENT
from wordworth.studies.syntactic_relations.correct_attachment_counts import (
    OFFSETS,
    Relations,
    attachment_counts,
    correct,
    offset_counts,
    predicted_heads,
)
from wordworth.text.treebank import ROOT, DependencySentence

SENTENCE = DependencySentence(
    ("The", "zyzzyvas", "sat", "."), np.array([1, 2, ROOT, 2]), ("det", "nsubj:pass", "root", "punct"), 0, 1
)
ATTENTION = np.array([[[0.1, 0.7, 0.2], [0.3, 0.3, 0.4], [0.5, 0.4, 0.1]]], np.float32)


def test_a_word_points_to_the_word_it_attends_to_most_or_that_attends_most_to_it():
    assert predicted_heads(ATTENTION).tolist() == [[1, 2, 0], [2, 0, 1]]


def test_the_root_counts_for_nothing_and_punctuation_not_for_all():
    relations = Relations.of([SENTENCE], subtypes=False)
    assert relations.names == ("all", "det", "nsubj", "punct")
    assert relations.totals.tolist() == [[2, 1, 1, 1]]
    assert Relations.of([SENTENCE], subtypes=True).names[2] == "nsubj:pass"
    predicted = np.array([[1, 0, 2, 2], [ROOT, ROOT, ROOT, ROOT]])
    right = correct(predicted, SENTENCE.heads, relations.of_sentence[0], relations.markers[0])
    assert right.tolist() == [[1, 1, 0, 1], [0, 0, 0, 0]]


def test_the_marker_of_a_possessor_is_right_too_where_that_is_asked_for():
    words, heads = ("Ann", "'s", "old", "cat", "sat"), np.array([3, 0, 3, 4, ROOT])
    sentence = DependencySentence(words, heads, ("nmod:poss", "case", "amod", "nsubj", "root"), 0, 1)
    predicted = np.array([[1, 0, 3, 4, 0], [3, 0, 1, 4, 0]])  # from Ann to 's, or to her cat
    for possessives, of_the_marker in ((False, 0), (True, 1)):
        relations = Relations.of([sentence], subtypes=True, possessives=possessives)
        counts = correct(predicted, heads, relations.of_sentence[0], relations.markers[0])
        assert counts[:, relations.names.index("nmod:poss")].tolist() == [of_the_marker, 1]
        assert counts[:, 0].tolist() == [3, 3]  # all words together: the head alone
        assert counts[:, relations.names.index("amod")].tolist() == [1, 0]


def test_offsets_count_heads_so_many_words_away():
    relations = Relations.of([SENTENCE], subtypes=False)
    counts = offset_counts([SENTENCE], relations)[0]
    assert counts[OFFSETS.index(1)].tolist() == [2, 1, 1, 0]
    assert counts[OFFSETS.index(-1)].tolist() == [0, 0, 0, 1]
    assert counts[OFFSETS.index(3)].sum() == 0


@pytest.mark.parametrize("model", ["minilm", "mini"])
def test_counts_are_those_of_a_loop_over_layers_heads_and_words(model):
    encoder = ww.load(model)
    sentences = [SENTENCE, DependencySentence(("Cats", "sleep"), np.array([1, ROOT]), ("nsubj", "root"), 1, 7)]
    relations = Relations.of(sentences, subtypes=False)
    tokens = encoder.tokenizer.encode_words([sentence.words for sentence in sentences])
    with SILENT.step("x", 2) as step:
        counts = attachment_counts(encoder.model, tokens, sentences, relations, step)
    taps = Taps(read=("layers.*.attention.probabilities",))
    for number, (sentence, read) in enumerate(zip(sentences, tokens, strict=True)):
        groups, size = words_and_others(read.words.astype(int), len(sentence))
        (seen,) = encoder.activations([" ".join(sentence.words)], taps)
        expected = []
        for layer in range(encoder.depth):
            for head in attention_between_groups(seen.values[f"layers.{layer}.attention.probabilities"], groups, size):
                for matrix in (head[: len(sentence), : len(sentence)], head[: len(sentence), : len(sentence)].T):
                    right = np.zeros(len(relations.names), int)
                    for word, found in enumerate(sentence.heads):
                        others = [other for other in range(len(sentence)) if other != word]
                        if found != ROOT and max(others, key=lambda other: matrix[word, other]) == found:
                            right += relations.of_sentence[number][word]
                    expected.append(right)
        assert counts[number].tolist() == np.array(expected).tolist()
