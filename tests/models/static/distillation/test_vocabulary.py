"""Which words a table holds."""

from pathlib import Path

from wordworth.models.static.distillation.vocabulary import Speller, count_words, frequent
from wordworth.text.tokenizer import Tokenizer

PIECES = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "caf", "##e", "the", "don", "'", "t", "3", "##s", "cat"]


def speller(folder: Path) -> Speller:
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    return Speller(Tokenizer.wordpiece(folder / "vocab.txt"))


def test_words_are_spelled_as_the_tables_tokenizer_meets_them(tmp_path):
    given = ["The", "Café", "cats", "don't", "3", "xyz", "the"]
    assert speller(tmp_path).spell(given) == ["the", "cafe", "cats", "", "", "", "the"]


def test_forms_are_counted_together_and_the_most_frequent_come_first(tmp_path):
    counts = count_words(iter(["The cat, the cats.", "Café café the"]), speller(tmp_path))
    assert counts == {"the": 3, "cat": 1, "cats": 1, "cafe": 2}
    assert frequent(counts, least=1, most=3) == ["the", "cafe", "cat"]
    assert frequent(counts, least=2, most=9) == ["the", "cafe"]
