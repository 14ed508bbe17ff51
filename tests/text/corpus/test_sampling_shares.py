from __future__ import annotations

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.seeds import child
from wordworth.text.corpus.sampling_shares import require_several, sampling_shares

SIZES = child(0, "sizes").integers(1, 10_000, size=12)


def test_an_exponent_of_1_keeps_the_proportions_and_0_draws_all_equally_often():
    np.testing.assert_allclose(sampling_shares(SIZES, 1), SIZES / SIZES.sum(), rtol=1e-12)
    np.testing.assert_allclose(sampling_shares(SIZES, 0), 1 / len(SIZES), rtol=1e-12)


def test_a_thousand_to_one_becomes_126_to_one_at_multilingual_bert_s_exponent():
    large, small = sampling_shares([1_000, 1], 0.7)
    assert large / small == pytest.approx(125.9, abs=0.05)


@pytest.mark.parametrize("exponent", [0.3, 0.7, 1.0])
def test_shares_add_up_to_1_and_a_larger_corpus_keeps_the_larger_share(exponent):
    shares = sampling_shares(SIZES, exponent)
    assert shares.sum() == pytest.approx(1, abs=1e-12)
    assert np.array_equal(np.argsort(shares, kind="stable"), np.argsort(SIZES, kind="stable"))


def test_a_single_corpus_has_nothing_to_be_mixed_with():
    require_several(1.0, 1)
    require_several(0.7, 2)
    with pytest.raises(BadInput, match="mixes several corpora, and only one is given"):
        require_several(0.7, 1)
