"""The charts of the loss around a fine-tuned model."""

from pathlib import Path

import pytest
from changed import with_table

from wordworth.records import Record, Table, read
from wordworth.reports.captions import with_captions
from wordworth.reports.finetuning_changes.landscape import loss_figures
from wordworth.reports.record_view import RecordView

KEPT = Path(__file__).parents[3] / "docs" / "records" / "finetuning_minilm.json"


@pytest.fixture(scope="module")
def record() -> Record:
    return read(KEPT)


def figures(record: Record, *missing: str) -> dict:
    for name in missing:
        record = with_table(record, name, Table.of([], record.tables[name].describe))
    return {figure.name: figure for figure in loss_figures(RecordView.of(with_captions(record)))}


def test_lines_are_drawn_of_every_record_and_a_plane_and_a_way_of_those_that_have_them(record):
    assert [*figures(record)] == ["lines", "around", "plane", "way"]
    assert [*figures(record, "plane", "way")] == ["lines", "around"]


def test_the_table_under_the_lines_has_a_row_for_each_position(record):
    rows = [row for row in record.tables["lines"].rows() if row["direction"] == "line"]
    assert len(figures(record)["lines"].table.rows) == len({row["position"] for row in rows})


def test_start_and_model_are_marked_on_the_plane_where_it_has_a_square_of_each(record):
    places = [{"across": x, "up": y, "loss": x + y} for x in (0.0, 1.0) for y in (0.0, 1.0)]
    plane = with_table(record, "plane", Table.of(places, record.tables["plane"].describe))
    wide, _ = figures(plane)["plane"].drawings
    assert [str(wide.svg).count(f">{mark}<") for mark in "SM"] == [1, 1]
