import numpy as np
import pytest

from wordworth.array_cache import ArrayCache
from wordworth.models.load import load
from wordworth.progress import SILENT
from wordworth.studies.languages.question_answering.answer_features import neighbourhood, words_of
from wordworth.studies.languages.question_answering.encoder_features import EncoderFeatures, QuestionStates
from wordworth.studies.study_result_cache import FinishedParts


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


@pytest.fixture(scope="module")
def encoder(files):
    return load(str(files / "tiny"))


def test_a_word_is_compared_with_the_question_s_words_and_their_mean_in_every_layer(encoder, data):
    questions, row = data.test[1], 4
    states = QuestionStates.of(encoder, questions)
    context = unit(encoder.states([questions.context_texts[row]]).values)
    asked = unit(encoder.states([questions.examples.first[row]]).values)
    mean = unit(asked.mean(1))
    expected = [(context[layer] @ asked[layer].T).max(1) for layer in range(3)]
    expected += [context[layer] @ mean[layer] for layer in range(3)]
    np.testing.assert_allclose(states.matches[row], np.stack(expected, 1), atol=1e-4)
    np.testing.assert_allclose(states.questions[:, row], mean, atol=1e-5)


def test_features_are_matches_nearby_the_state_and_its_product_with_the_question(encoder, data, tmp_path):
    finished = FinishedParts("key", SILENT, ArrayCache(tmp_path / "cache"))
    features, questions, row = EncoderFeatures(encoder, data, 1, finished, "model").of(2, test=False), data.train[2], 7
    states = QuestionStates.of(encoder, questions)
    context = unit(encoder.states([questions.context_texts[row]], [1]).values[0])
    sized = 0.3 * context * np.sqrt(32)
    product = sized * states.questions[1, row] * np.sqrt(32)
    expected = np.concatenate([neighbourhood(states.matches[row]), sized, product], 1)
    np.testing.assert_allclose(features.sentence(row)[:, 0], expected, atol=5e-3)
    assert np.diff(features.ends).tolist() == [len(words_of(text)) for text in questions.context_texts]


def test_states_are_computed_once(encoder, data, tmp_path, monkeypatch):
    finished = FinishedParts("key", SILENT, ArrayCache(tmp_path / "cache"))
    before = EncoderFeatures(encoder, data, 1, finished, "model").of(0, test=True)
    monkeypatch.setattr(QuestionStates, "of", lambda *_: pytest.fail("states are computed anew"))
    assert np.array_equal(EncoderFeatures(encoder, data, 1, finished, "model").of(0, test=True).flat, before.flat)
