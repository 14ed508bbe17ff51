"""The tokenizer of a static table."""

import json

from wordworth.text.derived_tokenizers import is_wordpiece, table_tokenizer
from wordworth.text.tokenizer import Tokenizer

PIECES = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "play", "##ing", "##s", "a"]


def written(folder, text):
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")
    return Tokenizer.read(folder / "tokenizer.json")


def test_entries_are_found_whole_and_other_words_in_pieces(tmp_path):
    (tmp_path / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    made = written(tmp_path, table_tokenizer(Tokenizer.wordpiece(tmp_path / "vocab.txt"), ["playing", *PIECES[4:]]))
    assert is_wordpiece(made)
    (ids,) = made.ids(["Playing plays xyz"])
    assert ids.tolist() == [1, 2, 4, 0]  # no special tokens around a text; what is unknown is row 0


def test_without_wordpiece_text_is_cut_at_blanks_and_marks(tmp_path):
    model = {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": [], "unk_token": None, "byte_fallback": False}
    bare = {"version": "1.0", "added_tokens": [], "model": model, "normalizer": None, "pre_tokenizer": None}
    other = written(tmp_path, json.dumps(bare))
    made = written(tmp_path, table_tokenizer(other, ["cat", "Cat"]))
    assert made.ids(["Cat, cat dog"])[0].tolist() == [2, 0, 1, 0]
