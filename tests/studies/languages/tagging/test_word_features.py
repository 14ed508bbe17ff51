import numpy as np

from wordworth.models.load import load
from wordworth.studies.languages.tagging.word_features import (
    LayerFeatures,
    SpellingFeatures,
    layer_states,
    rows_of_words,
)


def test_a_word_has_the_state_of_its_first_piece_in_the_layer(files, data):
    encoder = load(str(files / "tiny"))
    states = LayerFeatures(encoder, data, 1).of(1, test=True)
    sentence = data.test[1].words[3]
    start = data.test[1].lengths[:3].sum()
    alone = encoder.word_states([sentence], [1], "first").values[0]
    np.testing.assert_allclose(states[start : start + len(sentence)], alone, atol=1e-5)
    assert layer_states(encoder, data.train[0], [0, 2]).shape[:2] == (2, data.train[0].lengths.sum())


def test_spellings_have_a_row_for_each_word_and_those_of_some_sentences_are_chosen(data):
    features = SpellingFeatures(data).of(0, test=False)
    assert features.shape[0] == data.train[0].lengths.sum()
    rows = rows_of_words(data.train[0], np.array([2, 0]))
    lengths = data.train[0].lengths
    assert rows.tolist() == [*range(lengths[:2].sum(), lengths[:3].sum()), *range(lengths[0])]
