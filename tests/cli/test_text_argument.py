"""A text on a command line is itself, or a file's content."""

import pytest

from wordworth.cli.text_argument import text_of
from wordworth.errors import BadInput


def test_a_file_is_read_and_anything_else_is_the_text(tmp_path):
    (tmp_path / "a.txt").write_text("The cat sat.", encoding="utf-8")
    assert text_of(str(tmp_path / "a.txt")) == "The cat sat."
    assert text_of("The cat sat.") == "The cat sat."
    assert text_of("") == ""
    assert text_of("word " * 80) == "word " * 80
    assert text_of("好" * 3_000) == "好" * 3_000


def test_a_mistyped_file_or_a_folder_is_not_taken_for_a_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match=r"missing\.txt: there is no such file"):
        text_of("missing.txt")
    with pytest.raises(BadInput, match="this is a folder, not a text"):
        text_of("folder")
    assert text_of("It is in notes.txt") == "It is in notes.txt"
