"""Where data sets lie on this machine."""

from wordworth.tasks.formats.data_folders import DATA_VARIABLE, shared


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
