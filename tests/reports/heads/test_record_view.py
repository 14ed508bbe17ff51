"""The columns of ablations are those of a kept record."""

from pathlib import Path

import pytest

from wordworth.records import read
from wordworth.reports.heads.record_view import ABLATIONS

KEPT = Path(__file__).parents[3] / "docs" / "records"


@pytest.mark.parametrize("table", ["heads", "layers"])
def test_each_ablation_has_a_column_with_an_interval(table):
    columns = read(KEPT / "heads_mini.json").tables[table].columns
    assert {f"{name}{end}" for name in ABLATIONS for end in ("", "_low", "_high")} <= columns.keys()
