from __future__ import annotations

import numpy as np
import pytest
from tests.text.families import byte_pairs

from wordworth.errors import BadInput
from wordworth.text.corpus.vocabulary_info import Vocabulary
from wordworth.text.tokenizer import Tokenizer


def test_the_facts_of_a_vocabulary(small):
    facts = Vocabulary.of(small)
    assert facts.vocab_size == small.vocab_size
    assert {role: facts.special_ids[role] for role in ("pad", "unk", "cls", "sep", "mask")} == {
        "pad": 0, "unk": 1, "cls": 2, "sep": 3, "mask": 4,
    }  # fmt: skip
    assert np.flatnonzero(facts.special).tolist() == [0, 1, 2, 3, 4]
    for index in range(facts.vocab_size):
        assert facts.continuations[index] == small.token(index).startswith("##")
    assert facts.fingerprint == small.fingerprint


def test_a_tokenizer_without_the_marks_of_a_sequence_is_refused(tmp_path):
    with pytest.raises(BadInput, match="no cls token"):
        Vocabulary.of(Tokenizer.read(byte_pairs(tmp_path, ["<|endoftext|>"])))
