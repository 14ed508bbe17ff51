"""`wordworth kg link` from the command line: what it prints, and its errors."""

import pytest
from click.testing import CliRunner

from wordworth.cli.kg_link import command
from wordworth.errors import BadInput


def run(*arguments):
    return CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)


def test_it_says_how_many_mentions_were_linked(tmp_path):
    (tmp_path / "rows.csv").write_text("text\nin London\nshe ran\n")
    (tmp_path / "links.tsv").write_text("row\tstart\tend\tentity\n0\t3\t9\tQ1\n")
    result = run(tmp_path / "rows.csv", tmp_path / "links.tsv", "--out", tmp_path / "linked.jsonl")
    assert "2 rows, 1 mention of 1 entity\n" in result.output
    assert "[[Q1|London]]" in (tmp_path / "linked.jsonl").read_text()


def test_the_input_is_not_overwritten(tmp_path):
    (tmp_path / "rows.csv").write_text("text\nin London\n")
    with pytest.raises(BadInput, match="would overwrite the input"):
        run(tmp_path / "rows.csv", tmp_path / "rows.csv", "--out", tmp_path / "rows.csv")
