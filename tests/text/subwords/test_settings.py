"""Which settings a vocabulary can be trained with."""

import pytest

from wordworth.errors import BadInput
from wordworth.text.subwords.settings import TokenizerSettings


def test_the_smallest_vocabulary_has_a_piece_beside_the_special_tokens():
    assert TokenizerSettings(size=6).size == 6
    with pytest.raises(BadInput, match=r"size. 5 is out of range") as error:
        TokenizerSettings(size=5)
    assert "five of them are special tokens" in error.value.mend


@pytest.mark.parametrize("coverage", [0, -0.1, 1.01, float("nan")])
def test_a_share_of_characters_is_above_0_and_at_most_1(coverage):
    with pytest.raises(BadInput, match=r"coverage. .* is out of range; give more than 0 and at most 1"):
        TokenizerSettings(coverage=coverage)
    assert TokenizerSettings(coverage=1).coverage == 1


@pytest.mark.parametrize("values", [{"size": 100.5}, {"size": "8000"}, {"least": 0}])
def test_counts_are_whole_numbers_from_1_on(values):
    with pytest.raises(BadInput):
        TokenizerSettings(**values)


def test_only_wordpiece_is_uncased_by_itself():
    assert TokenizerSettings().uncased
    assert not TokenizerSettings(algorithm="byte-level").uncased
    assert not TokenizerSettings(lowercase=False).uncased
    assert TokenizerSettings(algorithm="unigram", lowercase=True).uncased
    with pytest.raises(BadInput, match="no algorithm 'bpe'"):
        TokenizerSettings(algorithm="bpe")
