"""Where data sets lie on this machine."""

from pathlib import Path

import pandas as pd
import pytest

from wordworth.errors import BadInput
from wordworth.tasks.formats.data_folders import DATA_VARIABLE, named_file, shared
from wordworth.text.file_formats.in_memory import as_file


def test_what_the_environments_folder_has_is_found_and_the_rest_is_none(monkeypatch, tmp_path):
    (tmp_path / "wordsets").mkdir()
    (tmp_path / "sts").mkdir()
    (tmp_path / "sts" / "pairs.tsv").write_text("")
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    assert shared("wordsets") == tmp_path / "wordsets"
    assert shared("sts/pairs.tsv") == tmp_path / "sts" / "pairs.tsv"
    assert shared("sts/others.tsv") is None
    for unset in (lambda: monkeypatch.setenv(DATA_VARIABLE, ""), lambda: monkeypatch.delenv(DATA_VARIABLE)):
        unset()
        assert shared("wordsets") is None


def test_a_file_of_the_users_a_table_in_memory_and_a_published_name_are_told_apart(monkeypatch, tmp_path):
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "en.tsv").write_text("")
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path))
    published = "trees/en.tsv"
    for name in ("en", Path("en")):  # the command line gives a path
        assert named_file(name, tmp_path / published, "trees") == tmp_path / published
    assert (
        named_file("mine.tsv", tmp_path / published, "trees").name == "mine.tsv"
    )  # its reader says that it is missing
    with as_file(pd.DataFrame({"text": ["a"]})) as table:
        assert named_file(table, tmp_path / "trees" / "none.tsv", "trees") == table
    with pytest.raises(BadInput, match="no trees 'fr'; give a file, or set WORDWORTH_DATA to a folder with"):
        named_file("fr", tmp_path / "trees" / "fr.tsv", "trees")
