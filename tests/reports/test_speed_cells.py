"""Cells of speed: the whole model has its milliseconds alone, a smaller one its speedup with the range over rounds."""

from wordworth.reports.speed_cells import milliseconds, speed_cells, speed_columns, speedup

ROW = {"milliseconds_32": 1.234, "speedup_32": 2.0, "speedup_least_32": 1.8, "speedup_most_32": 2.25}


def test_a_smaller_model_has_its_speedup_under_its_milliseconds():
    cell = milliseconds({"model": "smaller", **ROW}, 32, whole="whole")
    assert (cell.text, cell.detail) == ("1.23", "2.00 times, 1.80 to 2.25")
    assert milliseconds({"model": "whole", **ROW}, 32, whole="whole").detail == ""


def test_a_speedup_has_its_range_over_rounds():
    cell = speedup(ROW, 32)
    assert (cell.text, cell.detail) == ("2.00", "1.80 to 2.25")


def test_batches_come_before_single_texts_in_columns_and_cells():
    row = ROW | {name.replace("32", "1"): 10 * value for name, value in ROW.items()}
    heads = ["ms a text in batches of 32", "ms a text one by one"]
    assert [column.title for column in speed_columns("the teacher")] == heads
    assert [cell.text for cell in speed_cells({"model": "student", **row}, whole="teacher")] == ["1.23", "12.34"]
