"""The tables describe every column; what the clock decides stands apart."""

import pytest

from wordworth.studies.shrink.tables import MODELS, SPEED, VECTORS


def test_every_column_is_described(record, of_encoder):
    for row in record.tables["models"].rows():
        assert list(row) == list(MODELS)
    for row in of_encoder.tables["vectors"].rows():
        assert list(row) == list(VECTORS)


def test_times_and_prices_are_no_table_of_the_record_but_a_timing(record, of_encoder):
    for each in (record, of_encoder):
        timed = each.timings["speed"].rows()
        assert all(list(row) == list(SPEED) for row in timed)
        names = [row["model"] for row in timed if not row["model"].startswith("vectors: ")]
        assert names == [row["model"] for row in each.tables["models"].rows()]
        for row in timed:
            assert row["price"] == pytest.approx(row["milliseconds_32"] * 0.10 / 3.6)
    assert sum(row["model"].startswith("vectors: ") for row in of_encoder.timings["speed"].rows()) == 7


def test_intervals_enclose_the_usual_ones(record):
    for row in record.tables["models"].rows()[1:]:
        assert row["corrected_low"] <= row["low"] <= row["high"] <= row["corrected_high"]
