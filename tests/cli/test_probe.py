"""`wordworth probe` as a user meets it."""

import pytest
from tests.cli.terminal import wordworth
from tests.studies.layers.small_files import labelled, two_probes


@pytest.mark.slow
def test_a_probe_is_made_and_predicts(tmp_path):
    out = tmp_path / "kind"
    options = ("--model", "mini", "--limit", 100, "--draws", 100)
    done = wordworth("probe", *options, "--data", labelled(tmp_path), "--label", "kind", "--out", out)
    assert done.code == 0, done.err
    assert f"wordworth predict {out} INPUT" in done.out
    assert "ms a text up to layer" in done.out
    (tmp_path / "new.csv").write_text("text\nsaw the dog\nsaw the teacher\n")
    done = wordworth("predict", out, tmp_path / "new.csv", "--out", tmp_path / "answers.csv")
    assert done.code == 0, done.err
    lines = (tmp_path / "answers.csv").read_text().splitlines()
    assert ["pets" in lines[1], "people" in lines[2]] == [True, True]


@pytest.mark.slow
def test_several_probes_answer_in_one_call(tmp_path):
    folders, answers = two_probes(tmp_path), tmp_path / "answers.csv"
    (tmp_path / "new.csv").write_text("text\nsaw the dog\n")
    done = wordworth("predict", *folders, tmp_path / "new.csv", "--out", answers)
    assert done.code == 0, done.err
    assert "1 answer" in done.out
    head, row = (line.split(",") for line in answers.read_text().splitlines())
    values = dict(zip(head, row, strict=True))
    assert (values["kind_prediction"], values["swapped_prediction"]) == ("pets", "b")
    outcome = wordworth("predict", folders[0], tmp_path / "none", tmp_path / "new.csv", "--out", answers)
    assert (outcome.code, "no such folder" in outcome.err) == (2, True)


def test_data_are_needed_and_a_model_of_something_else_is_not_replaced(tmp_path):
    said = wordworth("probe", "--out", tmp_path / "run")
    assert said.code == 2
    assert "give a file with --data" in said.err
    (tmp_path / "mine" / "model").mkdir(parents=True)
    said = wordworth("probe", "--data", labelled(tmp_path), "--label", "kind", "--out", tmp_path / "mine")
    assert said.code == 2
    assert "a folder `model` that no study wrote" in said.err
