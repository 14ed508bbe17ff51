"""Retrieval by layer, on states whose truth is known."""

from types import SimpleNamespace

import numpy as np
from sklearn.neighbors import NearestNeighbors

from wordworth.studies.languages.translation_retrieval.layers import (
    LayerChoice,
    chosen_layer,
    retrieved,
    retrieved_by_characters,
    retrieved_by_layer,
)

NUMBER = 80
SIDES = [f"source {number}" for number in range(NUMBER)], [f"other {number}" for number in range(NUMBER)]


def encoder():
    """Layer 0 is noise, layer 1 has the same vectors on both sides behind a direction of each language's own."""
    rng = np.random.default_rng(0)
    meaning = rng.normal(size=(NUMBER, 8))
    states = {
        text: np.stack([rng.normal(size=8), meaning[int(text.split()[1])] + offset])
        for side, offset in zip(SIDES, (np.zeros(8), 30 * np.eye(8)[0]), strict=True)
        for text in side
    }
    return SimpleNamespace(pooled_layers=lambda texts: np.stack([states[text] for text in texts]).astype(np.float32))


def test_the_nearest_text_by_cosine_is_that_of_scikit_learn_in_both_directions():
    reader = encoder()
    right = retrieved_by_layer(reader, *SIDES, np.arange(40))
    assert right.shape == (2, 2, 2, NUMBER)
    sides = [reader.pooled_layers(side) for side in SIDES]
    for centred in (0, 1):
        for layer in (0, 1):
            first, second = (side[:, layer] - centred * side[:40, layer].mean(0) for side in sides)
            for direction, (asked, known) in enumerate(((first, second), (second, first))):
                nearest = NearestNeighbors(n_neighbors=1, metric="cosine").fit(known).kneighbors(asked)[1][:, 0]
                assert np.array_equal(right[centred, layer, direction], nearest == np.arange(NUMBER))


def test_centring_undoes_a_direction_of_the_language_and_training_pairs_choose_it():
    right = retrieved_by_layer(encoder(), *SIDES, np.arange(40))
    assert right[1, 1].mean() > 0.9
    assert right[0, 1].mean() < 0.5
    assert chosen_layer({0: right}, {0: np.arange(40)}, range(2)) == LayerChoice(1, centred=True)
    assert chosen_layer({0: right}, {0: np.arange(40)}, [0]).layer == 0


def test_the_choice_does_not_see_test_pairs():
    right = np.zeros((2, 3, 2, 10), dtype=bool)
    right[0, 2, :, 5:] = True  # best on the test pairs alone
    right[1, 1, :, :2] = True
    assert chosen_layer({0: right}, {0: np.arange(5)}, range(3)) == LayerChoice(1, centred=True)
    assert chosen_layer({0: right[:, :1]}, {0: np.arange(5)}, [0]) == LayerChoice(0, centred=False), "equals: the first"


def test_a_text_that_is_the_translation_letter_by_letter_counts_as_it():
    cosines = np.eye(3)[:, [1, 0, 2]]
    assert retrieved(cosines, ["a", "b", "c"], ["x", "x", "z"]).tolist() == [[True, True, True], [False, False, True]]


def test_n_grams_retrieve_what_is_spelt_alike():
    number = [f"{row * 7919 % 1000}" for row in range(NUMBER)]
    right = retrieved_by_characters([f"the {key}" for key in number], [f"die {key}" for key in number])
    assert right.mean() > 0.9
    assert retrieved_by_characters(["aaa", "bbb", "ccc"], ["xxx", "yyy", "zzz"]).mean() <= 2 / 3
