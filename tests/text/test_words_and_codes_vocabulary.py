"""One table of words and codes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wordworth.text.words_and_codes_vocabulary import ROLES, UNK, WordsAndCodesVocabulary


def test_words_come_by_frequency_then_alphabet_and_codes_after_them():
    vocabulary = WordsAndCodesVocabulary.of(["Two one two", "three!", "a"], 4, most=4)
    assert vocabulary.words == ("two", "!", "a", "one")
    (ids,) = vocabulary.word_ids(["TWO, three a"])
    assert ids.tolist() == [len(ROLES), UNK, UNK, len(ROLES) + 2]
    assert vocabulary.code_ids(np.array([0, 3])).tolist() == [len(ROLES) + 4, len(ROLES) + 7]
    assert vocabulary.size == len(ROLES) + 4 + 4


@given(st.lists(st.text(), min_size=1, max_size=5), st.integers(1, 50))
def test_no_id_is_beyond_the_table_and_words_and_codes_never_share_one(texts, codes):
    vocabulary = WordsAndCodesVocabulary.of(texts, codes, most=1_000)
    ids = np.concatenate(vocabulary.word_ids(texts))
    assert ((ids >= len(ROLES)) & (ids < vocabulary.first_code)).all()
    assert vocabulary.code_ids(np.array([codes - 1]))[0] == vocabulary.size - 1


def test_objectives_read_special_tokens_by_their_roles():
    arrays = WordsAndCodesVocabulary(("one",), 2).arrays()
    assert arrays.special.sum() == len(ROLES)
    assert arrays.special_ids["codes"] == ROLES.index("codes")
    assert arrays.word_starts.opens.all()
