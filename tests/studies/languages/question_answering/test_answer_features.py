import numpy as np

from wordworth.studies.languages.question_answering.answer_features import (
    AROUND,
    BESIDE,
    end_to_end,
    neighbourhood,
    unique_contexts,
    words_of,
)


def test_a_word_has_the_matches_of_its_neighbours_and_means_around_it():
    matches = np.random.default_rng(0).random((30, 2)).astype(np.float32)
    found = neighbourhood(matches)
    assert found.shape == (30, 2 * (1 + len(BESIDE) + len(AROUND)))
    for word in (0, 3, 15, 29):
        beside = [matches[word + place] if 0 <= word + place < 30 else np.zeros(2) for place in BESIDE]
        means = [matches[max(0, word - reach) : word + reach + 1].sum(0) / (2 * reach + 1) for reach in AROUND]
        np.testing.assert_allclose(found[word], np.concatenate([matches[word], *beside, *means]), rtol=1e-5)


def test_contexts_are_read_once_however_many_questions_they_have(data):
    texts, index = unique_contexts(data.train[0])
    assert len(texts) == 12
    assert [texts[number] for number in index] == list(data.train[0].context_texts)


def test_blocks_lie_end_to_end():
    blocks = [np.full((rows, 3), rows, np.float32) for rows in (2, 4)]
    vectors = end_to_end(blocks)
    assert (vectors.layers, vectors.width, vectors.ends.tolist()) == (1, 3, [0, 2, 6])
    assert np.array_equal(vectors.sentence(1)[:, 0], blocks[1])


def test_every_mark_and_ideograph_is_a_word():
    assert words_of("Was it 我看?") == ["Was", "it", "我", "看", "?"]
