"""The paper's three measures, by its definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.measures import chunk_f1, input_difficulty

GOOD = [["good"], ["fine"], ["fine"], ["bad"]]
LABELS = np.array([1, 1, 0, 0])


def test_entropy_has_its_known_values():
    p = np.array([0.5, 0.25, 0.9, 0.7, 0, 1])
    measured = input_difficulty.entropy(np.stack([p, 1 - p], axis=1))
    assert measured == pytest.approx([1, 0.811278, 0.468996, 0.881291, 0, 0], abs=1e-6)


def test_ambiguity_is_the_entropy_of_the_average_not_the_average_entropy():
    known = input_difficulty.lexicon(GOOD, LABELS)
    measured = input_difficulty.ambiguity([["good", "fine", "bad"], ["good", "good", "fine"]], known)
    assert measured == pytest.approx([1, 0.650022], abs=1e-6)
    assert (np.abs(measured - 1 / 3) > 0.3).all()


def test_ambiguity_of_many_classes_is_in_bits():
    known = input_difficulty.lexicon([["a"], ["a"], ["b"], ["b"]], np.array([0, 1, 1, 2]), 3)
    assert input_difficulty.ambiguity([["a", "b"]], known)[0] == pytest.approx(1.5)


def test_unseen_words_have_no_label_share_and_a_text_of_them_is_undefined():
    known = input_difficulty.lexicon(GOOD, LABELS)
    measured = input_difficulty.ambiguity([["good", "strange"], ["strange"], []], known)
    assert measured[0] == 0
    assert np.isnan(measured[1:]).all()


def test_values_are_split_at_their_median_and_labels_are_each_a_yes_or_no():
    by_value = input_difficulty.ambiguity([["good", "bad"]], input_difficulty.lexicon(GOOD, np.array([4.0, 3, 2, 1])))
    assert by_value[0] == pytest.approx(1)
    many = np.array([[True, True], [True, True], [True, False], [True, False]])
    assert input_difficulty.ambiguity([["good", "bad"]], input_difficulty.lexicon(GOOD, many))[0] == pytest.approx(0.5)


def test_an_entitys_complexity_is_its_words():
    of = chunk_f1.scheme(["O", "B-PER", "I-PER"])
    assert chunk_f1.chunks([np.array([1, 2, 0])], of).lengths.tolist() == [2]


def test_a_tags_ambiguity_counts_types_and_its_rarity_counts_sightings():
    names = ["O", "B-PER", "B-LOC", "B-ORG", "I-PER"]
    train = [["Washington"], ["Washington"], ["Washington", "Bush"], ["X", "Washington"]]
    tags = [np.array([1]), np.array([2]), np.array([3, 1]), np.array([0, 3])]
    words = [["Washington", "Bush", "Nobody"]]
    assert input_difficulty.tag_ambiguity(words, train, tags, names)[0][:2].tolist() == [3, 1]
    assert np.isnan(input_difficulty.tag_ambiguity(words, train, tags, names)[0][2])
    assert input_difficulty.rarity(words, train)[0].tolist() == [0.25, 1, np.inf]
    prefixes = input_difficulty.tag_ambiguity([["Bush"]], [["Bush", "Bush"]], [np.array([1, 4])], names)
    assert prefixes[0].tolist() == [1]


def test_the_measures_follow_the_current_training_subset():
    assert input_difficulty.rarity([["a"]], [["a"]])[0][0] == 1
    assert input_difficulty.rarity([["a"]], [["a"], ["a", "a"]])[0][0] == pytest.approx(1 / 3)


def test_unseen_is_the_share_of_words_that_training_never_showed():
    known = input_difficulty.lexicon(GOOD, LABELS)
    measured = input_difficulty.unseen([["good", "new"], ["new"], ["good", "good"], []], known)
    assert measured[:3].tolist() == [0.5, 1, 0]
    assert np.isnan(measured[3])


def test_clauses_lie_between_marks_in_any_script():
    texts = ["one two, three - four don't", "一二，三", "", "no marks"]
    spans = [[(0, 3), (4, 7), (9, 14), (17, 21), (22, 27)], [(0, 1), (1, 2), (3, 4)], [], [(0, 2), (3, 8)]]
    measured = input_difficulty.clause_lengths(texts, spans)
    assert measured[[0, 1, 3]].tolist() == [2.5, 1.5, 2]
    assert np.isnan(measured[2])


def test_a_pair_is_measured_as_both_texts_joined():
    assert input_difficulty.joined([["a"]], [["b", "c"]]) == [["a", "b", "c"]]


@given(
    st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6), min_size=2, max_size=12), st.integers(2, 4)
)
@settings(max_examples=50, deadline=None)
def test_ambiguity_is_bounded_and_blind_to_the_order_of_words_and_texts(texts, classes):
    labels = np.arange(len(texts)) % classes
    known = input_difficulty.lexicon(texts, labels, classes)
    measured = input_difficulty.ambiguity(texts, known)
    assert ((measured >= 0) & (measured <= np.log2(classes) + 1e-9)).all()
    turned = input_difficulty.lexicon([text[::-1] for text in texts[::-1]], labels[::-1], classes)
    np.testing.assert_allclose(input_difficulty.ambiguity([text[::-1] for text in texts], turned), measured, atol=1e-9)
    assert not input_difficulty.unseen(texts, known).any()


@given(st.lists(st.lists(st.sampled_from("abcdef"), max_size=5), min_size=1, max_size=8), st.integers(0, 99))
@settings(max_examples=50, deadline=None)
def test_ambiguity_is_what_its_definition_says(texts, seed):
    train = [[*"abcd"], [*"ab"], [*"bc"]]
    labels = np.random.default_rng(seed).integers(2, size=3)
    measured = input_difficulty.ambiguity(texts, input_difficulty.lexicon(train, labels))
    for text, value in zip(texts, measured, strict=True):
        under = [[label for words, label in zip(train, labels, strict=True) if word in words] for word in text]
        shares = [np.mean(one) for one in under if one]
        mean = np.array([np.mean(shares), 1 - np.mean(shares)]) if shares else np.array([np.nan])
        expected = -sum(p * np.log2(p) for p in mean if p != 0)
        assert value == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_arc_lengths_are_averaged_over_the_arcs_of_a_text():
    chain, fan = np.array([-1, 0, 1]), np.array([-1, 0, 0, 0])  # 1 + 1 and 1 + 2 + 3
    assert input_difficulty.mean_arc_length([chain]) == 1
    assert input_difficulty.mean_arc_length([chain, fan]) == 8 / 5
    assert input_difficulty.mean_arc_length([np.array([-1])]) == 0
    assert np.isnan(input_difficulty.mean_arc_length([]))
