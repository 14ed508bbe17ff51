"""`wordworth study relations` as a user meets it."""

import json

import pytest
from tests.cli.terminal import wordworth


def treebank(tmp_path):
    rows = [("the", 2, "det"), ("cat", 3, "nsubj"), ("sat", 0, "root")]
    block = ["\t".join([str(n), w, "_", "_", "_", "_", str(h), r, "_", "_"]) for n, (w, h, r) in enumerate(rows, 1)]
    path = tmp_path / "small.conllu"
    path.write_text("\n\n".join(["\n".join(block)] * 30) + "\n")
    return path


def test_a_treebank_makes_a_record_and_a_page(tmp_path):
    out = tmp_path / "run"
    options = ("--model", "mini", "--words", 5, "--draws", 100)
    done = wordworth("study", "relations", *options, "--treebank", treebank(tmp_path), "--out", out)
    assert done.code == 0, done.err
    assert "of its own" in done.out or "of their own" in done.out
    assert json.loads((out / "record.json").read_text())["kind"] == "relations"
    assert "layer 1" in (out / "report.html").read_text()


@pytest.mark.slow
def test_probes_are_a_flag_and_another_form_of_treebank_is_read(tmp_path):
    path, out = tmp_path / "dev.txt", tmp_path / "run"
    path.write_text("the 2-det\ncat 3-nsubj\nsat 0-root\n\n" * 24)
    options = ("--model", "mini", "--words", 5, "--draws", 100, "--treebank", path)
    done = wordworth("study", "relations", *options, "--probes", "--out", out)
    assert done.code == 0, done.err
    assert "Probes find, of all syntactic heads" in done.out
    assert "probe_differences" in json.loads((out / "record.json").read_text())["tables"]
    assert "The best probe" in (out / "report.html").read_text()
    path.write_text("the 2-det\ncat 3-nsubj\nsat\n")
    said = wordworth("study", "relations", *options, "--out", tmp_path / "none")
    assert said.code == 2
    assert "dev.txt, line 3" in said.err


def test_bad_input_is_one_line_and_nothing_is_written(tmp_path):
    said = wordworth("study", "relations", "--treebank", tmp_path / "none.conllu", "--out", tmp_path / "run")
    assert said.code == 2
    assert "none.conllu" in said.err
    assert not (tmp_path / "run").exists()
