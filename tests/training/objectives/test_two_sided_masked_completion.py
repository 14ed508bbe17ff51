"""Masked completion of two sides: what is masked, what never is, and that one side may be masked whole."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.training.crossmodal.made_up import VOCABULARY, pairs

from wordworth.errors import BadInput
from wordworth.text.words_and_codes_vocabulary import MASK, ROLES
from wordworth.training.crossmodal.paired_stream import PairedStream, SequenceShares
from wordworth.training.crossmodal.sequences import Pairs
from wordworth.training.objectives.mlm import MaskedLanguageModel, Rates
from wordworth.training.objectives.objective import ObjectiveContext
from wordworth.training.objectives.two_sided_masked_completion import FirstSideCompletion, SecondSideCompletion
from wordworth.training.pretraining.recipe import RECIPES

ARRAYS = VOCABULARY.arrays()
FEW = settings(deadline=None, max_examples=15)


def prepared(seed, whole, shares=None, rates=None):
    """Instances before masking and after that of both sides, and the targets of each side."""
    before = PairedStream(pairs(50, seed, most=6), shares or SequenceShares(), 50, 64, seed).batch(0)
    draw, chosen = np.random.default_rng(seed), {"vocabulary": ARRAYS, "whole": whole, "rates": rates or Rates()}
    after, first = FirstSideCompletion(**chosen).prepare(before, draw)
    after, second = SecondSideCompletion(**chosen).prepare(after, draw)
    return before, after, (first, second)


@FEW
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.3, 0.9]))
def test_targets_are_the_original_tokens_of_their_side_and_all_that_changed(seed, whole):
    before, after, targets = prepared(seed, whole, SequenceShares(words=0.2, codes=0.2))
    for side, own in enumerate(targets):
        assert np.array_equal(own.labels, before.ids[own.positions])
        assert (before.segments[own.positions] == side).all()
        assert (own.labels >= len(ROLES)).all()
        assert (np.diff(own.positions) > 0).all()
    changed = np.flatnonzero(before.ids != after.ids)
    assert np.isin(changed, np.concatenate([own.positions for own in targets])).all()


@FEW
@given(st.integers(0, 10_000))
def test_pairs_that_are_judged_are_not_masked(seed):
    before, after, _ = prepared(seed, 0.5)
    judged = np.repeat(before.labels >= 0, before.lengths)
    assert np.array_equal(before.ids[judged], after.ids[judged])


@FEW
@given(st.integers(0, 10_000))
def test_never_are_both_sides_masked_whole_and_beside_a_whole_one_nothing_is_masked(seed):
    before, after, targets = prepared(seed, 0.9)
    owner = np.repeat(np.arange(len(before)), before.lengths)
    tokens, masked = (
        np.stack([np.bincount(owner[chosen & (before.segments == side)], minlength=len(before)) for side in (0, 1)])
        for chosen in (before.ids >= len(ROLES), after.ids == MASK)
    )
    whole = (masked == tokens) & (tokens > 0)
    assert not whole.all(0).any()
    asked = np.stack([np.bincount(owner[own.positions], minlength=len(before)) for own in targets])
    assert (asked[1][whole[0] & (tokens[0] > 1)] == 0).all()
    assert whole[:, before.labels < 0].any(0).mean() > 0.5


def test_a_side_alone_is_never_masked_whole():
    before, after, _ = prepared(0, 0.9, SequenceShares(words=0.999))
    owner = np.repeat(np.arange(len(before)), before.lengths)
    long = np.bincount(owner[before.ids >= len(ROLES)]) > 1
    visible = np.bincount(owner[(after.ids >= len(ROLES))], minlength=len(before))
    assert (visible[long] > 0).all()


def test_without_whole_sides_the_rates_are_those_of_masked_language_modelling():
    before, _, targets = prepared(1, 0.0, rates=Rates(share=0.5))
    free = np.flatnonzero(before.labels < 0)
    owner = np.repeat(np.arange(len(before)), before.lengths)
    own = (before.segments == 1) & (before.ids >= len(ROLES))
    lengths = np.bincount(owner[own], minlength=len(before))[free]
    asked = np.bincount(owner[targets[1].positions], minlength=len(before))[free]
    assert (asked <= np.maximum(1, np.rint(0.5 * lengths))).all()
    assert asked.sum() > 0


def test_the_two_sides_share_a_head():
    objectives = FirstSideCompletion(vocabulary=ARRAYS), SecondSideCompletion(vocabulary=ARRAYS)
    assert len({each.name for each in objectives}) == 2
    assert len({each.head_name for each in objectives}) == 1
    assert replace(objectives[0], whole=0.1).whole == 0.1


@pytest.mark.parametrize(
    ("objective", "option", "what"),
    [(FirstSideCompletion, "whloe", "has no option 'whloe'"), (MaskedLanguageModel, "rates", "has no option 'rates'")],
)
def test_an_option_is_read_or_refused(objective, option, what):
    config = SimpleNamespace(recipe=RECIPES["modern"], lexicon=None)
    store = SimpleNamespace(vocabulary=ARRAYS)
    built = FirstSideCompletion.build(ObjectiveContext("completion_first", config, store, {"whole": "0.5"}))
    assert (built.whole, built.vocabulary) == (0.5, ARRAYS)
    with pytest.raises(BadInput, match=what):
        objective.build(ObjectiveContext(objective.name, config, store, {option: "1"}))


@pytest.mark.parametrize("side", [0, 1])
def test_a_sequence_of_one_side_teaches_its_own_completion_alone(side):
    """The shares of words alone and codes alone of VideoBERT: some tokens are masked, the others stay visible."""
    nothing, full = np.zeros(0, dtype=np.int64), pairs(50, most=6)
    alone = Pairs(full.words, [nothing] * 50) if side == 0 else Pairs([nothing] * 50, full.codes)
    before = PairedStream(alone, SequenceShares(), 50, 64, 0).batch(0)
    draw, chosen = np.random.default_rng(0), {"vocabulary": ARRAYS, "whole": 0.9}
    after, first = FirstSideCompletion(**chosen).prepare(before, draw)
    after, second = SecondSideCompletion(**chosen).prepare(after, draw)
    own, other = (first, second) if side == 0 else (second, first)
    assert len(other) == 0
    owner = np.repeat(np.arange(50), before.lengths)
    asked, there = (
        np.bincount(owner[chosen], minlength=50) for chosen in (own.positions, np.flatnonzero(before.ids >= len(ROLES)))
    )
    assert (asked >= 1).all()
    assert (asked[there > 1] < there[there > 1]).all()


@pytest.mark.parametrize("most", [1, 6])
def test_either_side_is_masked_whole_in_half_of_the_share_with_all_of_the_other_visible(most):
    """Also of captions of one word, of which a share of the tokens would always be the whole side."""
    before = PairedStream(pairs(2_000, 0, most=most), SequenceShares(), 2_000, 64, 0).batch(0)
    draw, chosen = np.random.default_rng(0), {"vocabulary": ARRAYS, "whole": 0.8}
    after, first = FirstSideCompletion(**chosen).prepare(before, draw)
    after, second = SecondSideCompletion(**chosen).prepare(after, draw)
    owner, drawn = np.repeat(np.arange(2_000), before.lengths), after.features["whole_side"]
    words_or_codes, judged = before.ids >= len(ROLES), np.repeat(before.labels >= 0, before.lengths)
    for side, own, other in ((0, first, second), (1, second, first)):
        assert abs((drawn[before.starts[:-1]] == side).mean() - 0.4) < 3 * np.sqrt(0.4 * 0.6 / 2_000)
        whole = np.flatnonzero((drawn == side) & (before.segments == side) & words_or_codes & ~judged)
        assert np.isin(whole, own.positions).all()
        assert (after.ids[whole] == MASK).all()
        assert not np.isin(owner[other.positions], owner[whole]).any()
