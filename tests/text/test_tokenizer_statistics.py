"""How a tokenizer cuts texts, counted by hand."""

import pytest
from tests.training.pretraining.conftest import PIECES

from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_statistics import piece_counts


@pytest.fixture
def tokenizer(tmp_path):
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    return Tokenizer.wordpiece(tmp_path / "vocab.txt")


def test_pieces_words_and_unknown_words_are_counted(tokenizer):
    counts = piece_counts(tokenizer, ["the fox sees a quagga.", "the foxs"])
    assert counts.pieces.tolist() == [6, 3]
    assert counts.words.tolist() == [6, 2]
    assert counts.unknown.tolist() == [1, 0]
    assert counts.characters.tolist() == [18, 7]
    assert counts.per_word == 9 / 8


def test_no_texts_have_no_counts(tokenizer):
    assert piece_counts(tokenizer, []).pieces.shape == (0,)
