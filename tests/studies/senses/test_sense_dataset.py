"""Sentences with tagged words: numbered the same whatever their order, and refused where nothing can be learned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.studies.senses import made_up

from wordworth.errors import BadInput
from wordworth.studies.senses.sense_dataset import TaggedSentence, Target, build_dataset, sample_sentences


def test_words_and_senses_are_sorted_and_those_of_a_word_stand_together():
    data = made_up.made_up(200)
    assert data.words == ("bank", "bat", "sun")
    assert [data.words[word] for word in data.word_of] == sorted(data.words[word] for word in data.word_of)
    assert (data.word_of[data.sense] == data.word).all()
    assert (np.diff(data.document) >= 0).all()
    assert (np.diff(data.sentence) >= 0).all()


def test_an_occurrence_is_shown_as_it_is_written():
    data = made_up.made_up(200)
    assert all(data.form(number) == data.words[data.word[number]] for number in range(len(data.sense)))


@given(st.integers(0, 1000))
def test_the_order_of_documents_in_the_file_changes_nothing(seed):
    rows = made_up.made_up_sentences(60, documents=60)
    apart = [row._replace(document=f"{number:03d}") for number, row in enumerate(rows)]
    shuffled = [apart[index] for index in np.random.default_rng(seed).permutation(len(apart))]
    one, other = (build_dataset("made-up", made_up.SOURCE, some) for some in (apart, shuffled))
    assert one.sentences == other.sentences
    assert np.array_equal(one.sense, other.sense)


def test_only_training_occurrences_are_counted():
    rows = [row._replace(in_train=number % 2 == 0) for number, row in enumerate(made_up.made_up_sentences(100))]
    data = build_dataset("made-up", made_up.SOURCE, rows)
    assert data.counts.sum() == data.train_mask.sum() == 50


def test_too_few_tagged_words_and_words_of_one_sense_are_refused():
    with pytest.raises(BadInput, match="9 tagged words to learn from and 9 to test on are too few"):
        build_dataset("made-up", made_up.SOURCE, made_up.made_up_sentences(9))
    one = TaggedSentence(("the", "sun"), "d", (Target(1, 2, "sun", "star", "star"),))
    with pytest.raises(BadInput, match="no word has two senses"):
        build_dataset("made-up", made_up.SOURCE, [one] * 20)


def test_a_sample_keeps_the_order_and_the_same_seed_draws_the_same():
    rows = made_up.made_up_sentences(50)
    drawn = sample_sentences(rows, 10, seed=0)
    assert len(drawn) == 10
    assert drawn == sample_sentences(rows, 10, seed=0) != sample_sentences(rows, 10, seed=1)
    assert sample_sentences(rows, None, seed=0) is rows
