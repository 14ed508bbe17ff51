from __future__ import annotations

import json
import lzma
import os
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.corpus.made_up import CLS, SEP, document_of, documents, drawn_documents, store_of
from tests.text.corpus.samplers.plain_original import plain_pass

from wordworth.errors import BadInput
from wordworth.text.corpus.pretraining_sequences import gather
from wordworth.text.corpus.samplers.bert_pairs import BertPairs
from wordworth.text.corpus.token_store import build_store
from wordworth.training.objectives.mlm import MaskedLanguageModel, Rates


def planned(store, number=0, **choices):
    plan = BertPairs(store=store, **choices).plan(number)
    return plan, gather(store, plan.first, plan.second, plan.labels)


@given(documents(), st.integers(5, 70), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_every_sequence_is_cls_a_sep_b_sep_and_fits(given_documents, length, number):
    store = store_of(given_documents)
    _, instances = planned(store, number, length=length)
    assert instances.lengths.max() <= length
    for row in range(len(instances)):
        one = instances.take(np.array([row]))
        marks = np.flatnonzero(one.ids == SEP)
        assert one.ids[0] == CLS
        assert (one.ids == CLS).sum() == 1
        assert len(marks) == 2
        assert marks[0] >= 2
        assert marks[1] - marks[0] >= 2  # both texts have a token
        assert marks[1] == len(one.ids) - 1
        assert one.segments.tolist() == [0] * (marks[0] + 1) + [1] * (len(one.ids) - marks[0] - 1)
        assert one.labels[0] in (0, 1)


@given(documents(), st.integers(5, 70))
@settings(max_examples=40, deadline=None)
def test_a_second_text_that_follows_is_of_the_same_document_and_comes_later(given_documents, length):
    store = store_of(given_documents)
    plan, _ = planned(store, length=length)
    for (begin, end), (after, last), label in zip(plan.first, plan.second, plan.labels, strict=True):
        assert document_of(store, begin) == document_of(store, end - 1)
        assert document_of(store, after) == document_of(store, last - 1)
        if label == 0:
            assert document_of(store, begin) == document_of(store, after)
            assert end <= after


@given(st.integers(2, 6), st.integers(0, 5))
@settings(max_examples=20, deadline=None)
def test_a_document_of_one_sentence_gives_one_sequence_with_a_random_text(count, number):
    store = store_of([[9]] * count)
    plan, _ = planned(store, number, length=32)
    assert len(plan) == count
    assert (plan.labels == 1).all()
    assert sorted(document_of(store, begin) for begin in plan.first[:, 0]) == list(range(count))


@given(st.lists(st.integers(1, 40), min_size=1, max_size=20), st.integers(5, 70))
@settings(max_examples=40, deadline=None)
def test_passes_over_one_document_use_it_as_the_random_one_and_end(sentences, length):
    store = store_of([sentences])
    for number in range(2):
        plan, _ = planned(store, number, length=length)
        assert len(plan) > 0
        assert all(document_of(store, token) == 0 for pair in (plan.first, plan.second) for token in pair[:, 0])
        assert (np.diff(plan.second) > 0).all()
        assert plan.labels[plan.second[:, 0] < plan.first[:, 1]].all()  # what does not follow is random


def test_one_document_gives_random_texts_of_its_own_beside_those_that_follow():
    store = store_of([[7, 9, 4, 12, 30, 3] * 20])
    labels = np.concatenate([planned(store, number, length=24)[0].labels for number in range(4)])
    assert 0.5 < labels.mean() < 0.9


def test_a_random_text_is_of_another_document_wherever_there_is_another():
    store = store_of(drawn_documents(1, 12))
    own = other = 0
    for number in range(20):
        plan, _ = planned(store, number)
        for (begin, _), (after, _), label in zip(plan.first, plan.second, plan.labels, strict=True):
            same = document_of(store, begin) == document_of(store, after)
            own += bool(label) and same
            other += bool(label) and not same
    assert own == 0  # ten draws of twelve documents hit the own one every time once in 10 ** 10
    assert other > 500


def test_all_sentences_are_read_as_a_first_or_a_following_text():
    store = store_of(drawn_documents(2, 20, longest=20))
    plan, _ = planned(store, length=512, short_share=0.0)
    seen = np.zeros(len(store.ids), dtype=bool)
    for (begin, end), (after, last), label in zip(plan.first, plan.second, plan.labels, strict=True):
        seen[begin:end] = True
        if label == 0:
            seen[after:last] = True
    cut = 1 - seen.mean()
    assert cut < 0.02  # what is cut off to fit is all that is lost


@pytest.mark.parametrize("short_share", [0.0, 0.1, 1.0])
def test_the_plain_generator_gives_the_same_shares(short_share):
    shapes = drawn_documents(3, 300)
    store = store_of(shapes)
    plain = [
        [store.ids[a:b].tolist() for a, b in pairwise(bounds)]
        for begin, end in pairwise(store.documents)
        for bounds in [store.sentences[begin : end + 1]]
    ]
    draw = random.Random(0)
    slow = [plain_pass(plain, 128, short_share, draw) for _ in range(6)]
    fast = [planned(store, number, short_share=short_share)[0] for number in range(6)]
    found = shares([pair for one in slow for pair in one])
    sizes = [
        (range(a, b), range(c, d), label)
        for one in fast
        for (a, b), (c, d), label in zip(one.first, one.second, one.labels, strict=True)
    ]
    expected = shares(sizes)
    np.testing.assert_allclose(found[0], expected[0], rtol=0.03)  # sequences
    np.testing.assert_allclose(found[1:], expected[1:], rtol=0.05)


def shares(pairs):
    """Sequences, share of random texts, mean tokens of first and second text, share of full sequences."""
    first, second = (np.array([len(pair[side]) for pair in pairs]) for side in (0, 1))
    full = (first + second == 125).mean()
    return np.array([len(pairs), np.mean([pair[2] for pair in pairs]), first.mean(), second.mean(), full + 1])


@given(st.integers(0, 4), st.integers(0, 4))
@settings(max_examples=10, deadline=None)
def test_a_pass_is_a_function_of_seed_and_number(seed, number):
    store = store_of(drawn_documents(4, 30))
    once, again = planned(store, number, seed=seed)[0], planned(store, number, seed=seed)[0]
    other = planned(store, number + 1, seed=seed)[0]
    assert np.array_equal(once.first, again.first)
    assert np.array_equal(once.second, again.second)
    assert not np.array_equal(once.first[:50], other.first[:50])


def test_a_length_that_holds_no_pair_is_refused():
    with pytest.raises(BadInput, match="room for 1"):
        planned(store_of([[3, 3]]), length=4)


@pytest.fixture(scope="module")
def brown(tmp_path_factory, minilm):
    """The Brown documents of the general corpora, by BERT's own vocabulary."""
    data = os.environ.get("WORDWORTH_CORPORA")
    folder = Path(data) if data else Path(__file__).parents[5] / "shared" / "corpora"
    if not (folder / "general_misc.jsonl.xz").exists():
        pytest.skip("needs general_misc.jsonl.xz, with the Brown corpus; set WORDWORTH_CORPORA to its folder")
    with lzma.open(folder / "general_misc.jsonl.xz", "rt", encoding="utf-8") as file:
        texts = [row["text"] for row in map(json.loads, file) if row["source"].startswith("brown")]
    path = tmp_path_factory.mktemp("brown") / "brown.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return build_store(path, minilm, path.parent / "store")


def predicted_over_length(store, plan, most):
    """The share of a pass's tokens that masking asks for."""
    made = gather(store, plan.first, plan.second, plan.labels)
    objective = MaskedLanguageModel(vocabulary=store.vocabulary, rates=Rates(most=most))
    _, targets = objective.prepare(made, np.random.default_rng(0))
    return len(targets) / len(made.ids)


@pytest.mark.parametrize("number", range(6))
def test_every_pass_over_brown_gives_the_published_shares(brown, number):
    """The published counts are of 1,292,818 pieces; this copy of the corpus has a little less text."""
    plan = BertPairs(store=brown, seed=5).plan(number)
    assert 13_600 <= len(plan) * 1_292_818 / len(brown.ids) <= 14_500
    assert 0.515 <= plan.labels.mean() <= 0.555
    assert predicted_over_length(brown, plan, most=20) == pytest.approx(0.1486, abs=0.0005)


def test_passes_over_brown_fill_their_sequences_as_published(brown):
    length, plans = 128, [BertPairs(store=brown, seed=5).plan(number) for number in range(6)]
    together = np.concatenate([3 + np.diff(plan.first).ravel() + np.diff(plan.second).ravel() for plan in plans])
    assert together.mean() / length == pytest.approx(0.915, abs=0.015)
    assert (together == length).mean() == pytest.approx(0.81, abs=0.03)
    assert np.mean(np.concatenate([np.diff(plan.first) for plan in plans])) == pytest.approx(53.7, abs=1.5)
    assert np.mean(np.concatenate([np.diff(plan.second) for plan in plans])) == pytest.approx(59.2, abs=1.5)


PUBLISHED = [  # length, short share, most predictions; shares of random texts, fill, predicted over length
    (64, 0.1, 10, (0.54, 0.565), (0.955, 0.98), 0.156),
    (128, 0.0, 20, (0.49, 0.52), (0.985, 0.996), 0.149),
    (512, 0.1, 77, (0.51, 0.56), (0.74, 0.84), 0.150),
    (512, 0.1, 20, (0.51, 0.56), (0.74, 0.84), 0.047),
]


@pytest.mark.parametrize("row", PUBLISHED)
def test_brown_gives_the_published_shares_at_other_lengths(brown, row):
    length, short_share, most, random_share, fill, predicted_share = row
    plans = [BertPairs(store=brown, length=length, short_share=short_share).plan(number) for number in range(4)]
    sizes = np.concatenate([3 + np.diff(plan.first).ravel() + np.diff(plan.second).ravel() for plan in plans])
    assert random_share[0] <= np.mean([plan.labels.mean() for plan in plans]) <= random_share[1]
    assert fill[0] <= sizes.mean() / length <= fill[1]
    assert predicted_over_length(brown, plans[0], most) == pytest.approx(predicted_share, abs=0.002)
