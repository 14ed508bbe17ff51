"""`wordworth tokenizer`: a folder of text becomes a folder that every BERT library loads."""

import json

from tests.cli.terminal import wordworth

from wordworth.text.tokenizer import Tokenizer


def corpus(folder):
    folder.mkdir()
    (folder / "one.txt").write_text("The cat sat on the mat. The cat ate. " * 5)
    rows = [json.dumps({"text": f"The dog number {number} ate on the mat."}) for number in range(20)]
    (folder / "two.jsonl").write_text("\n".join(rows))
    return folder


def test_a_folder_of_text_becomes_a_tokenizer(tmp_path):
    done = wordworth("tokenizer", corpus(tmp_path / "corpus"), "--size", 120, "--out", tmp_path / "tok")
    assert done.code == 0
    assert "120 pieces" in done.out
    assert "words" in done.out
    trained = Tokenizer.read(tmp_path / "tok")
    assert trained.vocab_size == 120
    assert trained.lowercase


def test_cased_keeps_upper_case(tmp_path):
    done = wordworth("tokenizer", corpus(tmp_path / "corpus"), "--size", 150, "--cased", "--out", tmp_path / "tok")
    assert done.code == 0
    assert not Tokenizer.read(tmp_path / "tok").lowercase


def test_more_pieces_than_the_text_supports_is_one_line(tmp_path):
    done = wordworth("tokenizer", corpus(tmp_path / "corpus"), "--size", 30000, "--out", tmp_path / "tok")
    assert done.code == 2
    assert done.err.splitlines()[-1].startswith("wordworth: this corpus supports ")
    assert "Traceback" not in done.err
    assert not (tmp_path / "tok").exists()


def test_an_empty_folder_is_one_line(tmp_path):
    (tmp_path / "corpus").mkdir()
    done = wordworth("tokenizer", tmp_path / "corpus", "--out", tmp_path / "tok")
    assert done.code == 2
    assert "no file in this folder" in done.err
