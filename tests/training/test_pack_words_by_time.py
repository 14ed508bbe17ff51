"""Words packed by time: every word once, what comes before it, and the best path of tags."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.training.pack_words_by_time import PackedWords, viterbi


@settings(max_examples=40)
@given(lengths=st.lists(st.integers(0, 7), min_size=1, max_size=8))
def test_packing_by_time_takes_every_word_once_in_order_of_time(lengths):
    lengths = np.array(lengths)
    packed = PackedWords.of(lengths)
    assert sorted(packed.rows) == list(range(lengths.sum()))
    assert list(packed.batch_sizes) == sorted(packed.batch_sizes, reverse=True)
    starts = np.cumsum(lengths) - lengths
    times = [row - starts[np.searchsorted(np.cumsum(lengths), row, side="right")] for row in packed.rows]
    assert times == [time for time, count in enumerate(packed.batch_sizes) for _ in range(count)]


@settings(max_examples=40)
@given(lengths=st.lists(st.integers(0, 7), min_size=1, max_size=8))
def test_the_word_before_each_word_is_its_neighbour_in_the_sentence(lengths):
    packed = PackedWords.of(np.array(lengths))
    assert (packed.rows[packed.sentences :] - packed.rows[packed.before] == 1).all()


def test_some_sentences_are_packed_as_if_there_were_no_others():
    lengths = np.array([2, 5, 0, 3])
    some = PackedWords.of(lengths, np.array([3, 0]))
    assert some.rows.tolist() == [7, 0, 8, 1, 9]
    assert some.batch_sizes == (2, 2, 1)


def test_equal_paths_give_the_lower_tag():
    packing = PackedWords.of(np.array([3, 1]))
    assert viterbi(np.zeros((4, 3)), np.zeros((3, 3)), packing).tolist() == [0, 0, 0, 0]


def test_the_last_tag_of_a_sentence_has_a_score_of_its_own():
    packing, last = PackedWords.of(np.array([3, 1])), np.array([0.0, 1.0])
    assert viterbi(np.zeros((4, 2)), np.zeros((2, 2)), packing, last).tolist() == [0, 1, 0, 1]
