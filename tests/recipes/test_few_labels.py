"""The rule of thumb for few labels is judged at every set and number of labels that was measured."""

from __future__ import annotations

import sys

import pytest

from few_labels import cells, judged, main
from wordworth.cli.scripts import run_script
from wordworth.errors import BadInput


def row(name, labels, rung, score):
    return {"set": name, "labels": labels, "rung": rung, "score": [score, score - 1, score + 1]}


ROWS = [
    row("trec", 8, "frozen", 60.0),
    row("trec", 8, "few-shot", 80.0),
    row("trec", 8, "fine-tuned", 70.0),
    row("trec", 8, "setfit", 99.0),
    row("trec", 128, "frozen", 80.0),
    row("trec", 128, "few-shot", 90.0),
    row("trec", 128, "fine-tuned", 92.5),
]


def test_the_rule_takes_setfit_up_to_80_labels_a_class_and_fine_tuning_above():
    rule = "few-shot for few labels, else fine-tune"
    assert [cell["policies"][rule] for cell in cells(ROWS)] == ["few-shot", "fine-tuned"]


def test_the_best_is_one_of_the_ladders_rungs():
    assert [cell["best"] for cell in cells(ROWS)] == ["few-shot", "fine-tuned"]


def test_regret_is_what_a_rule_falls_short_of_the_best_less_a_point():
    regrets = judged(ROWS)["regrets"]
    assert regrets["all"]["few-shot for few labels, else fine-tune"]["mean_regret"] == 0
    assert regrets["few"]["always fine-tune"]["mean_regret"] == pytest.approx(9.0)
    assert regrets["more"]["always few-shot"]["mean_regret"] == pytest.approx(1.5)
    assert regrets["all"]["always frozen"]["largest"] == pytest.approx(19.0)


def test_a_score_that_two_records_hold_is_refused_and_not_overwritten():
    with pytest.raises(BadInput, match="'frozen' on 'trec' with 8 labels a class was measured twice"):
        cells([*ROWS, row("trec", 8, "frozen", 61.0)])


def test_a_record_without_a_field_is_named_and_nothing_is_written(tmp_path, monkeypatch, capsys):
    record, out = tmp_path / "few_shot.json", tmp_path / "out.json"
    record.write_text('{"rows": [{"set": "trec", "rung": "frozen", "labels": 8}]}')
    monkeypatch.setattr(sys, "argv", ["few_labels.py", str(record), "--out", str(out)])
    with pytest.raises(SystemExit, match="2"):
        run_script(main)
    damaged = f"few_labels.py: {record}: this file is damaged: no field 'score' in rows[0]; give another record\n"
    assert capsys.readouterr().err == damaged
    assert not out.exists()
