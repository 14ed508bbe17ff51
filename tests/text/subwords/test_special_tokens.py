"""The marks around texts are BERT's for each algorithm."""

import pytest
from tests.text.subwords.conftest import ALGORITHMS


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_texts_and_pairs_stand_between_berts_marks(trained, algorithm):
    tokenizer = trained[algorithm].tokenizer
    assert tokenizer.special_ids == {"pad": 0, "unk": 1, "cls": 2, "sep": 3, "mask": 4}
    (pair,) = tokenizer.encode(["bako"], ["ti"])
    assert pair.ids[0] == 2
    assert (pair.ids == 3).sum() == 2
    assert pair.segments.tolist() == sorted(pair.segments.tolist())
    assert pair.segments[-1] == 1
    assert (tokenizer.prefix, tokenizer.suffix) == (1, 1)
