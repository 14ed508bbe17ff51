"""The layer to take: chosen on some texts, measured on others, the cheapest that is good enough."""

from types import SimpleNamespace

import numpy as np

from wordworth.studies.layers.linear_probing import Candidate, choose
from wordworth.studies.layers.probe_trainer import Counts

TRAINER = SimpleNamespace(seed=0, task=SimpleNamespace(seed_names=("t", ("a",))))


def candidate(layers, share, luck, test=None):
    named = np.full(len(luck), 2.0)
    right = Counts(2.0 * (luck < share), named)
    return Candidate(slice(*layers), None, right, right if test is None else Counts(2.0 * (luck < test), named))


def test_the_lowest_layer_within_one_standard_error_is_taken():
    luck = np.random.default_rng(0).random(2_000)
    options = [
        candidate((0, 1), 0.5, luck),
        candidate((1, 2), 0.898, np.roll(luck, 7)),
        candidate((2, 3), 0.9, luck),
        candidate((0, 3), 0.9, luck),
    ]
    assert choose(options, 200, TRAINER).taken is options[1]
    options[1] = candidate((1, 2), 0.85, np.roll(luck, 7))
    found = choose(options, 200, TRAINER)
    assert found.taken is options[2]
    assert not found.taken.is_mix
    assert found.taken.depth == 2


def test_one_layer_is_taken_before_a_mix_of_the_same_depth_and_a_mix_before_a_higher_layer():
    luck = np.random.default_rng(0).random(500)
    options = [
        candidate((1, 2), 0.8, luck),
        candidate((2, 3), 0.8, luck),
        candidate((0, 2), 0.8, luck),
        candidate((0, 3), 0.8, luck),
    ]
    assert choose(options, 200, TRAINER).taken is options[0]
    options[0] = candidate((1, 2), 0.5, luck)
    assert choose(options, 200, TRAINER).taken is options[2]


def test_the_interval_of_the_layer_is_wide_where_few_texts_choose_and_narrow_where_many_do():
    def reach(texts):
        luck = np.random.default_rng(0).random((2, texts))
        options = [candidate((0, 1), 0.75, luck[0]), candidate((4, 5), 0.85, luck[1])]
        depth, ends = choose(options, 300, TRAINER).depth
        assert ends.low <= depth <= ends.high
        return ends.low, ends.high

    assert reach(30) == (0, 4)
    assert reach(3_000) == (4, 4)


def test_what_is_taken_is_measured_on_texts_that_chose_nothing():
    luck = np.random.default_rng(0).random(500)
    lucky, whole = candidate((0, 1), 0.9, luck, test=0.3), candidate((0, 3), 0.6, luck, test=0.7)
    found = choose([lucky, whole], 200, TRAINER)
    assert found.taken is lucky
    assert found.f1[0] == lucky.test.f1 < 0.4
    assert found.change[0] < 0
    assert found.change[1].high < 0
