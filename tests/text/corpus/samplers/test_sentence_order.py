from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.text.corpus.made_up import document_of, documents, drawn_documents, store_of

from wordworth.text.corpus.samplers.sentence_order import SentenceOrderPairs


@given(documents(), st.integers(5, 70), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_the_two_texts_of_a_pair_follow_each_other_in_one_document(given_documents, length, number):
    store = store_of(given_documents)
    plan = SentenceOrderPairs(store=store, length=length).plan(number)
    for (begin, end), (after, last), label in zip(plan.first, plan.second, plan.labels, strict=True):
        assert end - begin + last - after + 3 <= length
        assert begin < end
        if label == -1:
            assert after == last
            continue
        earlier, later = ((begin, end), (after, last))[:: -1 if label else 1]
        assert earlier[1] <= later[0]
        assert after < last
        assert document_of(store, begin) == document_of(store, after)


def test_half_of_the_pairs_are_swapped():
    plan = SentenceOrderPairs(store=store_of(drawn_documents(0, 400))).plan(0)
    paired = plan.labels[plan.labels >= 0]
    assert abs((paired == 1).mean() - 0.5) < 0.05


def test_only_a_sentence_that_stands_alone_has_no_second_text():
    plan = SentenceOrderPairs(store=store_of([[5]] * 9 + [[4, 4]] * 7)).plan(0)
    assert (plan.labels == -1).sum() == 9
    assert np.diff(plan.first[plan.labels == -1]).ravel().tolist() == [5] * 9
