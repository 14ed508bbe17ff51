"""Sentences are read once, from a file or from the shared ones."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.contextuality import study as whole
from wordworth.studies.contextuality.read_sentences import read_sentences


def test_sentences_are_read_once_and_their_repetitions_counted(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("\n".join([f"sentence {n}" for n in range(12)] * 3) + "\n\n  \n")
    read = read_sentences(path, "text", None, 0)
    assert len(read.texts) == 12
    assert read.total == 36
    some = read_sentences(path, "text", 10, 0)
    assert len(some.texts) == 10
    assert (some.total, some.rows, read.rows) == (30, 36, 36)
    assert whole.describe_sentences(some)["sources"][0]["rows"] == 36  # of the file, however few were drawn
    assert set(some.texts) < set(read.texts)


def test_one_sentence_again_and_again_is_one_different_sentence(tmp_path):
    (tmp_path / "same.txt").write_text("The same sentence again.\n" * 20)
    with pytest.raises(BadInput, match="1 different sentence is too few"):
        read_sentences(tmp_path / "same.txt", "text", None, 0)


def test_the_shared_sentences_need_their_folder(monkeypatch):
    monkeypatch.delenv("WORDWORTH_DATA", raising=False)
    with pytest.raises(BadInput, match=r"set WORDWORTH_DATA.*docs/data\.md"):
        read_sentences("sts", "text", None, 0)


def test_the_shared_sentences_are_both_sides_of_each_pair_packed_or_not(monkeypatch, tmp_path):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    (tmp_path / "sts").mkdir()
    rows = ["score\tsentence1\tsentence2", *(f'1\tleft {n}\tright "{n}' for n in range(6))]
    (tmp_path / "sts" / "sts_2012_2016.tsv").write_text("\n".join(rows))
    assert set(read_sentences("sts", "text", None, 0).texts) >= {"left 0", 'right "5'}


def test_a_misspelt_name_of_a_data_set_is_answered_with_the_likeliest_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="no data set or file 'coarswsd'; did you mean 'coarsewsd'"):
        read_sentences("coarswsd", "text", None, 0)
