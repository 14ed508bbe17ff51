"""Words are counted in each corpus as they are, and mixed by the exponent of the corpora's sizes."""

from collections import Counter

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.text.corpus.sampling_shares import sampling_shares
from wordworth.text.subwords.word_counts import alphabet, mixed_counts, repeated_words, require_size


def test_counts_are_mixed_in_the_proportions_of_the_shares_and_none_is_raised():
    counted = [Counter({"aa": 600_000, "bb": 400_000}), Counter({"cc": 900, "dd": 100})]
    mixed = mixed_counts(counted, 0.7)
    assert (mixed["aa"] + mixed["bb"]) / (mixed["cc"] + mixed["dd"]) == pytest.approx(125.9, abs=0.05)
    assert mixed["cc"] == 900
    assert mixed["aa"] / mixed["bb"] == pytest.approx(1.5, rel=1e-3)
    assert mixed_counts(counted, 1.0) == counted[0] + counted[1]


@pytest.mark.parametrize("exponent", [0, 0.3, 0.7, 1])
def test_the_counts_of_a_vocabulary_have_the_shares_of_the_text(exponent):
    sizes = [900_000, 50_000, 7_000]
    counted = [Counter({f"{name}{half}": size // 2 for half in "12"}) for name, size in zip("abc", sizes, strict=True)]
    mixed = mixed_counts(counted, exponent)
    totals = [sum(number for word, number in mixed.items() if word.startswith(name)) for name in "abc"]
    np.testing.assert_allclose(np.array(totals) / sum(totals), sampling_shares(sizes, exponent), rtol=1e-3)


def test_an_alphabet_has_the_most_frequent_characters():
    assert alphabet(Counter({"aab": 10, "c": 1}), 0.9) == {"a", "b"}
    assert alphabet(Counter({"aab": 10, "c": 1}), 1) == {"a", "b", "c"}


def test_a_corpus_written_again_has_each_word_as_often():
    assert Counter(" ".join(repeated_words([("a", 2_345), ("b", 1)])).split()) == {"a": 2_345, "b": 1}


def test_a_size_is_refused_from_both_sides():
    require_size(300, 300, 20)
    with pytest.raises(BadInput, match="15 pieces do not hold the 20 special tokens"):
        require_size(20, 15, 20)
    with pytest.raises(BadInput, match="this corpus supports 250 pieces, not 300"):
        require_size(250, 300, 20)
