"""`wordworth study attention` as a user meets it."""

import json

from tests.cli.terminal import wordworth


def test_a_text_makes_a_record_and_a_page_and_saved_maps_make_it_again(tmp_path):
    out, maps = tmp_path / "run", tmp_path / "maps.npz"
    command = ("study", "attention", "The cat sat.", "--model", "mini")
    done = wordworth(*command, "--save-maps", maps, "--out", out)
    assert done.code == 0, done.err
    assert "Special tokens receive" in done.out
    assert "Jain and Wallace" in done.out
    assert json.loads((out / "record.json").read_text())["kind"] == "attention"
    again = wordworth("study", "attention", "--arrays", maps, "--out", tmp_path / "again")
    assert again.code == 0, again.err
    assert "maps.npz" in (tmp_path / "again" / "report.html").read_text()


def test_bad_input_is_one_line_and_nothing_is_written(tmp_path):
    out = tmp_path / "run"
    for arguments, words in (
        ((), "got 0 texts"),
        (("",), "empty"),
        (("a", "b", "c"), "got 3 texts"),
        (("a", "--model", "nothing"), "nothing"),
        (("a", "--units", "letters"), "letters"),
        (("--arrays", tmp_path / "missing.npz"), "missing.npz"),
        (("--arrays", tmp_path / "maps.npz", "--model", "minilm"), "both arrays and a model are given"),
        (("--arrays", tmp_path / "maps.npz", "--model", "mini"), "both arrays and a model are given"),
    ):
        result = wordworth("study", "attention", *arguments, "--out", out)
        assert result.code == 2
        assert words in result.err
        assert not out.exists()
