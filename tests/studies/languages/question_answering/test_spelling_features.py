import numpy as np

from wordworth.studies.languages.question_answering.answer_features import words_of
from wordworth.studies.languages.question_answering.spelling_features import (
    CROSSED,
    SPELLING,
    SpellingFeatures,
    matches,
    rarity,
)


def test_a_rare_word_of_the_question_weighs_more_and_a_beginning_matches_in_part():
    weights = rarity([["The", "singer", "sang"], ["the", "film"], ["the", "end"], ["a", "film"]])
    assert weights["the"] == np.log(4 / 3) / np.log(4)
    assert weights["singer"] == 1.0
    assert weights["sing…"] == 1.0
    found = matches(["The", "singer", "sang"], ["the", "singers"], weights)
    np.testing.assert_allclose(found[0], [1, weights["the"], 1, weights["the…"]], rtol=1e-6)
    assert found[1].tolist() == [0, 0, 1, 1]
    assert found[2].tolist() == [0, 0, 0, 0]


def test_features_of_a_word_depend_on_the_question_beside_its_spelling(data):
    read, questions = SpellingFeatures(data).of(0, test=True), data.test[0]
    assert read.width == 4 * 12 + CROSSED + SPELLING
    assert np.diff(read.ends).tolist() == [len(words_of(text)) for text in questions.context_texts]
    first, second = (read.sentence(row)[:, 0] for row in (0, 1))
    assert questions.context_texts[0] == questions.context_texts[1]
    assert np.array_equal(first[:, -SPELLING:], second[:, -SPELLING:])
    assert not np.array_equal(first[:, :48], second[:, :48])
    assert not np.array_equal(first[:, 48 : 48 + CROSSED], second[:, 48 : 48 + CROSSED]), "other words of the question"
