import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.geometry import pairwise

from wordworth.measures import bootstrap
from wordworth.measures.bootstrap import mean_draws
from wordworth.measures.geometry.mean_cosine import mean_cosine
from wordworth.measures.geometry.running_sums import GroupSums, Lengths, Membership, VectorSample, units_and_lengths

LAYERS, WIDTH = 2, 6


def stream(vectors, block):
    for start in range(0, vectors.shape[1], block):
        yield start, vectors[:, start : start + block]


def summed(vectors, members, block=7):
    sums = GroupSums(members, LAYERS, WIDTH)
    for start, part in stream(vectors, block):
        sums.add(start, start + part.shape[1], units_and_lengths(part)[0])
    return sums.self_similarity()


def drawn(seed, n=60):
    return np.random.default_rng(seed).normal(0.5, 1, (LAYERS, n, WIDTH)).astype(np.float32)


@given(st.integers(0, 1000), st.integers(1, 70))
@settings(max_examples=25, deadline=None)
def test_blocks_of_any_size_give_what_the_loop_over_pairs_gives(seed, block):
    vectors, words = drawn(seed), np.random.default_rng(seed).integers(0, 5, 60)
    found = summed(vectors, Membership.of(np.arange(60), words, 6), block)
    for word in range(5):
        for layer in range(LAYERS):
            mine = vectors[layer, words == word].astype(float)
            expected = pairwise.mean_cosine(mine) if len(mine) > 1 else np.nan
            assert found[word, layer] == pytest.approx(expected, abs=1e-6, nan_ok=True)
    assert np.isnan(found[5]).all()


def test_an_occurrence_may_belong_to_several_groups_or_to_none():
    vectors = drawn(0)
    members = Membership.of(np.array([3, 9, 50, 3, 11]), np.array([0, 0, 0, 1, 1]), 2)
    found = summed(vectors, members)
    assert found[0] == pytest.approx([mean_cosine(layer[[3, 9, 50]]) for layer in vectors], abs=1e-6)
    assert found[1] == pytest.approx([mean_cosine(layer[[3, 11]]) for layer in vectors], abs=1e-6)


def test_permuted_word_labels_are_as_alike_as_any_occurrences():
    rng = np.random.default_rng(0)
    words = np.repeat(np.arange(300), 12)
    own = rng.normal(size=(300, WIDTH))[words]
    vectors = np.stack([own + 0.6 * rng.normal(size=own.shape) + 0.5] * LAYERS).astype(np.float32)
    baseline = mean_cosine(vectors[0])
    real = summed(vectors, Membership.of(np.arange(3600), words, 300), 500)[:, 0]
    permuted = summed(vectors, Membership.of(np.arange(3600), rng.permutation(words), 300), 500)[:, 0]
    spread = mean_draws(permuted[:, None] - baseline, 500, rng).std()
    assert abs(permuted.mean() - baseline) < 4 * spread < 0.05
    assert real.mean() - baseline > 0.3


def test_a_static_table_is_wholly_like_itself():
    rng = np.random.default_rng(1)
    words = rng.integers(0, 20, 500)
    vectors = np.stack([rng.normal(size=(20, WIDTH))[words]] * LAYERS).astype(np.float32)
    found = summed(vectors, Membership.of(np.arange(500), words, 20))
    assert found == pytest.approx(np.ones((20, LAYERS)), abs=1e-6)


def test_sums_take_four_bytes_and_stay_with_their_float64_twin_over_thousands_of_blocks():
    vectors = drawn(3, 20_000)
    members = Membership.of(np.arange(20_000), np.zeros(20_000, np.int64), 1)
    tracemalloc.start()
    wide = GroupSums(Membership.of(np.arange(1), np.zeros(1, np.int64), 10_000), LAYERS, WIDTH)
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert held == pytest.approx(4 * LAYERS * 10_000 * WIDTH, rel=0.02), wide
    exact = [mean_cosine(layer) for layer in vectors]
    assert summed(vectors, members, 8)[0] == pytest.approx(exact, abs=3e-6)  # 2,500 blocks


def test_groups_that_are_joined_are_summed_as_they_were_apart():
    vectors, chance = drawn(4), np.random.default_rng(4)
    apart = [Membership.of(np.sort(chance.integers(0, 60, 30)), chance.integers(0, n, 30), n) for n in (4, 3)]
    found = [summed(vectors, members) for members in apart]
    assert summed(vectors, Membership.joined(apart)) == pytest.approx(np.concatenate(found), abs=1e-6, nan_ok=True)


def test_chosen_occurrences_are_kept_as_they_are_in_the_order_asked_for():
    vectors, chosen = drawn(5), np.array([40, 3, 3, 17])
    kept = VectorSample(chosen, LAYERS, WIDTH)
    for start, part in stream(vectors, 8):
        kept.add(start, part)
    assert (kept.vectors == vectors[:, chosen]).all()


def test_lengths_are_told_apart_by_part():
    vectors, part = drawn(6), np.arange(60) % 2
    lengths = Lengths(LAYERS, 3)
    for start, block in stream(vectors, 9):
        lengths.add(units_and_lengths(block)[1], part[start : start + 9])
    plain = np.linalg.norm(vectors.astype(float), axis=2)
    assert lengths.mean()[:, 0] == pytest.approx(plain[:, ::2].mean(1))
    assert lengths.deviation()[:, 1] == pytest.approx(plain[:, 1::2].std(1))
    assert np.isnan(lengths.mean()[:, 2]).all()


def test_draws_of_a_mean_leave_undefined_values_out():
    rng = np.random.default_rng(2)
    values = np.column_stack([rng.normal(1, 1, 400), np.where(np.arange(400) % 2, np.nan, 5.0)])
    draws = mean_draws(values, 300, rng)
    assert draws[:, 0].std() == pytest.approx(1 / 20, rel=0.3)
    assert draws[:, 1] == pytest.approx(np.full(300, 5.0))


def test_draws_that_are_made_in_parts_spread_as_those_made_at_once_and_none_comes_again(monkeypatch):
    values = np.random.default_rng(0).normal(size=(500, 1))
    at_once = mean_draws(values, 1000, np.random.default_rng(0))
    monkeypatch.setattr(bootstrap, "_AT_ONCE", 500 * 30)
    in_parts = mean_draws(values, 1000, np.random.default_rng(0))
    assert in_parts.shape == at_once.shape == (1000, 1)
    assert np.unique(in_parts).size == 1000
    assert in_parts.mean() == pytest.approx(values.mean(), abs=0.01)
    assert in_parts.std() == pytest.approx(at_once.std(), rel=0.1)
