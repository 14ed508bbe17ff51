"""A text on a command line is itself, or a file's content."""

from wordworth.cli.text_argument import text_of


def test_a_file_is_read_and_anything_else_is_the_text(tmp_path):
    (tmp_path / "a.txt").write_text("The cat sat.", encoding="utf-8")
    assert text_of(str(tmp_path / "a.txt")) == "The cat sat."
    assert text_of("The cat sat.") == "The cat sat."
    assert text_of("") == ""
