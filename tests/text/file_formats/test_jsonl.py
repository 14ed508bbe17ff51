"""JSON Lines: numbers as written, lists as JSON."""

from pathlib import Path

from wordworth.tasks.reading.labelled_rows import values
from wordworth.text.file_formats.read import read_rows


def test_values_of_every_type_become_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"text": "é", "n": 1.50, "on": true, "tags": ["O", "B-X"]}\n\n{"text": null, "n": 10}\n', encoding="utf-8"
    )
    table = read_rows(path)
    assert table.columns == {"text": ["é", ""], "n": ["1.50", "10"], "on": ["true", ""], "tags": ['["O", "B-X"]', ""]}
    assert table.position(1) == "line 3"


def test_line_separators_of_unicode_do_not_end_a_line(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    path.write_text('{"text": "a\u2028b\x85c", "label": "x"}\n', encoding="utf-8")
    assert read_rows(path).columns["text"] == ["a\u2028b\x85c"]


def test_a_missing_value_that_was_written_as_nan_is_null_and_the_word_stays_a_word(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": NaN, "n": -Infinity}\n{"text": "NaN", "n": 1}\n', encoding="utf-8")
    assert read_rows(path).columns == {"text": ["", "NaN"], "n": ["-Infinity", "1"]}


def test_numbers_in_arrays_and_objects_stay_numbers_and_as_they_were_spelt(tmp_path: Path) -> None:
    path, inside = tmp_path / "a.jsonl", '{"a": [1, 2.50, "3", null, true], "é": {"b": 1e3}}'
    path.write_text(f'{{"meta": {inside}, "n": 2.50}}\n', encoding="utf-8")
    assert read_rows(path).columns == {"meta": [inside], "n": ["2.50"]}
    assert values("[1, 2.50, [3]]") == ["1", "2.50", "[3]"]
