"""What is masked together: every rule gives disjoint groups, and the fast draw is the plain one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.training.objectives.instances import CONTINUATIONS, SPECIALS, instances, texts
from tests.training.objectives.masking import reference

from wordworth.text.corpus.pretraining_sequences import Instances
from wordworth.training.objectives.masking.mask_sampling import Groups, Text, fill_quota, sample_groups, shuffled
from wordworth.training.objectives.masking.masking_units import SingleTokens, Spans, WholeWords
from wordworth.training.objectives.masking.phrases import Phrases

RULES = [SingleTokens(), WholeWords(), Spans(), Phrases(frozenset({(7, 8), (9, 130, 10), (7, 8, 9)}))]


def read(made: Instances) -> Text:
    return Text.read(made.ids, made.starts, SPECIALS, ~CONTINUATIONS[made.ids])


def sequences_of(made: Instances, groups: Groups) -> np.ndarray:
    return np.searchsorted(made.starts, groups.firsts, side="right") - 1


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
@given(given=texts(), seed=st.integers(0, 99))
def test_groups_hold_each_maskable_token_once_and_stay_within_a_sequence(rule, given, seed):
    made = instances(given)
    text = read(made)
    groups = rule.groups(text, np.random.default_rng(seed))
    places, owner = groups.tokens()
    assert np.array_equal(places, np.flatnonzero(text.maskable))
    assert (np.diff(owner) >= 0).all()
    assert np.array_equal(
        sequences_of(made, groups), sequences_of(made, Groups(groups.firsts + groups.lengths - 1, []))
    )


@given(given=texts())
def test_words_are_those_of_the_plain_form(given):
    made = instances(given)
    text = read(made)
    found = text.words()
    expected = []
    for start, end in zip(made.starts[:-1], made.starts[1:], strict=True):
        part = slice(start, end)
        inner = reference.words(text.maskable[part].tolist(), CONTINUATIONS[made.ids[part]].tolist())
        expected += [[start + place for place in word] for word in inner]
    assert [word[0] for word in expected] == found.firsts.tolist()
    assert [len(word) for word in expected] == found.lengths.tolist()


@given(
    lengths=st.lists(st.lists(st.integers(1, 9), max_size=30), min_size=1, max_size=8),
    room=st.integers(0, 30),
)
def test_groups_are_taken_one_after_another_and_those_that_do_not_fit_are_passed_over(lengths, room):
    bounds = np.cumsum([0, *map(len, lengths)])
    flat = np.array([length for sequence in lengths for length in sequence], dtype=np.int64)
    quota = np.array([(room + number) % 31 for number in range(len(lengths))])
    taken = fill_quota(flat, bounds, quota)
    for number, sequence in enumerate(lengths):
        places = np.split(np.arange(sum(sequence)), np.cumsum(sequence))[:-1]
        expected = reference.taken([part.tolist() for part in places], int(quota[number]))
        mine = taken[bounds[number] : bounds[number + 1]]
        chosen = [place for part, kept in zip(places, mine, strict=True) if kept for place in part.tolist()]
        assert chosen == expected


@given(counts=st.lists(st.integers(0, 40), min_size=1, max_size=8), seed=st.integers(0, 9))
def test_an_order_shuffles_each_sequence_within_itself(counts, seed):
    owner = np.repeat(np.arange(len(counts)), counts)
    order = shuffled(owner, np.random.default_rng(seed))
    assert np.array_equal(owner[order], owner)
    assert sorted(order) == list(range(len(owner)))


def test_every_place_of_an_order_is_equally_likely():
    rng = np.random.default_rng(0)
    first = np.bincount([shuffled(np.zeros(6, dtype=np.int64), rng)[0] for _ in range(6000)], minlength=6)
    assert np.abs(first - 1000).max() < 5 * np.sqrt(1000 * 5 / 6)


def test_a_word_longer_than_the_quota_is_never_masked():
    made = instances([[10, 130, 131, 132, 11]])
    text = read(made)
    groups = text.words()
    for seed in range(50):
        taken = sample_groups(groups, text.starts, np.array([1]), np.random.default_rng(seed))
        assert groups.take(taken).lengths.tolist() == [1]


def test_a_continuation_after_a_mark_begins_a_word_of_its_own():
    assert read(instances([([10, 11], [130, 131, 12])])).words().lengths.tolist() == [1, 1, 2, 1]


def test_spans_have_the_geometric_lengths_of_spanbert():
    made = instances([np.full(110, 9).tolist()] * 400)
    lengths = Spans().groups(read(made), np.random.default_rng(0)).lengths
    shares = np.bincount(lengths, minlength=11)[1:] / len(lengths)
    expected = 0.8 ** np.arange(10)
    assert lengths.max() == 10
    assert np.abs(shares - expected / expected.sum()).max() < 0.01
    assert lengths.mean() == pytest.approx(3.8, abs=0.1)


def test_phrases_are_found_longest_first_from_the_left_and_end_with_a_word():
    rule = Phrases(frozenset({(7, 8), (7, 8, 9), (9, 10), (50, 51)}))
    found = lambda ids: rule.groups(read(instances([ids])), np.random.default_rng(0))  # noqa: E731 - said once
    assert found([7, 8, 9, 10]).lengths.tolist() == [3, 1]
    assert found([6, 7, 8, 10]).lengths.tolist() == [1, 2, 1]
    assert found([7, 8, 130]).lengths.tolist() == [1, 2]  # the phrase would end in a word's middle
    assert found([9, 7, 8]).lengths.tolist() == [1, 2]
    assert found([50, 50, 51]).lengths.tolist() == [1, 2]


def test_a_phrase_does_not_run_over_the_end_of_its_sequence():
    made = instances([[7], [8]])
    bare = Instances(np.array([7, 8]), np.zeros(2, np.int64), np.array([0, 1, 2], np.int32), made.labels)
    assert Phrases(frozenset({(7, 8)})).groups(read(bare), np.random.default_rng(0)).lengths.tolist() == [1, 1]


@given(given=texts(30), phrases=st.lists(st.lists(st.integers(5, 12), min_size=2, max_size=4), min_size=1, max_size=9))
def test_phrases_are_those_of_a_search_word_by_word(given, phrases):
    given = [[5 + id_ % 8 if id_ < 120 else id_ for id_ in text] for text in given]
    wanted = frozenset(map(tuple, phrases))
    made = instances(given)
    text = read(made)
    firsts, lengths = [], []
    for start, end in zip(made.starts[:-1], made.starts[1:], strict=True):
        place = start
        while place < end:
            fitting = [
                len(phrase)
                for phrase in wanted
                if text.word_starts[place]
                and tuple(made.ids[place : min(place + len(phrase), end)]) == phrase
                and (place + len(phrase) == end or not CONTINUATIONS[made.ids[place + len(phrase)]])
            ]
            if fitting:
                firsts.append(place)
                lengths.append(max(fitting))
            place += max(fitting, default=1)
    found = Phrases(wanted).matches(text)
    assert found.firsts.tolist() == firsts
    assert found.lengths.tolist() == lengths
