"""What all samplers of pairs share, by one that keeps the runs of sentences as they are."""

from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.text.corpus.made_up import documents, drawn_documents, store_of

from wordworth.text.corpus.samplers.base import Pass
from wordworth.text.corpus.samplers.sentence_pairs import SentencePairs


@dataclass(frozen=True, kw_only=True)
class Runs(SentencePairs):
    """The runs themselves, not cut: its first text is the sentences to the middle, its second those after it."""

    stream = "runs"
    min_sentences = 2
    has_random_texts = False

    def _texts(self, runs, targets, room, rng):  # noqa: ARG002 - a sampler
        bounds = self.store.sentences
        first = np.stack([bounds[runs.begin], bounds[runs.middle]], axis=1)
        second = np.stack([bounds[runs.middle], bounds[runs.end]], axis=1)
        return Pass(first, second, targets[runs.document])


class WithRandom(Runs):
    stream = "with random"
    has_random_texts = True

    def _texts(self, runs, targets, room, rng):
        return Pass(*super()._texts(runs, targets, room, rng).texts.transpose(1, 0, 2), runs.random)


def in_order(plan):
    return plan.take(np.argsort(plan.first[:, 0], kind="stable"))


@given(given_documents=documents(), length=st.integers(5, 70), number=st.integers(0, 3))
def test_without_random_texts_every_token_is_in_one_pair_of_neighbouring_runs(given_documents, length, number):
    store = store_of(given_documents)
    plan = in_order(Runs(store=store, length=length).plan(number))
    edges = [edge for pair in plan.texts.tolist() for edge in (*pair[0], *pair[1])]
    assert edges == sorted(edges)
    assert edges[0] == 0
    assert edges[-1] == len(store.ids)
    assert (plan.first[:, 1] == plan.second[:, 0]).all()
    assert (plan.second[:-1, 1] == plan.first[1:, 0]).all()


@given(given_documents=documents(), length=st.integers(5, 70))
def test_a_chunk_ends_with_the_sentence_that_fills_its_target_or_with_its_document(given_documents, length):
    store = store_of(given_documents)
    plan = in_order(Runs(store=store, length=length, short_share=0.5).plan(0))
    ends = set(store.document_tokens.tolist())
    for (begin, _), (_, end), target in zip(plan.first, plan.second, plan.labels, strict=True):
        sentences = store.sentences[(store.sentences > begin) & (store.sentences < end)]
        before_the_last = sentences[-1] - begin if len(sentences) else 0
        assert before_the_last < target or len(sentences) == 1  # two sentences at least
        assert end - begin >= target or end in ends


def test_after_a_random_second_text_the_walk_goes_on_at_the_sentences_that_were_left():
    store = store_of(drawn_documents(1, 60))
    plan = in_order(WithRandom(store=store).plan(0))
    follows = plan.labels[:-1] == 0
    assert (plan.first[1:, 0][follows] == plan.second[:-1, 1][follows]).all()
    assert (plan.first[1:, 0][~follows] == plan.first[:-1, 1][~follows]).all()
    assert 0.4 < plan.labels.mean() < 0.75  # a fair coin, and each sentence that stands alone


def test_a_pass_is_that_of_its_seed_its_number_and_the_sampler():
    store = store_of(drawn_documents(2, 30))
    plans = [
        sampler(store=store, seed=seed).plan(number).first.tolist()
        for sampler, seed, number in ((Runs, 0, 0), (Runs, 0, 0), (Runs, 1, 0), (Runs, 0, 1), (WithRandom, 0, 0))
    ]
    assert plans[0] == plans[1]
    assert all(plan != plans[0] for plan in plans[2:])


def test_so_many_documents_have_shorter_targets():
    store = store_of([[3, 3]] * 2_000)
    targets = Runs(store=store, length=128, short_share=0.25).plan(0).labels
    assert targets.max() == 125
    assert abs((targets < 125).mean() - 0.25) < 0.04
    assert targets.min() >= 2
    assert (Runs(store=store, length=128, short_share=0.0).plan(0).labels == 125).all()
