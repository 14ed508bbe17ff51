"""Forms of stored vectors: how many bytes each takes, and what is found with it."""

import numpy as np
import pytest

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.studies.shrink.compressed_vectors import NEIGHBOURS, TextVectors, form_candidates, forms, voted

RNG = np.random.default_rng(0)
CLASSES = RNG.integers(0, 2, 90)
VECTORS = unit_or_zero((RNG.normal(size=(90, 128)) + 2 * RNG.normal(size=(2, 128))[CLASSES]).astype(np.float32))


def test_bytes_of_each_form():
    assert {form.name: form.num_bytes for form in forms(VECTORS)} == {
        "whole": 512, "first 64 numbers": 256, "first 32 numbers": 128, "first 16 numbers": 64, "int8": 128,
        "bits rescored": 16, "bits": 16,
    }  # fmt: skip
    assert [form.name for form in forms(VECTORS[:, :20])] == ["whole", "int8", "bits rescored", "bits"]


def test_each_form_finds_texts_of_the_same_class_and_int8_nearly_the_same_texts():
    every = {form.name: form.nearest(VECTORS[:30]) for form in forms(VECTORS)}
    assert (every["whole"][:, 0] == np.arange(30)).all()
    for name, nearest in every.items():
        assert nearest.shape == (30, NEIGHBOURS)
        assert (CLASSES[nearest] == CLASSES[:30, None]).mean() > 0.9, name
    assert (every["int8"] == every["whole"]).mean() > 0.9


def test_int8_of_a_query_alone_is_that_of_a_query_among_others():
    for form in forms(VECTORS):
        assert np.array_equal(form.nearest(VECTORS[4:5])[0], form.nearest(VECTORS[:9])[4]), form.name


def test_pairs_are_as_alike_as_their_stored_vectors():
    first, second = VECTORS[:20], VECTORS[20:40]
    alike = {form.name: form.similarity(first, second) for form in forms(VECTORS)}
    assert alike["whole"] == pytest.approx((first * second).sum(1), abs=1e-5)
    for name, values in alike.items():
        assert np.corrcoef(values, alike["whole"])[0, 1] > 0.75, name
    rescored, bits = (np.corrcoef(alike[name], alike["whole"])[0, 1] for name in ("bits rescored", "bits"))
    assert rescored > bits


def test_the_nearest_text_counts_most():
    gold = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    assert voted(gold, np.array([[0, 1, 2]]), several=False).argmax() == 0
    assert voted(np.array([1.0, 2.0, 2.0]), np.array([[0, 1, 2]]), several=False) == pytest.approx(
        [5 / 11 * 2 + 6 / 11]
    )
    assert (
        voted(gold, np.array([[1, 2, 0]]), several=True).tolist()[0][1]
        > 0
        > voted(gold, np.array([[1, 2, 0]]), several=True).tolist()[0][0]
    )


@pytest.mark.parametrize("labels", [CLASSES[:60], np.eye(2, dtype=bool)[CLASSES[:60]], CLASSES[:60].astype(float)])
def test_answers_have_the_form_that_a_metric_takes(labels):
    every = list(form_candidates(TextVectors(VECTORS[:60]), labels, 2))
    for each in every:
        answers = each.predict(TextVectors(VECTORS[60:]))
        hits = answers > 0.5 if labels.dtype == float else answers.argmax(1) == 1
        assert (hits == CLASSES[60:]).mean() > 0.9
    assert [each.size.parameters for each in every] == [128, 64, 32, 16, 128, 128, 128]


def test_pairs_are_answered_by_their_cosine():
    pairs = TextVectors(VECTORS[:30], VECTORS[30:60])
    whole = next(form_candidates(pairs, np.zeros(30), 0))
    assert whole.predict(pairs) == pytest.approx((pairs.first * pairs.second).sum(1), abs=1e-5)
    assert len(pairs.take(np.arange(4))) == 4
    assert pairs.every.shape == (60, 128)
