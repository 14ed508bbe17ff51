"""How a tokenizer cuts the words of sentences, and what is warned of."""

import pytest

from wordworth.studies.languages.word_split_warnings import piece_row, word_warnings
from wordworth.text.tokenizer import Tokenizer


@pytest.fixture
def tokenizer(tmp_path):
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\n##b")
    return Tokenizer.wordpiece(tmp_path / "vocab.txt")


def test_pieces_and_unknown_words_are_counted_over_all_words(tokenizer):
    row = piece_row(tokenizer, "en", [["a", "ab"], ["b", "ü"]])
    assert row == {"language": "en", "sentences": 2, "words": 4, "per_word": 5 / 4, "unknown": 1 / 4}


def test_unknown_words_and_few_sentences_are_warned_of():
    pieces = [{"language": "en", "unknown": 0.0}, {"language": "zh", "unknown": 0.61}]
    rows = [{"language": "en", "test": 500}, {"language": "zh", "test": 40}]
    unknown, few = word_warnings(pieces, rows)
    assert unknown.name == "warning.unknown_words.zh"
    assert unknown.text.startswith("61 % of the words in zh")
    assert few.numbers == {"languages": ["zh"]}
