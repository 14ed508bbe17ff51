"""Substrings are counted as a plain loop counts them."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from wordworth.text.subwords.frequent_substrings import frequent_substrings

WORDS = st.dictionaries(st.text("abか𝄞", min_size=1, max_size=7), st.integers(1, 9), min_size=1, max_size=8)


@given(WORDS, st.integers(1, 6), st.integers(1, 8))
def test_every_character_and_every_frequent_substring_is_counted(words, longest, least):
    counted = Counter()
    for word, number in words.items():
        for start in range(len(word)):
            for end in range(start + 1, min(len(word), start + longest) + 1):
                counted[word[start:end]] += number
    expected = {piece: number for piece, number in counted.items() if len(piece) == 1 or number >= least}
    assert dict(frequent_substrings(list(words), list(words.values()), longest, least)) == expected
