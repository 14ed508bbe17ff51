"""JSON Lines: numbers as written, lists as JSON."""

from pathlib import Path

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
