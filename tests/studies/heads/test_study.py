"""The study from a fine-tuned folder and labelled rows to a record, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from tests.inference.tuned_model import labelled_rows, write_tuned
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.prune import prune


def test_every_head_layer_order_and_smaller_model_has_a_row(record):
    tables = {name: table.rows() for name, table in record.tables.items()}
    assert [(row["layer"], row["head"]) for row in tables["heads"]] == [(x, y) for x in (1, 2) for y in (1, 2, 3, 4)]
    assert sorted(row["rank"] for row in tables["heads"] if row["rank"]) == list(range(1, 7))
    assert [row["layer"] for row in tables["layers"]] == [1, 2]
    assert {row["order"] for row in tables["curves"]} == {
        "importance", "by position", "gates", "by ablation", "reverse", *(f"random {number}" for number in range(1, 6)),
    }  # fmt: skip
    assert tables["frontier"][0]["model"] == "whole"
    assert tables["frontier"][-1]["model"] == "first 1 layer"
    assert tables["frontier"][1]["model"] == "whole, int8"
    assert all(row["parameters"] < tables["frontier"][0]["parameters"] for row in tables["frontier"][2:])


def test_all_orders_end_at_one_head_a_layer_and_agree_where_they_prune_the_same(record):
    curves = [row for row in record.tables["curves"].rows() if row["order"] == "importance"]
    assert curves[-1]["pruned"] == 6
    assert record.data["choosing"] + record.data["measuring"] == 80


def test_heads_removed_for_good_score_as_heads_scaled_to_zero(record):
    finding = next((each for each in record.findings if each.name == "method.removal"), None)
    if finding is not None:
        assert finding.numbers["largest_difference"] < 1e-5
    curves = {row["pruned"]: row for row in record.tables["curves"].rows() if row["order"] == "importance"}
    for row in record.tables["frontier"].rows()[1:]:
        if row["layers"] == 2 and 8 - row["heads"] in curves:
            assert np.isclose(row["change"], curves[8 - row["heads"]]["change"], atol=0.03)  # bfloat16 may tip a row


@pytest.mark.slow
def test_the_same_seed_gives_the_same_figures(run, rows, record):
    again = ww.study_heads(run, rows, limit=80, draws=200)
    for name in ("heads", "layers", "curves"):
        assert again.tables[name] == record.tables[name]


@pytest.mark.slow
def test_a_table_in_memory_and_a_second_run(run, rows, tmp_path):
    second = write_tuned(tmp_path, steps=20)
    record = ww.study_heads(run, pd.read_csv(rows), limit=60, draws=100, second_run=second)
    assert record.finding("warning.second_run").numbers["change"] <= 0.5


@pytest.mark.slow
@pytest.mark.parametrize("family", ["distilbert", "roberta", "xlm-roberta", "gpt2"])
def test_a_model_of_any_family_is_asked(rows, tmp_path, family):
    record = ww.study_heads(write_tuned(tmp_path, family), rows, limit=60, draws=100)
    assert len(record.tables["heads"].rows()) == 8
    removal = next((each for each in record.findings if each.name == "method.removal"), None)
    assert removal is None or removal.numbers["largest_difference"] <= 1e-5
    assert max(row["pruned"] for row in record.tables["curves"].rows()) == 6


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["regression", "tags"])
def test_values_and_tags_are_studied_too(tmp_path, kind):
    run, rows = write_tuned(tmp_path / "run", kind=kind), labelled_rows(tmp_path, kind)
    record = ww.study_heads(run, rows, limit=60, draws=100)
    assert len(record.tables["heads"].rows()) == 8
    assert record.data["metric"] in {"spearman", "entity_f1"}


def test_what_cannot_be_studied_is_refused(run, rows, tmp_path):
    prune(run, tmp_path / "small", heads=0.5, data=rows, limit=60)
    span = write_tuned(tmp_path / "span", kind="span")
    tiny = write_tiny(tmp_path / "tiny")
    for folder, choices, what in (
        (tmp_path / "small", {}, "pruned already"),
        (span, {}, "not supported here"),
        (tiny, {}, "not the folder of a fine-tuned model"),
        (run, {"second_run": span}, "not supported here"),
        (run, {"limit": 10}, "limit. 10 is out of range"),
        (run, {"margin": -1}, "margin. -1 is out of range"),
        (run, {"text": "nothing"}, "nothing"),
    ):
        with pytest.raises(BadInput, match=what):
            ww.study_heads(folder, rows, **choices)
    with pytest.raises(BadInput, match="was not fine-tuned on class"):
        ww.study_heads(
            run, [{"text": f"a cab {number}", "label": "no" if number % 2 else "yes"} for number in range(60)]
        )
