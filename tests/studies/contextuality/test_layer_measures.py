"""Measures of layers made up so that their values are known."""

import numpy as np
import pytest

from wordworth.studies.contextuality import layer_measures


@pytest.fixture(scope="module")
def found(seen):
    return layer_measures.compute_measures(seen)


def test_where_context_does_nothing_a_word_is_wholly_like_itself(found):
    assert found["self_similarity"].value[0] == pytest.approx(1)
    assert found["explained_literal"].value[0] == pytest.approx(1)
    assert np.isnan(found["explained_centred"].value[0])


def test_permuted_word_labels_are_at_the_baseline_in_every_layer(found):
    assert np.abs(found["self_similarity_adjusted"].null).max() < 0.03
    assert found["self_similarity_adjusted"].value[1] > 0.15


def test_vectors_that_are_noise_are_at_every_null(found):
    for name in ("self_similarity_adjusted", "self_similarity_centred", "between_words", "intra_sentence"):
        assert found[name].value[2] == pytest.approx(found[name].null[2], abs=0.04), name
    for name in ("explained_literal", "explained_centred", "explained_published"):
        assert found[name].value[2] == pytest.approx(found[name].null[2], abs=0.05), name
    assert found["iso_score"].value[2] == pytest.approx(found["iso_score"].null[2], abs=0.05)


def test_the_published_sentence_measure_is_above_zero_where_context_does_nothing(found):
    assert found["intra_sentence"].value[2] > 0.2
    assert abs(found["between_words"].value[2]) < 0.03


def test_a_sentence_that_colours_its_words_is_seen(found):
    assert found["between_words"].value[1] > found["between_words"].null[1] + 0.1


def test_every_value_has_an_interval_around_it(found):
    for row in layer_measures.rows("m", found):
        if np.isfinite(row["value"]):
            assert row["low"] - 1e-9 <= row["value"] <= row["high"] + 1e-9, row
