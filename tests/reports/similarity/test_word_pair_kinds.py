"""The chart of what cosines are made of names the kind that makes the difference."""

from wordworth.records import Finding, Record, Table
from wordworth.reports.captions import with_captions
from wordworth.reports.record_view import RecordView
from wordworth.reports.similarity.word_pair_kinds import kinds_figure, weights_figure
from wordworth.studies.similarity.tables import KIND_MEANS


def row(kind, gap):
    ends = {f"{prefix}{end}": 0.1 for prefix in ("", "random_", "gap_") for end in ("low", "high")}
    return {"kind": kind, "mean": 0.3, "random": 0.1, "gap": gap, **ends}


def test_the_title_names_the_kind_with_the_largest_difference():
    rows = [row("same words", 0.1), row("different words", 0.3), row("special tokens", 0.05), row("cosine", 0.45)]
    record = Record("similarity", {}, {}, {"kinds": Table.of(rows, KIND_MEANS)}, [Finding("verdict", "x")])
    figure = kinds_figure(RecordView.of(with_captions(record)))
    assert figure.title == "Most of the difference, 0.30, is from different words"
    assert len(figure.table.rows) == 4
    assert "random pairs" in figure.drawings[0].svg


def test_random_weights_stand_beside_the_model():
    kinds = [row("same words", 0.1), row("cosine", 0.45)]
    untrained = [row("same words", 0.0), row("cosine", 0.02)]
    tables = {"kinds": Table.of(kinds, KIND_MEANS), "random_weights": Table.of(untrained, KIND_MEANS)}
    record = Record("similarity", {}, {}, tables, [Finding("verdict", "x")])
    figure = weights_figure(RecordView.of(with_captions(record)))
    assert figure.title == "Pairs differ from random pairs by 0.45, with random weights by 0.02"
    assert [[str(getattr(cell, "text", cell)) for cell in cells] for cells in figure.table.rows] == [
        ["same words", "0.100", "0.000"],
        ["cosine", "0.450", "0.020"],
    ]
    assert "random weights" in figure.drawings[0].svg
