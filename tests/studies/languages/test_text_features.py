import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from tests.studies.languages.worlds import world

from wordworth.studies.languages.text_features import CharacterFeatures, right_answers


def accuracy(data, features, train, test, **choices):
    rows = data.rows(train, test=False), data.rows(test, test=True)
    return right_answers(features, data, *rows, 0, **choices).mean()


def test_labels_carry_over_where_languages_share_their_direction_and_not_where_each_has_its_own():
    data, features = world()
    assert accuracy(data, features, 0, 0) > 0.95
    assert accuracy(data, features, 0, 1) == pytest.approx(accuracy(data, features, 1, 1), abs=0.02)
    data, apart = world(shared=False)
    assert accuracy(data, apart, 1, 1) > 0.95
    assert accuracy(data, apart, 0, 1) == pytest.approx(0.5, abs=0.2)


def test_labels_that_are_dealt_out_anew_teach_nothing():
    data, features = world()
    assert accuracy(data, features, 0, 0, shuffled=True) == pytest.approx(0.5, abs=0.12)


def test_characters_are_weighed_as_scikit_learn_does_from_the_texts_learned_from_alone():
    texts = ["the cat sat", "a dog ran off", "the dog sat", "kissa istui", "a cat ran"]
    rows, learned = np.array([3, 4]), np.array([0, 1, 2])
    theirs = TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 5), sublinear_tf=True)
    theirs.fit([texts[row] for row in learned])
    ours = CharacterFeatures(texts).fitted(learned)(rows)
    np.testing.assert_allclose(ours.toarray(), theirs.transform([texts[row] for row in rows]).toarray(), atol=1e-6)
