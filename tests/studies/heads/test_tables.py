"""The tables describe every column, and intervals hold their changes' order."""

from wordworth.inference.prediction_speed import SPEED_COLUMNS
from wordworth.studies.compression_frontier import FRONTIER
from wordworth.studies.heads.tables import CURVES, HEADS, LAYERS


def test_every_column_is_described(record):
    every = {"heads": HEADS, "layers": LAYERS, "curves": CURVES, "frontier": {**FRONTIER, **SPEED_COLUMNS}}
    for name, described in every.items():
        for row in record.tables[name].rows():
            assert list(row) == list(described)


def test_intervals_are_in_order_and_sure_changes_exclude_nothing(record):
    for row in record.tables["heads"].rows():
        for ablation in ("zero", "mean", "uniform"):
            low, high = row[f"{ablation}_low"], row[f"{ablation}_high"]
            assert low <= high
            assert not row[f"{ablation}_sure"] or low > 0 or high < 0
