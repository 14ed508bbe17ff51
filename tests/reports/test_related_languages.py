"""The table of labels of related and of distant languages."""

import json
from pathlib import Path

from wordworth.reports.record_view import RecordView
from wordworth.reports.related_languages import table

RECORD = Path(__file__).parents[2] / "docs" / "records" / "languages_related_multilingual.json"


def test_each_language_of_the_record_has_a_row_with_its_genus_and_its_change():
    plain = json.loads(RECORD.read_text("utf-8"))
    (grid,) = table(RecordView(plain))
    columns = plain["tables"]["related"]["columns"]
    assert len(grid.rows) == len(columns["language"])
    for row, language, genus, change in zip(
        grid.rows, columns["language"], columns["genus"], columns["change"], strict=True
    ):
        words = " ".join(str(cell) for cell in row)
        assert language in words
        assert genus in words
        assert f"{abs(100 * change):.1f}" in words


def test_a_record_without_related_languages_has_no_table():
    assert list(table(RecordView({"data": {}, "tables": {}}))) == []
