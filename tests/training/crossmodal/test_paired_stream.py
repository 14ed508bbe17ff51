"""The sequences of updates: their shares, thinned codes, and pairs that do not belong together."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.training.crossmodal.made_up import VOCABULARY, pairs

from wordworth.text.words_and_codes_vocabulary import CODES
from wordworth.training.crossmodal.paired_stream import PairedStream, SequenceShares, other_than
from wordworth.training.crossmodal.sequences import Pairs

OWN = pairs(60)


def stream(shares=None, seed=0):
    return PairedStream(OWN, shares or SequenceShares(), 60, 64, seed)


def parts(made):
    """Words and codes of each sequence, as lists of ids; None for a side that is left out."""
    for ids in np.split(made.ids, made.starts[1:-1]):
        words = [each for each in ids.tolist() if VOCABULARY.first_code > each > CODES]
        yield words or None, ids[ids >= VOCABULARY.first_code].tolist() if CODES in ids else None


@settings(deadline=None, max_examples=10)
@given(st.integers(0, 1_000), st.integers(0, 20))
def test_labels_say_whether_codes_are_those_of_the_words(seed, step):
    made = stream(seed=seed).batch(step)
    for (words, codes), label in zip(parts(made), made.labels.tolist(), strict=True):
        belong = [each + len(VOCABULARY.words) for each in words for _ in range(2)] == codes
        assert belong == (label != 1)
    assert {0, 1, -1} == set(made.labels.tolist())


def test_shares_are_those_of_the_regimes():
    many = [part for step in range(20) for part in parts(stream(SequenceShares(words=0.3, codes=0.2)).batch(step))]
    alone = [(codes is None, words is None) for words, codes in many]
    shares = np.mean(alone, axis=0)
    assert np.abs(shares - [0.3, 0.2]).max() < 0.05


def test_codes_are_thinned_to_each_rth_and_never_to_none():
    steps = [parts(stream(SequenceShares(codes=0.999, subsampling=5)).batch(step)) for step in range(5)]
    lengths = [len(codes) for step in steps for _, codes in step]
    assert min(lengths) == 1
    assert max(lengths) == 4


def test_a_step_is_the_same_at_every_call_and_each_pass_reads_every_pair_once():
    first, again = (stream().batch(3) for _ in range(2))
    assert np.array_equal(first.ids, again.ids)
    assert stream().steps_per_pass == 1
    words = sorted(tuple(own) for own, _ in parts(stream().batch(0)))
    assert words == sorted(tuple(ids.tolist()) for ids in OWN.words)


def test_another_pair_has_other_words_where_there_are_any():
    draw = np.random.default_rng(0)
    others = [other_than(OWN, 0, draw) for _ in range(50)]
    assert all(not np.array_equal(OWN.words[other], OWN.words[0]) for other in others)
    same = OWN.take(np.zeros(3, dtype=np.int64))
    assert other_than(same, 0, draw) in {1, 2}


def test_words_and_codes_alone_are_read_so_and_never_stand_in_a_judged_pair():
    nothing = np.zeros(0, dtype=np.int64)
    words, codes = OWN.words[:20], OWN.codes[:20]
    mixed = Pairs([*words, *[nothing] * 20, *OWN.words[20:]], [*[nothing] * 20, *codes, *OWN.codes[20:]])
    assert mixed.whole.tolist() == list(range(40, 80))
    made = PairedStream(mixed, SequenceShares(), 80, 64, 0)
    for step in range(3):
        batch = made.batch(step)
        sides = [(own is not None, other is not None) for own, other in parts(batch)]
        assert [sides.count(alone) for alone in ((True, False), (False, True), (True, True))] == [20, 20, 40]
        assert all(side == (True, True) for side, label in zip(sides, batch.labels.tolist(), strict=True) if label >= 0)
    others = {other_than(mixed, 40, np.random.default_rng(seed)) for seed in range(50)}
    assert others <= set(range(41, 80))
