import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.geometry import pairwise

from wordworth.measures.geometry.explainable_variance import explained, group_share
from wordworth.measures.geometry.mean_cosine import mean_cosine

AXES_AND_DIAGONAL = np.array([[1.0, 0], [0, 1], [1, 1]])
CLOSE_TOGETHER = np.array([[3.0, 4], [4, 3], [5, 0]])
ON_ONE_LINE = np.array([[1.0, 0, 0], [2, 0, 0], [5, 0, 0]])


def three(vectors):
    found = explained(vectors)
    return [float(found.literal[0]), float(found.centred[0]), float(found.published[0])]


@pytest.mark.parametrize(
    ("vectors", "expected"),
    [
        (AXES_AND_DIAGONAL, [0.75, 0.75, 0.25]),
        (CLOSE_TOGETHER, [0.8608016, 0.9881406, 0.0230527]),
        (ON_ONE_LINE, [1, 1, 1]),
    ],
)
def test_the_three_estimators_differ(vectors, expected):
    assert three(vectors) == pytest.approx(expected, abs=1e-6)


def test_two_of_them_may_pick_different_directions():
    found = three(np.array([[1.0, 1, 0], [1, 0, 1], [1, -1, 0], [1, 0, -1]]))
    assert found == pytest.approx([0.5, 0.5, 0], abs=1e-6)


def test_orthogonal_occurrences_reach_the_bounds():
    assert three(np.eye(5))[:2] == pytest.approx([1 / 5, 1 / 4])


@pytest.mark.parametrize("row", [[1.0, 2, 3], [0.1, 0.7, -3.3]])
def test_identical_occurrences_have_no_variance_to_explain(row):
    literal, centred, published = three(np.array([row] * 6))
    assert literal == pytest.approx(1)
    assert np.isnan(centred)
    assert np.isnan(published)


@given(st.integers(0, 10_000), st.integers(2, 12), st.integers(2, 9))
@settings(max_examples=40)
def test_small_gram_matrices_give_what_singular_values_give(seed, n, d):
    vectors = np.random.default_rng(seed).normal(0.5, 1, (n, d))
    expected = [pairwise.literal(vectors), pairwise.centred(vectors), pairwise.published(vectors)]
    assert three(vectors) == pytest.approx(expected, abs=1e-6)


@given(st.integers(0, 10_000))
@settings(max_examples=20)
def test_a_word_alike_in_all_contexts_is_well_explained_by_the_formula(seed):
    vectors = np.random.default_rng(seed).normal(0.5, 1, (8, 20))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    assert three(vectors)[0] >= (1 + 7 * mean_cosine(vectors)) / 8 - 1e-9
    assert three(vectors)[0] >= 1 / 8
    assert three(vectors)[1] >= 1 / 7


def test_a_shift_changes_the_formula_and_not_the_centred_share():
    vectors = np.random.default_rng(0).normal(size=(10, 6))
    rotation = np.linalg.qr(np.random.default_rng(1).normal(size=(6, 6)))[0]
    before, turned, moved = three(vectors), three(vectors @ rotation), three(vectors + 20)
    assert turned == pytest.approx(before)
    assert moved[0] > before[0] + 0.3
    assert moved[1] == pytest.approx(before[1])


def test_scaling_one_occurrence_changes_what_is_explained():
    assert three(CLOSE_TOGETHER * [[9], [1], [1]])[0] != pytest.approx(three(CLOSE_TOGETHER)[0], abs=1e-3)


@pytest.mark.parametrize(("n", "expected"), [(5, (0.226, 0.278)), (10, (0.120, 0.132)), (20, (0.066, 0.069))])
def test_what_pure_chance_explains_depends_on_how_many_occurrences_there_are(n, expected):
    found = explained(np.random.default_rng(0).normal(size=(20, n, 768)))
    assert found.literal.mean() == pytest.approx(expected[0], abs=0.004)
    assert found.centred.mean() == pytest.approx(expected[1], abs=0.004)


def test_one_word_may_have_a_large_and_a_tiny_share_explained_by_name():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(40, 30, 768))
    common = rng.normal(size=(40, 1, 768)) * np.sqrt(0.75 / 0.25)
    found = explained(common + noise)
    means = [found.literal.mean(), found.centred.mean(), found.published.mean()]
    assert means == pytest.approx([0.759, 0.048, 0.0012], abs=0.006)


def shared(vectors, words):
    """`group_share` of occurrences [n, d] with a word each."""
    sums = np.stack([vectors[words == word].sum(0) for word in range(words.max() + 1)])
    return group_share(sums, np.bincount(words), float((vectors**2).sum()))


@given(few=st.integers(2, 12), shift=st.floats(-50, 50))
def test_words_account_for_nothing_where_their_labels_are_permuted_and_for_all_in_a_static_table(few, shift):
    rng = np.random.default_rng(0)
    words = np.repeat(np.arange(300), few)
    table = rng.normal(size=(300, 16))[words] + shift
    assert shared(table, words) == pytest.approx(1, abs=1e-6)
    assert shared(rng.permutation(table), words) == pytest.approx(0, abs=0.05)


def test_the_words_share_is_that_of_their_own_part_of_the_variance():
    rng = np.random.default_rng(0)
    words = np.repeat(np.arange(2_000), 4)
    vectors = rng.normal(size=(2_000, 8))[words] * 2 + rng.normal(size=(8_000, 8))
    assert shared(vectors, words) == pytest.approx(4 / 5, abs=0.01)


def test_one_word_or_words_that_never_come_again_have_no_share():
    vectors = np.random.default_rng(0).normal(size=(6, 4))
    assert np.isnan(shared(vectors, np.zeros(6, dtype=int)))
    assert np.isnan(shared(vectors, np.arange(6)))
    assert np.isnan(shared(np.ones((6, 4)), np.repeat([0, 1], 3)))
